package statetree

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestTextsRoundTrip stores texts that grow, shrink and change in places, like those of
// containers, and reads each back. Equal texts have one number.
func TestTextsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := newTexts()
		var want []string
		numbers := map[string]uint32{}
		text := bytes.Repeat([]byte("[1, 22, 333] "), rapid.IntRange(0, 200).Draw(t, "length"))
		base := none
		for range rapid.IntRange(1, 60).Draw(t, "texts") {
			from := rapid.IntRange(0, len(text)).Draw(t, "from")
			to := min(len(text), from+rapid.SampledFrom([]int{0, 0, 1, 5, 300, 1 << 20}).Draw(t, "cut"))
			middle := rapid.SliceOfN(rapid.Byte(), 0, 20).Draw(t, "middle")
			text = bytes.Join([][]byte{text[:from], middle, text[to:]}, nil)
			id := s.intern(text, base)
			known, ok := numbers[string(text)]
			switch {
			case ok && known != id:
				t.Fatalf("the same text has numbers %d and %d", known, id)
			case !ok && int(id) != len(want):
				t.Fatalf("new text got number %d, want %d", id, len(want))
			case !ok:
				numbers[string(text)] = id
				want = append(want, string(text))
			}
			if rapid.IntRange(0, 5).Draw(t, "keep base") > 0 {
				base = id
			}
		}
		for id, text := range want {
			if got := s.text(uint32(id)); got != text {
				t.Fatalf("text %d: %q, want %q", id, got, text)
			}
			if got := s.intern([]byte(text), none); int(got) != id {
				t.Fatalf("text %d stored again is %d", id, got)
			}
		}
	})
}

// TestTextsMany grows the index through several splits, with differences among
// the texts.
func TestTextsMany(t *testing.T) {
	s := newTexts()
	text := func(i int) []byte {
		if i%50 == 0 {
			return fmt.Appendf(nil, "%s%d]", strings.Repeat("0, ", 200), i)
		}
		return fmt.Appendf(nil, "%d", i)
	}
	const n = 50_000
	base := none
	for i := range n {
		id := s.intern(text(i), base)
		if int(id) != i {
			t.Fatalf("text %d got number %d", i, id)
		}
		if i%50 == 0 {
			base = id
		}
	}
	for i := range n {
		if got := s.intern(text(i), none); int(got) != i {
			t.Fatalf("text %d stored again is %d", i, got)
		}
		if got := s.text(uint32(i)); got != string(text(i)) {
			t.Fatalf("text %d is %q", i, got)
		}
	}
}

// TestTextsGrowingList checks the memory of similar texts: a list that grows by one
// element at a time needs a small multiple of the memory of its last text; a list that changes
// in a few places needs a small part of the memory of all its texts.
func TestTextsGrowingList(t *testing.T) {
	for _, c := range []struct {
		name  string
		next  func(list []int, k int) []int
		parts int // the total length of the texts is at least this many times their memory
	}{
		{"grows", func(list []int, k int) []int { return append(list, k) }, 20},
		{"changes", func(list []int, k int) []int {
			list[k*7919%len(list)]++
			return list
		}, 20},
		{"shrinks", func(list []int, _ int) []int { return list[1:] }, 20},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newTexts()
			list := make([]int, 1500)
			var texts []string
			base, sum := none, 0
			for k := range 700 {
				text := fmt.Sprint(list)
				texts = append(texts, text)
				sum += len(text)
				base = s.intern([]byte(text), base)
				list = c.next(list, k)
			}
			if cost := s.data.held; cost*int64(c.parts) > int64(sum) {
				t.Errorf("%d bytes for texts of %d bytes in sum", cost, sum)
			}
			random := rand.New(rand.NewPCG(3, 4))
			for range 100 {
				k := random.IntN(len(texts))
				if id := s.intern([]byte(texts[k]), none); s.text(id) != texts[k] {
					t.Fatalf("text %d does not read back", k)
				}
			}
		})
	}
}

// TestTextHuge stores texts far larger than a page.
func TestTextHuge(t *testing.T) {
	s := newTexts()
	huge := bytes.Repeat([]byte("0123456789abcdef"), 16<<20/16)
	first := s.intern(huge, none)
	held := s.data.held
	huge[8<<20] = '!'
	second := s.intern(huge, first)
	if grown := s.data.held - held; grown > arenaPage+1024 {
		t.Errorf("a difference of one byte costs %d bytes", grown)
	}
	if got := s.text(second); got != string(huge) {
		t.Error("the second text does not read back")
	}
	huge[8<<20] = '0'
	if got := s.text(first); got != string(huge) {
		t.Error("the first text does not read back")
	}
}
