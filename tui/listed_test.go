package tui

import (
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
)

// TestOrigins checks that a key on a local lists where its value came from, that enter goes to the
// hops while the list stays, and that esc closes it.
func TestOrigins(t *testing.T) {
	r := newRun("/src/a.py", "a = 5\nb = a\nc = b\nprint(c)\n")
	r.module(4, "a", "b", "c")
	r.line(1)
	r.set(0, "5")
	r.line(2)
	r.set(1, "5")
	r.line(3)
	r.set(2, "5")
	r.line(4)
	r.tree.Finish()
	d := drive(t, 120, 36, replayed(t, r))
	d.press("n", "n", "n", "2", "j", "j", "W")
	for _, row := range []string{"origin of c", "c = 5  copy  <module>:3", "b = 5  copy  <module>:2", "a = 5  assignment  <module>:1  literal at l"} {
		d.shows(row)
	}
	d.press("j", "enter")
	if got := d.here(); got != 2 {
		t.Errorf("enter on the second hop goes to line %d", got)
	}
	d.press("j", "enter")
	if got := d.here(); got != 1 {
		t.Errorf("enter on the third hop goes to line %d", got)
	}
	d.shows("→ a = 5")
	d.press("esc")
	d.showsNot("origin of c")
	if !strings.Contains(d.text(), "history") {
		t.Error("the history does not come back")
	}
	d.command("goto 3")
	d.command("provenance c")
	d.shows("origin of c")
	d.shows("c = 5  copy  <module>:3")
}

// TestInferredOrigins checks that the list says how the states of a hop were inferred, and that enter
// goes to them in the history.
func TestInferredOrigins(t *testing.T) {
	before := `<|line_sep|>{"x": "2"}<|action_sep|>2|    y = x + 1` + "\n<|frame_sep|>"
	g := &guesser{
		list: []guess{{before, 3, verdict(backend.LeadsHere, "", "")}, {calledWith("7"), 1, verdict(backend.LeadsElsewhere, "", "")}},
		more: []guess{{calledWith("2"), 1, verdict(backend.LeadsHere, "", "")}},
	}
	locals := []trace.BeginningLocal{{Name: "x", Value: "2"}, {Name: "y", Value: "3"}}
	d := drive(t, 160, 36, session.Config{
		Options: trace.Options{
			Script: programPath("double.py"), Begin: &trace.Beginning{Frames: []trace.BeginningFrame{{Line: 3, Locals: locals, Complete: true}}},
		},
		StateDir: t.TempDir(), Neural: &nav.Neural{Predictor: g, Verify: nav.Verifying{Text: &nav.Method{Verifier: g}}},
	})
	d.command("provenance y")
	if got := d.here(); got != 3 {
		t.Errorf("it goes to line %d", got)
	}
	for _, row := range []string{"origin of y", "y = 3  likely assignment  f:2  ✓ inferred, leads here 0.75", "x = 2  likely unclear"} {
		d.shows(row)
	}
	d.press("enter")
	if got := d.here(); got != 2 {
		t.Errorf("enter on the hop goes to line %d", got)
	}
	d.press("j", "enter")
	d.shows("No event of this hop was recorded.")
	d.press("esc")
	d.shows("f:2  provenance y")
}
