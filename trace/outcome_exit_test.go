//go:build unix

package trace_test

import (
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// TestOutcomeExits checks that a requested exit is not a crash: the program ends with its
// exit code, without a post-mortem stop, and finally blocks and atexit functions have run.
func TestOutcomeExits(t *testing.T) {
	for _, c := range []struct {
		name, call     string
		code           int
		stdout, stderr string
	}{
		{"sys.exit()", "sys.exit()", 0, "finally\natexit\n", ""},
		{"sys.exit(None)", "sys.exit(None)", 0, "finally\natexit\n", ""},
		{"sys.exit(0)", "sys.exit(0)", 0, "finally\natexit\n", ""},
		{"sys.exit(3)", "sys.exit(3)", 3, "finally\natexit\n", ""},
		{"sys.exit(text)", "sys.exit('text')", 1, "finally\natexit\n", "text\n"},
		{"sys.exit(259)", "sys.exit(259)", 3, "finally\natexit\n", ""}, // the system keeps eight bits
		{"raise SystemExit", "raise SystemExit(4)", 4, "finally\natexit\n", ""},
		{"exit", "exit(5)", 5, "finally\natexit\n", ""},
		{"os._exit", "os._exit(6)", 6, "", ""},
		{"the end", "pass", 0, "finally\natexit\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			onEach(t, func(t *testing.T, python pythons.Python) {
				d := debug(t, python, "import atexit, os, sys\natexit.register(print, 'atexit')\ntry:\n    "+
					c.call+"\nfinally:\n    print('finally')\n")
				d.do(dsl.Continue)
				d.wantEnd(c.code, "")
				if d.printed("stdout") != c.stdout || d.printed("stderr") != c.stderr {
					t.Errorf("wrote %q and %q, want %q and %q", d.printed("stdout"), d.printed("stderr"), c.stdout, c.stderr)
				}
				// Events before the exit are recorded, also with os._exit.
				d.do(dsl.InvBreakpoint, 4)
				d.wantHere("line 4 <module>", trace.Landed)
			})
		})
	}
}

// TestOutcomeUncaughtStopIteration checks that an uncaught StopIteration ends the program
// like any exception.
func TestOutcomeUncaughtStopIteration(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, "def last(it):\n    return next(it)\nlast(iter(()))\n")
		d.do(dsl.Continue)
		d.wantHere("exception 2 last", trace.DiedPostMortem)
		d.do(dsl.Continue)
		d.wantEnd(1, "StopIteration()")
	})
}

const uncaughtProgram = `def outer(a):
    b = a + 1
    inner(b)

def inner(c):
    e = c * 2
    raise ValueError("boom %d" % e)

outer(1)
`

// TestOutcomeUncaught checks an uncaught exception: the first move that would reach the
// end stops where it was raised, with the traceback printed and its frames available.
func TestOutcomeUncaught(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		for _, m := range []dsl.Move{dsl.Continue, dsl.StepOver, dsl.StepReturn} {
			d := debug(t, python, uncaughtProgram)
			for !d.at.PostMortem {
				if d.do(m); d.at.End {
					t.Fatalf("%v reached the end without a post-mortem stop", m)
				}
			}
			d.wantHere("exception 7 inner", trace.DiedPostMortem)
			if got := *d.state().Value; got != "ValueError('boom 4')" {
				t.Errorf("the exception is %s", got)
			}
			checkTraceback(t, d.printed("stderr"))
			d.wantAnswer(0, trace.VerbPrint, "(c, e)", "(2, 4)")
			d.wantAnswer(1, trace.VerbPrint, "(a, b)", "(1, 2)")
			d.wantAnswer(2, trace.VerbPrint, "outer.__name__", "'outer'")
			d.wantAnswer(0, trace.VerbPrint, "e", "4") // up and down again
			d.wantError(trace.VerbPrint, "a", "NameError: name 'a' is not defined")
			d.do(dsl.StepInto)
			d.wantEnd(1, "ValueError('boom 4')")
			checkTraceback(t, d.printed("stderr"))
			d.do(dsl.StepInto)
			if d.wantEnd(1, "ValueError('boom 4')"); d.at.Boundary != trace.AtEnd {
				t.Errorf("a move at the end lands with boundary %d", d.at.Boundary)
			}
		}
	})
}

// checkTraceback checks that Python's traceback is printed once, without npdb's frames.
func checkTraceback(t *testing.T, stderr string) {
	t.Helper()
	if strings.Count(stderr, "Traceback (most recent call last):") != 1 ||
		!strings.HasSuffix(stderr, "ValueError: boom 4\n") || strings.Count(stderr, `  File "`) != 3 {
		t.Errorf("the traceback is\n%s", stderr)
	}
}

