//go:build unix

package trace_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

const liveProgram = `K = 10
def f(x, box):
    y = x + 1
    z = y * K
    return z, box

def g():
    inner = [1]
    return f(2, inner)

a = g()
print(a)
`

// TestOutcomeAsk checks requests to the live frame and to one above it.
func TestOutcomeAsk(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, liveProgram)
		d.upTo("z = y * K")
		for _, c := range []struct {
			up         int
			verb       trace.Verb
			text, want string
		}{
			{0, trace.VerbPrint, "x + y", "5"},
			{0, trace.VerbPrint, "  x", "2"},
			{0, trace.VerbPrint, "[i * i for i in range(3)]", "[0, 1, 4]"},
			{0, trace.VerbPrint, "K, f.__name__, __name__", "(10, 'f', '__main__')"},
			{0, trace.VerbPrint, "print('said')", "said\nNone"},
			{1, trace.VerbPrint, "inner", "[1]"},
			{2, trace.VerbPrint, "sorted(k for k in locals() if k in 'Kafg')", "['K', 'f', 'g']"},
			{0, trace.VerbPretty, "{'b': [x], 'a': 1}", "{'a': 1, 'b': [2]}"},
			{0, trace.VerbWhatis, "x", "<class 'int'>"},
			{0, trace.VerbWhatis, "f", "Function f"},
			{0, trace.VerbWhatis, "box.append", "<class 'builtin_function_or_method'>"},
			{0, trace.VerbSource, "g", "  7  \tdef g():\n  8  \t    inner = [1]\n  9  \t    return f(2, inner)\n"},
			{0, trace.VerbComplete, "box.app", "box.append"},
			{0, trace.VerbExec, "x + 1", "3\n"},
			{0, trace.VerbExec, "for i in range(2): print(i)", "0\n1\n"},
		} {
			d.wantAnswer(c.up, c.verb, c.text, c.want)
		}
		d.wantError(trace.VerbPrint, "absent", "NameError: name 'absent' is not defined")
		d.wantError(trace.VerbPrint, "1 / 0", "ZeroDivisionError: division by zero")
		d.wantError(trace.VerbPrint, "inner", "NameError: name 'inner' is not defined")
		d.wantError(trace.VerbExec, "raise KeyError('k')", "KeyError: 'k'")
		if _, err := d.rec.Ask(t.Context(), 0, trace.VerbPrint, "1 +"); !errors.As(err, new(*trace.EvalError)) || !strings.HasPrefix(err.Error(), "SyntaxError: ") {
			t.Errorf("1 + answers %v", err)
		}
		d.wantError(trace.VerbPrint, "exit(3)", "SystemExit: 3")
		d.wantPrinted("") // output during a request belongs to its answer
		d.wantHere("line 4 f", trace.HitBreakpoint)
		d.finish()
		d.wantPrinted("(30, [1])\n")
	})
}

// TestOutcomePrettyKnowsTheProgramsClasses checks that pp recognises the program's objects
// by their classes, which come from library modules that the program imports before or
// after the first request.
func TestOutcomePrettyKnowsTheProgramsClasses(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, prettyProgram)
		d.upTo("found = 1")
		maps := "ChainMap({'a': '" + strings.Repeat("a", 40) + "'},\n         {'b': '" + strings.Repeat("b", 40) + "'})"
		d.wantAnswer(0, trace.VerbPretty, "chain", maps)
		d.upTo("found = 2")
		d.wantAnswer(0, trace.VerbPretty, "chain", maps)
		point := "Point(x='" + strings.Repeat("x", 40) + "', y='" + strings.Repeat("y", 40) + "')"
		if python.Minor >= 10 { // from here on pprint supports dataclasses
			point = strings.Replace(point, ", ", ",\n      ", 1)
		}
		d.wantAnswer(0, trace.VerbPretty, "point", point)
	})
}

const prettyProgram = `from collections import ChainMap
chain = ChainMap({"a": "a" * 40}, {"b": "b" * 40})
found = 1
from dataclasses import dataclass
@dataclass
class Point:
    x: str
    y: str
point = Point("x" * 40, "y" * 40)
found = 2
`

// TestOutcomeExecInFunction checks that a statement changes the live frame, that the state
// there is amended, and that the program continues with it. In a function a frame's locals
// are a copy up to 3.12.
func TestOutcomeExecInFunction(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, liveProgram)
		d.upTo("z = y * K")
		before := d.rec.Tree().Len()
		if a := d.ask(0, trace.VerbExec, "y = 5"); !a.Changed || a.Text != "" {
			t.Errorf("y = 5 answers %+v", a)
		}
		d.wantLocal("y", "5")
		if !d.rec.Tree().At(d.at.Event).Edited || d.rec.Tree().Len() != before {
			t.Errorf("the state is not marked as edited, or %d events are %d", before, d.rec.Tree().Len())
		}
		d.wantAnswer(0, trace.VerbPrint, "y", "5")
		d.ask(0, trace.VerbExec, "box.append(2)")
		d.wantLocal("box", "[1, 2]")
		d.ask(0, trace.VerbExec, "global K; K = 100")
		d.do(dsl.StepInto)
		d.wantHere("line 5 f", trace.Landed)
		d.wantLocal("z", "500")
		d.wantLocal("y", "5")
		d.do(dsl.InvStepInto)
		d.wantLocal("y", "5") // the edit is part of the recording
		d.do(dsl.InvStepInto)
		d.wantLocal("y", "(unbound)")
		d.finish()
		d.wantPrinted("(500, [1, 2])\n")
	})
}

