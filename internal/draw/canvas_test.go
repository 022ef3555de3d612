package draw

import (
	"image/color"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

var (
	red  = color.RGBA{0xff, 0, 0, 0xff}
	blue = color.RGBA{0, 0, 0xff, 0xff}
)

func TestRender(t *testing.T) {
	for _, tt := range []struct {
		name string
		draw func(*Area)
		want string // the rendered canvas, 6 columns wide and 2 rows high
	}{
		{"empty", func(*Area) {}, "      \n      "},
		{"text", func(a *Area) { a.Text(1, 0, "ab", Style{}) }, " ab   \n      "},
		{
			"style", func(a *Area) { a.Text(0, 1, "ab", Style{Fg: red, Attr: Bold}) },
			"      \n\x1b[1;38;2;255;0;0mab\x1b[m    ",
		},
		{
			"only what changes", func(a *Area) {
				a.Text(0, 0, "a", Style{Fg: red, Attr: Bold | Faint})
				a.Text(1, 0, "b", Style{Fg: red, Attr: Bold})
				a.Text(2, 0, "c", Style{Bg: blue, Attr: Italic | Underline})
				a.Text(3, 0, "d", Style{Bg: blue, Attr: Reverse | Strike})
			},
			"\x1b[1;2;38;2;255;0;0ma\x1b[22;1mb\x1b[22;3;4;39;48;2;0;0;255mc\x1b[23;24;7;9md\x1b[m  \n      ",
		},
		{
			"basic and indexed colors", func(a *Area) {
				a.Text(0, 0, "a", Style{Fg: ansi.Red, Bg: ansi.BrightBlue})
				a.Text(1, 0, "b", Style{Fg: ansi.IndexedColor(99)})
			},
			"\x1b[31;104ma\x1b[38;5;99;49mb\x1b[m    \n      ",
		},
		{
			"overlay keeps colors", func(a *Area) {
				a.Text(0, 0, "a", Style{Fg: red})
				a.Overlay(Rect{0, 0, 2, 1}, Style{Bg: blue})
			},
			"\x1b[38;2;255;0;0;48;2;0;0;255ma\x1b[39m \x1b[m    \n      ",
		},
		{
			"what is reversed is not faint", func(a *Area) {
				a.Text(0, 0, "ab", Style{Attr: Faint | Italic})
				a.Overlay(Rect{0, 0, 1, 1}, Style{Attr: Reverse})
			},
			"\x1b[3;7ma\x1b[27;2mb\x1b[m    \n      ",
		},
		{"wide at the edge", func(a *Area) { a.Text(3, 0, "漢字", Style{}) }, "   漢 \n      "},
		{"wide before the edge", func(a *Area) { a.Text(-1, 0, "漢字", Style{}) }, " 字   \n      "},
		{"over the left half", func(a *Area) { a.Text(0, 0, "漢字", Style{}); a.Text(2, 0, "x", Style{}) }, "漢x   \n      "},
		{"over the right half", func(a *Area) { a.Text(0, 0, "漢字", Style{}); a.Text(1, 0, "x", Style{}) }, " x字  \n      "},
		{"wide over two halves", func(a *Area) { a.Text(0, 0, "漢字", Style{}); a.Text(1, 0, "か", Style{}) }, " か   \n      "},
		{"fill", func(a *Area) { a.Fill(Rect{1, 0, 4, 1}, "─", Style{}) }, " ──── \n      "},
		{"fill with wide", func(a *Area) { a.Fill(Rect{1, 0, 5, 2}, "漢", Style{}) }, " 漢漢 \n 漢漢 "},
		{"below", func(a *Area) { a.Text(0, 2, "x", Style{}); a.Text(0, -1, "x", Style{}) }, "      \n      "},
		{
			"two texts that would be one character", func(a *Area) {
				a.Text(0, 0, "👩\u200d", Style{})
				a.Text(2, 0, "👧", Style{})
			},
			"👩\u200d    \n      ",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := NewCanvas(6, 2, Clusters)
			tt.draw(c.Sub(Rect{0, 0, 6, 2}))
			if got := c.Render(); got != tt.want {
				t.Errorf("\n got %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestAreaClips(t *testing.T) {
	c := NewCanvas(8, 3, Runes)
	a := c.Sub(Rect{2, 1, 4, 1})
	if n := a.Text(1, 0, "abcdef", Style{}); n != 3 {
		t.Errorf("%d columns returned, want the 3 up to the edge", n)
	}
	if n := a.Text(9, 0, "abcdef", Style{}); n != 0 {
		t.Errorf("%d columns returned beyond the edge, want 0", n)
	}
	a.Text(0, 1, "below", Style{})
	a.Fill(Rect{-5, -5, 6, 20}, "#", Style{})
	a.Sub(Rect{3, 0, 9, 9}).Overlay(Rect{-9, -9, 99, 99}, Style{Attr: Bold})
	want := "        \n  #ab\x1b[1mc\x1b[m  \n        "
	if got := c.Render(); got != want {
		t.Errorf("\n got %q\nwant %q", got, want)
	}
}

func TestSpansScroll(t *testing.T) {
	line := []Span{{"ab\t", Style{}}, {"漢字", Style{Attr: Bold}}, {"x\ty", Style{}}}
	for scroll, want := range map[int]string{
		0:  "|ab      \x1b[1m漢\x1b[m|",
		1:  "|b      \x1b[1m漢 \x1b[m|",
		9:  "|\x1b[1m 字\x1b[mx   y  |",
		16: "|y         |",
		17: "|          |",
		99: "|          |",
		-5: "|ab      \x1b[1m漢\x1b[m|",
	} {
		c := NewCanvas(12, 1, Runes)
		c.Sub(Rect{0, 0, 12, 1}).Fill(Rect{0, 0, 12, 1}, "|", Style{})
		a := c.Sub(Rect{1, 0, 10, 1})
		a.Fill(Rect{0, 0, 10, 1}, " ", Style{})
		n := a.Spans(0, 0, line, scroll)
		if got := c.Render(); got != want {
			t.Errorf("scroll %d:\n got %q\nwant %q", scroll, got, want)
		}
		if w := min(max(17-max(scroll, 0), 0), 10); n != w {
			t.Errorf("scroll %d: %d columns returned, want %d", scroll, n, w)
		}
	}
}

func TestBase(t *testing.T) {
	c := NewCanvas(3, 1, Runes)
	c.Clear(3, 1, Runes, Style{Bg: blue})
	a := c.Sub(Rect{1, 0, 2, 1})
	a.SetBase(Style{Fg: red})
	a.Sub(Rect{0, 0, 1, 1}).Text(0, 0, "x", Style{})
	want := "\x1b[48;2;0;0;255m \x1b[38;2;255;0;0mx\x1b[39m \x1b[m"
	if got := c.Render(); got != want {
		t.Errorf("\n got %q\nwant %q", got, want)
	}
}

// sgrOnly matches text without control characters, except SGR sequences.
var sgrOnly = regexp.MustCompile("^(?:[^\x00-\x1f\x7f\u0080-\u009f]|\x1b\\[[0-9;]*m)*$")

func FuzzCanvas(f *testing.F) {
	for i, s := range []string{"hello", "漢字\t" + family, "\x1b[2J\x9b31m\u202e", flag + "🇩", "ก็ क्षि \u0301\u200d", "\u1100\u1161\u11a8", "\u0600\u0d4ex"} {
		f.Add(s, "x"+s, uint64(i))
	}
	f.Fuzz(func(t *testing.T, one, two string, seed uint64) {
		for _, m := range both {
			rng := rand.New(rand.NewPCG(seed, 1))
			w, h := rng.IntN(30), rng.IntN(6)
			at := func() Rect {
				return Rect{rng.IntN(40) - 5, rng.IntN(10) - 2, rng.IntN(25) - 2, rng.IntN(6) - 1}
			}
			style := func() Style {
				return Style{Fg: []color.Color{nil, red, ansi.Green}[rng.IntN(3)], Attr: Attr(rng.IntN(64))}
			}
			c := NewCanvas(w, h, m.measure)
			all := c.Sub(Rect{0, 0, w, h})
			all.Fill(Rect{0, 0, w, h}, ".", Style{Fg: blue})
			box := at()
			before := append([]cell(nil), c.cells...)
			a := c.Sub(box)
			for range 10 {
				text := one
				if rng.IntN(2) == 0 {
					text = two
				}
				switch r := at(); rng.IntN(5) {
				case 0:
					a.Text(r.X, r.Y, text, style())
				case 1:
					a.Spans(r.X, r.Y, []Span{{one, style()}, {two, style()}}, rng.IntN(20)-3)
				case 2:
					a.Fill(r, text, style())
				case 3:
					a.Overlay(r, style())
				case 4:
					a.Sub(r).Text(rng.IntN(9)-4, rng.IntN(5)-2, text, style())
				}
			}
			for i := range c.cells {
				if !box.Contains(i%max(w, 1), i/max(w, 1)) && c.cells[i] != before[i] {
					t.Fatalf("%s: cell %d,%d is outside of %v and became %+q", m.name, i%w, i/w, box, c.cells[i].text)
				}
			}
			// A second area over part of the first one, so that texts of both are adjacent.
			c.Sub(at()).Text(0, 0, two, style())
			c.Sub(at()).Text(0, 0, one, style())
			out := c.Render()
			if h == 0 {
				if out != "" {
					t.Fatalf("%s: %q of no rows", m.name, out)
				}
				continue
			}
			rows := strings.Split(out, "\n")
			if len(rows) != h {
				t.Fatalf("%s: %d rows, want %d", m.name, len(rows), h)
			}
			for _, row := range rows {
				if got := m.width(row); got != w {
					t.Fatalf("%s: row %+q is %d columns wide, want %d", m.name, row, got, w)
				}
				if got := m.width(ansi.Strip(row)); got != w {
					t.Fatalf("%s: row %+q without styles is %d columns wide, want %d", m.name, row, got, w)
				}
				if !sgrOnly.MatchString(row) {
					t.Fatalf("%s: row %+q holds more than text and SGR", m.name, row)
				}
			}
			checkRenderer(t, c, out)
		}
	})
}

// TestStylesAreForgotten checks that the number of stored styles remains limited when each frame
// has new colors.
func TestStylesAreForgotten(t *testing.T) {
	c := NewCanvas(2, 1, Runes)
	for i := range 3 * maxStyles {
		c.Clear(2, 1, Runes, Style{})
		c.Sub(Rect{0, 0, 2, 1}).Text(0, 0, "x", Style{Fg: color.RGBA{byte(i), byte(i >> 8), 0, 0xff}})
	}
	if n := len(c.styles); n > maxStyles+3 {
		t.Errorf("%d styles are kept", n)
	}
}

// BenchmarkFrame draws and renders a busy screen of 200×60 cells: styled words in every column,
// some of them wide, a rule, and an overlaid row. For comparison it draws the same words with
// lipgloss, and in a cell buffer of ultraviolet.
func BenchmarkFrame(b *testing.B) {
	words := []string{"for ", "name", " in ", "漢字"}
	styles := []Style{{Fg: red}, {}, {Fg: blue, Attr: Bold}, {Fg: color.RGBA{1, 2, 3, 0xff}}}
	back := color.RGBA{30, 30, 40, 0xff}
	rows := func(b *testing.B, out string) {
		b.Helper()
		b.SetBytes(int64(len(out)))
		if strings.Count(out, "\n") != 59 {
			b.Fatal("not 60 rows")
		}
	}
	b.Run("canvas", func(b *testing.B) {
		var line []Span
		for i := range 50 {
			line = append(line, Span{words[i%4], styles[i%4]})
		}
		c := NewCanvas(200, 60, Runes)
		var out string
		for b.Loop() {
			c.Clear(200, 60, Runes, Style{Bg: back})
			left, right := c.Sub(Rect{0, 0, 100, 60}), c.Sub(Rect{100, 0, 100, 60})
			for y := range 60 {
				left.Spans(0, y, line, 0)
				right.Spans(0, y, line, 3)
			}
			left.Fill(Rect{0, 0, 100, 1}, "─", styles[0])
			left.Overlay(Rect{0, 20, 100, 1}, Style{Bg: blue})
			out = c.Render()
		}
		rows(b, out)
	})
	lips := make([]lipgloss.Style, len(styles))
	for i, s := range styles {
		lips[i] = lipgloss.NewStyle().Foreground(s.Fg).Background(back).Bold(s.Attr&Bold != 0)
	}
	column := lipgloss.NewStyle().Width(100).MaxWidth(100).MaxHeight(60).Background(back)
	pane := func() string {
		lines := make([]string, 60)
		for y := range lines {
			var line strings.Builder
			for i := range 25 {
				line.WriteString(lips[i%4].Render(words[i%4]))
			}
			lines[y] = line.String()
		}
		return column.Render(strings.Join(lines, "\n"))
	}
	b.Run("lipgloss", func(b *testing.B) {
		var out string
		for b.Loop() {
			out = lipgloss.JoinHorizontal(lipgloss.Top, pane(), pane())
		}
		rows(b, out)
	})
	b.Run("ultraviolet", func(b *testing.B) {
		var line strings.Builder
		for i := range 25 {
			line.WriteString(lips[i%4].Render(words[i%4]))
		}
		row := uv.NewStyledString(line.String())
		var out string
		for b.Loop() {
			screen := uv.NewScreenBuffer(200, 60)
			for y := range 60 {
				row.Draw(screen, uv.Rect(0, y, 100, 1))
				row.Draw(screen, uv.Rect(100, y, 100, 1))
			}
			out = screen.Render()
		}
		rows(b, strings.ReplaceAll(out, "\r", ""))
	})
}
