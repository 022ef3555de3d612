package score

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/npdb/npdb/session/compare"
)

// Tally counts verdicts: right, wrong and incomparable ones.
type Tally struct {
	N            int `json:"n"`            // right or wrong
	Same         int `json:"same"`         // right
	Incomparable int `json:"incomparable"` // neither right nor wrong, not in N
}

func (t *Tally) add(k compare.Kind) {
	switch k {
	case compare.Incomparable:
		t.Incomparable++
	case compare.Same:
		t.N++
		t.Same++
	default:
		t.N++
	}
}

func (t *Tally) merge(o Tally) {
	t.N += o.N
	t.Same += o.Same
	t.Incomparable += o.Incomparable
}

// Accuracy returns the share Same/N, NaN if N is 0.
func (t Tally) Accuracy() float64 { return float64(t.Same) / float64(t.N) }

// StdErr returns the standard error of the accuracy p as a share of N independent draws:
// sqrt(p(1-p)/N). It is NaN if N is 0. It means little if N is small or p is 0 or 1, and the
// predictions of one walk are not independent.
func (t Tally) StdErr() float64 {
	p := t.Accuracy()
	return math.Sqrt(p * (1 - p) / float64(t.N))
}

// Bucket is a range of horizons. The ranges double: 0, 1, 2, 3–4, 5–8, 9–16, …
type Bucket int8

// UnknownHorizon is the bucket of negative horizons, which stand for an unknown one.
const UnknownHorizon Bucket = -1

// BucketOf returns the bucket of a horizon, which is the number of events that a move passes.
func BucketOf(horizon int) Bucket {
	switch {
	case horizon < 0:
		return UnknownHorizon
	case horizon == 0:
		return 0
	}
	return Bucket(bits.Len(uint(horizon-1)) + 1)
}

// Bounds returns the smallest and the greatest horizon of the bucket.
func (b Bucket) Bounds() (least, greatest int) {
	if b <= 2 {
		return int(b), int(b)
	}
	if b >= bits.UintSize {
		return 1<<(bits.UintSize-2) + 1, math.MaxInt
	}
	return 1<<(b-2) + 1, 1 << (b - 1)
}

// String returns the bucket's name: "unknown", "2", "3-4".
func (b Bucket) String() string {
	least, greatest := b.Bounds()
	switch {
	case b == UnknownHorizon:
		return "unknown"
	case least == greatest:
		return fmt.Sprint(least)
	}
	return fmt.Sprintf("%d-%d", least, greatest)
}

// MarshalText writes the bucket's name.
func (b Bucket) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

// UnmarshalText reads the bucket's name.
func (b *Bucket) UnmarshalText(text []byte) error {
	for known := UnknownHorizon; known <= BucketOf(math.MaxInt); known++ {
		if known.String() == string(text) {
			*b = known
			return nil
		}
	}
	return fmt.Errorf("there is no horizon %q in a score", text)
}
