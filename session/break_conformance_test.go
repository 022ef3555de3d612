//go:build unix

package session_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend/cpython"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/session/frontend"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
)

// debugged is a session on a program under CPython.
type debugged struct {
	t    *testing.T
	s    *command.Interpreter
	last *session.Answer
}

func debug(t *testing.T, p pythons.Python, o trace.Options, more ...func(*session.Config)) *debugged {
	t.Helper()
	o.Python, o.Dir, o.Stdin = p.Path, filepath.Dir(o.Script), strings.NewReader("")
	c := session.Config{Options: o, Start: session.StartTrace}
	for _, m := range more {
		m(&c)
	}
	s := started(t, c)
	return &debugged{t: t, s: s, last: s.First(t.Context())}
}

// say runs commands and returns the answers.
func (d *debugged) say(commands ...string) string {
	d.t.Helper()
	var said bytes.Buffer
	shown := frontend.NewPlain(&said, false)
	for _, command := range commands {
		d.s.Line(d.t.Context(), command, func(a *session.Answer) {
			d.last = a
			if err := fitsSchema(a); err != nil {
				d.t.Error(err)
			}
			if err := shown.Show(a); err != nil {
				d.t.Fatal(err)
			}
		})
	}
	return said.String()
}

// wantAt runs commands and checks the line and the function where they lead.
func (d *debugged) wantAt(line int, function string, commands ...string) {
	d.t.Helper()
	said := d.say(commands...)
	if st := d.last.State; st == nil || st.Line != line || st.Function != function {
		d.t.Errorf("%q leads to %+v, want line %d of %s; it said\n%s", commands, st, line, function, said)
	}
}

// write writes a file of a program below a folder.
func write(t *testing.T, dir, name, source string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestBreakInFunction checks that a breakpoint on a function stops only in that function,
// not in other code on the first line of its body, and stops at its first line that runs.
func TestBreakInFunction(t *testing.T) {
	const source = `def lines(n):
    return sum(k for k in range(n)) + (lambda: n)()

def one(n): return max([n], key=lambda m: -m)

def late(n):
    return (
        n + 1
    )

short = lambda n: n + 1

class C:
    @staticmethod
    def decorated(n): return (lambda: n)()

for i in range(2):
    lines(i), one(i), late(i), short(i), C.decorated(i)
`
	for _, p := range pythons.All(t) {
		t.Run(p.String(), func(t *testing.T) {
			t.Parallel()
			path := write(t, t.TempDir(), "prog.py", source)
			for function, name := range map[string]string{"lines": "lines", "one": "one", "late": "late", "short": "<lambda>", "C.decorated": "decorated"} {
				d := debug(t, p, trace.Options{Script: path})
				d.say("tbreak 17", "c") // from where objects are found by name
				d.say("tbreak "+function+", True", "b "+function)
				for range 2 { // the temporary one, then the other one
					d.say("c")
					if st := d.last.State; st == nil || st.Function != name || st.Event != dsl.Line || d.last.Stack[len(d.last.Stack)-2].Function != "<module>" {
						t.Fatalf("b %s stops at %+v", function, st)
					}
				}
				if said := d.say("c"); !d.last.Done {
					t.Errorf("b %s stops once more: %s", function, said)
				}
			}
			d := debug(t, p, trace.Options{Script: path})
			d.say("b late") // from the text, before it is defined
			d.wantAt(8, "late", "c")
			if n := d.s.Breakpoints()[0].Hits; n != 1 {
				t.Errorf("it was hit %d times", n)
			}
		})
	}
}

// TestBreakThroughLinks checks that breakpoints are hit by whatever path their file is
// named, and are listed under the program's path.
func TestBreakThroughLinks(t *testing.T) {
	for _, p := range pythons.All(t) {
		t.Run(p.String(), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			target := write(t, dir, "real/prog.py", "import later\nx = 1\nlater.f()\n")
			write(t, dir, "real/later.py", "def f():\n    return 1\n")
			if err := os.Symlink(filepath.Join(dir, "real"), filepath.Join(dir, "linked")); err != nil {
				t.Fatal(err)
			}
			linked := filepath.Join(dir, "linked", "prog.py")
			for run, named := range map[string]string{target: linked, linked: target} {
				d := debug(t, p, trace.Options{Script: run})
				said := d.say("b "+named+":2", "b "+filepath.Join(filepath.Dir(named), "later.py")+":2")
				d.wantAt(2, "<module>", "c")
				d.wantAt(2, "f", "c")
				if text := d.s.Breakpoints()[0].File; text != run {
					t.Errorf("the breakpoint is at %s, the program runs %s\n%s", text, run, said)
				}
				if said := d.say("clear " + named + ":2"); !strings.Contains(said, "Deleted breakpoint 1") {
					t.Errorf("clear: %s", said)
				}
			}
		})
	}
}

