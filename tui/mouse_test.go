package tui

import (
	"testing"

	tea "charm.land/bubbletea/v2"
)

// TestClicks checks the effect of a click in each pane.
func TestClicks(t *testing.T) {
	d := drive(t, 200, 60, cpython(t, "shop.py"))
	d.command("b price")
	d.press("c", "s")
	locals, stack, history := d.m.layout.panes[localsPane], d.m.layout.panes[stackPane], d.m.layout.panes[historyPane]

	d.click(1, d.find(t, "missing = threshold")) // a click in the gutter
	if b := d.m.screen.View.Breakpoints; len(b) != 2 || b[1].Line != 21 {
		t.Fatalf("no breakpoint on line 21: %+v", b)
	}
	d.click(1, d.find(t, "missing = threshold"))
	if b := d.m.screen.View.Breakpoints; len(b) != 1 {
		t.Fatalf("the second click did not delete it: %+v", b)
	}
	d.click(stack.X+3, stack.Y+2) // a click on the caller's frame
	if d.m.screen.View.Selected != 2 || d.m.shape.focus != stackPane {
		t.Fatalf("frame %d is selected, pane %d focused", d.m.screen.View.Selected, d.m.shape.focus)
	}
	d.shows("▸ shelves")
	d.click(locals.X+1, locals.Y+1) // shelves, which is already under the cursor
	d.shows("▾ shelves")
	d.click(history.X+4, history.Y+1)
	if d.m.screen.View.Shown != 0 {
		t.Fatalf("state %d shows, not the first", d.m.screen.View.Shown)
	}
	d.click(10, d.m.layout.timeline.Y)
	if at := d.m.screen.View.Place; at.Event != 10 {
		t.Errorf("a click on the timeline went to %d of %d", at.Event, at.Events)
	}
}

// TestWheel checks that the wheel scrolls the pane under the mouse, whichever pane is
// focused.
func TestWheel(t *testing.T) {
	d := drive(t, 100, 20, cpython(t, "shop.py"))
	d.shows(`"""A shop`)
	for range 3 {
		d.tell(tea.MouseWheelMsg{X: 5, Y: 5, Button: tea.MouseWheelDown})
	}
	d.showsNot(`"""A shop`)
	for range 3 {
		d.tell(tea.MouseWheelMsg{X: 5, Y: 5, Button: tea.MouseWheelUp})
	}
	d.shows(`"""A shop`)
}
