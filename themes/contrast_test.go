package themes

import (
	"fmt"
	"image/color"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/lucasb-eyer/go-colorful"

	"github.com/npdb/npdb/internal/draw"
)

func mustLoad(t *testing.T, name string, dark bool) *Theme {
	t.Helper()
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	theme, err := Load(name, dark)
	if err != nil {
		t.Fatal(err)
	}
	return theme
}

// illegible lists the roles whose text has too little contrast with the screen's background, with
// the background of a row, or with its own background.
func illegible(theme *Theme, least, leastFaint float64) []string {
	base := theme.Style(Text)
	backgrounds := map[Role]color.Color{Text: base.Bg}
	for r := range roleCount {
		if roleTable[r].kind == row {
			backgrounds[r] = theme.Style(r).Bg
		}
	}
	var bad []string
	for r := range roleCount {
		want := least
		switch roleTable[r].kind {
		case line, row:
			continue
		case faint:
			want = leastFaint
		}
		s := theme.Style(r).Over(draw.Style{Fg: base.Fg})
		on := backgrounds
		if s.Bg != nil {
			on = map[Role]color.Color{r: s.Bg}
		}
		for under, bg := range on {
			if c := contrast(s.Fg, bg); c < want {
				bad = append(bad, fmt.Sprintf("%v on %v's background: %.2f:1, want %.1f:1", r, under, c, want))
			}
		}
	}
	return bad
}

func TestContrast(t *testing.T) {
	for _, tt := range []struct {
		name               string
		letters, faintOnes float64
	}{
		{"npdb-dark", 4.5, 4.5},
		{"npdb-light", 4.5, 4.5},
		{"contrast-dark", 7, 7},
		{"contrast-light", 7, 7},
		{"colorblind-dark", 4.5, 4.5},
		{"colorblind-light", 4.5, 4.5},
	} {
		theme := mustLoad(t, tt.name, true)
		for _, bad := range illegible(theme, tt.letters, tt.faintOnes) {
			t.Errorf("%s: %s", tt.name, bad)
		}
		if dark := luminance(theme.Style(Text).Bg) < 0.2; dark != theme.Dark {
			t.Errorf("%s: dark is %v", tt.name, theme.Dark)
		}
	}
}

// TestRowsAreSeen checks that the backgrounds that mark a row or a line number are easy to see.
func TestRowsAreSeen(t *testing.T) {
	for _, name := range []string{"npdb-dark", "npdb-light", "contrast-dark", "contrast-light", "colorblind-dark", "colorblind-light"} {
		theme := mustLoad(t, name, true)
		for _, tt := range []struct {
			role, on Role
			least    float64
		}{
			{Cursor, Text, 1.5},
			{Cursor, CurrentLine, 1.3},
			{Cursor, FrameLine, 1.3},
			{CurrentLine, Text, 1.15},
			{FrameLine, Text, 1.2},
			{Selection, Text, 1.2},
			{Doubtful, Text, 1.12},
			{Unsure, Text, 1.25},
			{Unsure, Doubtful, 1.1},
		} {
			if c := contrast(theme.Style(tt.role).Bg, theme.Style(tt.on).Bg); c < tt.least {
				t.Errorf("%s: %v on %v's background: %.2f:1, want %.2f:1", name, tt.role, tt.on, c, tt.least)
			}
		}
	}
}

func TestEveryChromaStyleIsUsable(t *testing.T) {
	names := ChromaNames()
	if len(names) < 70 {
		t.Fatalf("chroma has %d styles", len(names))
	}
	for _, name := range names {
		for _, dark := range []bool{true, false} {
			theme, err := FromChroma(name, dark)
			if err != nil {
				t.Fatal(err)
			}
			for _, bad := range illegible(theme, lettersContrast, faintContrast) {
				t.Errorf("%s: %s", theme.Name, bad)
			}
			for _, bad := range same(theme, func(c color.Color) color.Color { return c }) {
				t.Errorf("%s: %s", theme.Name, bad)
			}
		}
	}
}

// same lists pairs of distinct roles that look alike to this eye, a simulation of color blindness.
func same(theme *Theme, eye func(color.Color) color.Color) []string {
	seen := *theme
	for r := range roleCount {
		s := theme.styles[r].Over(theme.styles[Text])
		seen.styles[r] = draw.Style{Fg: eye(s.Fg), Bg: eye(s.Bg)}
	}
	var bad []string
	for _, group := range distinct {
		for i, a := range group {
			for _, b := range group[:i] {
				if d := apartStyles(&seen, a, b); d < distinctColors {
					bad = append(bad, fmt.Sprintf("%v and %v are %.3f apart, want %.2f", a, b, d, distinctColors))
				}
			}
		}
	}
	return bad
}

// Dichromatic vision at full severity, for linear RGB: Machado, Oliveira and
// Fernandes, "A Physiologically-based Model for Simulation of Color Vision
// Deficiency" (2009).
var (
	protanopia   = [9]float64{0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998}
	deuteranopia = [9]float64{0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881}
)

