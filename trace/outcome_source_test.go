//go:build unix

package trace_test

import (
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// TestOutcomeSources checks that files of every kind are read as Python reads them: their
// lines, line numbers and text.
func TestOutcomeSources(t *testing.T) {
	const latin1 = "# -*- coding: latin-1 -*-\ns = 'caf\xe9'\nprint(len(s))\n"
	for _, c := range []struct {
		name, source string
		want         []string // "NUMBER SOURCE" for each line event
		printed      string
	}{
		{"equal lines", "a = 1\na = 1\nfor i in 1, 2:\n    a = 1\na = 1\n", []string{"1 a = 1", "2 a = 1", "3 for i in 1, 2:", "4     a = 1", "3 for i in 1, 2:", "4     a = 1", "3 for i in 1, 2:", "5 a = 1"}, ""},
		{"Latin-1 with a coding line", latin1, []string{"2 s = 'café'", "3 print(len(s))"}, "4\n"},
		{"coding on the second line", "#!/usr/bin/env python\n# vim: set fileencoding=cp1252 :\ns = '\x80'\n", []string{"3 s = '€'"}, ""},
		{"UTF-8 with a mark", "\ufeffs = 'é'\nprint(s == '\\xe9')\n", []string{"1 s = 'é'", "2 print(s == '\\xe9')"}, "True\n"},
		{"CRLF", "a = 1\r\nb = '''x\r\ny'''\r\nprint(len(b))\r\n", []string{"1 a = 1", "2 b = '''x", "4 print(len(b))"}, "3\n"},
		{"CR", "a = 1\rb = 2\rprint(a + b)\r", []string{"1 a = 1", "2 b = 2", "3 print(a + b)"}, "3\n"},
		{"mixed line ends", "a = 1\r\nb = 2\nc = 3\rprint(a + b + c)", []string{"1 a = 1", "2 b = 2", "3 c = 3", "4 print(a + b + c)"}, "6\n"},
		{"form feeds", "a = 1\n\f\nb = 2\n\fc = 3\nd = 'x\fy'\n", []string{"1 a = 1", "3 b = 2", "4 \fc = 3", "5 d = 'x\fy'"}, ""},
		{"tabs", "for i in 1,:\n\ta = 1\n\tif a:\n\t\tb\t=\t2\n", []string{"1 for i in 1,:", "2 \ta = 1", "3 \tif a:", "4 \t\tb\t=\t2", "1 for i in 1,:"}, ""},
		{"no final newline", "a = 1\nb = 2", []string{"1 a = 1", "2 b = 2"}, ""},
		{"other separators", "a = 'x\u2028y\u0085z\x1c\x0b'\nb = len(a)\n", []string{"1 a = 'x\u2028y\u0085z\x1c\x0b'", "2 b = len(a)"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			onEach(t, func(t *testing.T, python pythons.Python) {
				d := debug(t, python, c.source)
				d.finish()
				d.wantPrinted(c.printed)
				var got []string
				for i := range d.rec.Tree().Len() {
					s := d.rec.Tree().State(i)
					if line, ok := d.rec.Tree().SourceLine(0, s.Line); !ok || line != s.Source {
						t.Errorf("line %d is %q, its state says %q", s.Line, line, s.Source)
					}
					if s.Event == dsl.Line {
						got = append(got, strings.TrimSpace(short(s)[len("line "):len(short(s))-len(" <module>")])+" "+s.Source)
					}
				}
				if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
					t.Errorf("line events\n%q, want\n%q", got, c.want)
				}
			})
		})
	}
}

// TestOutcomeEmptyPrograms checks that a program without a state starts at its end.
func TestOutcomeEmptyPrograms(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, "")
		if d.at.End {
			d.wantEnd(0, "")
			d.do(dsl.InvStepInto)
			if !d.at.End || d.at.Boundary != trace.AtStart || d.rec.Tree().Len() != 0 {
				t.Errorf("back in a program without a state: %+v of %d", d.at, d.rec.Tree().Len())
			}
			d.do(dsl.StepInto)
			d.wantEnd(0, "")
			return
		}
		t.Errorf("an empty file starts at %s", d.here())
	})
}

// TestOutcomeEditedMeanwhile checks that npdb shows the text of a file as it was when it
// ran.
func TestOutcomeEditedMeanwhile(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, "import sys\nopen(sys.argv[0], 'w').write('x = 1')\nb = 2\n")
		d.upTo("b = 2")
		if got := d.state().Source; got != "b = 2" {
			t.Errorf("line 3 reads %q", got)
		}
		d.finish()
	})
}
