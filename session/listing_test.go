package session_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// thirty is a program of thirty lines.
var thirty = strings.Repeat("x = 1\n", 29) + "y = 2\n"

// TestListPages checks that list continues in steps of eleven lines after the previous
// listing, and begins five lines before the current line.
func TestListPages(t *testing.T) {
	s := neural(t, &scripted{replies: []string{`<|line_sep|>{"x": "1"}<|action_sep|>2|x = 1` + "\n<|frame_sep|>"}}, trace.Options{Script: scriptOf(t, thirty)})
	s.First(t.Context())
	for _, c := range []struct {
		line, first, last string
		n                 int
	}{
		{"l", "  1  ->\tx = 1", " 11  \tx = 1", 11},
		{"l", " 12  \tx = 1", " 22  \tx = 1", 11},
		{"l", " 23  \tx = 1", "[EOF]", 9},
		{"l", "[EOF]", "[EOF]", 1},
		{"l .", "  1  ->\tx = 1", " 11  \tx = 1", 11},
		{"l 15", " 10  \tx = 1", " 20  \tx = 1", 11},
		{"l", " 21  \tx = 1", "[EOF]", 11},
		{"l 6", "  1  ->\tx = 1", " 11  \tx = 1", 11},
		{"l 7", "  2  \tx = 1", " 12  \tx = 1", 11},
		{"l 25", " 20  \tx = 1", " 30  \ty = 2", 11},
		{"l 26", " 21  \tx = 1", "[EOF]", 11},
		{"l 28, 30", " 28  \tx = 1", " 30  \ty = 2", 3},
		{"l 28, 31", " 28  \tx = 1", "[EOF]", 4},
		{"l 28, 2", " 28  \tx = 1", " 30  \ty = 2", 3},
		{"l 3, 3", "  3  \tx = 1", "  3  \tx = 1", 1},
		{"l 99", "[EOF]", "[EOF]", 1},
		{"ll", "  1  ->\tx = 1", " 30  \ty = 2", 30},
		{"n", "…", "…", 2},
		{"l", "  1  \tx = 1", " 11  \tx = 1", 11}, // a move starts over
	} {
		said := strings.Split(strings.TrimSuffix(run(s, c.line), "\n"), "\n")
		if c.first != "…" && (said[0] != c.first || said[len(said)-1] != c.last) || len(said) != c.n {
			t.Errorf("%s: %d lines, %q", c.line, len(said), said)
		}
	}
}

