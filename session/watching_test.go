//go:build unix

package session_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
)

const displayedSource = `count = 0
LIMIT = 3
unused = [1]
calls = iter(range(100))

def bump(by):
    global count
    count += by
    if count < LIMIT:
        bump(by)
    return count

bump(1)
print(count)
`

// viewing returns a session for a front end with views, at its first stop.
func viewing(t *testing.T, o trace.Options, dir string) *command.Interpreter {
	t.Helper()
	return opened(t, o, func(c *session.Config) { c.StateDir, c.Watches = dir, true })
}

// watchesOf returns a view's watches and globals as text.
func watchesOf(v *session.View) string {
	var all []string
	add := func(text string, was *string, changed bool) {
		if was != nil {
			text += " was " + *was
		}
		if changed {
			text = "* " + text
		}
		all = append(all, text)
	}
	for _, w := range v.Watches {
		add(w.Expression+": "+strings.TrimSpace(w.Value+" "+w.Note), w.Was, w.Changed)
	}
	for _, l := range v.Globals {
		if !l.Hidden {
			add("global "+l.Name+": "+l.Value, l.Was, false)
		}
	}
	return strings.Join(all, "\n")
}

// TestWatches checks that watches follow the frames, show old values forwards and
// backwards, and survive a restart and a resumed session.
func TestWatches(t *testing.T) {
	o := programOf(t, pythons.Any(t), displayedSource)
	dir := t.TempDir()
	s := viewing(t, o, dir)
	steps := []struct{ lines, want string }{
		{"b 8;;c;;display count;;display by * 10;;display LIMIT.x", "count: 0\nby * 10: 10\nLIMIT.x: raises AttributeError: 'int' object has no attribute 'x'\nglobal count: 0\nglobal LIMIT: 3"},
		{"n", "* count: 1 was 0\nby * 10: 10\nLIMIT.x: raises AttributeError: 'int' object has no attribute 'x'\nglobal count: 1 was 0\nglobal LIMIT: 3"},
		{"undisplay LIMIT.x;;n", "count: 1 was 0\nby * 10: 10\nglobal count: 1\nglobal LIMIT: 3"},
		{"rn;;rn", "* count: 0 was 1\nby * 10: 10 (from recorded text)\nglobal count: 0 was 1\nglobal LIMIT: 3"},
		{"up", "count: 0\nby * 10: no value here"},
		{"c;;display by * 10", "count: 1\nby * 10: 10\nglobal count: 1 was 0\nglobal LIMIT: 3"},
		{"!by = 7", "count: 1\n* by * 10: 70 was 10\nglobal count: 1 was 0\nglobal LIMIT: 3"},
		{"restart", "count: no value here\nby * 10: no value here"},
		{"c", "count: 0\nby * 10: 10\nglobal count: 0\nglobal LIMIT: 3"},
	}
	for _, step := range steps {
		said := run(s, strings.Split(step.lines, ";;")...)
		if got := watchesOf(s.View()); got != step.want {
			t.Errorf("after %s:\n%s\nwant\n%s\nit said %s", step.lines, got, step.want, said)
		}
	}
	if said := run(s, "display"); said != "Currently displaying:\ncount: 0\nby * 10: 10\n" {
		t.Errorf("display: %q", said)
	}
	if said := run(s, "undisplay nothing", "display +"); !strings.Contains(said, "*** not displaying nothing") || !strings.Contains(said, "Unable to display +") {
		t.Errorf("what cannot be: %q", said)
	}
	j, err := journal.Find(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	again := viewing(t, j.Options(o), dir)
	if a := again.Resume(t.Context(), j); a.Err != nil {
		t.Fatal(a.Err)
	}
	if got, want := watchesOf(again.View()), watchesOf(s.View()); got != want {
		t.Errorf("resumed:\n%s\nwant\n%s", got, want)
	}
	run(again, "undisplay")
	if v := again.View(); len(v.Watches) > 0 {
		t.Errorf("%+v", v.Watches)
	}
}

// TestWatchesEvaluateOnce checks that a watch's side effects happen once for each stop,
// and never before the live edge.
func TestWatchesEvaluateOnce(t *testing.T) {
	s := viewing(t, programOf(t, pythons.Any(t), displayedSource), t.TempDir())
	for _, step := range []struct{ line, want string }{
		{"n 4", ""},
		{"display next(calls)", "next(calls): 0"},
		{"p 1", "next(calls): 0"},
		{"b 8", "next(calls): 0"},
		{"display", "next(calls): 0"},
		{"n", "* next(calls): 1 was 0"},
		{"rn", "next(calls): not known here was 0"},
		{"n", "* next(calls): 2 was 1"},
	} {
		run(s, step.line)
		s.View()
		if got := watchesOf(s.View()); got != step.want {
			t.Errorf("after %s: %q, want %q", step.line, got, step.want)
		}
	}
}

// TestViewClass checks that the class is the one whose text contains the method.
func TestViewClass(t *testing.T) {
	s := opened(t, programOf(t, pythons.Any(t), "class A:\n    class B:\n        def f(self):\n            return (lambda: g())()\ndef g():\n    return 1\nA.B().f()\n"))
	run(s, "b 6", "c")
	var got []string
	for _, f := range s.View().Frames {
		got = append(got, fmt.Sprintf("%s of %q", f.Function, f.Class))
	}
	if want := `<module> of "", f of "A.B", <lambda> of "", g of ""`; strings.Join(got, ", ") != want {
		t.Errorf("%s, want %s", strings.Join(got, ", "), want)
	}
}

// TestPredictedWatches checks that in neural mode watches are read from predictions, and
// that globals show at which line the module had them.
func TestPredictedWatches(t *testing.T) {
	path := filepath.Join(t.TempDir(), "prog.py")
	if err := os.WriteFile(path, []byte("K = 5\ndef f(x):\n    return x + K\na = f(2)\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	m := &scripted{t: t, replies: []string{
		`<|line_sep|>{"K": "5"}<|action_sep|>4|a = f(2)` + "\n<|frame_sep|>",
		`<|call_sep|><|stack_sep|>"f"{"x": "2"}<|action_sep|>2|def f(x):` + "\n<|frame_sep|>",
	}}
	s := started(t, session.Config{
		Options: trace.Options{Script: path}, Watches: true, Neural: &nav.Neural{Predictor: m},
	})
	s.First(t.Context())
	run(s, "display K", "display x * K", "display id(x)", "n", "s")
	v := s.View()
	want := "K: 5 (from predicted text of <module>, line 4)\nx * K: 10 (from predicted text)\nid(x): not known here\nglobal K: 5"
	if got := watchesOf(v); got != want || v.GlobalsAt != 4 {
		t.Errorf("%s, globals as of line %d; want\n%s", got, v.GlobalsAt, want)
	}
}
