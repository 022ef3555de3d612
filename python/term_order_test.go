package python

import (
	"strings"
	"testing"
)

// TestTermOrder checks the parts of an expression that may change what others read.
func TestTermOrder(t *testing.T) {
	for _, c := range []struct{ text, effects, reads string }{
		{"f(x, y.z)", "f(x, y.z)", "f x y.z y"},
		{"s.pop(), s[-1]", "s.pop()", "s.pop s s[-1] s"},
		{"(i := 1) + s[i]", "i := 1", "i s[i] s i"},
		{"lambda: f(x)", "", ""},
		{"[g(x) for x in xs]", "g(x)", "xs x g x"},
		{"'text'", "", ""},
	} {
		term, err := ReadTerm(c.text)
		if err != nil {
			t.Fatal(err)
		}
		if got := texts(term.Effects()); got != c.effects {
			t.Errorf("%s: effects %s, want %s", c.text, got, c.effects)
		}
		if got := texts(term.Reads()); got != c.reads {
			t.Errorf("%s: reads %s, want %s", c.text, got, c.reads)
		}
	}
}

func texts(terms []Term) string {
	var found []string
	for _, t := range terms {
		found = append(found, t.Text())
	}
	return strings.Join(found, " ")
}

// TestTermMentions checks which targets a term reads.
func TestTermMentions(t *testing.T) {
	for _, c := range []struct {
		text, target string
		want         bool
	}{
		{"s[i]", "i", true},
		{"s[0]", "i", false},
		{"o.v.w", "p.v", true},
		{"o.v", "p.w", false},
		{"d[k]", "e[0]", true},
		{"o.v", "v", false},
	} {
		term, _ := ReadTerm(c.text)
		target, _ := ReadTerm(c.target)
		if got := term.Mentions(target); got != c.want {
			t.Errorf("%s mentions %s: %v, want %v", c.text, c.target, got, c.want)
		}
	}
	term, _ := ReadTerm("a, b")
	if parts := term.Terms(); !parts[0].Precedes(parts[1]) || parts[1].Precedes(parts[0]) || parts[0].Precedes(parts[0]) {
		t.Errorf("the order of a and b is wrong")
	}
}
