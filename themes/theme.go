// Package themes defines how the screen looks: a table of roles, and themes, which assign a style
// to each role. Themes come from TOML files and from chroma's styles.
package themes

import (
	"image/color"
	"math"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"github.com/npdb/npdb/internal/draw"
)

// Theme is a style for every role. A theme does not change after it was created.
type Theme struct {
	// Name is the name by which the theme is loaded.
	Name string
	// About is a one-line description, or empty.
	About string
	// Dark reports whether the theme is made for a dark background.
	Dark bool

	profile colorprofile.Profile // color profile of the terminal; Unknown unless set by For

	styles [roleCount]draw.Style
	lips   [roleCount]lipgloss.Style
}

// Style returns the style of a role. A color that the style does not set is that of the element
// below, or finally that of Text.
func (t *Theme) Style(r Role) draw.Style { return t.styles[r] }

// Lip returns the style of a role for lipgloss, on the background of Text. For a theme that was not
// returned by For, the style is empty.
func (t *Theme) Lip(r Role) lipgloss.Style { return t.lips[r] }

// For returns a copy of the theme for a terminal with this color profile. With 16 colors or fewer
// it uses the terminal's own background, and attributes distinguish the roles: bold, underline,
// reverse, italic and faint.
func (t *Theme) For(p colorprofile.Profile) *Theme {
	c := *t
	c.profile = p
	taken := map[color.Color]bool{} // backgrounds of kind row that are already in use
	for r := range roleCount {
		switch p {
		case colorprofile.TrueColor:
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
	for r := range roleCount {
		c.lips[r] = lip(c.styles[r].Over(c.styles[Text]))
	}
	return &c
}

// Foreign converts a style that does not come from the theme, such as one in a program's output, to
// the colors of the terminal.
func (t *Theme) Foreign(s draw.Style) draw.Style {
	switch t.profile {
	case colorprofile.Unknown, colorprofile.TrueColor:
	case colorprofile.ANSI256, colorprofile.ANSI:
		if s.Fg != nil {
			s.Fg = t.profile.Convert(s.Fg)
		}
		if s.Bg != nil {
			s.Bg = t.profile.Convert(s.Bg)
		}
	default:
		s.Fg, s.Bg = nil, nil
	}
	return s
}

// lip converts a style for lipgloss.
func lip(s draw.Style) lipgloss.Style {
	l := lipgloss.NewStyle().
		Bold(s.Attr&draw.Bold != 0).Faint(s.Attr&draw.Faint != 0).Italic(s.Attr&draw.Italic != 0).
		Underline(s.Attr&draw.Underline != 0).Reverse(s.Attr&draw.Reverse != 0).Strikethrough(s.Attr&draw.Strike != 0)
	if s.Fg != nil {
		l = l.Foreground(s.Fg)
	}
	if s.Bg != nil {
		l = l.Background(s.Bg)
	}
	return l
}

// indexed returns a role's style in xterm's 256 colors. If its background is then the same as the
// screen's, attributes replace the background.
func (t *Theme) indexed(r Role) draw.Style {
	s := t.styles[r]
	s.Fg = colorOf256(s.Fg)
	switch {
	case s.Bg == nil:
	case r == Text || roleTable[r].kind == row:
		s.Bg = grayOf256(s.Bg)
	default:
		s.Bg = colorOf256(s.Bg)
	}
	if below := t.styles[Text].Bg; r != Text && s.Bg != nil && below != nil && s.Bg == grayOf256(below) {
		s.Bg = nil
		s.Attr |= roleTable[r].plain
	}
	return s
}

// colorOf256 returns the nearest of xterm's 256 colors. For a gray it returns the nearest gray.
func colorOf256(c color.Color) color.Color {
	switch c.(type) {
	case nil, ansi.BasicColor, ansi.IndexedColor:
		return c
	}
	if _, colorfulness, _ := exact(c).OkLch(); colorfulness < gray {
		return grayOf256(c)
	}
	return colorprofile.ANSI256.Convert(c)
}

// grayOf256 returns the gray, black or white among xterm's 256 colors whose lightness is nearest to
// that of c. It is used for backgrounds, because the other colors differ too much from c.
func grayOf256(c color.Color) color.Color {
	const black, white, first, last = 16, 231, 232, 255
	l, _, _ := exact(c).OkLab()
	best, least := ansi.IndexedColor(black), l
	if 1-l < least {
		best, least = white, 1-l
	}
	for i := first; i <= last; i++ {
		gray, _, _ := exact(ansi.IndexedColor(i)).OkLab()
		if away := math.Abs(gray - l); away < least {
			best, least = ansi.IndexedColor(i), away
		}
	}
	return best
}

// basic returns a role's style in the 16 colors of a terminal, whose exact look is unknown. It sets
// no background. It never uses gray, black or white as the foreground, because the terminal's
// background may have the same color.
func (t *Theme) basic(r Role) draw.Style {
	s := draw.Style{Attr: t.styles[r].Attr | roleTable[r].plain}
	fg := t.styles[r].Fg
	if _, own := fg.(ansi.BasicColor); own && t.styles[r].Bg == nil {
		s.Fg = fg
		return s
	}
	if fg == nil || t.styles[r].Bg != nil || r == Text || roleTable[r].kind == faint {
		return s
	}
	if c, ok := basicOf(fg); ok {
		if t.Dark {
			c += ansi.BrightBlack
		}
		s.Fg = c
	}
	return s
}

// basicHues are hues in OKLCH, in degrees, that people call by the name of a basic color: amber is
// yellow, crimson is magenta, sky blue is blue.
var basicHues = []struct {
	color ansi.BasicColor
	hue   float64
}{
	{ansi.Red, 27},
	{ansi.Yellow, 78},
	{ansi.Green, 142},
	{ansi.Cyan, 195},
	{ansi.Blue, 250},
	{ansi.Magenta, 330},
}

// basicOf returns the basic color whose hue is nearest to that of c, or false for gray. It compares
// hues, because the nearest color in RGB would be cyan for some grays, and red for orange.
func basicOf(c color.Color) (ansi.BasicColor, bool) {
	_, colorfulness, hue := exact(c).OkLch()
	if colorfulness < gray {
		return 0, false
	}
	best, least := ansi.Red, math.Inf(1)
	for _, b := range basicHues {
		if away := hueDistance(hue, b.hue); away < least {
			best, least = b.color, away
		}
	}
	return best, true
}
