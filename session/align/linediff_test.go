package align

import (
	"fmt"
	"strings"
	"testing"
)

// TestPairLines checks which lines of two texts are paired. A line is a word.
func TestPairLines(t *testing.T) {
	for _, c := range []struct{ a, b, want string }{
		{"", "", "[]"},
		{"a b c", "a b c", "[0 1 2]"},
		{"a b c", "x a b c", "[1 2 3]"},
		{"a b c", "a c", "[0 -1 1]"},
		{"a b c", "a x c", "[0 1 2]"},                 // edited in place
		{"a total=1 c", "a new total=2 c", "[0 2 3]"}, // the line that is alike
		{"a b c", "d", "[-1 -1 -1]"},
		{"b a", "a b", "[-1 0]"},
		{"x y x y x", "x y x", "[0 1 2 -1 -1]"},
	} {
		if got := fmt.Sprint(pairLines(strings.Fields(c.a), strings.Fields(c.b))); got != c.want {
			t.Errorf("%q to %q: %s, want %s", c.a, c.b, got, c.want)
		}
	}
}

// FuzzPairLines checks that pairs ascend, and that a text is paired with itself line by line.
func FuzzPairLines(f *testing.F) {
	f.Add("a\nb\nc", "b\nc\nd")
	f.Add("a\na\na\nb", "a\nb\na")
	f.Fuzz(func(t *testing.T, x, y string) {
		a, b := strings.Split(x, "\n"), strings.Split(y, "\n")
		last := -1
		for i, j := range pairLines(a, b) {
			if j >= 0 && (j <= last || j >= len(b)) {
				t.Fatalf("line %d is paired with %d, after %d", i, j, last)
			}
			last = max(last, j)
		}
		for i, j := range pairLines(a, a) {
			if i != j {
				t.Fatalf("line %d of a text is paired with its line %d", i, j)
			}
		}
	})
}
