package tui

import "testing"

// TestEditInThePast edits the past on the screen: the question, the edited run, the history with both runs,
// the comparison, and the way back.
func TestEditInThePast(t *testing.T) {
	d := drive(t, 120, 36, cpython(t, "shop.py"))
	d.command("tbreak 22")
	d.press("c")
	d.command("tbreak 24")
	d.press("c")
	d.press("z")
	if d.here() != 22 {
		t.Fatalf("it stands at line %d", d.here())
	}
	d.command("missing = 100")
	d.shows("The program is run again up to this event")
	d.press("n")
	d.showsNot("y yes")
	if v := d.m.screen.View; v.Place.Run != 0 || len(v.History) != 3 {
		t.Fatalf("after no: run %d, %d states", v.Place.Run, len(v.History))
	}
	d.toName("missing")
	d.press("=")
	d.write("00")
	d.press("enter")
	d.shows("The program is run again up to this event")
	d.press("y")
	d.shows("Run 2 goes on live from here")
	d.shows("live run 2")
	if v := d.m.screen.View; v.Place.Run != 2 || v.State.Locals[len(v.State.Locals)-1].Value != "200" {
		t.Fatalf("run %d: %+v", v.Place.Run, v.State.Locals)
	}
	d.press("1", "c", "5")
	d.shows("run 2  !missing = 200")
	d.command("goto #3")
	d.shows("run 1")
	d.command("diff run 2")
	d.shows("missing")
	d.command("diff #4")
	d.shows("there #4")
}
