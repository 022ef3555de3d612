package tui

import "testing"

// At the end, where there are no locals, a narrow screen shows the output in their
// place; back from there it shows them again.
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
	d.showsNot("counting ") // there is room for the end of the output alone

	d = drive(t, 120, 36, shop(t))
	layout := d.m.layout
	d.press("c")
	if d.m.layout != layout {
		t.Errorf("panes that have room jump:\n%s", d.text())
	}
}

// In the output Enter is said to do what it does, and nothing is said of input that
// nobody waits for.
func TestOutputHints(t *testing.T) {
	d := drive(t, 80, 24, shop(t))
	d.press("4")
	d.shows("Enter state that printed this")
	d.showsNot("i input")
}

// What is typed or pasted at a post-mortem stop is done, all of it: only a move that
// comes to one drops what was to follow.
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
	d.press("c") // to the end
	d.press(":")
	d.paste("b 2\nb 3")
	d.press("enter")
	if n := len(d.m.screen.View.Breakpoints); n != 2 {
		t.Errorf("%d of 2 breakpoints are set at the end:\n%s", n, d.text())
	}
}
