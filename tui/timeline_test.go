package tui

import (
	"testing"
)

// TestTimelineClicks checks that a click behind the end of the timeline goes to the last
// event.
func TestTimelineClicks(t *testing.T) {
	d := drive(t, 120, 36, cpython(t, "shop.py"))
	d.press("s", "s", "s", "s", "s", "s")
	row := d.m.layout.timeline.Y
	d.click(2, row)
	if at := d.m.screen.View.Place; at.Event != 2 || at.Events != 7 {
		t.Errorf("it is at %d of %d", at.Event, at.Events)
	}
	d.click(90, row)
	if at := d.m.screen.View.Place; at.Event != 6 {
		t.Errorf("it is at %d of %d", at.Event, at.Events)
	}
}

// TestTimelineLegend checks that the help explains the marks of the timeline, and that a
// search in the help finds them.
func TestTimelineLegend(t *testing.T) {
	d := drive(t, 80, 24, cpython(t, "shop.py"))
	d.press("?")
	d.write("first divergence")
	d.shows("▼               First divergence of prediction and CPython")
	d.showsNot("An exception.")
}
