package session_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/session"
)

// TestAtLineTakesAnyPath checks commands about a line of a file with any path, also when a
// session is resumed. The path is displayed on one line.
func TestAtLineTakesAnyPath(t *testing.T) {
	for _, name := range []string{"c;;d", "e,f", "g\nh", "i:j", " k "} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), name, "p.py")
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte("x = 1\ny = 2\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			s := journalled(t, dir)
			do := func(c session.Command) *session.Answer {
				t.Helper()
				a := s.Do(context.Background(), c)
				if strings.Contains(*a.Command, "\n") {
					t.Fatalf("an answer to %q", *a.Command)
				}
				return a
			}
			for line := 1; line <= 2; line++ {
				a := do(session.SetBreakpoint{At: session.Target{File: path, Line: line}})
				if said, _ := a.Text(session.Said); a.Err != nil || strings.Contains(said, "\n") || !strings.HasPrefix(said, "Breakpoint ") {
					t.Fatalf("%q, %v", said, a.Err)
				}
			}
			do(session.ClearLine{File: path, Line: 1})
			if list := s.Breakpoints(); len(list) != 1 || list[0].File != path || list[0].Line != 2 || strings.Contains(list[0].Describe(), "\n") {
				t.Errorf("%+v", list)
			}
			if got := run(s, ""); len(s.Breakpoints()) != 1 {
				t.Errorf("an empty line repeats it: %s", got)
			}
			if a := do(session.ClearLine{File: path, Line: 1}); a.Err == nil || a.Err.Kind != session.NotFound || strings.Contains(a.Err.Message, "\n") {
				t.Errorf("%v", a.Err)
			}
			if a := do(session.Advance{To: session.Target{File: path, Line: 1}}); !a.Done {
				t.Errorf("at %+v", s.Position())
			}
			resumed, a := resume(t, dir, newFake(t))
			if a.Err != nil || resumed.Position() != s.Position() || len(resumed.Breakpoints()) != 1 || resumed.Breakpoints()[0].File != path {
				t.Errorf("resumed at %+v with %+v; %v", resumed.Position(), resumed.Breakpoints(), a.Err)
			}
		})
	}
}

// TestAtLineAnswersNothing checks that such a command does not answer a pending question
// of the session.
func TestAtLineAnswersNothing(t *testing.T) {
	s := open(t, newFake(t))
	s.First(context.Background())
	run(s, "b 3", "clear")
	a := s.Do(context.Background(), session.SetBreakpoint{At: session.Target{File: fakePath, Line: 4}})
	if a.Err == nil || a.Err.Kind != session.Refused || a.Waiting != session.ForConfirmation {
		t.Errorf("%+v, %v", a, a.Err)
	}
	if len(s.Breakpoints()) != 1 {
		t.Errorf("%+v", s.Breakpoints())
	}
}
