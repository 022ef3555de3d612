//go:build unix

package trace_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
)

// TestRender checks the texts of values with tracer/render.py itself.
func TestRender(t *testing.T) {
	const classes = `
class Account:
    def __init__(self, **names): self.__dict__.update(names)
class Slots:
    __slots__ = ("a", "__b", "unset")
    def __init__(self): self.a, self.__b = 1, [2]
class Both(Slots):
    def __init__(self): super().__init__(); self.c = 3
class Raises:
    ready = False
    def __repr__(self): return 'ready' if self.ready else 1 / 0
class Changes:
    def __init__(self): self.n = 0
    def __repr__(self): self.n += 1; return 'n=%d' % self.n
class Address:
    def __repr__(self): return '<Address at 0x7f00 in <x at 0xAB> at 0x12'
class Text(str): pass
class Listed(list): pass
def deep(n, kind=Account):
    one = kind(level=n)
    if n < 5: one.inner = deep(n + 1)
    return one
def own():
    one = Account(name='a'); one.self = one; one.others = [one]
    return one
ring = [1]; ring.append(ring)
pair = ([],); pair[0].append(pair)
loop = {}; loop['me'] = loop
def raised():
    one = Raises(); before = render.render(one); one.ready = True
    return before + ' then ' + render.render(one)
def changed():
    one = Changes(); return ' '.join(render.render(one) for _ in range(3)) + ' n is %d' % one.n
def limited(value, items=100000, chars=1 << 24, large=render.LARGE):
    saved = dict(render.limits), dict(render.budget)
    render.limits.update(items=items, chars=chars); render.budget['large'] = large
    try: return render.render(value)
    finally: render.limits.update(saved[0]); render.budget.update(saved[1])
def say(text): return type('Said', (), {'__repr__': lambda self: text})()
`
	for _, c := range []struct{ expression, want string }{
		{"render.render([1, 2.5, 'x', None, True, b'y', ...])", "[1, 2.5, 'x', None, True, b'y', Ellipsis]"},
		{"render.render(((), (1,), [], {}, set(), frozenset(), frozenset({1})))", "((), (1,), [], {}, set(), frozenset(), frozenset({1}))"},
		{"render.render({'k': {1: [Account()]}})", "{'k': {1: [Account()]}}"},
		{"render.render(Account(owner='ann', balance=3))", "Account(owner='ann', balance=3)"},
		{"render.render(deep(1))", "Account(level=1, inner=Account(level=2, inner=Account(level=3, inner=Account(...))))"},
		{"render.render(own())", "Account(name='a', self=Account(...), others=[Account(...)])"},
		{"render.render(Slots())", "Slots(a=1, _Slots__b=[2])"},
		{"render.render(Both())", "Both(c=3, a=1, _Slots__b=[2])"},
		{"render.render([ring, pair, loop])", "[[1, [...]], ([(...)],), {'me': {...}}]"},
		{"render.render([lambda: 0, len, Account])", "[<function <lambda>>, <built-in function len>, <class '__main__.Account'>]"},
		{"render.render(ValueError(object()))", "ValueError(<object object>)"},
		{"render.render(Address())", "<Address at 0x7f00 in <x> at 0x12"},
		{"render.render(['<x at 0x12>', Text('<y at 0x12>')])", "['<x at 0x12>', '<y at 0x12>']"},
		{"render.render(Listed([1, 2]))", "[1, 2]"},
		{"render.render(10 ** 5000)[:12]", "0x31e2080103"},
		{"raised()", "Raises() then ready"},
		{"changed()", "Changes(n=0) Changes(n=0) Changes(n=0) n is 0"},
		{"limited([1, 2, 3, 4, 5], items=3)", "[1, 2, 3, … +2 items not stored]"},
		{"limited({n: [n] for n in range(5)}, items=2)", "{0: [0], 1: [1], … +3 items not stored}"},
		{"limited('x' * 20, chars=8)", "'xxxxxxxx'… +12 chars not stored"},
		{"limited(say('y' * 20), chars=8)", "yyyyyyyy… +12 chars not stored"},
		{"limited(list(range(300)), large=0)[-35:]", ", 254, 255, … +44 items not stored]"},
		{"limited(list(range(300)), large=1)[-10:]", " 298, 299]"},
		{"limited(list(range(256)), large=0)[-10:]", " 254, 255]"},
	} {
		t.Run(c.expression, func(t *testing.T) {
			for _, python := range pythons.All(t) {
				script := "import sys; sys.path.insert(0, 'tracer'); sys.dont_write_bytecode = True; import render\n" + classes +
					"sys.stdout.buffer.write((" + c.expression + ").encode())\n"
				out, err := exec.CommandContext(t.Context(), python.Path, "-c", script).CombinedOutput()
				if got := strings.TrimSpace(string(out)); err != nil || got != strings.TrimSpace(c.want) {
					t.Errorf("3.%d: %s, %v, want %s", python.Minor, got, err, c.want)
				}
			}
		})
	}
}
