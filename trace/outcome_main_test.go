//go:build unix

package trace_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// aboutMain prints everything that a program can know about how it was started. npdb must
// give the same as plain Python.
const aboutMain = `import __main__, os, sys
print('argv', sys.argv)
print('name', __name__, __main__.__dict__ is globals(), sys.modules['__main__'] is __main__)
print('path', sys.path[:2])
for k in sorted(globals()):
    if k.startswith('__') and k not in ('__builtins__', '__annotations__', '__annotate__', '__conditional_annotations__'):
        v = globals()[k]
        print(k, type(v).__name__, getattr(v, 'name', v if isinstance(v, (str, type(None))) else ''))
print('flags', sys.flags.optimize, sys.flags.interactive, sys.dont_write_bytecode)
print('limit', sys.getrecursionlimit(), sys.gettrace(), sys.getprofile())
print('cwd', os.getcwd())
print('hooks', sys.excepthook is sys.__excepthook__, sys.displayhook is sys.__displayhook__, sys.breakpointhook is sys.__breakpointhook__)
print('streams', sys.stdout is sys.__stdout__, sys.stdin is sys.__stdin__, sys.stderr is sys.__stderr__, sys.stdout.name, sys.stdin.fileno(), sys.stdout.fileno())
print('threads', 'threading' in sys.modules)
`

func TestOutcomeMainModule(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	writeIn(t, dir, "prog.py", aboutMain)
	writeIn(t, dir, "pkg/__init__.py", "")
	writeIn(t, dir, "pkg/__main__.py", aboutMain)
	writeIn(t, dir, "pkg/mod.py", aboutMain)
	writeArchive(t, filepath.Join(dir, "app.pyz"), "#!/usr/bin/env python3\n", "__main__.py", aboutMain)
	if err := os.Symlink(filepath.Join(dir, "prog.py"), writeIn(t, dir, "links/x", "")+".py"); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		options trace.Options
		plain   []string
	}{
		{"absolute path", trace.Options{Script: filepath.Join(dir, "prog.py"), Args: []string{"a b", "", "--c"}}, []string{filepath.Join(dir, "prog.py"), "a b", "", "--c"}},
		{"relative path", trace.Options{Script: "prog.py"}, []string{"prog.py"}},
		{"path with dots", trace.Options{Script: "./pkg/../prog.py"}, []string{"./pkg/../prog.py"}},
		{"link", trace.Options{Script: "links/x.py"}, []string{"links/x.py"}},
		{"-m module", trace.Options{Module: "pkg.mod", Args: []string{"x"}}, []string{"-m", "pkg.mod", "x"}},
		{"-m package", trace.Options{Module: "pkg"}, []string{"-m", "pkg"}},
		{"folder", trace.Options{Script: "pkg", Args: []string{"x"}}, []string{"pkg", "x"}},
		{"folder by an absolute path", trace.Options{Script: filepath.Join(dir, "pkg")}, []string{filepath.Join(dir, "pkg")}},
		{"archive", trace.Options{Script: "app.pyz", Args: []string{"x"}}, []string{"app.pyz", "x"}},
		{"script in a safe path", trace.Options{Script: "prog.py", Env: []string{"PYTHONSAFEPATH=1"}}, []string{"prog.py"}},
		{"-m in a safe path", trace.Options{Module: "platform", Env: []string{"PYTHONSAFEPATH=1"}}, []string{"-m", "platform"}},
		{"-c in a safe path", trace.Options{Code: aboutMain, Env: []string{"PYTHONSAFEPATH=1"}}, []string{"-c", aboutMain}},
		{"-c", trace.Options{Code: aboutMain, Args: []string{"x", "-m"}}, []string{"-c", aboutMain, "x", "-m"}},
		{"arguments in UTF-8 and not", trace.Options{Script: "prog.py", Args: []string{"é€😀", "\xe9"}}, []string{"prog.py", "é€😀", "\xe9"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			onEach(t, func(t *testing.T, python pythons.Python) {
				o := c.options
				o.Python, o.Dir, o.Stdin = python.Path, dir, strings.NewReader("")
				// Write no bytecode: the order of imports decides which modules are cached, so one run
				// could change the next.
				o.Env = environ(append(c.options.Env, "PYTHONDONTWRITEBYTECODE=1", "PYTHONHASHSEED=0")...)
				d := debugAs(t, python, o)
				d.finish()
				want := plainIn(t, python, dir, append(c.options.Env, "PYTHONDONTWRITEBYTECODE=1"), c.plain...)
				got := strings.Split(d.printed("stdout"), "\n")
				for i, line := range strings.Split(want, "\n") {
					if i >= len(got) || got[i] != line {
						t.Fatalf("plain Python says\n%s\nunder npdb it says\n%s", line, strings.Join(got[min(i, len(got)):], "\n"))
					}
				}
			})
		})
	}
}

