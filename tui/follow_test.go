package tui

import (
	"testing"
)

// TestFollowedValues checks three keys of the locals: one shows the last change of the
// value under the cursor, one lists all its values, and one makes npdb stop where it
// changes, in both directions. The list of breakpoints shows such a watchpoint without a
// line.
func TestFollowedValues(t *testing.T) {
	r := newRun("/src/a.py", "n = 1\nn = 2\nm = 5\nn = 3\nprint(n)\n")
	r.module(2, "n", "m")
	r.line(1)
	r.set(0, "1")
	r.line(2)
	r.set(0, "2")
	r.line(3)
	r.set(1, "5")
	r.line(4)
	r.set(0, "3")
	r.line(5)
	r.tree.Finish()
	d := drive(t, 120, 36, replayed(t, r))
	d.press(":")
	d.write("goto 4")
	d.press("enter", "2", "L")
	d.shows("n: 2 -> 3")
	d.press("L")
	d.shows("n: 1 -> 2")
	d.press("A")
	d.shows("n has had 3 values")
	d.shows("▁▅█")
	d.press("esc", "M")
	d.press("6")
	d.shows("watch n")
	d.press("enter")
	d.shows("It is on no line: it stops wherever n changes.")
	d.press("C")
	d.shows("Watchpoint 1: n: 2 -> 3, by a.py:4")
	d.press("C")
	d.shows("Watchpoint 1: n: 1 -> 2, by a.py:2")
	d.press("c")
	d.shows("Watchpoint 1: n: 1 -> 2, by a.py:2")
	d.press("6", "D")
	d.shows("none:")
}