func simulate(m [9]float64) func(color.Color) color.Color {
	return func(c color.Color) color.Color {
		r, g, b := exact(c).LinearRgb()
		return opaque(colorful.LinearRgb(m[0]*r+m[1]*g+m[2]*b, m[3]*r+m[4]*g+m[5]*b, m[6]*r+m[7]*g+m[8]*b))
	}
}

func TestDistinct(t *testing.T) {
	plain := func(c color.Color) color.Color { return c }
	for _, name := range []string{"npdb-dark", "npdb-light", "contrast-dark", "contrast-light", "colorblind-dark", "colorblind-light"} {
		for _, bad := range same(mustLoad(t, name, true), plain) {
			t.Errorf("%s: %s", name, bad)
		}
	}
	for _, name := range []string{"colorblind-dark", "colorblind-light"} {
		theme := mustLoad(t, name, true)
		for eye, m := range map[string][9]float64{"protanopia": protanopia, "deuteranopia": deuteranopia} {
			for _, bad := range same(theme, simulate(m)) {
				t.Errorf("%s with %s: %s", name, eye, bad)
			}
		}
	}
}

// TestSimulation checks that the simulated color blindness makes colors similar that color-blind
// people confuse.
func TestSimulation(t *testing.T) {
	red, green := color.RGBA{0xc0, 0x50, 0x20, 0xff}, color.RGBA{0x70, 0x80, 0x10, 0xff}
	see := simulate(deuteranopia)
	if before, after := apart(red, green), apart(see(red), see(green)); after > before/2 {
		t.Errorf("%.3f apart, %.3f to a deuteranope", before, after)
	}
}

// meaning lists groups of roles that must look different with any number of colors, because no
// other mark on the screen distinguishes them.
var meaning = [][]Role{
	{Text, Changed, Differs, Predicted, Inferred, Edited, Was},
	{Text, CurrentLine, FrameLine},
	{LineNumber, Cursor},
	{Text, Match, MatchCurrent, Selection},
	{Rule, Focus},
	{Stdout, Stderr, Stdin},
	{TimelineCall, TimelineHere, TimelineShown},
}

func TestFor(t *testing.T) {
	for _, name := range []string{"npdb", "contrast", "colorblind", "monokai", "github", "nord", "solarized-light", "bw"} {
		for _, dark := range []bool{true, false} {
			full := mustLoad(t, name, dark)
			for _, p := range []colorprofile.Profile{colorprofile.NoTTY, colorprofile.ASCII, colorprofile.ANSI, colorprofile.ANSI256, colorprofile.TrueColor} {
				theme := full.For(p)
				for _, group := range meaning {
					for i, a := range group {
						for _, b := range group[:i] {
							if theme.Style(a) == theme.Style(b) {
								t.Errorf("%s in %v: %v and %v look the same, %v", full.Name, p, a, b, theme.Style(a))
							}
						}
					}
				}
				for r := range roleCount {
					s := theme.Style(r)
					if p <= colorprofile.ASCII && (s.Fg != nil || s.Bg != nil) {
						t.Errorf("%s in %v: %v has a color", full.Name, p, r)
					}
					if p == colorprofile.ANSI && s.Bg != nil {
						t.Errorf("%s in %v: %v has a background", full.Name, p, r)
					}
				}
			}
		}
	}
}

// TestContrastIn256Colors checks that the contrast remains sufficient when colors are rounded to
// the 256 colors of a terminal.
func TestContrastIn256Colors(t *testing.T) {
	for _, name := range []string{"npdb-dark", "npdb-light", "contrast-dark", "contrast-light", "colorblind-dark", "colorblind-light"} {
		theme := mustLoad(t, name, true).For(colorprofile.ANSI256)
		for _, bad := range illegible(theme, 4.5, 4.5) {
			t.Errorf("%s: %s", name, bad)
		}
	}
}

// TestBasicColors checks that the 16 colors of an old terminal match their names.
func TestBasicColors(t *testing.T) {
	for _, tt := range []struct {
		name string
		role Role
		want color.Color
	}{
		{"npdb-dark", Changed, ansi.BrightYellow},
		{"npdb-light", Changed, ansi.Yellow},
		{"contrast-light", Changed, ansi.Yellow},
		{"npdb-dark", Differs, ansi.BrightMagenta},
		{"npdb-light", Differs, ansi.Magenta},
		{"npdb-dark", Here, ansi.BrightBlue},
		{"npdb-light", Error, ansi.Red},
		{"npdb-dark", Predicted, ansi.BrightMagenta},
		{"npdb-dark", Edited, ansi.BrightGreen},
		{"npdb-dark", Inferred, ansi.BrightCyan},
		{"npdb-dark", LocalName, nil},
		{"npdb-dark", Text, nil},
		{"colorblind-dark", Differs, nil},
	} {
		if got := mustLoad(t, tt.name, true).For(colorprofile.ANSI).Style(tt.role).Fg; got != tt.want {
			t.Errorf("%s: %v is %v, want %v", tt.name, tt.role, got, tt.want)
		}
	}
}
