package tui

import (
	"os"
	"path/filepath"
	"testing"
)

// TestRestartShowsTheEditedFile checks that, after a restart, the screen shows the file as
// it is on disk now, with the arrow beside the line that runs in it.
func TestRestartShowsTheEditedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "prog.py")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("a = 0\nx = 10\nprint(x)\n")
	d := drive(t, 100, 30, cpythonOf(t, path))
	d.press("n")
	d.shows("x = 10")
	write("# the price\na = 0\nx = 20\nprint(x)\n")
	d.press("ctrl+r", "y")
	d.shows("x = 20")
	d.shows("# the price")
	d.showsNot("x = 10")
	if got := d.m.source.Cursor; got != 1 {
		t.Errorf("the cursor is on line %d, not on the first that runs", got+1)
	}
	line, ok := d.m.source.Line()
	if !ok || line != "a = 0" {
		t.Errorf("the current line reads %q", line)
	}
}