// TestOutcomePackages checks that a program in several files is debugged in all of them,
// including relative imports; files outside its directory are library code.
func TestOutcomePackages(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		dir := t.TempDir()
		writeIn(t, dir, "app/pkg/__init__.py", "from .core import run\n")
		writeIn(t, dir, "app/pkg/core.py", "from . import util\nfrom ..pkg.util import twice\ndef run(x):\n    return util.twice(x) + twice(x)\n")
		writeIn(t, dir, "app/pkg/util.py", "def twice(x):\n    return 2 * x\n")
		writeIn(t, dir, "app/__init__.py", "")
		writeIn(t, dir, "app/__main__.py", "import other\nfrom .pkg import run\na = other.call(run, 3)\nprint(a)\n")
		other := writeIn(t, dir, "lib/site-packages/other.py", "def call(f, x):\n    y = f(x)\n    return y\n")
		o := trace.Options{Module: "app", Dir: dir, Env: environ("PYTHONPATH=" + filepath.Dir(other)), Stdin: strings.NewReader("")}
		d := debugAs(t, python, o)
		d.finish()
		d.wantPrinted("12\n")
		seen := map[string]bool{}
		for i := range d.rec.Tree().Len() {
			s := d.rec.Tree().State(i)
			seen[s.File] = true
			// The library's frame between them is passed over.
			if s.Function == "run" && s.Depth != 1 {
				t.Errorf("run is at depth %d, want 1", s.Depth)
			}
		}
		for _, file := range []string{"app/__main__.py", "app/pkg/__init__.py", "app/pkg/core.py", "app/pkg/util.py"} {
			if !seen[file] {
				t.Errorf("nothing of %s is recorded: %v", file, seen)
			}
			delete(seen, file)
		}
		if delete(seen, "app/__init__.py"); len(seen) > 0 {
			t.Errorf("library code is recorded: %v", seen)
		}

		o.UserCode, o.LibraryCode, o.Stdin = []string{"**/other.py"}, []string{"**/pkg/util.py"}, strings.NewReader("")
		d = debugAs(t, python, o)
		d.finish()
		events := strings.Join(d.events(), "\n")
		if !strings.Contains(events, "call 1 call") || strings.Contains(events, "twice") {
			t.Errorf("with a file added and one stepped over, the events are\n%s", events)
		}
	})
}

