package tui

import (
	"strings"
	"testing"
)

// TestSearchCounts checks that the footer shows the number of the match and of all
// matches, and says when the search has wrapped around.
func TestSearchCounts(t *testing.T) {
	d := drive(t, 100, 30, cpython(t, "shop.py"))
	d.press("/")
	d.write("price(")
	d.shows("/ price(  match 1 of 2")
	if at := d.m.source.Cursor + 1; at != 12 {
		t.Errorf("the cursor is on line %d", at)
	}
	d.press("enter")
	d.shows("match 1 of 2")
	for _, step := range []struct{ key, words string }{
		{".", "match 2 of 2"},
		{".", "match 1 of 2, from the top again"},
		{",", "match 2 of 2, from the bottom again"},
		{",", "match 1 of 2"},
	} {
		d.press(step.key)
		if d.m.screen.Flash != step.words {
			t.Errorf("%s says %q, not %q", step.key, d.m.screen.Flash, step.words)
		}
	}
	d.press("G", "/")
	d.write("price(")
	d.shows("match 1 of 2, from the top again")
	d.write("x")
	d.shows("not found")
}

// TestSearchInPanes checks that the same keys search every pane.
func TestSearchInPanes(t *testing.T) {
	d := drive(t, 120, 36, cpython(t, "shop.py"))
	d.command("b 22")
	d.command("b 20, shelf.count > 1")
	d.command("b price")
	d.press("c", "c", "s", "s")
	for _, pane := range []struct {
		focus, pattern string
		at             func() int
		first, second  int
	}{
		{"3", "SHOP.py", d.m.panes[stackPane].At, 0, 1},
		{"4", "breakpoint", d.m.output.At, 1, 3},
		{"5", "restock", d.m.panes[historyPane].At, 1, 2},
		{"6", "shop.py:", d.m.panes[breakpointsPane].At, 0, 1},
	} {
		d.press(pane.focus, "g", "/")
		d.write(pane.pattern)
		if !strings.Contains(d.text(), "match 1 of") {
			t.Errorf("%q: the footer tells no match:\n%s", pane.pattern, d.text())
		}
		d.press("enter")
		first := pane.at()
		d.press(".")
		if got := [2]int{first, pane.at()}; got != [2]int{pane.first, pane.second} {
			t.Errorf("%q is found at %v, not %d and %d:\n%s", pane.pattern, got, pane.first, pane.second, d.text())
		}
		d.press(",", "esc")
	}
}

// TestSearchMarksItsPane checks that a search in one pane does not mark matches in
// another.
func TestSearchMarksItsPane(t *testing.T) {
	d := drive(t, 120, 36, cpython(t, "shop.py"))
	inPrice(d)
	plain := d.screen()
	d.press("3", "/")
	d.write("restock")
	d.press("enter", "1")
	marked := 0
	rows := strings.Split(d.screen(), "\n")
	for i, row := range strings.Split(plain, "\n")[:len(rows)-1] {
		if rows[i] != row && strings.Contains(row, "restock") {
			marked++
		}
	}
	if marked == 0 || marked > 2 { // the row, and the title of the pane in the same row
		t.Errorf("%d rows have changed:\n%s", marked, d.text())
	}
}
