package tui

import (
	"strings"
	"testing"
)

// The places of the frames stand in a column, which a call leaves where it is, and
// the title says which of the frames are in sight.
func TestStackColumns(t *testing.T) {
	d := drive(t, 120, 36, cpython(t, "shop.py"))
	inPrice(d)
	column := func() (at []int) {
		t.Helper()
		_, below, _ := strings.Cut(d.text(), " stack ")
		below, _, _ = strings.Cut(below, " output ")
		for _, row := range strings.Split(below, "\n") {
			if x := strings.Index(row, "shop.py:"); x > 0 {
				at = append(at, len([]rune(row[:x])))
			}
		}
		return at
	}
	calls := column()
	if len(calls) != 4 {
		t.Fatalf("%d frames, want 4:\n%s", len(calls), d.text())
	}
	d.press("r", "s")
	for _, x := range append(calls, column()...) {
		if x != calls[0] {
			t.Fatalf("the places begin in columns %v:\n%s", calls, d.text())
		}
	}
	d.showsNot(" of 4 ─")
	d.press("3")
	d.resize(60, 10)
	d.shows(" 1–2 of 3 ─")
}
