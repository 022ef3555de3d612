package python

import (
	"strings"
	"testing"
)

// FuzzNamings checks that the offsets and names for any text are inside the text and consistent.
func FuzzNamings(f *testing.F) {
	for _, seed := range []string{
		"a, *b = 'x', 'y'", "match ('a', b):\n    case (x, [*y]) | {'k': z}: pass", "with f('a') as b, c as (d, e): pass", "def f(*a, **k): yield 'x'\nf(*('a',), k='b')",
		"P = namedtuple('P', 'a b')\nP('x', 'y')", "for a, (b, *c) in zip(x, ['1'])", "class C:\n  a: int = 'x'\nC('y')", "x = [a for a, b in (('1', '2'),)]", "*a, = 'x', = ()", "partial()", "partial(*a)",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for at := range Namings(text, Callables(text)) {
			if at < 0 || at >= len(text) {
				t.Errorf("a string at %d of %q", at, text)
			}
		}
	})
}

// TestNamingsOfManyStrings checks that Namings takes linear time for a program with many strings.
func TestNamingsOfManyStrings(t *testing.T) {
	rows := strings.Repeat("'x', ", 50_000)
	text := "names = [" + rows + "]\na, *b = (" + rows + ")\n" + strings.Repeat("for x in names: y = x\nx = y\n", 10)
	all := 0
	for _, n := range Namings(text, nil) {
		if all = max(all, len(n)); all > mostNames {
			t.Fatalf("a string has %d names", len(n))
		}
	}
}
