package python

import (
	"strings"
	"testing"
)

func TestScopes(t *testing.T) {
	const source = `
CACHE, LIMIT = {}, 3
total = 0
e = 1

def f(a, b=LIMIT):
    global total
    total += a
    x = [i for i in CACHE if i < LIMIT]
    (i := 2)
    return g(lambda total2: total2 + DEPTH)

class Parser:
    size = 3

    class Inner:
        def deep(self): return size

    @decorated
    def expr(self, *rest):
        try:
            import os as CACHE
        except ValueError as e:
            print(e, CACHE, self.total)
        def inner(n=total):
            nonlocal rest
            rest = a = LIMIT
            return rest, inner2, a
        def inner2(): pass
        for total in rest: pass
        match rest:
            case [first, *others] | Point(x=others): return first, others
            case {"k": CONST.x} as whole if LIMIT: return whole

def g(f):
    with open(f) as e, lock as (h, k): yield h, k, e
    del h
`
	line := func(text string) int {
		before, _, ok := strings.Cut(source, text)
		if !ok {
			t.Fatalf("no %q", text)
		}
		return strings.Count(before, "\n") + 1
	}
	scopes := ReadScopes([]byte(source))
	for _, c := range []struct{ function, at, class, globals string }{
		{"f", "total += a", "", "total CACHE LIMIT g DEPTH"},
		{"<lambda>", "return g(lambda", "", "total CACHE LIMIT g DEPTH"},
		{"deep", "def deep", "Parser.Inner", "size"},
		{"expr", "@decorated", "Parser", "ValueError print Point CONST LIMIT"},
		{"expr", "def inner(", "Parser", "ValueError print Point CONST LIMIT"},
		{"inner", "def inner(", "", "LIMIT"},
		{"g", "yield h", "", "open lock"},
	} {
		got, ok := scopes.At(c.function, line(c.at))
		if names := strings.Join(got.Globals, " "); !ok || got.Class != c.class || names != c.globals {
			t.Errorf("%s at %q: of %q %q, want %q %q", c.function, c.at, got.Class, names, c.class, c.globals)
		}
	}
	for function, want := range map[string]string{
		"f": "a b x i", "deep": "self", "expr": "self rest e CACHE inner inner2 total first others whole", "g": "f e h k",
	} {
		at := map[string]string{"f": "total += a", "deep": "def deep", "expr": "@decorated", "g": "yield h"}[function]
		if got, _ := scopes.At(function, line(at)); strings.Join(got.Locals, " ") != want {
			t.Errorf("%s binds %q, want %q", function, got.Locals, want)
		}
	}
	if got := strings.Join(scopes.Module, " "); got != "CACHE LIMIT total e" {
		t.Errorf("the module binds %q", got)
	}
	for _, c := range []struct {
		function string
		line     int
	}{{"f", line("def g(f)")}, {"<module>", 2}, {"Parser", line("size = 3")}, {"f", 0}, {"f", 1000}} {
		if got, ok := scopes.At(c.function, c.line); ok {
			t.Errorf("%s at line %d: %+v", c.function, c.line, got)
		}
	}
}

// FuzzReadScopes checks that ReadScopes terminates for any source.
func FuzzReadScopes(f *testing.F) {
	for _, s := range []string{"def f(:\n  x = [i for", "def f():\n match x:\n  case [*", "class A(\n def f(self): lambda", "try: pass\nexcept E as", "def f(): [x for]"} {
		f.Add(s)
	}
	f.Fuzz(func(_ *testing.T, source string) { ReadScopes([]byte(source)).At("f", 1) })
}

// TestScopesAround checks that a line belongs to the innermost body around it. The header of a def
// or class belongs to the enclosing code.
func TestScopesAround(t *testing.T) {
	const source = `x = 1
@made(
    2)
class A:
    y = 1
    @made
    def f(self,
          a=1):
        def g(): return 1
        return g
    class B:
        z = 2
    w = 3
class C: v = 1
`
	want := []string{"", "", "", "", "A", "A", "A", "A", "f", "f", "A", "B", "A", ""}
	scopes := ReadScopes([]byte(source))
	for i, name := range want {
		if got := scopes.Around(i + 1); got != name {
			t.Errorf("line %d belongs to %q, want %q", i+1, got, name)
		}
	}
}
