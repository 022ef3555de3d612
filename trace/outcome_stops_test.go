//go:build unix

package trace_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// advance runs to the next of several stops.
func (d *debuggee) advance(until *int, stops ...trace.Stop) trace.Landing {
	d.Helper()
	landing, err := d.rec.Advance(d.Context(), stops, until)
	if err != nil {
		d.Fatalf("advance: %v", err)
	}
	d.at = landing
	return landing
}

// wantMet checks the results for the stops of the last move.
func (d *debuggee) wantMet(want ...trace.Met) {
	d.Helper()
	if !slices.Equal(d.at.Met, want) {
		d.Errorf("at %s: met %+v, want %+v", d.here(), d.at.Met, want)
	}
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

// TestOutcomeStops checks that the tracer itself tests conditions and counts.
func TestOutcomeStops(t *testing.T) {
	at := dsl.Location{Line: 4}
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, loopProgram)
		d.advance(nil, trace.Stop{At: at, Condition: "i == 4"})
		d.wantHere("line 4 f", trace.HitBreakpoint)
		d.wantLocal("i", "4")
		d.wantMet(trace.Met{Hits: 5}) // includes hits with a false condition, as in bdb
		d.advance(nil, trace.Stop{At: at, Ignore: 2})
		d.wantLocal("i", "7")
		d.wantMet(trace.Met{Hits: 3, Ignored: 2})
		d.advance(nil, trace.Stop{At: at, Condition: "i % 2 == 0", Ignore: 1})
		d.wantLocal("i", "0") // 8 is ignored, the next one is in the second call
	})
}

// TestOutcomeStopsOfOneLine checks that several stops of one line are tested one after the
// other, up to the one that stops. A stop for a function only counts in its frames.
func TestOutcomeStopsOfOneLine(t *testing.T) {
	const program = `def f(n):
    return max([n], key=lambda m: m) + (lambda: 1)()

for i in range(4):
    f(i)
`
	at := dsl.Location{Line: 2}
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, program)
		stops := []trace.Stop{
			{At: at, Function: "f", Condition: "n == 7"}, {At: at, Function: "f", Ignore: 1}, {At: at, Function: "f"},
		}
		d.advance(nil, stops...)
		d.wantHere("line 2 f", trace.HitBreakpoint)
		d.wantLocal("n", "0")
		d.wantMet(trace.Met{Hits: 1}, trace.Met{Stop: 1, Hits: 1, Ignored: 1}, trace.Met{Stop: 2, Hits: 1})
		if d.at.Stop != 2 {
			t.Errorf("stop %d ended the move", d.at.Stop)
		}
		stops[1].Ignore = 0
		d.advance(nil, stops[:2]...)
		d.wantLocal("n", "1") // the lambdas of the line are different functions
		d.wantMet(trace.Met{Hits: 1}, trace.Met{Stop: 1, Hits: 1})
		if d.at.Stop != 1 {
			t.Errorf("stop %d ended the move", d.at.Stop)
		}
	})
}

// TestOutcomeMoveWithStops checks that a stop on the way ends a move, but a stop at its
// landing does not.
func TestOutcomeMoveWithStops(t *testing.T) {
	within, landing := trace.Stop{At: dsl.Location{Line: 4}, Condition: "i == 1"}, trace.Stop{At: dsl.Location{Line: 8}}
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, loopProgram)
		d.upTo("x = f(10)")
		from := d.at.Position
		move := func(m dsl.Move, stops ...trace.Stop) {
			t.Helper()
			var err error
			if d.at, err = d.rec.Move(t.Context(), from, dsl.Action{Move: m}, stops...); err != nil {
				t.Fatal(err)
			}
		}
		move(dsl.StepOver, landing, within)
		d.wantHere("line 4 f", trace.HitBreakpoint)
		d.wantMet(trace.Met{Stop: 1, Hits: 2})
		move(dsl.StepOver, landing)
		d.wantHere("line 8 <module>", trace.Landed)
		d.wantMet()
		from = d.at.Position
		move(dsl.StepReturn, within)
		d.wantHere("line 4 f", trace.HitBreakpoint)
		d.finish()
	})
}

// TestOutcomeConditionRaises checks that a condition that raises, or is not valid Python,
// stops with the reason.
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
			d.wantMet(trace.Met{Hits: 1, Error: want})
		}
		d := debug(t, python, loopProgram)
		d.advance(nil, trace.Stop{At: at, Condition: "i ="})
		d.wantHere("line 4 f", trace.HitBreakpoint)
		if len(d.at.Met) != 1 || !strings.HasPrefix(d.at.Met[0].Error, "SyntaxError: ") {
			t.Errorf("a condition that is no Python: %v", d.at.Met)
		}
	})
}

// TestOutcomeConditionPrints checks that a condition has no side effects on the debugger.
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

// TestOutcomeUntil checks that until stops at a line of at least the given one in the same
// activation, or at its return. At the end of a loop it passes over the jump backwards.
func TestOutcomeUntil(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, loopProgram)
		d.upTo("total += i")
		line := 5
		d.advance(&line)
		if d.here() != "line 5 f" {
			t.Errorf("until 5 stops at %s", d.here())
		}
		line = 9 // after the function: stops at its return
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

// TestOutcomeStopInLaterFile checks a breakpoint in a file that is not imported yet.
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

// TestOutcomeStopThroughLink checks that a file is the same under every path with symbolic
// links.
func TestOutcomeStopThroughLink(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		dir := t.TempDir()
		if err := os.MkdirAll(filepath.Join(dir, "real"), 0o700); err != nil {
			t.Fatal(err)
		}
		target := writeIn(t, filepath.Join(dir, "real"), "later.py", "def f():\n    return 1\n")
		if err := os.Symlink(target, filepath.Join(dir, "later.py")); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(dir, "real"), filepath.Join(dir, "linked")); err != nil {
			t.Fatal(err)
		}
		prog := writeIn(t, dir, "prog.py", "import later\nlater.f()\n")
		for _, path := range []string{target, filepath.Join(dir, "linked", "later.py"), filepath.Join(dir, "later.py")} {
			d := debugAs(t, python, trace.Options{Script: prog, Stdin: strings.NewReader("")})
			file, err := d.rec.AddFile(path)
			if err != nil {
				t.Fatal(err)
			}
			d.advance(nil, trace.Stop{At: dsl.Location{File: file, Line: 2}})
			if s := d.state(); s.Line != 2 || d.at.Reason != trace.HitBreakpoint {
				t.Errorf("%s: stands at %s of %s", path, d.here(), s.File)
			}
			if again, err := d.rec.AddFile(target); again != file || err != nil {
				t.Errorf("the file is %d, then %d: %v", file, again, err)
			}
			d.finish()
		}
	})
}
