//go:build unix

package trace_test

import (
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

const comprehensions = `w, h = 3, 2
def f(n):
    return n
grid = [[0] * w for _ in range(h)]
square = [[i * j for i in range(w)] for j in range(h)]
x = 5
closures = [[(lambda: x + y)() for x in range(2)] for y in range(2)]
calls = {k: [f(k) + v for v in range(2)] for k in range(1, 3)}
x = 6
shadowed = [x + f(x) for x in range(3)]
class C:
    side = 2
    cells = [[a * b for a in range(2)] for b in range(side)]
    called = [f(a) + a for a in range(3)]
    closed = [(lambda: a)() + f(a) for a in range(2)]
    def m(self):
        return super().__init__, [[p + q for p in range(2)] for q in range(2)]
def g():
    return [(lambda: x)() for x in range(2)], [x + f(x) for x in range(2)]
print(g(), grid, square, x, closures, calls, shadowed, C.cells, C.called, C.closed, C().m()[1])
`

// TestOutcomeComprehensions checks that variables of comprehensions keep their values,
// inlined in a module or class body or not, whatever is read meanwhile.
func TestOutcomeComprehensions(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		want := plain(t, python, scriptOf(t, comprehensions))
		d := debug(t, python, comprehensions)
		d.finish()
		d.wantPrinted(want)

		d = debug(t, python, comprehensions)
		d.upTo("x = 5")
		d.ask(0, trace.VerbExec, "w = 7")
		d.upTo("return n")
		d.wantAnswer(0, trace.VerbPrint, "n", "1")
		d.wantAnswer(1, trace.VerbPrint, "w + 1", "8")
		if python.Minor == 12 {
			d.wantAnswer(1, trace.VerbPrint, "k, v", "(1, 0)")
			d.wantAnswer(1, trace.VerbPrint, "x", "5")
		}
		d.advance(nil, trace.Stop{At: dsl.Location{Line: d.line("shadowed =")}, Condition: "w == 7"})
		d.wantHere("line 10 <module>", trace.HitBreakpoint)
		if python.Minor == 12 {
			d.do(dsl.StepInto)
			d.wantHere("call 2 f", trace.Landed)
			d.wantAnswer(1, trace.VerbPrint, "x", "0")
			d.do(dsl.StepReturn)
			d.do(dsl.StepInto)
			d.ask(0, trace.VerbExec, "w = 8")
			d.wantAnswer(0, trace.VerbPrint, "w, x", "(8, 0)")
		}
		for !d.at.End {
			d.do(dsl.StepInto)
			if !d.at.End {
				d.ask(0, trace.VerbPrint, "w")
				d.ask(1, trace.VerbPrint, "w")
			}
		}
		d.wantPrinted(want)
	})
}

// TestOutcomeLocalsDict checks that from 3.11 on tracing adds no name to the dict that
// locals() returned.
func TestOutcomeLocalsDict(t *testing.T) {
	const source = `def f(a):
    names = locals()
    b = a + 1
    before = len(names), sorted(names)
    c = [names for _ in range(2)]
    again = locals()
    for name in vars():
        last = b
    d = b
    return before, len(again), a + b + last, again is names
def g(n):
    names = locals()
    def inner():
        nonlocal n
        n += 1
        return n, names
    x = inner()[0]
    yield len(names), x, n
    y = 1
    yield len(names), x, n, y
print(f(1), list(g(2)))
`
	t.Parallel()
	for _, python := range pythons.Between(t, 11, 14) {
		t.Run(python.String(), func(t *testing.T) {
			want := plain(t, python, scriptOf(t, source))
			d := debug(t, python, source)
			d.upTo("before =")
			d.wantLocal("b", "2")
			d.ask(0, trace.VerbPrint, "a + b")
			d.finish()
			d.wantPrinted(want)

			d = debug(t, python, source)
			d.upTo("d = b")
			d.ask(0, trace.VerbExec, "b = 40")
			d.wantLocal("b", "40")
			d.upTo("return before")
			d.wantLocal("d", "40")
		})
	}
}
