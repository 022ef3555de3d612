//go:build unix

package session_test

import (
	"strings"
	"testing"
)

// TestOnlyOverTexts checks that a comprehension over recorded objects is refused with what is not
// known and what to do, by p and by conditions.
func TestOnlyOverTexts(t *testing.T) {
	s := written(t, "n = 2\nclass P:\n    def __init__(self, x):\n        self.x = x\nps = [P(1), P(2)]\nm = 3\nm = 4\n")
	run(s, "b 7", "c", "rn")
	const (
		text = ". Before the live edge a comprehension reads only the texts of values: ask for single ones, such as xs[0].name; this is event "
		none = ".x: a text has no attributes but the public methods of literals"
	)
	for _, c := range [][2]string{
		{"p [p.x for p in ps]", "*** [p.x for p in ps]: " + none + text},
		{"p any(p.x == 2 for p in ps)", "*** any(p.x == 2 for p in ps): " + none + text},
		{"p [p for p in ps]", "*** [p for p in ps]: ps: [P(x=1), P(x=2)] is known only as text" + text},
		{"p ps[:1]", "*** ps[:1]: ps: [P(x=1), P(x=2)] is known only as text. Before the live edge a slice reads only the texts of values: ask for single ones, such as xs[0].name; this is event "},
		{"p [i for i in range(n)]", "[0, 1] (from recorded text)"},
		{"last [p.x for p in ps]", "*** Cannot follow [p.x for p in ps]: a comprehension is evaluated over the texts of values. What can be followed is a name, an attribute, an element, len(…) and what operators make of them"},
	} {
		if got := run(s, c[0]); !strings.HasPrefix(got, c[1]) {
			t.Errorf("%s is\n%swant\n%s", c[0], got, c[1])
		}
	}
}

// TestDisplaysByParts checks that a display is shown as by pdb if only the text of an object in it is
// known.
func TestDisplaysByParts(t *testing.T) {
	s := written(t, "class Q:\n    def __repr__(self): return f'Q<{self.n}>'\nq = Q()\nq.n = 1\ni = 2\nm = 3\nm = 4\n")
	run(s, "b 7", "c", "rn")
	for _, c := range [][2]string{
		{"p i, q", "(2, Q<1>)"},
		{"p [q, [i, q]]", "[Q<1>, [2, Q<1>]]"},
		{"p q, q.n + i,", "(Q<1>, 3)"},
		{"p (q,)", "(Q<1>,)"},
		{"pp i, q", "(2, Q<1>)"},
		{"pp q, 'a' * 40, 'b' * 40", "(Q<1>,\n '" + strings.Repeat("a", 40) + "',\n '" + strings.Repeat("b", 40) + "')"},
		{"whatis (i, q)", "<class 'tuple'>"},
		{"p i, q, nowhere", "*** NameError: name 'nowhere' "},
		{"p i, q.__class__", "*** q.__class__: "},
	} {
		if got := run(s, c[0]); !strings.HasPrefix(got, c[1]) {
			t.Errorf("%s is\n%swant\n%s", c[0], got, c[1])
		}
	}
}
