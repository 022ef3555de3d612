package draw

import (
	"image/color"
	"strconv"

	"github.com/charmbracelet/x/ansi"
)

// Attr is a set of text attributes.
type Attr uint8

// The attributes of a cell. Underline is a single line.
const (
	Bold Attr = 1 << iota
	Faint
	Italic
	Underline
	Reverse
	Strike
)

// Style is the look of a cell. A nil color means the color below: that of the area's base style,
// and finally the terminal's default.
type Style struct {
	Fg, Bg color.Color
	Attr   Attr
}

// Over returns s with unset colors replaced by those of below, and the attributes of both.
func (s Style) Over(below Style) Style {
	if s.Fg == nil {
		s.Fg = below.Fg
	}
	if s.Bg == nil {
		s.Bg = below.Bg
	}
	s.Attr |= below.Attr
	return s
}

// styleKey is a style as a small map key.
type styleKey struct {
	fg, bg uint32
	attr   Attr
}

func (s Style) key() styleKey { return styleKey{colorKey(s.Fg), colorKey(s.Bg), s.Attr} }

// colorKey returns a number for a color. Colors with different SGR sequences have
// different numbers.
func colorKey(c color.Color) uint32 {
	const (
		direct = (iota + 1) << 24
		basic
		indexed
	)
	switch c := plainColor(c).(type) {
	case color.RGBA:
		return direct | uint32(c.R)<<16 | uint32(c.G)<<8 | uint32(c.B)
	case ansi.BasicColor:
		return basic | uint32(c)
	case ansi.IndexedColor:
		return indexed | uint32(c)
	}
	return 0
}

// plainColor converts c to a color type that has its own SGR form.
func plainColor(c color.Color) color.Color {
	switch c.(type) {
	case nil, color.RGBA, ansi.BasicColor, ansi.IndexedColor:
		return c
	}
	return color.RGBAModel.Convert(c)
}

// attrCodes lists the SGR parameters (ECMA-48, 8.3.117) that set and reset each attribute. Bold and
// Faint are reset by the same one.
var attrCodes = []struct {
	attr    Attr
	on, off int
}{
	{Bold, 1, 22},
	{Faint, 2, 22},
	{Italic, 3, 23},
	{Underline, 4, 24},
	{Reverse, 7, 27},
	{Strike, 9, 29},
}

// sgr returns the shortest SGR sequence that changes the style from `from` to `to`.
func sgr(from, to Style) string {
	if from == to {
		return ""
	}
	if to == (Style{}) {
		return "\x1b[m"
	}
	b := []byte("\x1b[")
	param := func(n int) {
		if len(b) > 2 {
			b = append(b, ';')
		}
		b = strconv.AppendInt(b, int64(n), 10)
	}
	if from.Attr&^to.Attr&(Bold|Faint) != 0 {
		param(22)
		from.Attr &^= Bold | Faint
	}
	for _, c := range attrCodes {
		if from.Attr&^to.Attr&c.attr != 0 {
			param(c.off)
		}
	}
	for _, c := range attrCodes {
		if to.Attr&^from.Attr&c.attr != 0 {
			param(c.on)
		}
	}
	if from.Fg != to.Fg {
		colorParams(to.Fg, 30, param)
	}
	if from.Bg != to.Bg {
		colorParams(to.Bg, 40, param)
	}
	return string(append(b, 'm'))
}

// colorParams passes the SGR parameters of a color to param. base is 30 for the foreground
// and 40 for the background.
func colorParams(c color.Color, base int, param func(int)) {
	switch c := c.(type) {
	case nil:
		param(base + 9)
	case ansi.BasicColor:
		if c < 8 {
			param(base + int(c))
		} else {
			param(base + 60 + int(c&7))
		}
	case ansi.IndexedColor:
		param(base + 8)
		param(5)
		param(int(c))
	default:
		r, g, b, _ := c.RGBA()
		param(base + 8)
		param(2)
		param(int(r >> 8))
		param(int(g >> 8))
		param(int(b >> 8))
	}
}
