package tui

import (
	"strings"
	"testing"
)

// TestSearchOpensValues checks that a match inside a closed value is found, and that the
// value is opened down to the match.
func TestSearchOpensValues(t *testing.T) {
	r := newRun("/src/a.py", "stock = {}\nn = 1\n")
	r.module(2, "stock", "other", "n")
	r.set(0, "{'apple': [1, 2], 'pear': {'size': (3, 'big'), 'kind': 'soft pear'}, 'fig': ['big', 4]}")
	r.set(1, "[['big']]")
	r.set(2, "1")
	r.line(1)
	r.tree.Finish()
	d := drive(t, 120, 36, replayed(t, r))
	d.press("2", "/")
	d.write("big")
	d.shows("/ big")
	at := func() string { // at returns the expression that "set" starts with
		t.Helper()
		d.press("=")
		defer d.press("esc")
		text := d.m.line.Text()
		place, _, _ := strings.Cut(strings.TrimPrefix(text, "!"), " = ")
		return place
	}
	for i, want := range []string{"stock['pear']['size'][1]", "stock['fig'][0]", "other[0][0]", "stock['pear']['size'][1]"} {
		if i == 0 {
			d.press("enter")
		} else {
			d.press(".")
		}
		if got := at(); got != want {
			t.Errorf("match %d is %s, not %s:\n%s", i, got, want, d.text())
		}
	}
	d.press("/")
	d.write("gone")
	d.shows("not found")
	d.press("esc")
	if got := at(); got != "stock['pear']['size'][1]" {
		t.Errorf("Esc left the cursor at %s", got)
	}
}
