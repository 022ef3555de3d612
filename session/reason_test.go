//go:build unix

package session_test

import (
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/trace"
)

// TestLibraryFrame checks that commands about recorded values are refused in a library's frame, which an
// exception has left.
func TestLibraryFrame(t *testing.T) {
	d := debug(t, pythons.Usual(t), trace.Options{Script: write(t, t.TempDir(), "reads.py", "import json\njson.loads('{')\n")})
	d.say("c")
	d.say("down 9")
	if said := strings.TrimSpace(d.say("p idx")); said != "0" {
		t.Fatalf("in raw_decode idx is %s", said)
	}
	for _, command := range []string{"watch idx", "last idx", "history idx", "provenance idx", "blocks", "loop"} {
		if said := d.say(command); !strings.Contains(said, "raw_decode is library code") {
			t.Errorf("%s: %s", command, said)
		}
	}
}

// TestReasons checks what an answer says of the stop: its reason, its breakpoint and the passed logpoints.
func TestReasons(t *testing.T) {
	t.Parallel()
	s, err := session.Open(t.Context(), session.Config{
		Options: trace.Options{Python: pythons.Any(t), Script: write(t, t.TempDir(), "doubles.py", loggedSource)},
		Start:   session.StartTrace, Mode: session.Real, StateDir: t.TempDir(),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	ctx := t.Context()
	s.First(ctx, nil)
	do := func(c session.Command) *session.Answer {
		t.Helper()
		a := s.Do(ctx, c)
		if a.Err != nil {
			t.Fatal(c, ": ", a.Err)
		}
		return a
	}
	do(session.Log{At: session.Target{Line: 7}, Text: "{i}"})
	if n := s.LastLogpoint(); n != 1 {
		t.Errorf("the last logpoint is %d, want 1", n)
	}
	do(session.SetBreakpoint{At: session.Target{Line: 3}, Condition: "n == 24"})
	number := s.LastBreakpoint()
	if a := do(session.Continue{}); a.Breakpoint != number || a.Reason != trace.HitBreakpoint || len(a.Passed) != 25 || a.Passed[24].Text != "24" {
		t.Errorf("breakpoint %d, reason %d, passed %v", a.Breakpoint, a.Reason, a.Passed)
	}
	if a := do(session.Step{Move: dsl.StepOver}); a.Breakpoint != 0 {
		t.Errorf("breakpoint %d stops a step that reaches none", a.Breakpoint)
	}
	for expression, want := range map[string]string{"twice": "48", "twice + n": "72", "total": "552"} {
		if a := do(session.Evaluate{Expression: expression, Recorded: true}); a.Value == nil || *a.Value != want {
			t.Errorf("%s is %v, want %s", expression, a.Value, want)
		}
	}
	if a := s.Do(ctx, session.Evaluate{Expression: "double(1)", Recorded: true}); a.Err == nil || a.Err.Kind != session.Refused {
		t.Errorf("a call is evaluated without the program: %v", a.Err)
	}
	do(session.ClearAll{})
	if a := do(session.Continue{}); a.Reason != trace.Ended || !a.Done {
		t.Errorf("at the end the reason is %d", a.Reason)
	}
}
