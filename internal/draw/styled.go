package draw

import (
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// Styled draws rows of text with SGR sequences, as lipgloss produces them, at the area's corner. It
// is meant for dialogs, which contain little text.
func (a *Area) Styled(text string) {
	w, h := a.Size()
	uv.NewStyledString(text).Draw(cells{a}, uv.Rect(0, 0, w, h))
}

// cells implements an ultraviolet screen on an area.
type cells struct{ area *Area }

// Bounds returns the whole area.
func (c cells) Bounds() uv.Rectangle {
	w, h := c.area.Size()
	return uv.Rect(0, 0, w, h)
}

// CellAt exists for the interface only: drawing a styled string only sets cells.
func (c cells) CellAt(int, int) *uv.Cell { return nil }

// SetCell draws a cell. It ignores a cell of width 0, which holds an escape sequence other than
// SGR.
func (c cells) SetCell(x, y int, cell *uv.Cell) {
	if cell != nil && cell.Width > 0 {
		c.area.Text(x, y, cell.Content, styleOf(cell.Style))
	}
}

// WidthMethod returns the terminal's way of counting columns.
func (c cells) WidthMethod() uv.WidthMethod {
	if c.area.canvas.measure == Clusters {
		return ansi.GraphemeWidth
	}
	return ansi.WcWidth
}

// styleOf converts a style of ultraviolet.
func styleOf(s uv.Style) Style {
	style := Style{Fg: plainColor(s.Fg), Bg: plainColor(s.Bg)}
	for _, a := range styledAttrs {
		if s.Attrs&a.there != 0 {
			style.Attr |= a.here
		}
	}
	if s.Underline != uv.UnderlineNone {
		style.Attr |= Underline
	}
	return style
}

// styledAttrs maps ultraviolet's attributes to those of this package.
var styledAttrs = []struct {
	there uint8
	here  Attr
}{{uv.AttrBold, Bold}, {uv.AttrFaint, Faint}, {uv.AttrItalic, Italic}, {uv.AttrReverse, Reverse}, {uv.AttrStrikethrough, Strike}}
