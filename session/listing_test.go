package session_test

import (
	"strings"
	"testing"

	"github.com/npdb/npdb/trace"
)

// thirty is a program of thirty lines.
var thirty = strings.Repeat("x = 1\n", 29) + "y = 2\n"

// list goes on by elevens behind what was listed last, from five lines before the one it
// is about.
func TestListPages(t *testing.T) {
	s := neural(t, &scripted{replies: []string{`<|line_sep|>{"x": "1"}<|action_sep|>2|x = 1` + "\n<|frame_sep|>"}}, trace.Options{Script: scriptOf(t, thirty)})
	s.First(t.Context())
	for _, c := range []struct {
		line, first, last string
		n                 int
	}{
		{"l", "  1  ->\tx = 1", " 11  \tx = 1", 11},
		{"l", " 12  \tx = 1", " 22  \tx = 1", 11},
		{"l", " 23  \tx = 1", "[EOF]", 9},
		{"l", "[EOF]", "[EOF]", 1},
		{"l .", "  1  ->\tx = 1", " 11  \tx = 1", 11},
		{"l 15", " 10  \tx = 1", " 20  \tx = 1", 11},
		{"l", " 21  \tx = 1", "[EOF]", 11},
		{"l 6", "  1  ->\tx = 1", " 11  \tx = 1", 11},
		{"l 7", "  2  \tx = 1", " 12  \tx = 1", 11},
		{"l 25", " 20  \tx = 1", " 30  \ty = 2", 11},
		{"l 26", " 21  \tx = 1", "[EOF]", 11},
		{"l 28, 30", " 28  \tx = 1", " 30  \ty = 2", 3},
		{"l 28, 31", " 28  \tx = 1", "[EOF]", 4},
		{"l 28, 2", " 28  \tx = 1", " 30  \ty = 2", 3},
		{"l 3, 3", "  3  \tx = 1", "  3  \tx = 1", 1},
		{"l 99", "[EOF]", "[EOF]", 1},
		{"ll", "  1  ->\tx = 1", " 30  \ty = 2", 30},
		{"n", "…", "…", 2},
		{"l", "  1  \tx = 1", " 11  \tx = 1", 11}, // a move begins anew
	} {
		said := strings.Split(strings.TrimSuffix(run(s, c.line), "\n"), "\n")
		if c.first != "…" && (said[0] != c.first || said[len(said)-1] != c.last) || len(said) != c.n {
			t.Errorf("%s: %d lines, %q", c.line, len(said), said)
		}
	}
}

// Of methods with one name the selected frame's own is listed.
func TestListFunctionAmongItsNamesakes(t *testing.T) {
	s := written(t, "class A:\n    def run(self):\n        a = 1\n        return a\nclass B:\n    def run(self):\n        b = 2\n\n        return b\nB().run()\n")
	run(s, "b 7", "c")
	want := "  6  \t    def run(self):\n  7 B->\t        b = 2\n  8  \t\n  9  \t        return b\n"
	if got := run(s, "ll"); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