// TestOutcomeBackFromPostMortem checks that backward moves from a post-mortem stop go into
// the recording. There is only one such stop: the next move that reaches the end lands on
// it.
func TestOutcomeBackFromPostMortem(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, uncaughtProgram)
		d.do(dsl.Continue)
		d.do(dsl.InvStepInto)
		d.wantHere("line 7 inner", trace.Landed)
		d.do(dsl.InvStepReturn)
		d.wantHere("call 5 inner", trace.Landed)
		d.wantLocal("c", "2")
		d.do(dsl.Continue)
		d.wantEnd(1, "ValueError('boom 4')")
	})
}

// TestOutcomeExceptionChains checks that the exceptions behind the fatal one are listed,
// oldest first, and that selecting one moves to where it was raised.
func TestOutcomeExceptionChains(t *testing.T) {
	const program = `def parse(s):
    return int(s)

def load(s):
    try:
        return parse(s)
    except ValueError as e:
        raise RuntimeError("bad load") HOW

load("x")
`
	const first = "ValueError(\"invalid literal for int() with base 10: 'x'\")"
	for how, want := range map[string]string{
		"":          "    0 " + first + "\n>   1 RuntimeError('bad load')",
		"from e":    "    0 " + first + "\n>   1 RuntimeError('bad load')",
		"from None": ">   0 RuntimeError('bad load')",
	} {
		t.Run(how, func(t *testing.T) {
			onEach(t, func(t *testing.T, python pythons.Python) {
				d := debug(t, python, strings.Replace(program, "HOW", how, 1))
				d.do(dsl.Continue)
				d.wantHere("exception 8 load", trace.DiedPostMortem)
				d.wantAnswer(0, trace.VerbExceptions, "", want)
				d.wantError(trace.VerbExceptions, "7", "IndexError: No exception with that number")
				if how != "from None" {
					d.ask(0, trace.VerbExceptions, "0")
					d.wantHere("exception 2 parse", trace.DiedPostMortem)
					d.wantAnswer(0, trace.VerbPrint, "s", "'x'")
					d.wantAnswer(1, trace.VerbPrint, "load.__name__ + s", "'loadx'")
					d.wantAnswer(0, trace.VerbExceptions, "", ">   0 "+first+"\n    1 RuntimeError('bad load')")
					d.ask(0, trace.VerbExceptions, "1")
					d.wantHere("exception 8 load", trace.DiedPostMortem)
				}
				d.do(dsl.Continue)
				d.wantEnd(1, "RuntimeError('bad load')")
			})
		})
	}
}

// TestOutcomeComparedExceptions checks that npdb does not compare the exceptions of a chain and does
// not read their attributes by methods of their class.
func TestOutcomeComparedExceptions(t *testing.T) {
	const program = `import sys
sys.setrecursionlimit(60)
def down(n):
    return down(n + 1)
class Odd(Exception):
    def __eq__(self, other):
        print("compared")
        return NotImplemented
    def __getattribute__(self, name):
        seen.append(name)
        return super().__getattribute__(name)
seen = []
sys.excepthook = lambda *e: print(seen)
try:
    try:
        down(0)
    except RecursionError:
        raise Odd
except Odd as e:
    print(type(e.__context__).__name__)
raise Odd from Odd()
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, program)
		d.do(dsl.Continue)
		d.wantHere("exception 21 <module>", trace.DiedPostMortem)
		d.do(dsl.Continue)
		if got := d.printed("stdout"); got != "RecursionError\n['__context__']\n" {
			t.Errorf("the program prints %q", got)
		}
	})
}

// TestOutcomeUncaughtInFinally checks exceptions that replace one another, and one that an
// excepthook of the program hides.
func TestOutcomeUncaughtInFinally(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, "def f():\n    try:\n        raise KeyError(1)\n    finally:\n        {}[2]\n\nf()\n")
		d.do(dsl.Continue)
		d.wantHere("exception 5 f", trace.DiedPostMortem)
		d.do(dsl.Continue)
		d.wantEnd(1, "KeyError(2)")
	})
}

func TestOutcomeExceptHook(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, "import sys\ndef hook(kind, value, tb):\n    print('hooked', value)\nsys.excepthook = hook\n1 / 0\n")
		d.do(dsl.Continue)
		d.wantHere("exception 5 <module>", trace.DiedPostMortem)
		d.wantPrinted("hooked division by zero\n")
		d.do(dsl.Continue)
		d.wantEnd(1, "ZeroDivisionError('division by zero')")
		d.wantPrinted("hooked division by zero\n")
	})
}
