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
