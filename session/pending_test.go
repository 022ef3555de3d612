package session_test

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
)

// TestPendingBreakpoints checks that a breakpoint in a module that is not imported yet is
// listed as pending, stops once the module runs, and is then no longer pending.
func TestPendingBreakpoints(t *testing.T) {
	const source = "x = 1\nimport later\nlater.work(x)\nimport pkg\npkg.dig(x)\nimport textwrap\ntextwrap.dedent(str(x))\n"
	o := programOf(t, pythons.Any(t), source, "later.py", "K = 3\ndef work(n):\n    return n\n",
		"pkg/__init__.py", "from .deep import *\nfrom pkg.wide import spread\n", "pkg/deep.py", "def dig(n):\n    return n\n",
		"pkg/wide.py", "class Wide:\n    def dig(self):\n        return 0\ndef spread(n):\n    return n\n")
	for _, c := range []struct{ set, at, why string }{
		{"b later:1", "later.py:1", "later.py is not imported yet: the breakpoint is pending"},
		{"b later.py:3", "later.py:3", "later.py is not imported yet"},
		{"b later.work", "later.py:3", "later.py is not imported yet"},
		{"b pkg/deep.py:2", "deep.py:2", "pkg/deep.py is not imported yet"},
		{"b pkg.dig", "deep.py:2", "pkg/deep.py is not imported yet"},
		{"b textwrap.dedent", "textwrap.py:", "is not imported yet"},
	} {
		s := opened(t, o)
		got := run(s, c.set)
		if !strings.Contains(got, c.at) || !strings.Contains(got, c.why) {
			t.Errorf("%s: %q", c.set, got)
		}
		if got := run(s, "b"); !strings.HasSuffix(got, "\n\tpending: the file is not imported yet\n") {
			t.Errorf("%s, b: %q", c.set, got)
		}
		a := do(s, "c")
		if a.Err != nil || a.State == nil || !strings.HasPrefix(filepath.Base(a.State.File)+":"+strconv.Itoa(a.State.Line), c.at) {
			t.Errorf("%s: stopped at %+v", c.set, a.State)
		}
		if got := run(s, "b"); strings.Contains(got, "pending") {
			t.Errorf("%s, b at the stop: %q", c.set, got)
		}
		run(s, "rewind")
		if got := run(s, "b", "tbreak later:2"); strings.Contains(got, "pending") {
			t.Errorf("%s, b where the recording goes past the import: %q", c.set, got)
		}
	}
	s := opened(t, o)
	for _, c := range [][2]string{
		{"b 3", "Breakpoint 1 at "},
		{"b pkg.spread", "wide.py:5\n"},
		{"b pkg.nothing", "*** The specified object 'pkg.nothing'"},
		{"b nothing:3", "*** 'nothing' not found from sys.path"},
		{"b later:1", "pending"},
		{"b", "prog.py:3\n2 "},
	} {
		if got := run(s, c[0]); !strings.Contains(got, c[1]) {
			t.Errorf("%s: %q, without %q", c[0], got, c[1])
		}
	}
}

// TestImportedModulesAreNotPending checks that a breakpoint in an imported module is not
// pending, even if none of the module is recorded.
func TestImportedModulesAreNotPending(t *testing.T) {
	s := written(t, "import textwrap\nx = 1\nprint(textwrap.dedent('a'))\n")
	run(s, "n")
	if got := run(s, "b textwrap.dedent", "b"); strings.Contains(got, "pending") || !strings.Contains(got, "textwrap.py:") {
		t.Errorf("%q", got)
	}
	run(s, "clear 1", "c")
	if got := run(s, "b csv.writer"); strings.Contains(got, "pending") {
		t.Errorf("at the end: %q", got)
	}
}

// TestModulesOfAProgram checks the list of files: the program's files, those in its
// folder, imported modules, and others that could be imported. It is still known after the
// program has ended.
func TestModulesOfAProgram(t *testing.T) {
	s := opened(t, programOf(t, pythons.Any(t), "import json\nx = 1\n",
		"later.py", "pass\n", "pkg/deep.py", "pass\n", "env/pyvenv.cfg", "", "env/lib/site.py", "", "__pycache__/old.py", ""))
	run(s, "n")
	dir := filepath.Dir(s.View().Files[0].Path)
	check := func(when string) {
		t.Helper()
		got := map[string]string{}
		for _, m := range s.Modules(t.Context()) {
			got[m.Name] = [...]string{"program", "folder", "imported", "path"}[m.Group] + " " + strings.TrimPrefix(m.Path, dir)
		}
		for name, want := range map[string]string{
			"prog.py": "program /prog.py", "later": "folder /later.py", "pkg.deep": "folder /pkg/deep.py", "env.lib.site": "",
			"__pycache__.old": "", "prog": "", "json": "imported ", "json.decoder": "imported ", "xml": "path ", "textwrap": "path ", "_npdb.live": "",
		} {
			if want == "" && got[name] != "" || !strings.HasPrefix(got[name], want) || want != "" && got[name] == "" {
				t.Errorf("%s, %s: %q, want %q", when, name, got[name], want)
			}
		}
	}
	check("at the first line")
	run(s, "c")
	check("at the end")
	if got := run(s, "l textwrap.dedent"); !strings.Contains(got, "def dedent(text):") {
		t.Errorf("a module of a program that is over: %q", got)
	}
}
