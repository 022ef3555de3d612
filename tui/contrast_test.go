package tui

import (
	"image/color"
	"strings"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/lucasb-eyer/go-colorful"

	"github.com/npdb/npdb/internal/draw"
)

// What has to be read has 4.5:1, all other text 3:1 (WCAG 2.2, 1.4.3 and 1.4.11).
const (
	bodyContrast = 4.5
	textContrast = 3
)

// legibleInBoth holds what shows to that in both themes that are the default, cell by
// cell as it is drawn: rows, matches and selections lie over text there, which no table of
// roles knows.
func (d *driver) legibleInBoth(t *testing.T) {
	t.Helper()
	was := d.m.screen.Theme
	for _, dark := range []bool{true, false} {
		theme, err := npdbTheme(dark)
		if err != nil {
			t.Fatal(err)
		}
		d.m.screen.Theme = theme.For(d.m.profile)
		d.legible(t, theme.Name)
	}
	d.m.screen.Theme = was
}

// legible fails for each run of cells whose letters have too little contrast.
func (d *driver) legible(t *testing.T, theme string) {
	t.Helper()
	buf := uv.NewScreenBuffer(d.m.w, d.m.h)
	uv.NewStyledString(d.m.View().Content).Draw(buf, buf.Bounds())
	letters := 0
	for y := range d.m.h {
		var bad strings.Builder
		worst := 21.0
		for x := range d.m.w {
			c := buf.CellAt(x, y)
			if c == nil || strings.TrimSpace(c.Content) == "" || isLine(c.Content) || d.m.layout.timeline.Contains(x, y) {
				continue
			}
			letters++
			least := float64(textContrast)
			if d.isBody(x, y) {
				least = bodyContrast
			}
			if r := cellContrast(c); r < least {
				bad.WriteString(c.Content)
				worst = min(worst, r)
			}
		}
		if bad.Len() > 0 {
			t.Errorf("%s: in row %d %q has a contrast of %.2f:1", theme, y, bad.String(), worst)
		}
	}
	if letters < d.m.w {
		t.Errorf("%s: there are %d letters on the screen", theme, letters)
	}
}

// isBody reports whether a cell is in a pane below its title, or in what covers them all:
// source, values and what was printed.
func (d *driver) isBody(x, y int) bool {
	for _, r := range d.m.layout.panes {
		if (draw.Rect{X: r.X, Y: r.Y + 1, W: r.W, H: r.H - 1}).Contains(x, y) {
			return true
		}
	}
	return d.m.help != nil || d.m.page != nil
}

// isLine reports whether a cell is drawn with rules, frames or bars, which are no text.
func isLine(text string) bool {
	r := []rune(text)[0]
	return r >= '─' && r <= '▟'
}

// cellContrast returns the contrast of a cell's letter to its background. Faint ones are what
// a terminal makes of them, which is about half of the way to the background.
func cellContrast(c *uv.Cell) float64 {
	fg, bg := c.Style.Fg, c.Style.Bg
	if fg == nil || bg == nil {
		return 0 // the terminal's own, of which nothing is known
	}
	if c.Style.Attrs&uv.AttrReverse != 0 {
		fg, bg = bg, fg
	}
	letter, ground := exactly(fg), exactly(bg)
	if c.Style.Attrs&uv.AttrFaint != 0 {
		letter = letter.BlendRgb(ground, 0.5)
	}
	a, b := luminance(letter), luminance(ground)
	return (max(a, b) + 0.05) / (min(a, b) + 0.05)
}

func exactly(c color.Color) colorful.Color {
	e, _ := colorful.MakeColor(c)
	return e
}

func luminance(c colorful.Color) float64 {
	r, g, b := c.LinearRgb()
	return 0.2126*r + 0.7152*g + 0.0722*b
}
