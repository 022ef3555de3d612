//go:build unix

package trace_test

import (
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// TestOutcomeOutputMeanwhile checks that the program's output can be read while a move
// still runs.
func TestOutcomeOutputMeanwhile(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, "import time\nprint('one')\nprint('two', end='')\ntime.sleep(1000)\n")
		landing := d.run(t.Context(), dsl.Continue)
		for {
			seen := ""
			for _, piece := range d.rec.Output(-1, -1) {
				seen += piece.Text
			}
			if seen == "one\ntwo" {
				break
			}
			if t.Context().Err() != nil || !strings.HasPrefix("one\ntwo", seen) {
				t.Fatalf("printed so far is %q", seen)
			}
		}
		d.rec.Interrupt()
		landing()
		// The program may still be between the print and the sleep.
		if at := d.here(); d.at.Reason != trace.Interrupted || at != "line 3 <module>" && at != "line 4 <module>" {
			t.Errorf("stands at %s, reason %d, want an interrupt in line 3 or 4", at, d.at.Reason)
		}
	})
}

// TestOutcomeThreadsPrint checks that threads print while values of the main thread are
// rendered.
func TestOutcomeThreadsPrint(t *testing.T) {
	const program = `import threading
class Slow:
    def __repr__(self):
        return str(sum(range(500)))
def talk():
    for _ in range(300): print("t")
slow = [Slow() for _ in range(20)]
threads = [threading.Thread(target=talk) for _ in range(3)]
for one in threads: one.start()
for n in range(300): n += 1
for one in threads: one.join()
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, program)
		d.finish()
		if got := strings.Count(d.printed("stdout"), "t"); got != 900 {
			t.Errorf("the threads printed %d lines, want 900", got)
		}
		d.wantLocalAtEnd(t, "slow")
	})
}

// wantLocalAtEnd checks that a module's value was shown by its own repr.
func (d *debuggee) wantLocalAtEnd(t *testing.T, name string) {
	t.Helper()
	for _, l := range d.rec.Tree().State(d.rec.Tree().Len() - 1).Locals {
		if l.Name == name && strings.HasPrefix(l.Value, "[124750, ") {
			return
		}
	}
	t.Errorf("%s is not shown by its own repr at the end", name)
}

// TestOutcomeInputInterrupted checks that a program that is interrupted while it waits for
// input still waits for it.
func TestOutcomeInputInterrupted(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, "a = 1\nb = input()\nc = b * 2\n", interactive)
		d.do(dsl.Continue)
		d.wantHere("line 2 <module>", trace.NeedsInput)
		d.rec.Interrupt()
		var err error
		if d.at, err = d.rec.Resume(t.Context()); err != nil {
			t.Fatal(err)
		}
		d.wantHere("line 2 <module>", trace.Interrupted)
		d.wantAnswer(0, trace.VerbPrint, "a", "1")
		d.do(dsl.StepOver)
		d.wantHere("line 2 <module>", trace.NeedsInput)
		d.give("xy\n", false)
		d.wantHere("line 3 <module>", trace.Landed)
		d.wantLocal("b", "'xy'")
		d.finish()
	})
}

// TestOutcomeChainInOneActivation checks that exceptions of a chain that passed through
// the same activation have separate positions.
func TestOutcomeChainInOneActivation(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, "def f():\n    try:\n        1 / 0\n    except ZeroDivisionError as e:\n        raise ValueError('bad') from e\nf()\n")
		d.do(dsl.Continue)
		d.wantHere("exception 5 f", trace.DiedPostMortem)
		d.ask(0, trace.VerbExceptions, "0")
		d.wantHere("exception 3 f", trace.DiedPostMortem)
		d.ask(0, trace.VerbExceptions, "1")
		d.wantHere("exception 5 f", trace.DiedPostMortem)
	})
}

// TestOutcomeInterruptWhileClosing checks interrupts during and after closing the
// recording.
func TestOutcomeInterruptWhileClosing(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, "x = 1\n")
		begun, stop, over := make(chan struct{}), make(chan struct{}), make(chan struct{})
		go func() {
			defer close(over)
			d.rec.Interrupt()
			close(begun)
			for {
				select {
				case <-stop:
					return
				default:
					d.rec.Interrupt()
				}
			}
		}()
		<-begun
		if err := d.rec.Close(); err != nil {
			t.Error(err)
		}
		close(stop)
		<-over
	})
}
