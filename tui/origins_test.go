package tui

import (
	"strings"
	"testing"
)

// TestOrigins checks that a key on a local lists where its value came from, that enter goes to the
// hops while the list stays, and that esc closes it.
func TestOrigins(t *testing.T) {
	r := newRun("/src/a.py", "a = 5\nb = a\nc = b\nprint(c)\n")
	r.module(4, "a", "b", "c")
	r.line(1)
	r.set(0, "5")
	r.line(2)
	r.set(1, "5")
	r.line(3)
	r.set(2, "5")
	r.line(4)
	r.tree.Finish()
	d := drive(t, 120, 36, replayed(t, r))
	d.press("n", "n", "n", "2", "j", "j", "W")
	for _, row := range []string{"origin of c", "c = 5  copy  <module>:3", "b = 5  copy  <module>:2", "a = 5  assignment  <module>:1  literal at l"} {
		d.shows(row)
	}
	d.press("j", "enter")
	if got := d.here(); got != 2 {
		t.Errorf("enter on the second hop goes to line %d", got)
	}
	d.press("j", "enter")
	if got := d.here(); got != 1 {
		t.Errorf("enter on the third hop goes to line %d", got)
	}
	d.shows("→ a = 5")
	d.press("esc")
	d.showsNot("origin of c")
	if !strings.Contains(d.text(), "history") {
		t.Error("the history does not come back")
	}
	d.command("goto 3")
	d.command("provenance c")
	d.shows("origin of c")
	d.shows("c = 5  copy  <module>:3")
}
