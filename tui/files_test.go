package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/session"
)

// withModules returns a program with several modules, one of which it imports late.
func withModules(t *testing.T) session.Config {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"main.py":     "import json\n\ndef late(n):\n    import later\n    return later.work(n)\n\nprint(late(2))\n",
		"later.py":    "FACTOR = 3\n\ndef work(n):\n    product = n * FACTOR\n    return product\n",
		"pkg/deep.py": "def dig():\n    return 1\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cpythonOf(t, filepath.Join(dir, "main.py"))
}

// TestOpenAModule checks a module that is not imported yet. The list has it, the source
// pane shows it, and a key sets a breakpoint in it. npdb says that the breakpoint is
// pending, and the program stops there later.
func TestOpenAModule(t *testing.T) {
	d := drive(t, 120, 36, withModules(t))
	d.press("m")
	d.shows("files and modules")
	for _, row := range []string{"main.py", "later  ", "pkg.deep", "of the program", "in its folder", "imported"} {
		d.shows(row)
	}
	d.write("ater")
	d.shows("later ")
	d.showsNot("pkg.deep")
	d.press("enter")
	d.showsNot("files and modules")
	d.shows("later.py, not imported yet")
	d.shows("product = n * FACTOR")
	d.press("j", "j", "j", "b")
	d.shows("the breakpoint is pending")
	d.shows("later.py, not imported yet") // the source pane does not change
	if path, line := d.m.source.Place(); filepath.Base(path) != "later.py" || line != 4 {
		t.Errorf("the cursor is at %s:%d", path, line)
	}
	d.press("6")
	d.shows("pending")
	d.press("1", "H")
	d.shows("def late(n):")
	d.press("6", "enter") // the source pane shows the breakpoint's line again
	d.shows("product = n * FACTOR")
	d.press("c")
	if f := d.m.screen.View.State; f == nil || f.Function != "work" || f.Line != 4 {
		t.Fatalf("stopped at %+v", f)
	}
	d.showsNot("not imported yet")
	d.showsNot("pending")
	d.press("m", "esc")
	d.shows("product = n * FACTOR")
}

// TestOpenWhatIsTyped checks that the user can also type what is not in the list: a path,
// a function of a module, a line.
func TestOpenWhatIsTyped(t *testing.T) {
	d := drive(t, 120, 36, withModules(t))
	elsewhere := filepath.Join(t.TempDir(), "else.py")
	if err := os.WriteFile(elsewhere, []byte("a = 1\nb = 2\nc = 3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		typed, shows string
		line         int
	}{
		{elsewhere + ":2", "b = 2", 2},
		{"later.work", "product = n * FACTOR", 3},
		{"main:5", "return later.work(n)", 5},
		{"xml.dom.minidom", "Node", 1},
	} {
		d.press("m")
		d.write(c.typed)
		d.press("enter")
		d.shows(c.shows)
		if _, line := d.m.source.Place(); line != c.line {
			t.Errorf("%s: the cursor is on line %d, want %d", c.typed, line, c.line)
		}
	}
	d.press("m")
	d.write("no.such.thing")
	d.press("enter")
	d.shows("No file, module or function named no.such.thing was found.")
	d.press("esc")
	d.press("2", "m") // adds a watch expression in the locals
	d.showsNot("files and modules")
}

// TestTheSourceStaysAtABreakpoint checks that the source pane does not scroll when a
// breakpoint is set, cleared or disabled.
func TestTheSourceStaysAtABreakpoint(t *testing.T) {
	d := drive(t, 80, 24, withModules(t))
	d.press("j", "j", "j", "j", "b")
	if _, line := d.m.source.Place(); line != 5 {
		t.Errorf("the cursor has gone to line %d", line)
	}
	d.press("b", "n")
	if _, line := d.m.source.Place(); line != d.here() {
		t.Errorf("after a move the cursor is on line %d, the program on %d", line, d.here())
	}
	if strings.Contains(d.text(), "●") {
		t.Errorf("the breakpoint is still there:\n%s", d.text())
	}
}
