package tui

import "testing"

// TestOutputAtTheEnd checks that, at the end of the program, a narrow screen shows the
// output in place of the locals. Going back shows the locals again.
func TestOutputAtTheEnd(t *testing.T) {
	d := drive(t, 80, 24, shop(t))
	place := d.m.layout.panes[localsPane]
	d.press("c")
	d.shows(" output ──")
	d.shows("counting ")
	d.showsNot("4 output:")
	d.showsNot("locals")
	if got := d.m.layout.panes[outputPane]; got.Y != place.Y || got.H != place.H {
		t.Errorf("the output is at %+v, the locals were at %+v", got, place)
	}
	d.press("2")
	d.shows(" locals ")
	d.press("1")
	d.shows(" output ──")
	d.press("S")
	d.shows(" locals ")
	d.showsNot("counting ") // there is room only for the end of the output

	d = drive(t, 120, 36, shop(t))
	layout := d.m.layout
	d.press("c")
	if d.m.layout != layout {
		t.Errorf("panes that have room jump:\n%s", d.text())
	}
}

// TestOutputHints checks that the hints in the output pane name what Enter does, and do
// not mention input while the program does not wait for any.
func TestOutputHints(t *testing.T) {
	d := drive(t, 80, 24, shop(t))
	d.press("4")
	d.shows("Enter state that printed this")
	d.showsNot("i input")
}

// TestSeveralCommandsWhereAProgramDied checks that several commands that are typed or
// pasted at a post-mortem stop all run. Only a move that arrives at such a stop drops the
// commands after it.
func TestSeveralCommandsWhereAProgramDied(t *testing.T) {
	d := drive(t, 120, 36, crash(t))
	d.press(":")
	d.paste("c\nu\nu")
	d.press("enter")
	d.shows("2 lines after it: not run.")
	top := len(d.m.screen.View.Frames) - 1
	if d.m.screen.View.Selected != top {
		t.Fatalf("frame %d is selected, not %d", d.m.screen.View.Selected, top)
	}
	d.press(":")
	d.paste("u\nu")
	d.press("enter")
	if want := top - 2; d.m.screen.View.Selected != want {
		t.Errorf("two lines led to frame %d, not %d:\n%s", d.m.screen.View.Selected, want, d.text())
	}
	d.tap("d", "d")
	d.settle()
	if d.m.screen.View.Selected != top {
		t.Errorf("two keys led to frame %d, not %d", d.m.screen.View.Selected, top)
	}
	d.press("c") // runs to the end
	d.press(":")
	d.paste("b 2\nb 3")
	d.press("enter")
	if n := len(d.m.screen.View.Breakpoints); n != 2 {
		t.Errorf("%d of 2 breakpoints are set at the end:\n%s", n, d.text())
	}
}