// TestBreakInBothModes checks that breakpoints stop with a model beside CPython as without
// one.
func TestBreakInBothModes(t *testing.T) {
	const source = "def f(n):\n    return n\n\nfor i in range(6):\n    f(i)\n"
	p := pythons.All(t)[0]
	path := write(t, t.TempDir(), "prog.py", source)
	d := debug(t, p, trace.Options{Script: path}, func(c *session.Config) {
		oracle := cpython.New(cpython.Config{Python: p.Path})
		t.Cleanup(func() {
			if err := oracle.Close(); err != nil {
				t.Error(err)
			}
		})
		c.Mode, c.Neural = session.Both, &nav.Neural{Predictor: oracle}
	})
	d.say("tbreak 2", "b 2, n == 3")
	d.wantAt(2, "f", "c")
	if b := d.s.Breakpoints(); len(b) != 1 || b[0].Number != 2 {
		t.Errorf("after the temporary one stopped: %v", b)
	}
	d.wantAt(5, "<module>", "r", "n", "n")
	d.wantAt(4, "<module>", "n")
	if *d.last.Action != "step_over" || d.s.Breakpoints()[0].Hits != 1 {
		t.Errorf("n over a call: %s, %d hits", *d.last.Action, d.s.Breakpoints()[0].Hits)
	}
	d.wantAt(2, "f", "n 10")
	if got := d.last.State.Locals[0].Value; got != "3" || *d.last.Action != "breakpoint 2" {
		t.Errorf("n stops at n = %s by %s", got, *d.last.Action)
	}
	beside := d.last.Beside
	if beside == nil || !beside.Compared || beside.Failure != "" || beside.Verdicts.Count() != 0 {
		t.Errorf("the model was to say the same: %+v", beside)
	}
}

// TestBreakInLibrary checks that a breakpoint in library code makes its file user code, or
// is refused with the reason.
func TestBreakInLibrary(t *testing.T) {
	const source = `import json, string
from helpers import run

def callback():
    return json.loads("[1]")

first = json.loads("[2]")
second = run(callback)
third = string.capwords("a b")
again = run(callback)
`
	const helpers = "def run(f):\n    got = f()\n    return got\n"
	for _, p := range pythons.All(t) {
		t.Run(p.String(), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			o := trace.Options{Script: write(t, dir, "prog.py", source), LibraryCode: []string{"*elper*"}}
			write(t, dir, "helpers.py", helpers)
			d := debug(t, p, o)
			if said := d.say("b json.loads"); !strings.Contains(said, "Breakpoint 1 at") || !strings.Contains(said, "user code from here on") {
				t.Fatalf("b json.loads, not imported yet: %s", said)
			}
			d.say("c")
			if st := d.last.State; st == nil || st.Function != "loads" || !strings.Contains(d.say("p s"), "[2]") {
				t.Fatalf("c stops at %+v", st)
			}
			d.say("clear 1")
			d.wantAt(5, "callback", "tbreak prog:5", "c")
			if len(d.last.Stack) != 2 {
				t.Errorf("a library's frame is on the stack: %v", d.last.Stack)
			}
			if said := d.say("b helpers:3"); !strings.Contains(said, "on the stack") || len(d.s.Breakpoints()) != 0 {
				t.Errorf("in a file that runs: %s", said)
			}
			d.wantAt(9, "<module>", "tbreak prog:9", "c")
			if said := d.say("b string.capwords", "b helpers.run"); strings.Count(said, "user code from here on") != 2 {
				t.Errorf("b string.capwords: %s", said)
			}
			d.say("n")
			if d.last.State.Function != "capwords" || d.last.State.File == "prog.py" {
				t.Errorf("n stops at %+v", d.last.State)
			}
			d.wantAt(2, "run", "c")
			d.wantAt(4, "callback", "s")
			for command, want := range map[string]string{
				"b json.decoder:1000000": "End of file", "b math.sqrt": "not a function", "b nowhere:1": "not found",
				"b sys.settrace": "not a function", "b importlib._bootstrap._find_spec": "a frozen module",
			} {
				if said := d.say(command); !strings.Contains(said, want) {
					t.Errorf("%s: %s", command, said)
				}
			}
			if said := d.say("restart", "c"); d.last.State == nil || d.last.State.Function != "run" || !strings.Contains(said, "run()") {
				t.Errorf("after restart: %s", said)
			}
			d.wantAt(4, "callback", "s")
		})
	}
}

// TestLibraryCodeGlobs checks that a relative glob matches the end of a path, and that a
// glob without a match is reported at the end.
func TestLibraryCodeGlobs(t *testing.T) {
	p := pythons.All(t)[0]
	dir := t.TempDir()
	path := write(t, dir, "prog.py", "from parts import one\nfrom parts.deep import two\none.f()\ntwo.f()\n")
	for _, name := range []string{"one", "deep/two"} {
		write(t, dir, "parts/"+name+".py", "def f():\n    return 1\n")
	}
	for glob, want := range map[string]struct{ functions, said string }{
		"*ne*":              {"f", ""},
		"parts/*.py":        {"f", ""},
		"parts":             {"", ""},
		"parts/":            {"", ""},
		"**/deep/**":        {"f", ""},
		dir + "/parts/*.py": {"f", ""},
		"nothing*":          {"f f", "no file that ran matches nothing* of"},
	} {
		d := debug(t, p, trace.Options{Script: path, LibraryCode: []string{glob}})
		var functions []string
		said := ""
		for !d.last.Done {
			said += d.say("s")
			if st := d.last.State; st != nil && st.Event == dsl.Call && st.Function == "f" {
				functions = append(functions, st.Function)
			}
		}
		if got := strings.Join(functions, " "); got != want.functions || strings.Contains(said, "no file that ran") != (want.said != "") || !strings.Contains(said, want.said) {
			t.Errorf("%s: goes into %q; it said\n%s", glob, got, said)
		}
	}
}

// TestBreakpointsWithoutUserCode checks that a breakpoint by path makes user code where
// none has run.
func TestBreakpointsWithoutUserCode(t *testing.T) {
	for _, p := range pythons.All(t) {
		t.Run(p.String(), func(t *testing.T) {
			t.Parallel()
			d := debug(t, p, trace.Options{Module: "unittest", Args: []string{"--help"}, Dir: t.TempDir()})
			for _, command := range []string{"b 3", "b unittest.main"} {
				if said := d.say(command); !strings.Contains(said, "b /path/to/file.py:12") {
					t.Errorf("%s: %s", command, said)
				}
			}
		})
	}
}
