package embedded

import (
	"math"
	"slices"
	"testing"
)

// count returns n tokens: from, from+1, ….
func count(from, n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = from + i
	}
	return all
}

// TestPoolKeepsBranches checks that the pool finds cached prefixes of a text, and that texts with a
// common prefix do not overwrite each other.
func TestPoolKeepsBranches(t *testing.T) {
	const size = 8
	p := &pool{most: 3}
	fill := func(tokens []int, known int) *sequence {
		t.Helper()
		q := p.take(tokens)
		if len(q.tokens) != known || !slices.Equal(q.tokens, tokens[:known]) {
			t.Fatalf("%d tokens are known of %v, want %d", len(q.tokens), tokens, known)
		}
		q.extend(len(tokens)-known, size)
		for at := known; at < len(tokens); at++ {
			if q.pages[at/span].shared {
				t.Fatalf("token %d is written to a page that another text has", at)
			}
			q.pages[at/span].numbers[0] = float32(tokens[at])
		}
		q.tokens = append(q.tokens, tokens[known:]...)
		return q
	}
	trunk := count(0, 400)
	fill(trunk, 0)
	fill(trunk, 399)
	longer := append(slices.Clone(trunk), count(5000, 100)...)
	fill(longer, 400)
	branch := append(slices.Clone(trunk[:200]), count(6000, 100)...)
	b := fill(branch, 200)
	if len(p.sequences) != 2 || b.pages[0] != p.sequences[0].pages[0] || b.pages[3] == p.sequences[0].pages[3] {
		t.Error("the branch shares other pages than the whole ones it has in common")
	}
	a := fill(longer, 499)
	if a.pages[3].numbers[0] == b.pages[3].numbers[0] {
		t.Error("a branch wrote into the text that it left")
	}
	fill(append(slices.Clone(branch[:290]), 1, 2, 3), 290) // few tokens are dropped, so the sequence is reused
	if len(p.sequences) != 2 {
		t.Errorf("%d texts are kept", len(p.sequences))
	}
	fill(count(9000, 10), 0)
	fill(count(8000, 10), 0) // replaces the least recently used sequence
	if len(p.sequences) != 3 || len(p.take(longer).tokens) > 200 {
		t.Error("too many texts are kept")
	}
	for n := range 3 * span {
		q := &sequence{}
		q.extend(100, size)
		q.tokens = count(0, 100)
		n = min(n, 100)
		if q.cut(n); len(q.tokens) != n || len(q.pages) != (n+span-1)/span {
			t.Fatalf("cut to %d it has %d tokens and %d pages", n, len(q.tokens), len(q.pages))
		}
	}
}

// TestConfidence checks that the confidence is the product of the probabilities of the tokens that were
// not determined, at the calibration of the model's file.
func TestConfidence(t *testing.T) {
	for _, calibration := range []float64{1, 2} {
		d := drawing{calibration: calibration}
		logits := []float32{1, 3, 2, float32(math.NaN())}[:3]
		id, p := d.choose(logits, func(id int) bool { return id != 1 })
		var sum float64
		for _, x := range logits {
			sum += math.Exp(float64(x) / calibration)
		}
		if want := math.Exp(2/calibration) / sum; id != 2 || math.Abs(p-want) > 1e-9 {
			t.Errorf("token %d with %v, want %v", id, p, want)
		}
		if id, _ := d.choose(logits, func(int) bool { return false }); id != -1 {
			t.Errorf("token %d is allowed", id)
		}
	}
}
