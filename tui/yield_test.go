package tui

import "testing"

// TestYieldOnScreen checks that a typed line with a name of the program is Python, that one more
// colon makes it the command, and that keys stay commands.
func TestYieldOnScreen(t *testing.T) {
	d := drive(t, 120, 36, cpython(t, "shop.py"))
	line := d.here()
	d.write(":info = 7")
	d.press("enter")
	d.write(":back = 8")
	d.press("enter")
	d.write(":info")
	d.press("enter")
	d.shows("info is a name here; ::info is npdb's")
	d.write(":info + 1000")
	d.press("enter")
	d.shows("1007")
	d.write("::info breakpoints")
	d.press("enter")
	d.shows("No breakpoints.")
	d.press("n", "z")
	if d.here() != line {
		t.Errorf("the key of back leads to line %d", d.here())
	}
}
