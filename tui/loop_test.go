package tui

import (
	"strconv"
	"testing"
)

// counting returns a session in a program whose loop has many iterations.
func counting(t *testing.T, w, h, iterations int) *driver {
	t.Helper()
	r := newRun("/src/count.py", "total = 0\nfor i in range(n):\n    total += i\n    print(i)\nprint(total)\n")
	r.module(5, "total", "i")
	r.line(1)
	r.set(0, "0")
	total := 0
	for i := range iterations {
		r.line(2)
		r.set(1, strconv.Itoa(i))
		r.line(3)
		total += i
		r.set(0, strconv.Itoa(total))
		r.line(4)
	}
	r.line(2)
	r.line(5)
	r.tree.Finish()
	return drive(t, w, h, replayed(t, r))
}

// TestLoopScene checks the table of a loop at every size.
func TestLoopScene(t *testing.T) {
	d := counting(t, 120, 36, 1000)
	d.press("n", "n", "n", "n", "n", "J", "j", "j", "j")
	d.everySize(t)
}

// TestLoopKeys checks that a key shows the loop under the cursor as a table, that rows are loaded as they
// come into sight, that enter and a click go to an iteration, and that a filter is typed.
func TestLoopKeys(t *testing.T) {
	d := counting(t, 120, 36, 1000)
	d.press("n", "n", "J")
	d.shows(" for loop at count.py:2 in <module>, 1,000 iterations ")
	d.shows("→1        2             0             0")
	d.press("G")
	d.settle()
	d.shows(" 1,000   2999           999        499500")
	d.press("k", "k", "enter")
	d.showsNot("1,000 iterations")
	if v := d.m.screen.View; v.Place.Event != 2993 || d.here() != 3 {
		t.Fatalf("enter goes to event %d, line %d", v.Place.Event, d.here())
	}
	d.press("J")
	d.shows("→998")
	d.press("f")
	if got := d.m.line.Text(); got != "loop 3 " {
		t.Fatalf("filter types %q", got)
	}
	d.write("total % 1000 == 3")
	d.press("enter")
	d.shows("total % 1000 == 3: 10 ")
	d.press("a") // no other runs
	d.shows("total % 1000 == 3: 10 ")
	d.press("esc")
	d.showsNot("total % 1000 == 3: 10 ")
	d.command("loop 2")
	d.press("g")
	d.settle()
	d.shows("3          8 ")
	d.click(20, 5)
	if got := d.m.screen.View.Place.Event; got != 8 {
		t.Errorf("a click on the third iteration goes to event %d", got)
	}
	d.press("J")
	d.press("esc")
	d.command("goto 0")
	d.press("g", "J")
	d.shows("line 1 of count.py is in no for or while loop")
}

// TestHits checks that the hits of a logpoint, and lines of output, are lists on the screen whose rows lead
// to their events, with the cursor on the present one.
func TestHits(t *testing.T) {
	d := counting(t, 120, 36, 30)
	d.command("goto 41")
	d.command("logpoint 3, {i} of {total}")
	d.shows("30 hits of logpoint 3, {i} of {total}")
	d.shows("→ 41  13 of 78")
	d.shows("  44  14 of 91")
	d.press("j", "enter")
	if got := d.m.screen.View.Place.Event; got != 44 {
		t.Errorf("enter on the next hit goes to event %d", got)
	}
	d.press("k", "k", "k", "enter")
	d.shows("→ 35  11 of 55")
	d.press("esc")
	d.shows("history")
	d.command("logpoint -d 1")
	d.command("logpoint")
	d.shows("There are no logpoints.")
}

// TestBlocksList checks that the runs of blocks are a list on the screen whose rows lead to their events, with
// the cursor on the present one.
func TestBlocksList(t *testing.T) {
	d := counting(t, 120, 36, 30)
	d.command("goto 41")
	d.command("blocks")
	d.shows("<module> at count.py:1, 63 runs of 4 blocks")
	d.shows("→ 41  lines 3-4  total=78, i=13  → total=91")
	d.shows("  40  line 2  → i=13")
	d.press("k", "enter")
	if v := d.m.screen.View; v.Place.Event != 40 || d.here() != 2 {
		t.Errorf("enter on the run before goes to event %d, line %d", v.Place.Event, d.here())
	}
	d.press("esc")
	d.shows("history")
}
