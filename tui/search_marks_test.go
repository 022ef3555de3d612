package tui

import (
	"image/color"
	"slices"
	"strings"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"github.com/npdb/npdb/themes"
)

// cells returns the screen as a terminal shows it.
func (d *driver) cells() uv.ScreenBuffer {
	screen := uv.NewScreenBuffer(d.m.w, d.m.h)
	screen.Method = ansi.WcWidth
	uv.NewStyledString(d.m.View().Content).Draw(screen, screen.Bounds())
	return screen
}

// styles returns the styles of the cells of a text in a rectangle of the screen, by row.
// In each row it takes the first occurrence.
func (d *driver) styles(pane paneID, text string) map[int][]uv.Style {
	screen, r := d.cells(), d.m.layout.panes[pane]
	found := map[int][]uv.Style{}
	for y := r.Y + 1; y < r.Y+r.H; y++ {
		for x := r.X; x+len(text) <= r.X+r.W; x++ {
			var styles []uv.Style
			for i := range len(text) {
				c := screen.CellAt(x+i, y)
				if c.Content != text[i:i+1] {
					break
				}
				styles = append(styles, c.Style)
			}
			if len(styles) == len(text) {
				found[y-r.Y-1] = styles
				break
			}
		}
	}
	return found
}

// sameColor compares colors by their escape sequences.
func sameColor(a, b color.Color) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	r1, g1, b1, _ := a.RGBA()
	r2, g2, b2, _ := b.RGBA()
	return r1 == r2 && g1 == g2 && b1 == b2
}

// marked fails unless the rows of a pane that have a text show it as a match. The current
// match has its own style, whatever else marks its row.
func (d *driver) marked(t *testing.T, pane paneID, text string, at int) {
	t.Helper()
	rows := d.styles(pane, text)
	if _, ok := rows[at]; !ok {
		t.Errorf("%q is not in row %d:\n%s", text, at, d.text())
	}
	for row, styles := range rows {
		role := themes.Match
		if row == at {
			role = themes.MatchCurrent
		}
		want := d.m.screen.Style(role)
		if slices.ContainsFunc(styles, func(s uv.Style) bool { return !sameColor(s.Fg, want.Fg) || !sameColor(s.Bg, want.Bg) }) {
			t.Errorf("%q in row %d has not the look of %v: %+v, want %+v", text, row, role, styles, want)
		}
	}
}

// TestSearchMarksCanBeRead checks that a match is legible in every row: the current line,
// a frame and the selected row. The current match has a style of its own.
func TestSearchMarksCanBeRead(t *testing.T) {
	for _, dark := range []bool{true, false} {
		d := drive(t, 120, 36, cpython(t, "shop.py"))
		d.m.dark = dark
		if err := d.m.retheme(); err != nil {
			t.Fatal(err)
		}
		inPrice(d)
		find := func(pane, pattern string) {
			t.Helper()
			d.press(pane, "g", "/")
			d.write(pattern)
		}
		find("1", "count") // the match is also on the current line
		d.marked(t, sourcePane, "count", d.m.source.Cursor-d.m.source.Top)
		d.press("enter")
		for range 4 {
			d.marked(t, sourcePane, "count", d.m.source.Cursor-d.m.source.Top)
			d.press(".")
		}
		d.press("u") // the frame's line, and the current one
		find("1", "price")
		d.press("enter", ".")
		d.marked(t, sourcePane, "price", d.m.source.Cursor-d.m.source.Top)
		for _, c := range []struct {
			key, pattern string
			pane         paneID
		}{{"3", "shop.py", stackPane}, {"4", "Breakpoint", outputPane}, {"5", "price", historyPane}, {"6", "shop.py", breakpointsPane}} {
			find(c.key, c.pattern)
			d.press("enter")
			s := d.m.panes[c.pane]
			at := s.At()
			if c.pane == outputPane {
				at = slices.IndexFunc(strings.Split(d.text(), "\n"), func(row string) bool { return strings.Contains(row, c.pattern+" 1 at") }) -
					d.m.layout.panes[outputPane].Y - 1
			}
			d.marked(t, c.pane, c.pattern, at)
		}
	}
}
