package tui

import "testing"

// The key asks, and runs the program again only after a yes.
func TestRestartAsks(t *testing.T) {
	d := drive(t, 120, 36, cpython(t, "shop.py"))
	d.press("n", "n")
	at := d.here()
	d.press("ctrl+r")
	d.shows("Run shop.py again from the start?  y yes  n no")
	d.press("s", "?", ":") // answers nothing
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

// Where something runs it is said what to do.
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
