package python

import (
	"strings"
	"testing"
)

func TestParseDisplay(t *testing.T) {
	for _, tt := range []struct{ expr, parts, repr string }{
		{"i, j, dp", "i|j|dp", "(0, 1, 2)"},
		{"(i, [j, k])", "i|[j, k]", "(0, 1)"},
		{"a.b,", "a.b", "(0,)"},
		{"[f(x, y), (b)]", "f(x, y)|b", "[0, 1]"},
		{"[\n a,\n 'é', c]", "a|'é'|c", "[0, 1, 2]"},
		{"[a +\n b, c]", "(a +\n b)|c", "[0, 1]"},
		{"(x for x in y), [z for z in y]", "(x for x in y)|[z for z in y]", "(0, 1)"},
		{"(a, b), (c)", "(a, b)|c", "(0, 1)"},
		{"lambda: 1, a if b else c", "lambda: 1|a if b else c", "(0, 1)"},
		{"*a, b", "", ""},
		{"(y := 3), y", "", ""},
		{"()", "", ""},
		{"[]", "", ""},
		{"[x for x in y]", "", ""},
		{"{a, b}", "", ""},
		{"a", "", ""},
		{"a,, b", "", ""},
	} {
		d, ok := ParseDisplay(tt.expr)
		if got := strings.Join(d.Parts, "|"); ok && got != tt.parts || ok != (tt.parts != "") {
			t.Errorf("%q: %v, %s", tt.expr, ok, got)
		}
		if ok {
			if got := d.Repr(strings.Split("0 1 2", " ")[:len(d.Parts)], ", "); got != tt.repr {
				t.Errorf("%q: repr %s", tt.expr, got)
			}
		}
	}
}
