package tui

import (
	"testing"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
)

// middle opens a session in neural mode that begins in the middle of f, with no known values.
func middle(t *testing.T, replies ...string) *driver {
	t.Helper()
	p := &scripted{replies: replies}
	return drive(t, 80, 24, session.Config{
		Options:  trace.Options{Script: programPath("double.py"), Begin: &trace.Beginning{Frames: []trace.BeginningFrame{{Line: 3}}}},
		StateDir: t.TempDir(), Neural: &nav.Neural{Predictor: p},
	})
}

// TestUnknownLocals checks that locals whose values nobody gave are shown as unknown, that a value
// can be set, and that a value which a move brings has no earlier value.
func TestUnknownLocals(t *testing.T) {
	d := middle(t, `<|return_sep|>{"x": "2", "y": ".."}<|action_sep|>3|    return y`+"\n<|arg_sep|>\"3\"<|frame_sep|>")
	d.shows("x  unknown")
	d.shows("y  unknown")
	d.press("2", "j", "=")
	if got := d.m.line.Text(); got != "!y = " {
		t.Fatalf("= types %q", got)
	}
	d.write("3")
	d.press("enter")
	d.shows("▌  y  3  ")
	d.shows("x  unknown")
	d.showsNot("was")
	d.press("s")
	d.shows("▌  x  2  ")
	d.showsNot("was")
}
