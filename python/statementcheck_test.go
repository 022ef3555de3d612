package python

import "testing"

// TestCheckStatement checks which texts are statements.
func TestCheckStatement(t *testing.T) {
	for _, text := range []string{
		"x = 1", "x", "f(1)", "x += 1; y = 2", "for i in range(3): x = i", "if x:\n    y = 1\nelse:\n    y = 2", "with open('a') as f: pass",
		"def f(a, *b, c=1, **d): return a", "class C(B): x: int = 1", "try:\n    f()\nexcept* E as e:\n    pass", "match x:\n    case [1, *_]: pass",
		"type X = int", "lambda: (yield)", "x: list[int] = []", "del x[0], y", "assert x, 'a'", "raise E from None", "from a import (b, c)", "async def f(): await g()",
		"f'{x!r:>{w}}'", "print(*a, **b)", "x = yield", "@d\ndef f(): ...", "x if y else z", "global x", "import a.b as c", "a, *b = c", "(x := 1)", "x[1:2, ...]", "  x = 1", "é = 1",
	} {
		if err := CheckStatement(text); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
	for text, want := range map[string]string{
		"fnd i":         "SyntaxError: invalid syntax",
		"breakk 7":      "SyntaxError: invalid syntax",
		"for k in x":    "SyntaxError: invalid syntax",
		"print 'hello'": "SyntaxError: invalid syntax",
		"x = (1,":       "SyntaxError: '(' was never closed",
	} {
		if err := CheckStatement(text); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
