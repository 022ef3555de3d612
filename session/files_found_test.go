package session_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/plainfile"
	"github.com/npdb/npdb/trace/statetree"
)

// TestFilesAreFound checks that a file is found by its path, its name or its module's,
// with or without its extension, also by the end of its path. A file that cannot be read
// is refused with the reason.
func TestFilesAreFound(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, "prog.py", "x = 1\ny = 2\n", "beside.py", "z = 1\n", "inner/deep.py", "w = 1\n", "src/near.py", "u = 1\n", "latin.py", "# \xe9\nname = '\xe9'\n", "empty.py", "")
	large := filepath.Join(dir, "large.py")
	if err := os.WriteFile(large, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(large, plainfile.SourceLimit+1); err != nil {
		t.Fatal(err)
	}
	f := newFakeOf(t, filepath.Join(dir, "src", "prog.py"))
	f.tree.Batch(func() { f.tree.AddFile(fileOf(filepath.Join(dir, "src", "lib", "deep.py"), "lib/deep.py", "v = 1\n")) })
	s := open(t, f)
	s.First(t.Context())
	t.Chdir(dir)
	at := func(parts ...string) string {
		return "at " + filepath.Join(append([]string{dir}, parts...)...)
	}
	for _, c := range [][2]string{
		{"prog:2", at("src", "prog.py") + ":2"},
		{"prog.py:2", at("src", "prog.py") + ":2"},
		{at("src", "prog.py")[3:] + ":2", at("src", "prog.py") + ":2"},
		{"beside:1", at("beside.py") + ":1"},
		{"beside.py:1", at("beside.py") + ":1"},
		{"inner.deep:1", at("inner", "deep.py") + ":1"},
		{"near:1", at("src", "near.py") + ":1"},
		{at("beside")[3:] + ":1", at("beside.py") + ":1"},
		{"lib.deep:1", at("src", "lib", "deep.py") + ":1"},
		{"lib/deep.py:1", at("src", "lib", "deep.py") + ":1"},
		{"deep:1", at("src", "lib", "deep.py") + ":1"},
		{"latin:2", at("latin.py") + ":2"},
		{"latin:1", "*** Blank or comment"},
		{"beside:2", "End of file"},
		{"empty:1", "End of file"},
		{"inner:1", "*** 'inner' not found from sys.path"},
		{"eep:1", "*** 'eep' not found from sys.path"},
		{"large:1", "larger"},
	} {
		if got := run(s, "b "+c[0]); !strings.Contains(got, c[1]) {
			t.Errorf("b %s: %q, without %q", c[0], got, c[1])
		}
	}
}

func fileOf(path, name, source string) statetree.File {
	return statetree.File{Path: path, Name: name, Source: []byte(source)}
}

// TestBreakInAModulesMethod checks that a method of a class of a module is found by its
// dotted name before the module is imported. After the program has ended nothing is
// requested for it.
func TestBreakInAModulesMethod(t *testing.T) {
	s := written(t, "import shapes\nprint(shapes.Box().area())\n")
	dir := filepath.Dir(s.View().Files[0].Path)
	source := "class Box:\n    def area(self):\n        return 6\n"
	if err := os.WriteFile(filepath.Join(dir, "shapes.py"), []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := run(s, "b shapes.Box.area"); !strings.HasPrefix(got, "Breakpoint 1 at ") || !strings.Contains(got, "shapes.py:3\n") {
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

// TestBreakInAFileBesideTheProgram checks that a named file is searched beside the
// program, wherever npdb was started.
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
