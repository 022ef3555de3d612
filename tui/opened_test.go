package tui

import (
	"bytes"
	"context"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/trace"
)

// file is a recording file in memory.
type file struct{ bytes.Buffer }

func (*file) Close() error { return nil }

// TestOpened checks that the screen of a recording file says that it shows one, and offers
// nothing that needs the program.
func TestOpened(t *testing.T) {
	s := crash(t)
	rec, l, err := trace.Start(t.Context(), s.Options)
	if err != nil {
		t.Fatal(err)
	}
	var kept file
	if err := rec.Save(&kept, "of the test"); err != nil {
		t.Fatal(err)
	}
	for l.Reason != trace.Ended {
		if l, err = rec.Move(t.Context(), l.Position, dsl.Action{Move: dsl.Continue}); err != nil {
			t.Fatal(err)
		}
	}
	if err := rec.Close(); err != nil {
		t.Fatal(err)
	}
	s.File = "crash.npdb"
	s.Start = func(context.Context, trace.Options) (session.Recording, trace.Landing, error) {
		return trace.Open(bytes.NewReader(kept.Bytes()), trace.Limits{})
	}
	d := drive(t, 120, 36, s)
	d.shows("· recording")
	d.showsNot("real CPython")
	d.shows("ZeroDivisionError: division by zero")
	d.showsNot("restart")
	d.press("R")
	d.shows("call ")
	d.press("c", "c")
	d.shows("ended, exit code 1")
	d.showsNot("restart")
	d.press("ctrl+r")
	d.shows("restart: this session shows a recording")
	if sum := d.m.summary(); sum.File != "crash.npdb" {
		t.Errorf("the summary is of %q", sum.File)
	}
}
