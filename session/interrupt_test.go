package session_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
)

// TestInterruptWhileModeChanges interrupts from another goroutine, also while the session
// changes its mode. The race detector checks it.
func TestInterruptWhileModeChanges(t *testing.T) {
	path := filepath.Join(t.TempDir(), "prog.py")
	if err := os.WriteFile(path, []byte(fakeSource), 0o600); err != nil {
		t.Fatal(err)
	}
	s := open(t, newFakeOf(t, path), func(c *session.Config) {
		c.Options = trace.Options{Script: path}
		c.Mode, c.Neural = session.Real, &nav.Neural{Predictor: &scripted{t: t}}
	})
	s.First(context.Background())
	for _, disturb := range []func(){s.Interrupt, s.Kill} {
		begun, stop, over := make(chan struct{}), make(chan struct{}), make(chan struct{})
		go func() {
			defer close(over)
			disturb()
			close(begun)
			for {
				select {
				case <-stop:
					return
				default:
					disturb()
				}
			}
		}()
		<-begun
		for _, mode := range []session.Mode{session.Both, session.Real} {
			// It has begun already; otherwise it would not run.
			if err := s.RunNow(context.Background(), session.SetMode{Mode: mode}); err != nil || s.Mode() != mode {
				t.Errorf("mode %s: %v, it is %s", mode, err, s.Mode())
			}
		}
		close(stop)
		<-over
	}
}

// TestRunsAndResize checks what a session tells other goroutines about its program.
func TestRunsAndResize(t *testing.T) {
	f := newFake(t)
	s := open(t, f)
	s.First(t.Context())
	s.Resize(80, 24)
	if !s.Runs() || strings.Join(f.asked, ",") != "resize 80x24" {
		t.Errorf("%v %q", s.Runs(), f.asked)
	}
	if busy, interrupted := s.Busy(); busy || interrupted {
		t.Error("nothing runs, nothing was interrupted")
	}
	f.before = func() {
		if busy, interrupted := s.Busy(); !busy || interrupted {
			t.Errorf("in a move: %v %v", busy, interrupted)
		}
		s.Kill()
		if _, interrupted := s.Busy(); !interrupted {
			t.Error("nothing is stopped")
		}
	}
	do(s, "s")
	n := neural(t, &scripted{}, trace.Options{})
	n.Resize(80, 24)
	n.Kill()
	n.Interrupt()
	if n.Runs() {
		t.Error("nothing runs where a model predicts")
	}
}
