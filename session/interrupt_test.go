package session_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/walk"
	"github.com/npdb/npdb/trace"
)

// TestInterruptWhileModeChanges: an interrupt comes from another goroutine, also
// while the session changes where its states come from. The race detector judges.
func TestInterruptWhileModeChanges(t *testing.T) {
	path := filepath.Join(t.TempDir(), "prog.py")
	if err := os.WriteFile(path, []byte(fakeSource), 0o600); err != nil {
		t.Fatal(err)
	}
	s := open(t, newFakeOf(t, path), func(c *session.Config) {
		c.Options = trace.Options{Script: path}
		c.Mode, c.Neural = session.Real, &walk.Neural{Predictor: &scripted{t: t}}
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
			// It has begun already: what has not would not be run.
			if err := s.RunNow(context.Background(), session.SetMode{Mode: mode}); err != nil || s.Mode() != mode {
				t.Errorf("mode %s: %v, it is %s", mode, err, s.Mode())
			}
		}
		close(stop)
		<-over
	}
}
