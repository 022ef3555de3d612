package draw

import (
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// Styled draws rows that were laid out as text with SGR sequences, as lipgloss makes
// them, from the area's corner on. It is for dialogs, which have few texts.
func (a *Area) Styled(text string) {
	w, h := a.Size()
	uv.NewStyledString(text).Draw(cells{a}, uv.Rect(0, 0, w, h))
}

// cells is an area for ultraviolet to draw on.
type cells struct{ area *Area }

// Bounds returns all of the area.
func (c cells) Bounds() uv.Rectangle {
	w, h := c.area.Size()
	return uv.Rect(0, 0, w, h)
}

// CellAt is never called: nothing is drawn over.
func (c cells) CellAt(int, int) *uv.Cell { return nil }

// SetCell draws a cell; what is no cell of its own is a sequence that is not about looks.
func (c cells) SetCell(x, y int, cell *uv.Cell) {
	if cell != nil && cell.Width > 0 {
		c.area.Text(x, y, cell.Content, styleOf(cell.Style))
	}
}

// WidthMethod returns how the terminal counts.
func (c cells) WidthMethod() uv.WidthMethod {
	if c.area.canvas.measure == Clusters {
		return ansi.GraphemeWidth
	}
	return ansi.WcWidth
}

// styleOf returns a style as a canvas has it.
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

// styledAttrs are the attributes by their names there and here.
var styledAttrs = []struct {
	there uint8
	here  Attr
}{{uv.AttrBold, Bold}, {uv.AttrFaint, Faint}, {uv.AttrItalic, Italic}, {uv.AttrReverse, Reverse}, {uv.AttrStrikethrough, Strike}}
