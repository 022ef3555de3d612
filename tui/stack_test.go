package tui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestStackColumns checks that the locations of the frames are in one column, that a call
// does not move the column, and that the title says which frames are in sight.
func TestStackColumns(t *testing.T) {
	d := drive(t, 120, 36, cpython(t, "shop.py"))
	inPrice(d)
	column := func() (at []int) {
		t.Helper()
		_, below, _ := strings.Cut(d.text(), " stack ")
		below, _, _ = strings.Cut(below, " output ")
		for _, row := range strings.Split(below, "\n") {
			if x := strings.Index(row, "shop.py:"); x > 0 {
				at = append(at, len([]rune(row[:x])))
			}
		}
		return at
	}
	calls := column()
	if len(calls) != 4 {
		t.Fatalf("%d frames, want 4:\n%s", len(calls), d.text())
	}
	d.press("r", "s")
	for _, x := range append(calls, column()...) {
		if x != calls[0] {
			t.Fatalf("the places begin in columns %v:\n%s", calls, d.text())
		}
	}
	d.showsNot(" of 4 ─")
	d.press("3")
	d.resize(60, 10)
	d.shows(" 1–2 of 3 ─")
}

// TestStackRecursion checks that the frames of a recursion show what differs between them,
// and that a search finds it.
func TestStackRecursion(t *testing.T) {
	path := filepath.Join(t.TempDir(), "deep.py")
	text := "def f(seen, n):\n    if n == 0:\n        return 0\n    return f(seen, n - 1)\n\nf([], 30)\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	d := drive(t, 80, 24, cpythonOf(t, path))
	d.command("b 3")
	d.press("c", "3")
	d.shows("» f           deep.py:3  n=0 ")
	d.shows("  f           deep.py:4  n=1 ")
	d.press("/")
	d.write("n=29")
	d.press("enter")
	d.shows("  f           deep.py:4  n=29")
}

// TestStackOfALibrary checks that the file and the line of a library's frame, whose path
// is long, can be read.
func TestStackOfALibrary(t *testing.T) {
	path := filepath.Join(t.TempDir(), "reads.py")
	if err := os.WriteFile(path, []byte("import json\njson.loads('oops')\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	d := drive(t, 80, 24, cpythonOf(t, path))
	d.press("c", "3")
	for _, f := range d.m.screen.View.Frames[1:] {
		_, file := filepath.Split(f.Path)
		d.shows(fmt.Sprintf("%s:%d", file, f.Line))
	}
	if n := len(d.m.screen.View.Frames); n != 4 {
		t.Errorf("%d frames, not 4:\n%s", n, d.text())
	}
}
