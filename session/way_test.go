package session_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
)

// wayOf returns the functions of npdb from the session's entry point to its caller.
func wayOf() []string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	var way []string
	for {
		f, more := frames.Next()
		if name, ok := strings.CutPrefix(f.Function, "github.com/npdb/npdb/"); ok && !strings.Contains(name, "session_test") {
			way = append([]string{name}, way...)
		}
		if !more {
			return way
		}
	}
}

// TestWayOfAMove checks that a key's command reaches the recording in a dozen calls,
// including closures, and on its way uses only this package and the sources: see
// docs/architecture.md.
func TestWayOfAMove(t *testing.T) {
	f := newFake(t)
	var way []string
	f.before = func() { way = wayOf() }
	s := open(t, f)
	s.First(t.Context())
	s.Do(t.Context(), session.Step{Move: dsl.StepOver})
	if len(way) == 0 || way[0] != "session/command.(*Interpreter).Do" {
		t.Fatalf("the move was not made by a command: %q", way)
	}
	const most = 12
	if way = way[1:]; len(way) > most {
		t.Errorf("%d calls lead to the recording, at most %d should:\n%s", len(way), most, strings.Join(way, "\n"))
	}
	for _, call := range way {
		if pkg, _, _ := strings.Cut(call, "."); pkg != "session" && pkg != "session/nav" {
			t.Errorf("the move goes through %s", call)
		}
	}
}
