package tui

import (
	"image/color"
	"strings"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/lucasb-eyer/go-colorful"

	"github.com/npdb/npdb/internal/draw"
)

// These are the least contrasts (WCAG 2.2, 1.4.3 and 1.4.11): 4.5:1 for text that has to
// be read, 3:1 for all other text.
const (
	bodyContrast = 4.5
	textContrast = 3
)

// legibleInBoth checks the screen against these contrasts in both default themes. It
// checks cell by cell, because rows, matches and selections lie over text there, and no
// table of roles has these combinations.
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

// isBody reports whether a cell is in a pane below its title, or in a window that covers
// the panes: source, values and program output.
func (d *driver) isBody(x, y int) bool {
	for _, r := range d.m.layout.panes {
		if (draw.Rect{X: r.X, Y: r.Y + 1, W: r.W, H: r.H - 1}).Contains(x, y) {
			return true
		}
	}
	return d.m.help != nil || d.m.page != nil
}

// isLine reports whether a cell shows a part of a rule, frame or bar, which is not text.
func isLine(text string) bool {
	r := []rune(text)[0]
	return r >= '─' && r <= '▟'
}

// cellContrast returns the contrast between a cell's letter and its background. A faint
// letter counts as terminals show it, about half of the way to the background.
func cellContrast(c *uv.Cell) float64 {
	fg, bg := c.Style.Fg, c.Style.Bg
	if fg == nil || bg == nil {
		return 0 // the terminal's own color, which is unknown
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
