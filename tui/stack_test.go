package tui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/themes"
)

// The places of the frames stand in a column, which a call leaves where it is, and
// the title says which of the frames are in sight.
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

// The frames of a recursion say what is different in each, and can be searched for
// it.
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

// Of frames of a library, whose paths are long, the file and the line can be read.
func TestStackOfALibrary(t *testing.T) {
	path := filepath.Join(t.TempDir(), "reads.py")
	if err := os.WriteFile(path, []byte("import json\njson.loads('oops')\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	d := drive(t, 80, 24, cpythonOf(t, path))
	d.press("c", "3")
	for _, f := range d.m.view.Frames[1:] {
		_, file := filepath.Split(f.Path)
		d.shows(fmt.Sprintf("%s:%d", file, f.Line))
	}
	if n := len(d.m.view.Frames); n != 4 {
		t.Errorf("%d frames, not 4:\n%s", n, d.text())
	}
}

// What tells frames apart stands behind the place where there is room to read it.
func TestFrameTellsWhereItFits(t *testing.T) {
	d := drive(t, 80, 24, replayed(t, threeLines()))
	f := session.ViewFrame{Frame: dsl.Frame{File: "tokenizer.py", Function: "atom", Line: 56}}
	for _, c := range []struct {
		local dsl.Local
		width int
		want  string
	}{
		{dsl.Local{Name: "n", Value: "29"}, 40, "atom        tokenizer.py:56  n=29"},
		{dsl.Local{Name: "n", Value: "29"}, 36, "atom        tokenizer.py:56  n=29"},
		{dsl.Local{Name: "n", Value: "29"}, 35, "atom        tokenizer.py:56"},
		{dsl.Local{Name: "token", Value: "'('"}, 38, "atom        tokenizer.py:56  token…"},
		{dsl.Local{Name: "token", Value: "'('"}, 37, "atom        tokenizer.py:56"},
	} {
		f.Tells = &c.local
		d.m.canvas.Clear(c.width, 1, d.m.measure, d.m.style(themes.Text))
		if got := (&stack{}).drawFrame(d.m, d.m.canvas.Sub(draw.Rect{W: c.width, H: 1}), f, false, 12); got != c.want {
			t.Errorf("in %d columns %q, want %q", c.width, got, c.want)
		}
	}
}
