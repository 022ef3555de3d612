package tui

import (
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
)

// These tests check that keys that are pressed while a request runs apply to the stop that
// was shown then.

// prefetch returns a screen in neural mode at the call of f. From then on the model
// answers only through the gate.
func prefetch(t *testing.T, more ...string) (*driver, *scripted) {
	t.Helper()
	p := &scripted{replies: append([]string{atCall, inF, atY, atReturn, returnsY}, more...)}
	d := drive(t, 100, 30, predicted(t, "double.py", p))
	d.press("s", "s")
	if d.here() != 1 {
		t.Fatalf("it stands at line %d, not 1:\n%s", d.here(), d.text())
	}
	p.shut(d)
	return d, p
}

// open lets all answers through, those that wait and those to come.
func (p *scripted) open() { close(p.gate) }

func TestBreakpointWhileARequestRuns(t *testing.T) {
	d, p := prefetch(t)
	d.tell(key("s"))
	d.asks(p, 3)
	d.tell(key("b"))
	p.open()
	d.settle()
	if d.here() != 2 {
		t.Errorf("the step led to line %d, not 2", d.here())
	}
	if b := d.m.screen.View.Breakpoints; len(b) != 1 || b[0].Line != 1 {
		t.Errorf("the breakpoint is not on the line that showed: %+v", b)
	}
}

func TestGutterClickWhileARequestRuns(t *testing.T) {
	d, p := prefetch(t)
	d.tell(key("s"))
	d.asks(p, 3)
	y := d.find(t, "return y")
	d.tell(click(1, y))
	p.open()
	d.settle()
	if b := d.m.screen.View.Breakpoints; len(b) != 1 || b[0].Line != 3 {
		t.Errorf("the breakpoint is not on the line that was clicked on: %+v", b)
	}
}

func TestMovesTypedFast(t *testing.T) {
	d, p := prefetch(t)
	d.tell(key("s"))
	d.tell(key("s"))
	d.tell(key("n"))
	d.asks(p, 3)
	d.shows("then 2 more")
	p.open()
	d.settle()
	want := []dsl.Move{dsl.StepInto, dsl.StepInto, dsl.StepInto, dsl.StepInto, dsl.StepOver}
	if len(p.asked) != len(want) {
		t.Fatalf("the model was asked %v", p.asked)
	}
	for i, a := range p.asked {
		if a.Move != want[i] {
			t.Errorf("question %d is %v, not %v", i, a.Move, want[i])
		}
	}
	if s := d.m.screen.View.State; s == nil || s.Event != dsl.Return {
		t.Errorf("it stands at %+v, not at the return", s)
	}
}

func TestEscapeEmptiesTheQueue(t *testing.T) {
	t.Run("a model that stops", func(t *testing.T) { pressEscape(t, false) })
	t.Run("a model that answers late", func(t *testing.T) { pressEscape(t, true) })
}

func pressEscape(t *testing.T, late bool) {
	d, p := prefetch(t)
	p.deaf = late
	d.tell(key("s"))
	d.asks(p, 3)
	d.tell(key("s"))
	d.tell(key("b"))
	d.tell(key("n"))
	d.tell(key("esc"))
	p.open()
	d.settle()
	if n := p.questions(); n != 3 {
		t.Errorf("the model was asked %d times, not 3", n)
	}
	if d.here() != 1 || len(d.m.screen.View.History) != 3 {
		t.Errorf("a reply after Esc was taken: line %d, %d states", d.here(), len(d.m.screen.View.History))
	}
	if len(d.m.screen.View.Breakpoints) != 0 || d.m.screen.Running != nil || len(d.m.queue) != 0 {
		t.Errorf("something is left: %v, %v, %v", d.m.screen.View.Breakpoints, d.m.screen.Running, d.m.queue)
	}
	d.showsNot("predicting")
	d.press("s") // the session continues as if nothing had happened
	if d.here() != 3 {
		t.Errorf("the next step led to line %d", d.here())
	}
}

// TestErrorEmptiesTheQueue checks that, after a request that fails, the keys that were
// typed ahead are dropped.
func TestErrorEmptiesTheQueue(t *testing.T) {
	d, p := prefetch(t)
	p.replies[2] = "nonsense"
	d.tell(key("s"))
	d.tell(key("s"))
	d.tell(key("s"))
	p.open()
	d.settle()
	if n := p.questions(); n != 3 {
		t.Errorf("the model was asked %d times, not 3", n)
	}
	d.shows("The reply is no state")
}

// TestVisitWhileARequestRuns checks that a state of the history that is selected while a
// request runs is the one that is shown, whatever was shown in between.
func TestVisitWhileARequestRuns(t *testing.T) {
	d, p := prefetch(t)
	d.press("5", "k") // the call of the module's line 6
	d.tell(key("s"))
	d.asks(p, 3)
	d.tell(key("enter"))
	p.open()
	d.settle()
	if d.here() != 6 || d.m.screen.View.Shown != 1 {
		t.Errorf("it shows state %d at line %d, not state 1 at line 6", d.m.screen.View.Shown, d.here())
	}
}

// TestFrameWhileARequestRuns checks that a frame that is selected while a request runs is
// the one that is shown.
func TestFrameWhileARequestRuns(t *testing.T) {
	deeper := `<|call_sep|><|stack_sep|>"g"{"z": "1"}<|action_sep|>1|def f(x):` + "\n<|frame_sep|>"
	d, p := prefetch(t)
	p.replies[2] = deeper
	d.press("3", "j") // <module>
	d.tell(key("s"))
	d.asks(p, 3)
	d.tell(key("enter"))
	p.open()
	d.settle()
	if f := d.m.screen.View.Frames; len(f) != 3 || d.m.screen.View.Selected != 0 {
		t.Errorf("the selected frame is %d of %+v, not <module>", d.m.screen.View.Selected, f)
	}
}

// find returns the row that has a text.
func (d *driver) find(t *testing.T, text string) int {
	t.Helper()
	for y, row := range strings.Split(d.text(), "\n") {
		if strings.Contains(row, text) {
			return y
		}
	}
	t.Fatalf("%q is not on the screen:\n%s", text, d.text())
	return 0
}
