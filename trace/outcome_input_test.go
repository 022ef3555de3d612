//go:build unix

package trace_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// give sends a line of input and continues the move that waits for it.
func (d *debuggee) give(text string, eof bool) {
	d.Helper()
	if err := d.rec.Input(text, eof); err != nil {
		d.Fatalf("input %q: %v", text, err)
	}
	landing, err := d.rec.Resume(d.Context())
	if err != nil {
		d.Fatalf("resume: %v", err)
	}
	d.at = landing
}

// TestOutcomeInput checks that input() without --stdin stops the move, after the prompt
// was written. The next line is the input, and the move then continues to its landing.
func TestOutcomeInput(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, "def ask(q):\n    a = input(q)\n    return a.upper()\n\nx = ask('who? ')\ny = ask('where? ')\n", interactive)
		d.do(dsl.StepOver)
		d.wantHere("line 5 <module>", trace.Landed)
		d.do(dsl.StepOver)
		d.wantHere("line 2 ask", trace.NeedsInput)
		d.wantPrinted("who? ")
		d.give("me\n", false)
		d.wantHere("line 6 <module>", trace.Landed)
		d.wantLocal("x", "'ME'")

		d.do(dsl.StepInto) // call
		d.do(dsl.StepInto) // line 2
		d.do(dsl.StepInto)
		d.wantHere("line 2 ask", trace.NeedsInput)
		d.give("he", false) // not a whole line yet: it still waits
		d.wantHere("line 2 ask", trace.NeedsInput)
		d.give("re\n", false)
		d.wantHere("line 3 ask", trace.Landed)
		d.wantLocal("a", "'here'")
		d.finish()
	})
}

// TestOutcomeInputMeanwhile checks that while a move waits for input, the recording can be
// walked, and the live frame cannot be used.
func TestOutcomeInputMeanwhile(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, "a = 1\nb = input()\nc = b * 2\n", interactive)
		d.do(dsl.Breakpoint, 3)
		d.wantHere("line 2 <module>", trace.NeedsInput)
		if _, err := d.rec.Ask(t.Context(), 0, trace.VerbPrint, "a"); !errors.Is(err, trace.ErrWaiting) {
			t.Errorf("asking a program that waits for input: %v, want ErrWaiting", err)
		}
		back, err := d.rec.Move(t.Context(), d.at.Position, dsl.Action{Move: dsl.InvStepInto})
		if err != nil || back.Event != 0 || short(d.rec.Tree().State(0)) != "line 1 <module>" {
			t.Errorf("back from a program that waits for input: %+v, %v", back, err)
		}
		d.give("xy\n", false)
		d.wantHere("line 3 <module>", trace.HitBreakpoint)
		d.wantLocal("b", "'xy'")
		d.finish()
	})
}

// TestOutcomeInputEnds checks the end of the input: input() raises EOFError, an iteration
// ends, and read returns the input so far.
func TestOutcomeInputEnds(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"input", "try:\n    input()\nexcept EOFError as e:\n    print('EOF', e)\n", "EOF EOF when reading a line\n"},
		{"iteration", "import sys\nfor line in sys.stdin:\n    print(line, end='')\nprint('over')\n", "over\n"},
		{"read", "import sys\nprint(repr(sys.stdin.read()))\n", "''\n"},
		{"os.read", "import os\nprint(os.read(0, 9))\n", "b''\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			onEach(t, func(t *testing.T, python pythons.Python) {
				d := debug(t, python, c.source, interactive)
				if err := d.rec.Input("", true); err != nil {
					t.Fatal(err)
				}
				d.finish()
				d.wantPrinted(c.want)
			})
		})
	}
}

// TestOutcomeInputEndsUncaught checks that an uncaught EOFError ends the program like any
// exception.
func TestOutcomeInputEndsUncaught(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, "a = 1\ninput()\n", interactive)
		d.do(dsl.Continue)
		d.wantHere("line 2 <module>", trace.NeedsInput)
		d.give("", true)
		d.wantHere("exception 2 <module>", trace.DiedPostMortem)
		d.do(dsl.Continue)
		d.wantEnd(1, "EOFError('EOF when reading a line')")
	})
}

// TestOutcomeInputIterated checks a loop over sys.stdin: it waits for each line, adds the
// numbers, and ends.
func TestOutcomeInputIterated(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, "import sys\nn = 0\nfor line in sys.stdin:\n    n += int(line)\nprint(n)\n", interactive)
		d.do(dsl.Continue)
		for _, line := range []string{"1\n", "20\n", "300\n"} {
			d.wantHere(d.here(), trace.NeedsInput)
			d.give(line, false)
		}
		d.wantHere(d.here(), trace.NeedsInput)
		d.give("", true)
		d.wantEnd(0, "")
		d.wantPrinted("321\n")
	})
}

// TestOutcomeInputGiven checks that input given in advance, from a reader or a file,
// causes no stop.
func TestOutcomeInputGiven(t *testing.T) {
	const source = "a = input()\nb = input()\nprint(a, b)\n"
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, source, func(o *trace.Options) { o.Stdin = strings.NewReader("1\n2\n") })
		d.finish()
		d.wantPrinted("1 2\n")

		file, err := os.Open(writeIn(t, t.TempDir(), "input", "3\n4\n"))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		d = debug(t, python, source, func(o *trace.Options) { o.Stdin = file })
		d.finish()
		d.wantPrinted("3 4\n")

		d = debug(t, python, source, interactive)
		if err := d.rec.Input("5\n6\n", false); err != nil { // typed ahead
			t.Fatal(err)
		}
		d.finish()
		d.wantPrinted("5 6\n")
	})
}

// TestOutcomeInputTooLate checks that a program that has ended accepts no input.
func TestOutcomeInputTooLate(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, "a = 1\n", interactive)
		d.finish()
		var gone *trace.GoneError
		if err := d.rec.Input("x\n", false); !errors.As(err, &gone) {
			t.Errorf("input to a program that is over: %v, want a GoneError", err)
		}
	})
}
