//go:build unix

package session_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/trace"
)

// written is a session of a program of one's own, under CPython.
func written(t *testing.T, source string, more ...func(*session.Config)) *command.Interpreter {
	t.Helper()
	path := filepath.Join(t.TempDir(), "prog.py")
	if err := os.WriteFile(path, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	return opened(t, trace.Options{Python: pythons.Any(t), Script: path}, more...)
}

// Many values are shown by twenty, the last first; again at once shows those before.
func TestHistoryByPages(t *testing.T) {
	s := written(t, "for i in range(45):\n    pass\n")
	run(s, "c")
	run(s, "S")
	for _, want := range []struct{ first, last, rows int }{{25, 44, 20}, {5, 24, 20}, {0, 4, 5}} {
		said := run(s, "history i")
		var rows []string
		for row := range strings.Lines(said) {
			if strings.Contains(row, "by prog.py:1") {
				rows = append(rows, strings.Fields(strings.TrimPrefix(row, ">"))[1])
			}
		}
		if len(rows) != want.rows || rows[0] != fmt.Sprint(want.first) || rows[len(rows)-1] != fmt.Sprint(want.last) {
			t.Fatalf("%v are shown, want %+v:\n%s", rows, want, said)
		}
	}
	if a := do(s, "history i"); a.Err == nil || a.Err.Kind != session.NotFound {
		t.Errorf("before the first there is %+v", a)
	}
}

// Of methods with one name the selected frame's own is listed.
func TestListFunctionAmongItsNamesakes(t *testing.T) {
	s := written(t, "class A:\n    def run(self):\n        a = 1\n        return a\nclass B:\n    def run(self):\n        b = 2\n\n        return b\nB().run()\n")
	run(s, "b 7", "c")
	want := "  6  \t    def run(self):\n  7 B->\t        b = 2\n  8  \t\n  9  \t        return b\n"
	if got := run(s, "ll"); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// What ran unrecorded is told with its place, also where nothing was recorded since.
func TestInfoTellsWhereNothingWasRecorded(t *testing.T) {
	s := written(t, "a = 1\nb = 2\nc = 3\nd = 4\ne = 5\n")
	run(s, "b 3", "fc")
	if got := run(s, "info program"); !strings.Contains(got, "Unrecorded: before event 1") {
		t.Errorf("behind a hole: %s", got)
	}
	run(s, "clear 1", "fc")
	if got := run(s, "info program"); !strings.Contains(got, "before event 1, after event 1\n") {
		t.Errorf("at the end of one: %s", got)
	}
}

// Nothing that is none of the function's lines is jumped to where a model walks, and
// nowhere from the end.
func TestPredictedJumpsAreRefused(t *testing.T) {
	s := neural(t, &scripted{replies: []string{atCall, inF, `<|end_sep|>{"code": 0}<|frame_sep|>`}}, trace.Options{})
	s.First(context.Background())
	if a := do(s, "retry"); a.Err == nil || a.Err.Kind != session.NotFound || len(s.History()) != 1 {
		t.Errorf("a retry of nothing: %+v", a)
	}
	do(s, "n")
	do(s, "s")
	for _, line := range []string{"5", "6"} {
		if got := run(s, "jump "+line); got != "*** Jump failed: line "+line+" is not in f\n" {
			t.Errorf("line %s: %q", line, got)
		}
	}
	if a := do(s, "jump 3"); a.Err != nil || a.State.Line != 3 {
		t.Errorf("line 3 of f: %+v", a)
	}
	do(s, "c")
	if a := do(s, "jump 1"); a.Err == nil {
		t.Errorf("from the end: %+v", a)
	}
}

// A method of a class of a module is found by its dotted name before the module is
// imported, and after the program has ended nothing is asked for it.
func TestBreakInAModulesMethod(t *testing.T) {
	s := written(t, "import shapes\nprint(shapes.Box().area())\n")
	dir := filepath.Dir(s.View().Files[0].Path)
	source := "class Box:\n    def area(self):\n        return 6\n"
	if err := os.WriteFile(filepath.Join(dir, "shapes.py"), []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := run(s, "b shapes.Box.area"); !strings.HasPrefix(got, "Breakpoint 1 at ") || !strings.HasSuffix(got, "shapes.py:3\n") {
		t.Errorf("%q", got)
	}
	if a := do(s, "c"); a.Err != nil || a.State == nil || a.State.Function != "area" {
		t.Errorf("%+v", a)
	}
	if got := run(s, "b shapes.Box.volume"); !strings.Contains(got, "is not a function or was not found") {
		t.Errorf("%q", got)
	}
	run(s, "clear 1", "c")
	if got := run(s, "b string.capwords"); !strings.Contains(got, "is not a function or was not found") {
		t.Errorf("a module is asked for of a program that is over: %q", got)
	}
}

// A program without a state has no past to ask.
func TestPastOfNothing(t *testing.T) {
	s := written(t, "")
	for _, line := range []string{"last x", "history x"} {
		if a := do(s, line); a.Err == nil {
			t.Errorf("%s: %+v", line, a)
		}
	}
}

// An exception that nobody knows is caught all the same, with a word of the one that may
// be meant; one that is known is not doubted.
func TestCatchDoubtsATypo(t *testing.T) {
	s := written(t, "class Own(Exception): pass\nraise Own(3)\n")
	for line, doubted := range map[string]bool{"catch ValueEror": true, "catch ValueError": false, "catch Own": false, "catch": false} {
		if got := run(s, line); strings.Contains(got, "Is ValueError meant?") != doubted || !strings.HasPrefix(got, "Catchpoint ") {
			t.Errorf("%s: %q", line, got)
		}
	}
}

// Of the globals that a function names those have a value that are bound.
func TestGlobalsThatAreNotBound(t *testing.T) {
	s := written(t, "def f():\n    return limit + missing if later else limit\nlimit = 3\nf.ready = 1\ntry:\n    f()\nexcept NameError:\n    pass\n")
	run(s, "b f", "c")
	var names []string
	for _, g := range s.View().Globals {
		names = append(names, g.Name)
	}
	if len(names) != 1 || names[0] != "limit" {
		t.Errorf("the globals of f are %q, want limit", names)
	}
}

// The first line of a program has number 0, and is told of as any other.
func TestWatchTellsOfTheFirstLine(t *testing.T) {
	s := written(t, "x = 1\ny = 2\nx = 3\n")
	run(s, "watch x")
	if got := run(s, "c"); !strings.Contains(got, "by prog.py:1") {
		t.Errorf("%q", got)
	}
	if got := run(s, "c"); !strings.Contains(got, "by prog.py:3") {
		t.Errorf("%q", got)
	}
}

// A line of pictures leaves out where a name had no value.
func TestHistoryDrawsWhatIsBoundAgain(t *testing.T) {
	s := written(t, "x = 1\nx = 2\ndel x\nx = 3\nx = 4\npass\n", func(c *session.Config) { c.Draws = true })
	run(s, "c", "S")
	if got := run(s, "history x"); !strings.Contains(got, "▁▃▆█\n") {
		t.Errorf("%s", got)
	}
}

// What is exported by an absolute path goes there, by another one to the program's folder.
func TestExportGoesWhereItIsSaid(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	s := neural(t, &scripted{replies: []string{atCall}}, trace.Options{Dir: dir})
	s.First(context.Background())
	do(s, "n")
	for _, c := range []struct{ arg, want string }{{"here", filepath.Join(dir, "here.md")}, {filepath.Join(other, "there"), filepath.Join(other, "there.md")}} {
		if a := do(s, "export "+c.arg); a.Err != nil {
			t.Fatal(a.Err)
		}
		if _, err := os.Stat(c.want); err != nil {
			t.Error(err)
		}
	}
}

// Where a function returns, until has no line to look for in it and goes to its caller.
func TestUntilAtAReturn(t *testing.T) {
	s := written(t, "def f():\n    for i in range(2):\n        pass\n    return 1\nfor k in range(2):\n    f()\nend = 1\n")
	run(s, "b 4", "c", "s")
	if a := do(s, "until"); a.Err != nil || a.State.Function != "<module>" || a.State.Line != 5 {
		t.Errorf("from a return until leads to %+v", a.State)
	}
	run(s, "c", "s")
	if a := do(s, "until 3"); a.Err == nil || a.State.Line != 4 {
		t.Errorf("a line before the return: %+v", a.State)
	}
	if a := do(s, "until 5"); a.Err != nil || a.State.Function != "<module>" {
		t.Errorf("a line behind it: %+v", a.State)
	}
}

// A file that is named is looked for beside the program, wherever npdb was started.
func TestBreakInAFileBesideTheProgram(t *testing.T) {
	s := written(t, "import shapes\nshapes.area()\n")
	dir := filepath.Dir(s.View().Files[0].Path)
	if err := os.WriteFile(filepath.Join(dir, "shapes.py"), []byte("def area():\n    return 6\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if got := run(s, "b shapes.py:2"); !strings.HasPrefix(got, "Breakpoint 1 at ") {
		t.Errorf("%q", got)
	}
	if a := do(s, "c"); a.Err != nil || a.State == nil || a.State.Line != 2 {
		t.Errorf("%+v", a)
	}
}

// At the end the last change of a name is told, and what it was before.
func TestPastAtTheEnd(t *testing.T) {
	s := written(t, "x = 1\nx = 2\n")
	run(s, "c")
	if got := run(s, "last x"); !strings.Contains(got, "prog.py(2)") || !strings.Contains(got, "2") {
		t.Errorf("%q", got)
	}
	if got := run(s, "history x"); !strings.HasPrefix(got, "x has had 2 values\n") {
		t.Errorf("%q", got)
	}
}
