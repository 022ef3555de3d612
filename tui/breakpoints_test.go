package tui

import (
	"strings"
	"testing"
)

// stops sets breakpoints of every kind in shop.py, and shows the list.
func stops(d *driver) {
	d.command("b 22, missing > 1 and shelf.name != 'pear' and threshold < 1000")
	d.command("b 20, shelf.count > 1")
	d.command("tbreak 32")
	for range 7 {
		d.command("b 13")
	}
	d.command("ignore 1 3")
	d.press("c", "6")
}

// listed is the row of a breakpoint in the list.
func (d *driver) listed(number string) string {
	d.t.Helper()
	for _, row := range strings.Split(d.text(), "\n") {
		if _, after, ok := strings.Cut(row, "breakpoints"); ok && after != "" {
			continue
		}
		for _, glyph := range []string{glyphBreakpoint, glyphConditional, glyphDisabled} {
			if _, after, ok := strings.Cut(row, glyph+" "+number+"  "); ok {
				return after
			}
		}
	}
	d.t.Fatalf("breakpoint %s is not in the list:\n%s", number, d.text())
	return ""
}

// What makes a breakpoint stop comes before what its line says, at every size, and
// the places are in a column.
func TestBreakpointRows(t *testing.T) {
	d := drive(t, 120, 36, cpython(t, "shop.py"))
	stops(d)
	for _, size := range sizes {
		d.resize(size[0], size[1])
		d.press("g")
		for number, want := range map[string]string{
			" 1": "shop.py:22  if miss", " 2": "shop.py:20  if shelf.count > 1  1 hit", " 3": "shop.py:32  once",
		} {
			if got := d.listed(number); !strings.HasPrefix(got, want) {
				t.Errorf("%v: breakpoint%s is %q, not %q …", size, number, got, want)
			}
		}
		if got := d.listed(" 1"); !strings.Contains(got, "  ignores 3") {
			t.Errorf("%v: %q lost the count", size, got)
		}
	}
	d.resize(200, 60)
	if got := d.listed(" 3"); !strings.Contains(got, "once  return cost") {
		t.Errorf("%q lacks the line's text, for which there is room", got)
	}
}

// A condition that its row cuts is whole at the foot of the pane while it is
// selected, and no row moves for it.
func TestBreakpointCondition(t *testing.T) {
	d := drive(t, 120, 36, cpython(t, "shop.py"))
	stops(d)
	second := d.listed(" 2")
	d.press("g")
	d.shows("threshold < 1000")
	if got := d.listed(" 2"); got != second {
		t.Errorf("the second row became %q", got)
	}
	d.press("j")
	d.showsNot("threshold < 1000")
	d.resize(80, 24)
	d.press("G")
	d.listed("10")
	d.shows(" 3–10 of 10 ─")
}
