//go:build unix

package session_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Of methods with one name the selected frame's own is listed.
func TestListFunctionAmongItsNamesakes(t *testing.T) {
	s := written(t, "class A:\n    def run(self):\n        a = 1\n        return a\nclass B:\n    def run(self):\n        b = 2\n\n        return b\nB().run()\n")
	run(s, "b 7", "c")
	want := "  6  \t    def run(self):\n  7 B->\t        b = 2\n  8  \t\n  9  \t        return b\n"
	if got := run(s, "ll"); got != want {
		t.Errorf("got %q, want %q", got, want)
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