// TestOutcomeExecElsewhere checks the same in a module, in a generator, and for a name in
// a cell.
func TestOutcomeExecElsewhere(t *testing.T) {
	const source = `a = 1
b = a
def outer():
    n = 1
    def inner():
        nonlocal n
        n += 1
        return n
    r = inner()
    return r
def gen():
    i = 0
    while i < 3:
        yield i
        i += 1
print(b, outer(), list(gen()))
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, source)
		d.upTo("b = a")
		if !d.ask(0, trace.VerbExec, "a = 5; extra = 7").Changed {
			t.Error("a = 5 in the module changed nothing")
		}
		d.wantLocal("a", "5")
		d.wantLocal("extra", "7")
		d.upTo("r = inner()")
		d.ask(0, trace.VerbExec, "n = 10")
		d.wantLocal("n", "10")
		d.upTo("yield i")
		d.ask(0, trace.VerbExec, "i = 2")
		d.wantLocal("i", "2")
		d.finish()
		d.wantPrinted("5 11 [2]\n")
	})
}

// TestOutcomeExecAtReturn checks that a statement at a return changes the returning frame,
// not its caller: the state is amended and the recording continues.
func TestOutcomeExecAtReturn(t *testing.T) {
	const source = `def f(n):
    local = n
    return local
a = f(1)
b = a
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, source)
		d.upTo("return local")
		d.do(dsl.StepInto)
		d.wantHere("return 3 f return", trace.Landed)
		if !d.ask(0, trace.VerbExec, "local = 5").Changed {
			t.Error("local = 5 at the return changed nothing")
		}
		d.wantLocal("local", "5")
		d.do(dsl.StepInto)
		d.wantLocal("a", "1")
		d.do(dsl.StepInto)
		d.wantHere("return 5 <module> return", trace.Landed)
		if !d.ask(0, trace.VerbExec, "a = 7; extra = 8").Changed {
			t.Error("a = 7 at the module's return changed nothing")
		}
		d.wantLocal("extra", "8")
		d.wantLocal("a", "7")
		d.finish()
	})
}

// TestOutcomeInteract checks that interact keeps its names between lines, and asks for
// more lines when Python would.
func TestOutcomeInteract(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, liveProgram)
		d.upTo("z = y * K")
		d.wantAnswer(0, trace.VerbInteract, "w = x * 100", "")
		d.wantAnswer(0, trace.VerbInteract, "w + y", "203\n")
		if a := d.ask(0, trace.VerbInteract, "for i in range(2):"); !a.More || a.Text != "" {
			t.Errorf("an open loop answers %+v", a)
		}
		if a := d.ask(0, trace.VerbInteract, "    print(i)"); !a.More {
			t.Errorf("an open loop answers %+v", a)
		}
		if a := d.ask(0, trace.VerbInteract, ""); a.More || a.Text != "0\n1\n" {
			t.Errorf("a closed loop answers %+v", a)
		}
		if got := d.ask(0, trace.VerbInteract, "1 / 0").Text; !strings.HasPrefix(got, "Traceback") || !strings.HasSuffix(got, "ZeroDivisionError: division by zero\n") {
			t.Errorf("1 / 0 answers %q", got)
		}
		d.wantAnswer(0, trace.VerbInteract, "\x04", "")
		d.wantError(trace.VerbPrint, "w", "NameError: name 'w' is not defined")
		d.finish()
		d.wantPrinted("(30, [1])\n")
	})
}

// TestOutcomeJump checks that a jump moves the live frame to another line of its function,
// and that a jump that Python refuses is refused with Python's message.
func TestOutcomeJump(t *testing.T) {
	const source = `def f():
    n = 1
    n += 10
    n += 100
    for i in range(2):
        n += i
    return n
print(f())
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, source)
		d.upTo("n += 10")
		a := d.ask(0, trace.VerbJump, "4")
		if a.Landing == nil {
			t.Fatalf("jump 4 answers %+v", a)
		}
		d.wantHere("line 4 f", trace.Landed)
		d.wantLocal("n", "1")
		d.do(dsl.StepInto)
		d.wantHere("line 5 f", trace.Landed)
		d.wantLocal("n", "101")
		d.ask(0, trace.VerbJump, "3") // backwards: it runs again
		d.wantHere("line 3 f", trace.Landed)
		if _, err := d.rec.Ask(t.Context(), 0, trace.VerbJump, "6"); !errors.As(err, new(*trace.EvalError)) || !strings.HasPrefix(err.Error(), "ValueError: ") {
			t.Errorf("a jump into a loop: %v", err)
		}
		if _, err := d.rec.Ask(t.Context(), 1, trace.VerbJump, "8"); !errors.As(err, new(*trace.EvalError)) {
			t.Errorf("a jump in another frame: %v", err)
		}
		d.wantHere("line 3 f", trace.Landed)
		d.finish()
		d.wantPrinted("212\n") // 1 + 100 + 10 + 100 + 0 + 1
	})
}
