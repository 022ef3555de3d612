//go:build unix

package trace_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// shadow creates a file with the name of each standard library module in a folder, except
// those that plain Python itself imports before it runs a program.
func shadow(t *testing.T, python pythons.Python, dir string) {
	t.Helper()
	const ask = `import os, sys
lib = os.path.dirname(os.__file__)
files = os.listdir(lib) + [f for p in sys.path if p.endswith("lib-dynload") for f in os.listdir(p)]
print(*sorted({f.partition(".")[0] for f in files} - set(sys.modules) - {"sitecustomize", "usercustomize"}))`
	names := plain(t, python, scriptOf(t, ask)) // in a file: with -c 3.13 would import linecache
	n := 0
	for _, name := range strings.Fields(names) {
		if !strings.ContainsAny(name, "-") {
			writeIn(t, dir, name+".py", "print('the program\\'s own', __name__)\nMINE = True\n")
			n++
		}
	}
	if n < 150 {
		t.Fatalf("only %d names of the standard library: %s", n, names)
	}
}

// TestOutcomeShadowedLibrary checks that modules of the program with names of the standard
// library are used by the program only, wherever they are and whatever npdb is asked.
func TestOutcomeShadowedLibrary(t *testing.T) {
	const source = `class Box:
    def get(self, n):
        x = {n: [n]}
        return x
box = Box()
def f(n):
    got = box.get(n)
    return got
if __name__ == "__main__":
    print(input(), f(1))
    import ast, pdb, sched
    print(ast.MINE, sched.MINE, hasattr(pdb, "set_trace"))
    breakpoint()
    print("end")
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		for _, where := range []string{"beside", "PYTHONPATH"} {
			t.Run(where, func(t *testing.T) {
				dir, seed := t.TempDir(), int64(1)
				o := trace.Options{
					Script: writeIn(t, dir, "prog.py", source), RandomSeed: &seed,
					Env: environ(), UserCode: []string{"**/*.nothing"},
				}
				shadowing := dir
				if where == "PYTHONPATH" {
					shadowing = t.TempDir()
					o.Env = environ("PYTHONPATH=" + shadowing)
				}
				shadow(t, python, shadowing)
				d := debugAs(t, python, o)
				d.source = source
				d.upTo("box = Box()")
				d.askEverything()
				d.do(dsl.Breakpoint, d.line("return x"))
				if d.at.Reason != trace.NeedsInput {
					t.Fatalf("input() lands at %s, reason %d", d.here(), d.at.Reason)
				}
				if err := d.rec.Input("hello\n", false); err != nil {
					t.Fatal(err)
				}
				landing, err := d.rec.Resume(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				d.at = landing
				d.wantHere("line 4 get", trace.HitBreakpoint)
				d.askEverything()
				d.do(dsl.Continue)
				d.wantHere("line 13 <module>", trace.ProgramBreak)
				d.finish()
				d.wantPrinted("hello {1: [1]}\nthe program's own ast\nthe program's own pdb\nthe program's own sched\nTrue True False\nend\n")

				if where == "beside" {
					d = debugAs(t, python, trace.Options{Module: "prog", Dir: dir, Stdin: strings.NewReader("hi\n")})
					d.source = source
					d.upTo("box = Box()")
					d.askEverything()
				}

				o.Entry, o.RandomSeed, o.Stdin = "f(2)", nil, strings.NewReader("")
				d = debugAs(t, python, o)
				d.wantHere("call 6 f", trace.Landed)
				d.finish()
				d.wantPrinted("")

				o.Script, o.Python, o.Stdin = writeIn(t, dir, "broken.py", "def f(:\n"), python.Path, nil
				wantStartError(t, o, trace.SyntaxError, nil, "def f(:")
				o.Script = writeIn(t, dir, "raises.py", "1 / 0\n")
				wantStartError(t, o, trace.StartFailed, nil, "ZeroDivisionError")
			})
		}
	})
}

// askEverything makes all requests that npdb answers with modules of the standard library.
func (d *debuggee) askEverything() {
	d.Helper()
	for _, c := range []struct {
		verb trace.Verb
		text string
		want string
	}{
		{trace.VerbPrint, "[i for i in (1, 2)]", "[1, 2]"},
		{trace.VerbPretty, "{'b': 2, 'a': 1}", "{'a': 1, 'b': 2}"},
		{trace.VerbWhatis, "Box", "Class __main__.Box"},
		{trace.VerbSource, "Box.get", "  2  \t    def get(self, n):\n  3  \t        x = {n: [n]}\n  4  \t        return x\n"},
		{trace.VerbExec, "extra = 1", ""},
		{trace.VerbInteract, "extra + 1", "2\n"},
		{trace.VerbInteract, "\x04", ""},
		{trace.VerbComplete, "Bo", "Box"},
		{trace.VerbFunction, "Box.get", filepath.Join(filepath.Dir(d.file()), "prog.py") + "\n3\nget"},
	} {
		d.wantAnswer(0, c.verb, c.text, c.want)
	}
	d.wantThreads("MainThread")
	d.ask(0, trace.VerbInteract, "1 / 0")
	d.ask(0, trace.VerbInteract, "\x04")
}

// file returns the path of the current file.
func (d *debuggee) file() string {
	d.Helper()
	return d.rec.Tree().Files()[d.rec.Tree().At(d.at.Event).File].Path
}
