package tui

import (
	"math/rand/v2"
	"testing"

	"github.com/npdb/npdb/internal/draw"
)

// TestArrange checks the layout at every size and after every action of the user: no two
// panes share a cell, no pane leaves the screen, the focused pane shows, and each pane
// that shows has enough room.
func TestArrange(t *testing.T) {
	for w := 1; w <= 260; w += 3 {
		for h := 1; h <= 90; h += 2 {
			for focus := range paneCount {
				for _, zoom := range []bool{false, true} {
					for _, grown := range []int{-500, -3, 0, 4, 500} {
						s := shape{focus: focus, shelf: focus, zoom: zoom, grown: grown}
						if focus != candidatesPane {
							checkLayout(t, w, h, s)
						} else {
							s.shelf = localsPane
						}
						for _, s.candidates = range []int{1, 9, 40} {
							checkLayout(t, w, h, s)
						}
					}
				}
			}
		}
	}
}

func checkLayout(t testing.TB, w, h int, s shape) {
	t.Helper()
	l := arrange(w, h, s).withCandidates(s)
	screen := draw.Rect{W: w, H: h}
	all := []draw.Rect{l.header, l.tour, l.timeline, l.footer}
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

// TestArrangeByContent checks the same for all contents of the panes, for all earlier
// layouts, and at a crash. A pane that is large enough keeps its rows, and none has fewer
// rows than it needs while another has empty rows.
func TestArrangeByContent(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for range 30_000 {
		w, h := 1+random.IntN(240), 1+random.IntN(80)
		held := [paneCount]int{}
		s := shape{focus: paneID(random.IntN(int(candidatesPane))), crashed: random.IntN(4) == 0, zoom: random.IntN(8) == 0}
		s.shelf, s.over, s.tour = s.focus, s.crashed, random.IntN(2)*h/3
		s.fills = func(id paneID, _, most int) int { return min(held[id], most) }
		for range 4 {
			for id := range held {
				held[id] = random.IntN(1 + random.IntN(60))
			}
			checkLayout(t, w, h, s)
			l := arrange(w, h, s)
			if s.had != nil && !s.zoom && enough(s.had, held) && *s.had != l {
				t.Fatalf("%dx%d %+v: all had enough for %v, and it became %+v", w, h, *s.had, held, l)
			}
			s.had, s.hadFocus = &l, s.focus
		}
	}
}

// enough reports whether all panes except the source have room for their contents, and
// whether the output pane shows if there is output.
func enough(l *layout, held [paneCount]int) bool {
	if l.panes[outputPane].Empty() && held[outputPane] > 0 {
		return false
	}
	for id, r := range l.panes {
		if paneID(id) != sourcePane && !r.Empty() && held[id] >= r.H {
			return false
		}
	}
	return true
}

// TestFocusedPaneGrows checks that a pane below the source grows to the size of its
// contents while it has the focus, by key or by mouse, and shrinks when it loses the
// focus.
func TestFocusedPaneGrows(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {60, 20}} {
		d := drive(t, size[0], size[1], replayed(t, manyNames()))
		d.press("n", "n")
		before := d.m.layout
		r := before.panes[localsPane]
		d.press("2")
		grown := d.m.layout.panes[localsPane].H
		if grown <= r.H || d.m.layout.panes[sourcePane].H < sightRows {
			t.Errorf("%v: from %d to %d rows, the source %+v", size, r.H, grown, d.m.layout.panes[sourcePane])
		}
		d.press("n", "+", "_")
		if d.m.layout.panes[localsPane].H != grown {
			t.Errorf("%v: after a step and a zoom %d rows, not %d", size, d.m.layout.panes[localsPane].H, grown)
		}
		d.press("1")
		if d.m.layout != before {
			t.Errorf("%v: without the focus %+v, before %+v", size, d.m.layout, before)
		}
		d.m.View()
		d.click(r.X+3, r.Y+3)
		if d.m.layout.panes[localsPane].H != grown || d.m.panes[localsPane].At() != 2 {
			t.Errorf("%v: a click has it be %d rows, the cursor at %d", size, d.m.layout.panes[localsPane].H, d.m.panes[localsPane].At())
		}
		d.click(20, 2)
		if d.m.layout != before {
			t.Errorf("%v: a click on the source has it be %+v, before %+v", size, d.m.layout, before)
		}
	}
}

// TestStepsMoveNoPane checks that no pane moves when names come and go while the user
// steps through a program.
func TestStepsMoveNoPane(t *testing.T) {
	for _, size := range sizes {
		d := drive(t, size[0], size[1], cpython(t, "shop.py"))
		d.command("b restock")
		d.press("c")
		before := d.m.layout
		for range 25 {
			d.press("s")
			if d.m.layout != before {
				t.Fatalf("%v: at %d %+v, before %+v", size, d.here(), d.m.layout, before)
			}
		}
	}
}

// TestStripOfOutput checks that a narrow screen shows the end of the output at the foot as
// soon as there is output, and keeps showing it. The strip has the user's commands, npdb's
// answers and the program's output.
func TestStripOfOutput(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {60, 20}} {
		d := drive(t, size[0], size[1], cpython(t, "shop.py"))
		if r := d.m.layout.panes[outputPane]; !r.Empty() {
			t.Fatalf("%v: nothing was said, and the output has %+v", size, r)
		}
		d.press("s", "s")
		d.command("p 6 * 7")
		d.press("s", "s", "s")
		d.shows("╎(npdb) p 6 * 7")
		d.shows("╎42")
		d.shows(" locals ")
		strip := d.m.layout
		d.command("b restock")
		d.press("c")
		d.shows("counting 3 shelves")
		if d.m.layout != strip {
			t.Errorf("%v: it moved from %+v to %+v", size, strip, d.m.layout)
		}
		d.command("w")
		d.shows("-> ")
		d.press("4")
		if d.m.layout.strip || d.m.layout.panes[outputPane].H <= strip.panes[outputPane].H {
			t.Errorf("%v: with the focus it has %+v", size, d.m.layout)
		}
		d.press("1", "2", "1")
		if d.m.layout != strip {
			t.Errorf("%v: after the focus was elsewhere %+v, before %+v", size, d.m.layout, strip)
		}
	}
}

// TestStripYields checks that the focused pane takes the rows of the strip if it needs
// them.
func TestStripYields(t *testing.T) {
	d := drive(t, 80, 24, replayed(t, manyNames()))
	d.press("n", "n")
	d.command("p 1")
	if !d.m.layout.strip {
		t.Fatalf("no strip: %+v", d.m.layout)
	}
	strip := d.m.layout
	d.press("2")
	if l := d.m.layout; l.strip || l.panes[sourcePane].H != sightRows {
		t.Errorf("with the focus on the locals %+v", l)
	}
	grown := d.m.layout
	d.command("p 2")
	d.press("n")
	if d.m.layout != grown {
		t.Errorf("after a command %+v, before %+v", d.m.layout, grown)
	}
	d.press("1")
	if d.m.layout != strip {
		t.Errorf("without it %+v, before %+v", d.m.layout, strip)
	}
}
