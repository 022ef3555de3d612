package python

import "testing"

// TestUnpackingInArguments checks a generator expression that unpacks (PEP 798) as the argument of a
// call, with the errors of Python 3.15.
func TestUnpackingInArguments(t *testing.T) {
	for text, want := range map[string]string{
		"f(*x for x in y)\n":         "",
		"f(*x for x in y if x)(z)\n": "",
		"f((*x for x in y), z)\n":    "",
		"f(a, *x for x in y)\n":      "SyntaxError: Generator expression must be parenthesized",
		"f(*a, *x for x in y)\n":     "SyntaxError: Generator expression must be parenthesized",
		"f(*x for x in y, )\n":       "SyntaxError: invalid syntax",
		"f(*x for x in y, 1)\n":      "SyntaxError: invalid syntax",
	} {
		p := newParser(text)
		p.strict, p.program = true, true
		p.statements(false)
		got := ""
		if err := p.err(); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
