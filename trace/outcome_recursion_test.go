//go:build unix

package trace_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// TestOutcomeRecursionWords checks that a program that recurses too deeply gets the usual
// message. Up to 3.10 a C function that the tracer calls runs out of stack first.
func TestOutcomeRecursionWords(t *testing.T) {
	const source = `def down(n):
    return down(n + 1)
class Box:
    def __init__(self):
        self.inner = Box()
def generator(n):
    yield from generator(n + 1)
for start in (lambda: down(0), Box, lambda: list(generator(0))):
    try:
        start()
    except RecursionError as e:
        print(repr(e))
`
	for _, python := range pythons.Between(t, 11, 14) {
		t.Run(python.String(), func(t *testing.T) {
			want := plain(t, python, scriptOf(t, source))
			for _, m := range []dsl.Move{dsl.Continue, dsl.StepOver} {
				d := debug(t, python, source)
				for !d.at.End {
					d.do(m)
				}
				d.wantPrinted(want)
			}
		})
	}
}

// atTheLimit has a low recursion limit, so that the tests can look at all activations.
const atTheLimit = `import sys, traceback
sys.setrecursionlimit(60)
def down(n):
    m = n
    return down(n + 1)
`

const deepest = 59 // activations of down; the module's is below them

// wantUnwound checks that the exception of a full stack was recorded like any other: the activations
// raise it in the line that calls, with their values. unwound says that the program catches it.
func wantUnwound(t *testing.T, d *debuggee, unwound bool) {
	t.Helper()
	tree := d.rec.Tree()
	raised, left := 0, 0
	for i := range tree.Len() {
		s := tree.State(i)
		switch {
		case s.Function != "down":
		case s.Event == dsl.Exception:
			raised++
			if want := strconv.Itoa(s.Depth - 1); s.Line != 5 || localOf(s, "n") != want || localOf(s, "m") != want {
				t.Errorf("event %d: %s with n = %s, m = %s, want %s on line 5", i, short(s), localOf(s, "n"), localOf(s, "m"), want)
			}
		case s.Kind == dsl.Unwound:
			left++
		}
		if s.Depth > deepest {
			t.Errorf("event %d: %s at depth %d, which the program does not reach", i, short(s), s.Depth)
		}
	}
	want := 1
	if unwound {
		want = deepest
	}
	if raised != want || left != want && unwound {
		t.Errorf("%d activations raised and %d were left, want %d", raised, left, want)
	}
}

// TestOutcomeRecursionUnwinding checks what is recorded when the program catches the exception of
// a full stack, and that the program itself sees no frame of npdb.
func TestOutcomeRecursionUnwinding(t *testing.T) {
	const source = atTheLimit + `try:
    down(0)
except RecursionError as e:
    found = traceback.extract_tb(e.__traceback__)
print(len(found), found[-1].lineno, found[-1].name)
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		for _, repeat := range []bool{false, true} {
			d := debug(t, python, source, func(o *trace.Options) { o.Repeat = repeat })
			d.finish()
			d.wantPrinted(plain(t, python, scriptOf(t, source)))
			wantUnwound(t, d, true)
		}
	})
}

// TestOutcomeRecursionStack checks the call stack after an uncaught exception of a full stack, and
// the states before it. Before 3.12 there is too little stack left to read all names when the
// events are recorded.
func TestOutcomeRecursionStack(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, atTheLimit+"down(0)\n")
		d.do(dsl.Continue)
		d.wantHere("exception 5 down", trace.DiedPostMortem)
		wantUnwound(t, d, false)
		if said := d.printed("stderr"); strings.Contains(said, "<npdb") || strings.Contains(said, "def down") {
			t.Errorf("the traceback is %s", said)
		}
		for _, frame := range d.rec.Tree().Stack(d.at.Event)[1:] {
			if frame.Line != 5 {
				t.Errorf("an activation of the stack is on line %d, want 5", frame.Line)
			}
		}
		for i := d.at.Event; i > 0 && python.Minor >= 12; i-- {
			s := d.rec.Tree().State(i)
			if want := strconv.Itoa(s.Depth - 1); s.Function == "down" && localOf(s, "n") != want {
				t.Errorf("event %d: %s with n = %s, want %s", i, short(s), localOf(s, "n"), want)
			}
		}
	})
}

// TestOutcomeRecursionPrints checks that a program can write where its stack is full, although npdb's
// streams need frames. Up to 3.11 it can write only some frames before, and nothing is half written.
func TestOutcomeRecursionPrints(t *testing.T) {
	const source = `import sys
sys.setrecursionlimit(80)
def down(n):
    try:
        return down(n + 1)
    except RecursionError:
        print('deepest', n)
        return n
def each(n):
    sys.stdout.write('%d\n' % n)
    return each(n + 1)
down(0)
try:
    each(0)
except RecursionError:
    print('over')
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		for _, m := range []dsl.Move{dsl.Continue, dsl.StepInto} {
			d := debug(t, python, source)
			for !d.at.End {
				d.do(m)
			}
			if python.Minor >= 12 {
				d.wantPrinted(plain(t, python, scriptOf(t, source)))
			} else if got := d.printed("stdout"); strings.Count(got, "deepest") != 1 || !strings.HasSuffix(got, "\nover\n") {
				t.Errorf("the program prints %q", got)
			}
		}
	})
}

// TestOutcomeRecursionKept checks that no frame of npdb is in the traceback of an exception that was
// handled before npdb noticed it. From the second round on the except of the loop calls nothing.
func TestOutcomeRecursionKept(t *testing.T) {
	const source = atTheLimit + `kept = []
for i in range(5):
    try:
        down(i)
    except RecursionError as e:
        kept.append(e)
for e in kept:
    found = traceback.extract_tb(e.__traceback__)
    print(len(found), found[-1].lineno, found[-1].name)
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, source)
		d.finish()
		d.wantPrinted(plain(t, python, scriptOf(t, source)))
	})
}

// TestOutcomeRecursionLimit checks that the program gets CPython's error for a limit below its own
// depth, and that npdb ends in order if the limit is low.
func TestOutcomeRecursionLimit(t *testing.T) {
	const source = `import sys
def down(n):
    if n:
        return down(n - 1)
    try:
        sys.setrecursionlimit(20)
    except RecursionError as e:
        print(e)
down(20)
for limit in (1, 0, 2 ** 40, 'x'):
    try:
        sys.setrecursionlimit(limit)
    except Exception as e:
        print(type(e).__name__, e)
print(sys.getrecursionlimit())
sys.setrecursionlimit(30)
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, source)
		d.finish()
		d.wantPrinted(plain(t, python, scriptOf(t, source)))
	})
}

// TestOutcomeRecursionFirstCall checks that a function of a library can be called for the first time
// where the stack is full: a callback of the event loop's set of generators.
func TestOutcomeRecursionFirstCall(t *testing.T) {
	const source = `import asyncio, sys
async def each(n):
    yield n
    async for x in each(n + 1):
        yield x
async def main():
    sys.setrecursionlimit(150)
    try:
        async for x in each(0):
            pass
    except RecursionError:
        print('over')
    sys.setrecursionlimit(1000)
asyncio.run(main())
`
	for _, python := range pythons.Between(t, 11, 14) {
		t.Run(python.String(), func(t *testing.T) {
			d := debug(t, python, source)
			d.finish()
			d.wantPrinted("over\n")
			if said := d.printed("stderr"); said != "" {
				t.Errorf("standard error is %s", said)
			}
		})
	}
}
