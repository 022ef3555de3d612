// Package themes says how the screen looks: a table of roles, and themes that
// give each of them a style, from TOML files and from chroma's styles.
package themes

import (
	"image/color"
	"math"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"github.com/npdb/npdb/tui/draw"
)

// Theme is a style for every role. It is not changed after it was made.
type Theme struct {
	// Name is what the theme is loaded by.
	Name string
	// About is a line on it, or empty.
	About string
	// Dark says that it is meant for a dark background.
	Dark bool

	styles [roleCount]draw.Style
}

// Style returns the style of a role. Colors that it leaves open are those of
// what it is drawn on, in the end those of Text.
func (t *Theme) Style(r Role) draw.Style { return t.styles[r] }

// For returns the theme for a terminal that can show the colors of a profile.
// With 16 colors or none the background is the terminal's own, and attributes
// set the roles apart: bold, underline, reverse, italic and faint.
func (t *Theme) For(p colorprofile.Profile) *Theme {
	if p == colorprofile.TrueColor {
		return t
	}
	c := *t
	taken := map[color.Color]bool{} // backgrounds of rows
	for r := range roleCount {
		switch p {
		case colorprofile.ANSI256:
			c.styles[r] = t.indexed(r)
			if bg := c.styles[r].Bg; bg != nil && roleTable[r].kind == row {
				if taken[bg] {
					c.styles[r].Attr |= roleTable[r].plain
				}
				taken[bg] = true
			}
		case colorprofile.ANSI:
			c.styles[r] = t.basic(r)
		default:
			c.styles[r] = draw.Style{Attr: roleTable[r].plain}
		}
	}
	return &c
}

// indexed returns a role's style in the 256 colors of xterm. A background too
// close to the screen's to be told from it there becomes attributes.
func (t *Theme) indexed(r Role) draw.Style {
	s := t.styles[r]
	convert := func(c color.Color) color.Color {
		if c == nil {
			return nil
		}
		return colorprofile.ANSI256.Convert(c)
	}
	below := convert(t.styles[Text].Bg)
	s.Fg = convert(s.Fg)
	if s.Bg != nil && roleTable[r].kind == row {
		s.Bg = grayOf256(s.Bg)
	} else {
		s.Bg = convert(s.Bg)
	}
	if r != Text && s.Bg != nil && s.Bg == below {
		s.Bg = nil
		s.Attr |= roleTable[r].plain
	}
	return s
}

// grayOf256 returns the one of xterm's 24 grays that is nearest to c in
// lightness. The other colors are so far from each other that letters would lose
// their contrast on them.
func grayOf256(c color.Color) color.Color {
	const first, last = 232, 255
	best, least := ansi.IndexedColor(first), math.Inf(1)
	l, _, _ := exact(c).OkLab()
	for i := ansi.IndexedColor(first); ; i++ {
		if gray, _, _ := exact(i).OkLab(); math.Abs(gray-l) < least {
			best, least = i, math.Abs(gray-l)
		}
		if i == last {
			return best
		}
	}
}

// basic returns a role's style in the 16 colors of a terminal, which have no
// certain look: no backgrounds, and no foreground that might be the background.
func (t *Theme) basic(r Role) draw.Style {
	s := draw.Style{Attr: t.styles[r].Attr | roleTable[r].plain}
	fg := t.styles[r].Fg
	if fg == nil || r == Text || t.styles[r].Bg != nil {
		return s
	}
	switch c, _ := colorprofile.ANSI.Convert(fg).(ansi.BasicColor); c {
	case ansi.Black, ansi.BrightBlack, ansi.White, ansi.BrightWhite:
	default:
		s.Fg = c
	}
	return s
}
