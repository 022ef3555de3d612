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

// What is asked at the live edge is answered by the live frame, or one above.
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
			{0, trace.VerbThreads, "", ""},
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
		d.wantPrinted("") // what an answer prints is the answer's
		d.wantHere("line 4 f", trace.HitBreakpoint)
		d.finish()
		d.wantPrinted("(30, [1])\n")
	})
}

// A statement changes the live frame, the state there is amended, and the
// program goes on with it: in a function, from 3.9 on, where a frame's locals
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

// The same in a module, in a generator, and for a name that a cell holds.
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

// interact keeps its names between lines, and asks for more where Python would.
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

// A jump moves the live frame to another line of its function; what Python
// refuses is refused with its words.
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

// advance runs to the next of some stops.
func (d *debuggee) advance(until *int, stops ...trace.Stop) trace.Landing {
	d.Helper()
	landing, err := d.rec.Advance(d.Context(), stops, until)
	if err != nil {
		d.Fatalf("advance: %v", err)
	}
	d.at = landing
	return landing
}

const loopProgram = `def f(n):
    total = 0
    for i in range(n):
        total += i
    return total

x = f(10)
y = f(3)
print(x, y)
`

// The tracer tests conditions and counts itself.
func TestOutcomeStops(t *testing.T) {
	at := dsl.Location{Line: 4}
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, loopProgram)
		d.advance(nil, trace.Stop{At: at, Condition: "i == 4"})
		d.wantHere("line 4 f", trace.HitBreakpoint)
		d.wantLocal("i", "4")
		if d.at.Hits[at] != 1 || len(d.at.Errors) > 0 {
			t.Errorf("hits %v, errors %v", d.at.Hits, d.at.Errors)
		}
		d.advance(nil, trace.Stop{At: at, Ignore: 2})
		d.wantLocal("i", "7")
		if d.at.Hits[at] != 3 {
			t.Errorf("hits %v, want the ignored ones too: 3", d.at.Hits)
		}
		d.advance(nil, trace.Stop{At: at, Condition: "i % 2 == 0", Ignore: 1})
		d.wantLocal("i", "0") // 8 is ignored, the next one is the second call's
	})
}

// A condition that raises, or that is no Python, stops, and says why.
func TestOutcomeConditionRaises(t *testing.T) {
	at := dsl.Location{Line: 4}
	onEach(t, func(t *testing.T, python pythons.Python) {
		for condition, want := range map[string]string{
			"absent > 1":                      "NameError: name 'absent' is not defined",
			"1 / 0":                           "ZeroDivisionError: division by zero",
			"(lambda: [][0])()":               "IndexError: list index out of range",
			"total.real.missing":              "AttributeError: 'int' object has no attribute 'missing'",
			"exec('import sys; sys.exit(3)')": "SystemExit: 3",
		} {
			d := debug(t, python, loopProgram)
			d.advance(nil, trace.Stop{At: at, Condition: condition})
			d.wantHere("line 4 f", trace.HitBreakpoint)
			d.wantLocal("i", "0")
			if got := d.at.Errors[at]; got != want || d.at.Hits[at] != 1 {
				t.Errorf("condition %s: error %q, hits %v, want %q", condition, got, d.at.Hits, want)
			}
		}
		d := debug(t, python, loopProgram)
		d.advance(nil, trace.Stop{At: at, Condition: "i ="})
		d.wantHere("line 4 f", trace.HitBreakpoint)
		if got := d.at.Errors[at]; !strings.HasPrefix(got, "SyntaxError: ") {
			t.Errorf("a condition that is no Python: %q", got)
		}
	})
}

// A condition has no effect on the program but its own.
func TestOutcomeConditionPrints(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, loopProgram)
		d.advance(nil, trace.Stop{At: dsl.Location{Line: 4}, Condition: "[j for j in range(i) if j == 5]"})
		d.wantLocal("i", "6")
		for _, event := range d.events() {
			if strings.Contains(event, "listcomp") {
				t.Errorf("the condition is recorded: %s", event)
			}
		}
		d.advance(nil)
		d.wantEnd(0, "")
		d.wantPrinted("45 3\n")
	})
}

// until stops at a line of at least the given one in the same activation, or
// where it returns: a loop's end is passed backwards only.
func TestOutcomeUntil(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, loopProgram)
		d.upTo("total += i")
		line := 5
		d.advance(&line)
		if d.here() != "line 5 f" {
			t.Errorf("until 5 stops at %s", d.here())
		}
		line = 9 // beyond the function: at its return
		d.advance(&line)
		if d.here() != "return 5 f return" {
			t.Errorf("until 9 stops at %s", d.here())
		}
		d.do(dsl.StepInto)
		line = 9
		d.advance(&line, trace.Stop{At: dsl.Location{Line: 4}, Condition: "i == 1"})
		d.wantHere("line 4 f", trace.HitBreakpoint)
		d.wantLocal("i", "1")
		d.finish()
	})
}

// A breakpoint can be set in a file that has not been imported yet.
func TestOutcomeStopInLaterFile(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		dir := t.TempDir()
		later := writeIn(t, dir, "later.py", "def f():\n    return 1\n")
		d := debugAs(t, python, trace.Options{Script: writeIn(t, dir, "prog.py", "import later\nlater.f()\n"), Stdin: strings.NewReader("")})
		file, err := d.rec.AddFile(later)
		if err != nil {
			t.Fatal(err)
		}
		d.advance(nil, trace.Stop{At: dsl.Location{File: file, Line: 2}})
		if s := d.state(); s.File != "later.py" || s.Line != 2 || d.at.Reason != trace.HitBreakpoint {
			t.Errorf("stands at %s of %s", d.here(), s.File)
		}
		if again, err := d.rec.AddFile(later); again != file || err != nil {
			t.Errorf("the file is %d, then %d: %v", file, again, err)
		}
		d.finish()
	})
}
