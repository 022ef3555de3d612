package session_test

import (
	"context"
	"strings"
	"testing"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/trace"
)

// TestAdvance checks that advance stops once at its place, or before it, and leaves no
// breakpoint behind.
func TestAdvance(t *testing.T) {
	dir := t.TempDir()
	s := open(t, newFake(t), func(c *session.Config) { c.StateDir, c.Options = dir, trace.Options{Script: fakePath} })
	s.First(context.Background())
	if a := do(s, "advance 3"); a.Err != nil || a.State.Line != 3 || *a.Action != "breakpoint 3" {
		t.Fatalf("%+v %v", a, a.Err)
	}
	if text := plainText(t, do(s, "b")); strings.TrimSpace(text) != "" {
		t.Errorf("it leaves %s", text)
	}
	do(s, "b 2")
	if a := do(s, "advance 7"); a.Err != nil || a.State.Line != 2 || len(s.Breakpoints()) != 1 {
		t.Errorf("a breakpoint before it: %+v, %d breakpoints", a.State, len(s.Breakpoints()))
	}
	do(s, "clear 1")
	if a := do(s, "reverse-advance 5"); a.Err != nil || a.State.Line != 5 || len(s.Breakpoints()) != 0 {
		t.Errorf("back: %+v", a.State)
	}
	for line, want := range map[string]string{"advance": "Argument is required", "advance 4": "Blank or comment", "advance nobody": "not a function"} {
		if got := run(s, line); !strings.Contains(got, want) {
			t.Errorf("%s: %s", line, got)
		}
	}
	kept, err := s.Kept()
	if err != nil || kept != 0 {
		t.Errorf("%d breakpoints are kept, %v", kept, err)
	}
}
