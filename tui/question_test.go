package tui

import (
	"testing"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/nav"
)

// TestRestartAsks checks that the restart key asks, and runs the program again only after
// a yes.
func TestRestartAsks(t *testing.T) {
	d := drive(t, 120, 36, cpython(t, "shop.py"))
	d.press("n", "n")
	at := d.here()
	d.press("ctrl+r")
	d.shows("Run shop.py again from the start?  y yes  n no")
	d.press("s", "?", ":") // these keys answer nothing
	d.shows("again from the start?")
	d.press("n")
	d.showsNot("again from the start?")
	if d.here() != at {
		t.Errorf("it stands at line %d, not %d", d.here(), at)
	}
	for _, yes := range []string{"y", "enter"} {
		d.press("n", "ctrl+r", yes)
		if d.here() != 1 || d.m.screen.View.Place.Event != 0 {
			t.Errorf("after %s it stands at line %d", yes, d.here())
		}
	}
	d.press("c")
	d.press("1")
	d.shows("Ctrl-r restart")
	d.press("ctrl+r", "y")
	if d.here() != 1 {
		t.Errorf("from the end it came to line %d", d.here())
	}
}

// TestRestartWhileSomethingRuns checks that npdb says what to do while a command is
// running.
func TestRestartWhileSomethingRuns(t *testing.T) {
	d := drive(t, 80, 24, cpython(t, "shop.py"))
	d.tell(key("n"))
	d.tell(key("ctrl+r"))
	d.shows("Something runs")
	d.settle()
	if d.m.question != nil {
		t.Error("it asks")
	}
}

// TestTypedCommandAsks checks that the question of a typed command is asked like every
// other one: in the frame, with one key to answer.
func TestTypedCommandAsks(t *testing.T) {
	d := drive(t, 80, 24, cpython(t, "shop.py"))
	d.command("b 22")
	d.command("clear")
	d.shows("Clear all breaks?  y yes  n no")
	d.click(10, 5)
	d.press("s", ":")
	d.shows("Clear all breaks?  y yes")
	d.press("n")
	d.showsNot("y yes")
	if n := len(d.m.screen.View.Breakpoints); n != 1 || d.m.screen.View.Waiting != session.ForCommand || d.m.screen.Typing {
		t.Errorf("after no there are %d breakpoints, and it waits for %q", n, d.m.screen.View.Waiting)
	}
	d.command("clear")
	d.press("y")
	if n := len(d.m.screen.View.Breakpoints); n != 0 {
		t.Errorf("after yes there are %d breakpoints", n)
	}
	d.press("4")
	d.shows("Clear all breaks? no")
	d.shows("Clear all breaks? yes")
}

// TestJoiningProgramAsks checks that, in neural mode, npdb asks before it runs the
// program, after the key and after the typed command.
func TestJoiningProgramAsks(t *testing.T) {
	c := cpython(t, "double.py")
	c.Mode, c.Neural = session.Predicted, &nav.Neural{Predictor: &scripted{replies: []string{atCall, inF, atY}}}
	d := drive(t, 80, 24, c)
	d.press("s")
	for _, ask := range []func(){func() { d.press("x") }, func() { d.command("mode both") }} {
		ask()
		d.shows("The program will be run. Run it?")
		d.press("n")
		if d.m.screen.View.Mode != session.Predicted || d.m.engine.mortal() {
			t.Error("the program is run")
		}
	}
	d.press("x", "y")
	if d.m.screen.View.Mode != session.Both {
		t.Errorf("after a yes the mode is %s", d.m.screen.View.Mode)
	}
}
