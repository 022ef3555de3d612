//go:build unix

package trace_test

import (
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

const typedProgram = `G = 1
def f(x):
    g = 3
    h = [x]
    return g

def fails():
    raise KeyError('k')
f(2)
class C:
    a = 5
    b = 6
try:
    fails()
except KeyError:
    pass
`

// TestOutcomeTypedClosures checks that typed code sees the names of its frame also inside
// functions that it creates, and that names it binds there are the frame's.
func TestOutcomeTypedClosures(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, typedProgram)
		d.upTo("return g")
		for _, c := range []struct{ text, want string }{
			{"(lambda: x)()", "2\n"},
			{"(lambda: g)()", "3\n"},
			{"global g; (lambda: G)()", "1\n"},
			{"lst = [n for n in range(6) if n % x == 0]", ""},
			{"sum(n for n in lst if n > x)", "4\n"},
			{"for i in range(2): i, (lambda: x)()", "(0, 2)\n(1, 2)\n"},
			{"def inc(): return x + 1\n", ""},
			{"inc()", "3\n"},
			{"x = (lambda: x * 10)()", ""},
			{"x", "20\n"},
			{"h.append((lambda: x)())", ""},
			{"n: int = (lambda: 4)()", ""},
			{"def twice(v):\n    def again(): return v * x\n    return again()\n", ""},
			{"twice(2)", "40\n"},
		} {
			d.wantAnswer(0, trace.VerbExec, c.text, c.want)
		}
		d.wantAnswer(0, trace.VerbPrint, "[x for _ in h]", "[20, 20]")
		d.wantAnswer(0, trace.VerbPrint, "(lambda: (g, G))()", "(3, 1)")
		d.wantAnswer(0, trace.VerbPrint, "G", "1")
		d.wantError(trace.VerbExec, "return (lambda: 1)", "SyntaxError: 'return' outside function")
		d.wantError(trace.VerbExec, "x = 7; (lambda: nosuch)()", "NameError: name 'nosuch' is not defined")
		d.wantAnswer(0, trace.VerbPrint, "x", "7") // earlier bindings are kept
		d.upTo("b = 6")
		d.wantAnswer(0, trace.VerbExec, "(lambda: a)()", "5\n")
		d.wantAnswer(0, trace.VerbExec, "c = (lambda: a + 1)()", "")
		d.wantAnswer(0, trace.VerbPrint, "c", "6")
		d.finish()
	})
}

// TestOutcomeTypedVariables checks that $NAME is a variable of the prompt until the
// program continues, and that $_frame, $_retval and $_exception are predefined. No name of
// the program shows them.
func TestOutcomeTypedVariables(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, typedProgram)
		d.upTo("return g")
		d.wantAnswer(0, trace.VerbExec, "$a = 10", "")
		d.wantAnswer(0, trace.VerbExec, "$a", "10\n")
		d.wantAnswer(0, trace.VerbPrint, "$a + g, '$a'", "(13, '$a')")
		d.wantAnswer(0, trace.VerbPrint, "[$a for _ in h]", "[10]")
		d.wantAnswer(0, trace.VerbExec, "for i in range(2):\n    ($a, i)\n", "(10, 0)\n(10, 1)\n")
		d.wantAnswer(0, trace.VerbPrint, "$_frame.f_lineno", "5")
		d.wantAnswer(1, trace.VerbPrint, "$_frame.f_code.co_name, $a", "('<module>', 10)")
		d.wantError(trace.VerbPrint, "$b", "KeyError: 'b'")
		d.wantError(trace.VerbExec, "$ a", "SyntaxError: invalid syntax")
		d.wantAnswer(0, trace.VerbPrint, "[k for k in {**globals(), **locals()} if 'npdb' in k]", "[]")
		d.do(dsl.StepInto)
		d.wantError(trace.VerbPrint, "$a", "KeyError: 'a'")
		d.wantAnswer(0, trace.VerbPrint, "$_retval", "3")
		d.wantError(trace.VerbPrint, "$_exception", "KeyError: '_exception'")
		for d.state().Event != dsl.Exception {
			d.do(dsl.StepInto)
		}
		d.wantAnswer(0, trace.VerbPrint, "$_exception", "KeyError('k')")
		d.finish()
	})
}

// TestOutcomeTypedRepr checks that p and a bare expression report the exception of a
// value's __repr__, while a state shows its attributes.
func TestOutcomeTypedRepr(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, "class C:\n    def __init__(self): self.a = 1\n    def __repr__(self): raise ValueError('no')\nc = C()\nd = [c]\n")
		d.upTo("d = [c]")
		d.wantError(trace.VerbPrint, "c", "ValueError: no")
		d.wantError(trace.VerbExec, "c", "ValueError: no")
		d.wantAnswer(0, trace.VerbPrint, "[c]", "[C(a=1)]")
		d.wantLocal("c", "C(a=1)")
		d.finish()
	})
}

// TestOutcomeSetTrace checks that breakpoint() in another thread does not stop, and that
// npdb reports it. pdb.Pdb's set_trace stops like breakpoint(), in a given frame, with a
// header and with commands.
func TestOutcomeSetTrace(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, `import pdb, sys, threading
def elsewhere():
    breakpoint()
t = threading.Thread(target=elsewhere, name='worker')
t.start()
t.join()
def helper():
    pdb.Pdb(nosigint=True).set_trace(sys._getframe().f_back)
def f(x):
    helper()
    return x
f(1)
pdb.set_trace(header='look here', commands=['p 1', 'p 2'])
`)
		d.do(dsl.Continue)
		d.wantHere("line 8 helper", trace.ProgramBreak)
		const want = "breakpoint() at prog.py:3 was called in thread worker, which npdb does not record; 'thread worker' runs the program again and records that thread"
		if d.at.Notice != want {
			t.Errorf("the notice is %q, want %q", d.at.Notice, want)
		}
		if d.at.Up != 1 {
			t.Errorf("the frame looked at lies %d above, want 1", d.at.Up)
		}
		d.do(dsl.Continue)
		d.wantHere("line 13 <module>", trace.ProgramBreak)
		if d.at.Notice != "look here" || len(d.at.Commands) != 2 || d.at.Commands[1] != "p 2" || d.at.Up != 0 {
			t.Errorf("the landing has the notice %q, the commands %q, up %d", d.at.Notice, d.at.Commands, d.at.Up)
		}
		d.finish()
	})
}

// TestOutcomeSilentFrame checks that the lines of a frame that wants no line events are
// events from its call of the debugger on, until the program runs freely.
func TestOutcomeSilentFrame(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, `import sys
def f():
    frame = sys._getframe()
    frame.f_trace_lines = False
    hidden = 1
    breakpoint()
    shown = 2
    breakpoint()
    print(frame.f_trace_lines)
f()
`)
		d.do(dsl.Continue)
		d.wantHere("line 6 f", trace.ProgramBreak)
		d.wantLocal("hidden", "1")
		d.do(dsl.StepOver)
		d.wantHere("line 7 f", trace.Landed)
		d.do(dsl.Continue)
		d.wantHere("line 8 f", trace.ProgramBreak)
		d.do(dsl.Continue)
		d.wantEnd(0, "")
		d.wantPrinted("False\n")
	})
}
