package draw

import (
	"strings"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// checkRenderer compares the cells that Bubble Tea's renderer parses from a rendering with
// the cells of the canvas.
func checkRenderer(t *testing.T, c *Canvas, out string) {
	t.Helper()
	screen := uv.NewScreenBuffer(c.w, c.h)
	screen.Method = ansi.WcWidth
	if c.measure == Clusters {
		screen.Method = ansi.GraphemeWidth
	}
	uv.NewStyledString(out).Draw(screen, screen.Bounds())
	for y := range c.h {
		for x := 0; x < c.w; {
			want := c.cells[y*c.w+x]
			got := screen.CellAt(x, y)
			blanked := want.joins && strings.TrimSpace(got.Content) == ""
			if !blanked && (got.Content != want.text || got.Width != int(want.width)) {
				t.Fatalf("column %d of row %d is %+q, %d wide; drawn was %+q, %d wide", x, y, got.Content, got.Width, want.text, want.width)
			}
			style := c.styles[want.style]
			if (got.Style.Attrs&uv.AttrBold != 0) != (style.Attr&Bold != 0) ||
				(got.Style.Attrs&uv.AttrFaint != 0) != (style.Attr&Faint != 0) ||
				(got.Style.Attrs&uv.AttrItalic != 0) != (style.Attr&Italic != 0) ||
				(got.Style.Attrs&uv.AttrReverse != 0) != (style.Attr&Reverse != 0) ||
				(got.Style.Attrs&uv.AttrStrikethrough != 0) != (style.Attr&Strike != 0) ||
				(got.Style.Underline != uv.UnderlineNone) != (style.Attr&Underline != 0) ||
				got.Style.Fg != style.Fg || got.Style.Bg != style.Bg {
				t.Fatalf("column %d of row %d looks %+v, want %+v", x, y, got.Style, style)
			}
			x += int(want.width)
		}
	}
}
