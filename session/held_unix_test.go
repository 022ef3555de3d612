//go:build unix

package session_test

import (
	"strings"
	"testing"
	"time"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/trace"
)

// TestHeldUp checks that npdb says, once in a move, that the program may wait for a child that is stopped.
func TestHeldUp(t *testing.T) {
	const program = "import os\npid = os.fork()\nif pid == 0:\n    x = 1\n    os._exit(3)\nos.waitpid(pid, 0)\n"
	ticks, told, done := make(chan time.Time), 0, make(chan struct{})
	var s *session.Session
	config := session.Config{
		Options: trace.Options{Python: pythons.Any(t), Script: write(t, t.TempDir(), "parent.py", program), Children: true},
		Start:   session.StartTrace, Mode: session.Real, StateDir: t.TempDir(), Ticks: ticks,
	}
	config.Stream = func(a *session.Answer) {
		said, _ := a.Text(session.Notice)
		if strings.Contains(said, "child 1 is stopped. If the program waits for it, stop this move, and use child 1 and c") {
			if told++; told == 1 {
				s.Interrupt()
			}
		}
	}
	s, err := session.Open(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	s.First(t.Context(), nil)
	if a := s.Do(t.Context(), session.SetBreakpoint{At: session.Target{Line: 4}}); a.Err != nil {
		t.Fatal(a.Err)
	}
	if a := s.Do(t.Context(), session.Continue{}); a.Err != nil || told != 0 {
		t.Fatal(a.Err, told)
	}
	go func() {
		for now := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC); ; now = now.Add(time.Second) {
			select {
			case ticks <- now:
			case <-done:
				return
			}
		}
	}()
	a := s.Do(t.Context(), session.Continue{})
	close(done)
	if a.Err != nil || told != 1 || a.Done {
		t.Errorf("%v, said %d times, at %+v", a.Err, told, a.State)
	}
	if a := s.Do(t.Context(), session.ShowChild{Number: 1}); a.Err != nil || a.State.Line != 4 {
		t.Fatalf("%v %+v", a.Err, a.State)
	}
	a = s.Do(t.Context(), session.Continue{})
	if said, _ := a.Text(session.Where); a.Err != nil || !a.Done || said != "Child 1 has ended\nBackward moves (rs, rn, rf, rc) still work; parent shows the program again." {
		t.Fatalf("%v %+v %q", a.Err, a.State, said)
	}
	if a := s.Do(t.Context(), session.ShowChild{}); a.Err != nil {
		t.Fatal(a.Err)
	}
	if a := s.Do(t.Context(), session.Continue{}); a.Err != nil || !a.Done {
		t.Errorf("%v %+v", a.Err, a.State)
	}
}
