package tui

import (
	"fmt"
	"slices"
	"testing"

	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"

	"github.com/npdb/npdb/themes"
)

// The number of the line that the keys act on is told from the others, also on the
// current line and without colors, and no other one looks so.
func TestSourceCursor(t *testing.T) {
	for _, profile := range []colorprofile.Profile{colorprofile.TrueColor, colorprofile.ASCII} {
		d := drive(t, 80, 24, cpython(t, "shop.py"))
		d.m.theme = d.m.theme.For(profile)
		inPrice(d)
		for range 3 {
			want := d.m.style(themes.Cursor)
			for row := range d.m.layout.panes[sourcePane].H - 1 {
				n := d.m.source.top + row + 1
				styles := d.styles(sourcePane, fmt.Sprintf("%3d", n))[row]
				if len(styles) == 0 {
					t.Fatalf("row %d has no number %d:\n%s", row, n, d.text())
				}
				there := !slices.ContainsFunc(styles, func(s uv.Style) bool {
					return !sameColor(s.Fg, want.Fg) && want.Fg != nil || !sameColor(s.Bg, want.Bg) && want.Bg != nil || s.Attrs&uv.AttrBold == 0 ||
						(s.Attrs&uv.AttrReverse != 0) != (want.Bg == nil) || s.Attrs&uv.AttrFaint != 0
				})
				if there != (n == d.m.source.cursor+1) {
					t.Errorf("%v: the cursor is on line %d; line %d looks so: %v, %+v", profile, d.m.source.cursor+1, n, there, styles)
				}
			}
			d.press("k")
		}
	}
}
