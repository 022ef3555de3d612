//go:build unix

package trace_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// from starts a program with Options.From, and waits until it reaches the place.
func from(t *testing.T, python pythons.Python, place string, o trace.Options) *debuggee {
	t.Helper()
	o.From = place
	if o.Stdin == nil {
		o.Stdin = strings.NewReader("")
	}
	d := debugAs(t, python, o)
	if d.at.Reason != trace.Begun || d.at.Event >= 0 {
		t.Fatalf("the program has begun, and stands at %+v", d.at)
	}
	var err error
	if d.at, err = d.rec.Resume(t.Context()); err != nil {
		t.Fatal(err)
	}
	return d
}

// TestOutcomeFrom checks that the first state is at the place of --from, however the
// program is given.
func TestOutcomeFrom(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		dir := t.TempDir()
		script := writeIn(t, dir, "hot.py", hotProgram)
		importing := writeIn(t, dir, "main.py", "import hot\nprint('done')\n")
		for _, c := range []struct {
			name, place string
			o           trace.Options
			want        string
		}{
			{"a function", "report", trace.Options{Script: script}, "line 17 report"},
			{"a method", "Account.__init__", trace.Options{Script: script}, "line 14 __init__"},
			{"a line", "18", trace.Options{Script: script}, "line 18 report"},
			{"a line of a file", "hot.py:10", trace.Options{Script: script}, "line 10 step"},
			{"a function of a module that is not imported yet", "hot.step", trace.Options{Script: importing}, "line 10 step"},
			{"a line of one", "hot:24", trace.Options{Script: importing}, "line 24 <module>"},
			{"a function of a file", "hot.py:step", trace.Options{Script: importing}, "line 10 step"},
			{"a method of a file by its path", filepath.Join(dir, "hot.py") + ":Account.__init__", trace.Options{Script: importing}, "line 14 __init__"},
			{"a function of the program's own file", "hot.py:report", trace.Options{Script: script}, "line 17 report"},
			{"a function as pytest names it", "hot.py::step", trace.Options{Script: importing}, "line 10 step"},
			{"a method as pytest names it", "hot.py::Account::__init__", trace.Options{Script: importing}, "line 14 __init__"},
			{"a test with parameters", "hot.py::step[a::b-c:1]", trace.Options{Script: importing}, "line 10 step"},
			{"within a call", "step", trace.Options{Script: script, Entry: "work(3)"}, "line 10 step"},
			{"a module", "report", trace.Options{Module: "hot", Dir: dir}, "line 17 report"},
			{"a program as text", "3", trace.Options{Code: "x = 1\nfor i in range(9):\n    x += i\n"}, "line 3 <module>"},
		} {
			t.Run(c.name, func(t *testing.T) {
				d := from(t, python, c.place, c.o)
				d.wantHere(c.want, trace.Landed)
				if edge, ok := d.rec.Tree().HoleAfter(-1); !ok || edge != 0 || d.at.Event != 0 {
					t.Errorf("at event %d, and the hole ends at %d", d.at.Event, edge)
				}
				d.finish()
			})
		}
	})
}

// TestOutcomeFromNowhere checks that an unknown place is reported before any code of the
// program runs.
func TestOutcomeFromNowhere(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		script := scriptOf(t, "import sys\n\ndef f():\n    pass\nsys.exit(7)\n")
		for _, place := range []string{"g", "2", "prog.py:x", "missing.py:1", "missing.f", "prog.py::", "prog.py::g", "prog.py::F::f", "missing.py::f", "prog.py:f[1]"} {
			o := trace.Options{Python: python.Path, Script: script, From: place, Stdin: strings.NewReader("")}
			wantStartError(t, o, trace.FromInvalid, []string{"--from " + place}, "")
		}
		d := from(t, python, "f", trace.Options{Script: script})
		d.wantEnd(7, "")
	})
}
