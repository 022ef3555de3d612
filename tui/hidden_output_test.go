package tui

import (
	"testing"

	"github.com/npdb/npdb/session"
)

// TestHiddenOutputIsSeen checks that the program's output is shown, once, even if there is
// no room for the output pane.
func TestHiddenOutputIsSeen(t *testing.T) {
	r := newRun("/src/a.py", "print('hello')\nx = 1\ny = 2\n")
	r.module(3, "x")
	r.line(1)
	r.line(2)
	r.line(3)
	r.tree.Finish()
	wrote := []session.Chunk{{Kind: session.Wrote, Stream: "stdout", Text: "hello\nyou", After: []session.After{{Event: 0}}}}
	d := drive(t, 80, 18, replayed(t, r))
	d.m.chunks(wrote)
	d.press("n")
	if d.here() != 2 {
		t.Fatal(d.text())
	}
	d.shows("4 output: you")
	d.press("n")
	d.showsNot("you")
	d.press("4")
	d.shows(" you")

	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		d = drive(t, size[0], size[1], replayed(t, r))
		d.m.chunks(wrote)
		d.press("n")
		d.showsNot("output: ")
		d.shows(" you")
	}
}
