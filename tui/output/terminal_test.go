package output

import (
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/themes"
)

// wrote passes the program's output to the pane, one text at a time.
func wrote(p *Pane, texts ...string) {
	for i, text := range texts {
		p.Wrote(session.Chunk{Kind: session.Wrote, Stream: "stdout", Text: text, After: []session.After{{Event: i}}})
	}
}

// TestRedrawnLines checks that the pane applies what a program does within a line, such as
// a carriage return, however the output is cut into pieces.
func TestRedrawnLines(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"10%\r20%\r100%\n", "100%"},
		{"a long one\rshort\n", "shortg one"},
		{"a long one\r\x1b[Kshort\n", "short"},
		{"a long one\x1b[2K\rshort\n", "short"},
		{"one\r\ntwo\r\n", "one|two"},
		{"|\b/\b-\b\\\n", `\`},
		{"äöü\rx\n", "xöü"},
		{"\b\b\bx\n", "x"},
		{"\x1b[31mred\x1b[0m\n", "red"},
		{"\x1b[1;38;5;9mx\x1b[m\x1b[38;2;1;2;3my\x1b[48:5:200mz\n", "xyz"},
		{"\x1b[2J\x1b[H\x1b]0;title\a\n", `\x1b[2J\x1b[H\x1b]0;title\x07`},
		{"\x1b[31;<m\x1b[31", `\x1b[31;<m`},
		{"\x1b[31", ""},
		{"a\x1b[1Kb\x1b\n", `a\x1b[1Kb\x1b`},
	} {
		whole, cut := empty(t), empty(t)
		wrote(whole, c.text)
		wrote(cut, strings.Split(c.text, "")...)
		for name, p := range map[string]*Pane{"whole": whole, "cut": cut} {
			if got := strings.Join(shown(p, 60, 10), "|"); got != c.want {
				t.Errorf("%q, %s: %q, not %q", c.text, name, got, c.want)
			}
		}
	}
	p := empty(t)
	wrote(p, "\x1b[31")
	p.Say(themes.Text, "npdb")
	if got := strings.Join(shown(p, 60, 10), "|"); got != `\x1b[31|╎npdb` {
		t.Errorf("what has not ended shows as %q", got)
	}
}

// TestColorsOfTheProgram checks that SGR colors are drawn as far as the terminal supports
// them.
func TestColorsOfTheProgram(t *testing.T) {
	theme, err := themes.Load(themes.Default, true)
	if err != nil {
		t.Fatal(err)
	}
	for profile, want := range map[colorprofile.Profile]string{
		colorprofile.TrueColor: "\x1b[1;38;2;200;30;40mred",
		colorprofile.ANSI256:   "\x1b[1;38;5;160mred",
		colorprofile.ASCII:     "\x1b[1mred",
	} {
		p := empty(t)
		p.Theme = theme.For(profile)
		wrote(p, "plain \x1b[1;38;2;200;30;40mred \x1b[22;39;44", "mon blue\x1b[0m plain ", strings.Repeat("and on ", 20)+"\n")
		c := draw.NewCanvas(40, 8, p.Measure)
		p.Draw(c.Sub(draw.Rect{W: 40, H: 8}), false)
		if text := c.Render(); !strings.Contains(text, want) {
			t.Errorf("%v: %q is not in %q", profile, want, text)
		} else if plain := ansi.Strip(text); !strings.Contains(plain, "plain red on blue plain and on") {
			t.Errorf("the text is %q", plain)
		}
	}
}

// FuzzWrote checks that only colors and text remain of a program's output, and that a
// style covers the whole line.
func FuzzWrote(f *testing.F) {
	f.Add("a\rb\x1b[31mc\bd", "\x1b[0K\n\x1b[")
	f.Fuzz(func(t *testing.T, first, second string) {
		p := empty(t)
		wrote(p, first, second)
		for _, l := range p.lines {
			if l.runs == nil {
				continue
			}
			n := 0
			for _, r := range l.runs {
				n += r.bytes
			}
			if n != len(l.text) {
				t.Fatalf("%q, %q: %d bytes of %q have a style", first, second, n, l.text)
			}
		}
		c := draw.NewCanvas(30, 6, p.Measure)
		p.Draw(c.Sub(draw.Rect{W: 30, H: 6}), false)
		for row := range strings.SplitSeq(ansi.Strip(c.Render()), "\n") {
			if strings.ContainsAny(row, "\x1b\r\b\a") {
				t.Fatalf("%q, %q: a control character is drawn in %q", first, second, row)
			}
		}
	})
}