// TestOutcomeEntry checks that --entry debugs a call: the module runs first, untraced and
// not as __main__, and the first state is the call.
func TestOutcomeEntry(t *testing.T) {
	const source = `print('loading', __name__)
def helper(x):
    return x * 10
def f(a, b=2, *rest, **named):
    c = helper(a)
    print(a, b, rest, named)
    return c
K = 5
if __name__ == '__main__':
    raise SystemExit('ran as a program')
class Box:
    def __init__(self, n):
        self.n = n
    def get(self):
        return self.n
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, source, func(o *trace.Options) { o.Entry = "f(helper(1), K, 7, x='y')" })
		d.wantHere("call 4 f", trace.Landed)
		if s := d.state(); s.Depth != 0 || d.at.Event != 0 {
			t.Errorf("the entry is event %d at depth %d", d.at.Event, s.Depth)
		}
		d.wantLocal("a", "10")
		d.wantLocal("named", "{'x': 'y'}")
		d.wantPrinted("loading prog\n")
		d.do(dsl.StepReturn)
		d.wantHere("return 7 f return", trace.Landed)
		d.finish()
		d.wantPrinted("loading prog\n10 5 (7,) {'x': 'y'}\n")

		d = debug(t, python, source, func(o *trace.Options) { o.Entry = "Box(3).get()" })
		d.wantHere("call 14 get", trace.Landed)
		d.wantLocal("self", "Box(n=3)")
		d.finish()

		d = debug(t, python, source, func(o *trace.Options) { o.Entry = "f()" })
		d.do(dsl.Continue)
		if d.at.End && d.rec.Exit().Code != 1 || !d.at.End {
			t.Errorf("a call with arguments missing: %+v, exit %s", d.at, exitText(d.rec.Exit()))
		}
	})
}

// TestOutcomeEnvironment checks the program's environment: a hash seed that makes sets
// repeatable, encodings, and streams that are not terminals.
func TestOutcomeEnvironment(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		const source = `import os, sys
print(os.environ.get('PYTHONHASHSEED'), hash('npdb'))
print(sys.stdout.encoding, sys.stderr.encoding, sys.stdin.encoding, sys.stdout.errors, sys.stderr.errors)
print(sys.stdout.isatty(), sys.stdin.isatty(), os.isatty(1), sys.stdout.line_buffering, sys.stdout.mode, sys.stdout.writable())
`
		script := scriptOf(t, source)
		for _, set := range [][]string{nil, {"PYTHONHASHSEED=7"}, {"PYTHONIOENCODING=latin-1:replace"}, {"PYTHONUTF8=1"}, {"LC_ALL=C", "PYTHONCOERCECLOCALE=0"}} {
			d := debugAs(t, python, trace.Options{Script: script, Env: append(withoutVariable("PYTHONHASHSEED"), set...), Stdin: strings.NewReader("")})
			d.finish()
			d.wantPrinted(plainIn(t, python, "", set, script))
		}
	})
}

func withoutVariable(name string) []string {
	var env []string
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, name+"=") {
			env = append(env, v)
		}
	}
	return env
}

// TestOutcomeOutputOrder checks that output of Python code belongs to the event before it,
// in order on both streams, and output of C code to the next stop.
func TestOutcomeOutputOrder(t *testing.T) {
	const source = `import os, sys
print('one', end='')
sys.stderr.write('two')
def f():
    print('three')
    return 1
f()
sys.stdout.buffer.write(b'\xff\n')
os.write(1, b'direct\n')
end = 1
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, source)
		d.upTo("end = 1")
		var got []string
		for _, o := range d.rec.Output(-1, -1) {
			got = append(got, d.rec.Tree().State(o.Event).Source+" | "+o.Stream+" "+o.Text)
		}
		want := []string{
			"print('one', end='') | stdout one",
			"sys.stderr.write('two') | stderr two",
			"    print('three') | stdout three\n",
			"sys.stdout.buffer.write(b'\\xff\\n') | stdout \\xff\n",
			"os.write(1, b'direct\\n') | stdout direct\n",
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("output\n%q, want\n%q", got, want)
		}
		d.finish()
	})
}

// TestOutcomePytest checks npdb -m pytest test_x.py, on the first Python that has pytest.
func TestOutcomePytest(t *testing.T) {
	all := pythons.All(t)
	i := slices.IndexFunc(all, func(p pythons.Python) bool {
		return exec.CommandContext(t.Context(), p.Path, "-c", "import pytest").Run() == nil
	})
	if i < 0 {
		t.Skip("no Python here has pytest")
	}
	dir := t.TempDir()
	writeIn(t, dir, "test_x.py", "def test_sum():\n    a = 1\n    assert a + 1 == 2\n")
	d := debugAs(t, all[i], trace.Options{Module: "pytest", Args: []string{"-q", "-p", "no:cacheprovider", "test_x.py"}, Dir: dir, Stdin: strings.NewReader("")})
	d.do(dsl.Continue)
	d.wantEnd(0, "")
	if !regexp.MustCompile(`(?m)^1 passed`).MatchString(d.printed("stdout")) || count(d.events(), "line 3 test_sum") != 1 {
		t.Errorf("printed %s, events %v", d.printed("stdout"), d.events())
	}
}
