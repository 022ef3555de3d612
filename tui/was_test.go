package tui

import "testing"

// TestLongValueLeavesRoomForTheOneBefore checks that there is room for the value before,
// however long the value is.
func TestLongValueLeavesRoomForTheOneBefore(t *testing.T) {
	r := newRun("/src/a.py", "shapes = {}\nfill(shapes)\nprint(shapes)\n")
	r.module(3, "by_name")
	r.set(0, "{}")
	r.line(1)
	r.set(0, "{'circle': [Circle(name='circle', radius=2)]}")
	r.line(2)
	r.line(3)
	r.tree.Finish()
	d := drive(t, 120, 36, replayed(t, r))
	d.press("n")
	d.shows("was {}")
}
