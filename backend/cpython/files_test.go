//go:build unix

package cpython_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/npdb/npdb/backend/cpython"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
)

// files returns a program of several files, given names and sources in turn.
func files(texts ...string) *dsl.Program {
	p := &dsl.Program{}
	for i := 0; i < len(texts); i += 2 {
		p.Files = append(p.Files, dsl.SourceFile{Name: texts[i], Lines: dsl.SplitLines(texts[i+1])})
	}
	return p
}

// TestFiles checks that a program's files can import each other and keep their names, whatever these
// are.
func TestFiles(t *testing.T) {
	const used = "def g(x):\n    return x * 2\n"
	p := predictor(t, cpython.Config{})
	for _, test := range []struct {
		name    string
		program *dsl.Program
		actions []string
		want    string
		file    string
	}{
		{"beside", files("main.py", "import used\nx = used.g(1)\n", "used.py", used), []string{"breakpoint b:2"}, "line g     return x * 2 {x: 1}", "used.py"},
		{"in a package", files("main.py", "from pkg.used import g\nx = g(1)\n", "pkg/used.py", used, "pkg/__init__.py", ""), []string{"breakpoint a:2", "step_into"}, "call g def g(x): {x: 1}", "pkg/used.py"},
		{"a module run from the top", files("pkg/main.py", "import pkg.used\nx = pkg.used.g(1)\n", "pkg/used.py", used), []string{"breakpoint b:2"}, "line g     return x * 2 {x: 1}", "pkg/used.py"},
		{"absolute", files("/home/u/main.py", "import used\nx = used.g(1)\n", "/home/u/used.py", used), []string{"breakpoint b:2"}, "line g     return x * 2 {x: 1}", "/home/u/used.py"},
		{"above", files("../../main.py", "import used\nx = used.g(1)\n", "../../used.py", used), []string{"breakpoint b:2"}, "line g     return x * 2 {x: 1}", "../../used.py"},
		{"installed", files("site-packages/main.py", "import used\nx = used.g(1)\n", "site-packages/used.py", used), []string{"breakpoint b:2"}, "line g     return x * 2 {x: 1}", "site-packages/used.py"},
		{"a file as a folder", files("main.py", "x = 1\n", "main.py/used.py", used), []string{"step_return"}, "return <module> x = 1 {x: 1} = None", "main.py"},
		{"the same but for case", files("main.py", "x = 1\n", "MAIN.py", used), []string{"step_return"}, "return <module> x = 1 {x: 1} = None", "main.py"},
		{"no names", files("\x00\n\x1b[31m", "x = 1\n", "..", used, "é/ /./😀", used), []string{"step_return"}, "return <module> x = 1 {x: 1} = None", "\x00\n\x1b[31m"},
		{"windows", files(`C:\u\main.py`, "import used\nx = used.g(1)\n", `C:\u\used.py`, used), []string{"breakpoint b:2"}, "line g     return x * 2 {x: 1}", `C:\u\used.py`},
		{"a file that the text lacks", files("main.py", "open('made.py', 'w').write('x = 1')\nimport made\ny = 1\n", "used.py", used), []string{"step_over", "step_into"}, "unknown", ""},
		{"and out of it", files("main.py", "open('made.py', 'w').write('x = 1')\nimport made\ny = 1\n", "used.py", used), []string{"step_over", "step_over"}, "line <module> y = 1 {}", "main.py"},
	} {
		t.Run(test.name, func(t *testing.T) {
			n := walk(t, p, begin(t, test.program, module(test.program, 1)), test.actions...)
			shows(t, n, test.want)
			if test.file != "" && n.Current().File != test.file {
				t.Errorf("in %q, want %q", n.Current().File, test.file)
			}
			again := walk(t, p, reread(t, n.Parent()), test.actions[len(test.actions)-1])
			if again.Text() != n.Text() {
				t.Errorf("asked by its text:\n%s\nwant\n%s", again.Text(), n.Text())
			}
		})
	}
}

// TestEntryInAnotherFile checks a first state that is a call in a file other than the first.
func TestEntryInAnotherFile(t *testing.T) {
	p := predictor(t, cpython.Config{})
	prog := files("main.py", "import used\nraise_here = __name__ == '__main__'\n", "used.py", "x = 3\ndef g(y):\n    return x + y\n")
	first := landed(dsl.State{Event: dsl.Call, File: "used.py", Line: 2, Source: "def g(y):", Function: "g", Locals: []dsl.Local{{Name: "y", Value: "1"}}})
	shows(t, walk(t, p, begin(t, prog, first), "step_return"), "return g     return x + y {y: 1} = 4")
}

// TestScratch checks that nothing is written outside of the scratch directory, and that a program's only
// file may have any name.
func TestScratch(t *testing.T) {
	var dir, script string
	p := predictor(t, cpython.Config{Prepare: func(o *trace.Options) { dir, script = o.Dir, o.Script }})
	for _, name := range []string{"", "/etc/passwd", "../../../up.py", "a\x00b", "x.py", ".", "//"} {
		prog := files(name, "x = 1\n")
		n := walk(t, p, begin(t, prog, module(prog, 1)), "step_over")
		if n.Current().File != name || n.Current().Event != dsl.Return {
			t.Errorf("%q: %s in %q", name, shown(n), n.Current().File)
		}
		rel, err := filepath.Rel(dir, script)
		if err != nil || !filepath.IsLocal(rel) {
			t.Errorf("%q lies at %s, outside of %s", name, script, dir)
		}
		if info, err := os.Stat(script); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%q: %v, %v", name, info, err)
		}
	}
}

// TestScratchIsRemoved checks that the scratch directory is removed although the program took its own
// permissions away.
func TestScratchIsRemoved(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("to root nothing is closed")
	}
	dir := ""
	p := predictor(t, cpython.Config{Prepare: func(o *trace.Options) { dir = o.Dir }})
	n := start(t, "import os\nos.makedirs('a/b/c')\nos.chmod('a/b', 0)\nos.chmod('a', 0)\n")
	if made := ask(t, p, n, "continue"); made.Step.Reply.Exit == nil || made.Step.Reply.Exit.Code != 0 {
		t.Fatalf("%+v", made.Step.Reply)
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("%s is left: %v", dir, err)
	}
}
