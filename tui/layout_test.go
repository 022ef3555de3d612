package tui

import (
	"testing"

	"github.com/npdb/npdb/internal/draw"
)

// Whatever the size and whatever the user did to it: no two panes share a cell,
// none leaves the screen, the focused one shows, and what is shown has room.
func TestArrange(t *testing.T) {
	for w := 1; w <= 260; w += 3 {
		for h := 1; h <= 90; h += 2 {
			for focus := range paneCount {
				for _, zoom := range []bool{false, true} {
					for _, grown := range []int{-500, -3, 0, 4, 500} {
						s := shape{focus: focus, shelf: focus, zoom: zoom, grown: grown}
						checkLayout(t, w, h, s)
					}
				}
			}
		}
	}
}

func checkLayout(t testing.TB, w, h int, s shape) {
	t.Helper()
	l := arrange(w, h, s)
	screen := draw.Rect{W: w, H: h}
	all := []draw.Rect{l.header, l.timeline, l.footer}
	all = append(all, l.panes[:]...)
	for i, r := range all {
		if r.Empty() {
			continue
		}
		if r.Intersect(screen) != r {
			t.Fatalf("%dx%d %+v: %+v leaves the screen", w, h, s, r)
		}
		for _, o := range all[:i] {
			if !r.Intersect(o).Empty() {
				t.Fatalf("%dx%d %+v: %+v and %+v overlap", w, h, s, r, o)
			}
		}
	}
	if l.panes[s.focus].Empty() && h > 3 {
		t.Fatalf("%dx%d %+v: the focused pane does not show: %+v", w, h, s, l)
	}
	if w >= 60 && h >= 20 && l.panes[sourcePane].Empty() && !s.zoom {
		t.Fatalf("%dx%d %+v: no source: %+v", w, h, s, l)
	}
}