// TestListFunctionAmongItsNamesakes checks that among methods with one name the selected
// frame's own is listed.
func TestListFunctionAmongItsNamesakes(t *testing.T) {
	s := written(t, "class A:\n    def run(self):\n        a = 1\n        return a\nclass B:\n    def run(self):\n        b = 2\n\n        return b\nB().run()\n")
	run(s, "b 7", "c")
	want := "  6  \t    def run(self):\n  7 B->\t        b = 2\n  8  \t\n  9  \t        return b\n"
	if got := run(s, "ll"); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestListAnotherFile checks that list shows other files: by path, name or module,
// imported or not, and functions in them. A list without arguments continues there, and
// nothing is imported.
func TestListAnotherFile(t *testing.T) {
	s := opened(t, programOf(t, pythons.Any(t), "import sys\nx = 1\nimport later\nlater.work(x)\n",
		"later.py", "print('later runs')\n"+thirty+"def work(n):\n    return n\n",
		"pkg/__init__.py", "print('pkg runs')\n", "pkg/deep.py", "print('deep runs')\ndef dig(n):\n    return n\n"))
	dir := filepath.Dir(s.View().Files[0].Path)
	later, deep := filepath.Join(dir, "later.py")+":\n", filepath.Join(dir, "pkg", "deep.py")+":\n"
	for _, c := range []struct{ line, begins, ends string }{
		{"l later", later + "  1  \tprint('later runs')\n", " 11  \tx = 1\n"},
		{"l", " 12  \tx = 1\n", " 22  \tx = 1\n"},
		{"l later.py:31", later + " 26  \tx = 1\n", "[EOF]\n"},
		{"l later:", later + "  1  \tprint('later runs')\n", " 11  \tx = 1\n"},
		{"l later:32, 33", later + " 32  \tdef work(n):\n", " 33  \t    return n\n"},
		{"l later : 32", later + " 27  \tx = 1\n", "[EOF]\n"},
		{"l later.work", later + " 27  \tx = 1\n", "[EOF]\n"},
		{"l pkg", filepath.Join(dir, "pkg", "__init__.py") + ":\n  1  \tprint('pkg runs')\n", "[EOF]\n"},
		{"l pkg.deep:2", deep + "  1  \tprint('deep runs')\n", "[EOF]\n"},
		{"l pkg/deep.py", deep + "  1  \tprint('deep runs')\n", "[EOF]\n"},
		{"l pkg.deep.dig", deep + "  1  \tprint('deep runs')\n", "[EOF]\n"},
		{"l prog", filepath.Join(dir, "prog.py") + ":\n  1  ->\timport sys\n", "[EOF]\n"},
		{"l string.capwords", "", "\n"},
		{"l xml.dom.minidom", "", "\n"},
		{"l", " 12  \t", "\n"},
		{"l .", "  1  ->\timport sys\n", "[EOF]\n"},
		{"l nothing", "*** Error in argument: 'nothing' is no line, and no file, module or function of that name was found\n", "\n"},
		{"l later:x", "*** Error in argument: 'later:x'", "\n"},
		{"l later:3, x", "*** Error in argument: 'later:3, x'", "\n"},
		{"p 'later' in sys.modules, 'pkg' in sys.modules", "*** NameError", "\n"},
	} {
		got := run(s, c.line)
		if !strings.HasPrefix(got, c.begins) || !strings.HasSuffix(got, c.ends) || strings.Contains(got, "runs\n>") {
			t.Errorf("%s: %q", c.line, got)
		}
	}
	run(s, "n")
	if got := run(s, "p 'later' in sys.modules, 'pkg' in sys.modules, 'xml.dom.minidom' in sys.modules"); got != "(False, False, False)\n" {
		t.Errorf("a module was imported: %q", got)
	}
	if got := run(s, "b later.work", "c", "l"); !strings.Contains(got, " 33 B->\t    return n\n") {
		t.Errorf("in the module: %q", got)
	}
	if got := run(s, "l prog:4"); !strings.Contains(got, "  4  \tlater.work(x)\n") {
		t.Errorf("the arrow is of the selected frame's file: %q", got)
	}
	if got := run(s, "u", "l prog:4"); !strings.Contains(got, "  4  ->\tlater.work(x)\n") {
		t.Errorf("the arrow is of the selected frame: %q", got)
	}
	if got := run(s, "clear 1", "c", "l later:33"); !strings.Contains(got, " 33  \t    return n\n") {
		t.Errorf("at the end: %q", got)
	}
}

// TestListRunsNothing checks packages with additional folders, and packages in several
// folders of sys.path: they are searched as an import would. A lazy module stays unloaded.
func TestListRunsNothing(t *testing.T) {
	s := opened(t, programOf(t, pythons.Any(t), `import importlib.util, os, sys
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "more"))
import pkg
pkg.__path__.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "plugins"))
spec = importlib.util.find_spec("heavy")
spec.loader = importlib.util.LazyLoader(spec.loader)
heavy = importlib.util.module_from_spec(spec)
sys.modules["heavy"] = heavy
spec.loader.exec_module(heavy)
pass
print("done")
`, "pkg/__init__.py", "def __getattr__(name):\n    print('asked for ' + name)\n    raise AttributeError(name)\n",
		"plugins/extra.py", "# plugged in\n", "heavy.py", "print('heavy runs')\ndef lift(n):\n    return n\n",
		"shared/one.py", "# one\n", "more/shared/two.py", "# two\n", "more/found.py", "def later():\n    return 1\n"))
	run(s, "until 10")
	for _, c := range [][2]string{
		{"l pkg.extra", "# plugged in"},
		{"l shared.one", "# one"},
		{"l shared.two", "# two"},
		{"l found.later", "def later():"},
		{"l heavy", "print('heavy runs')"},
		{"l heavy.lift", "def lift(n):"},
		{"b heavy.lift", "heavy.py:3"},
		{"b heavy:3", "heavy.py:3"},
		{"b found.later", "found.py:2"},
		{"b pkg.nothing", "*** The specified object 'pkg.nothing' is not a function"},
	} {
		if got := run(s, c[0]); !strings.Contains(got, c[1]) {
			t.Errorf("%s: %q, without %q", c[0], got, c[1])
		}
	}
	if got := run(s, "output", "p type(heavy).__name__"); got != "'_LazyModule'\n" {
		t.Errorf("the program's code was run: %q", got)
	}
}
