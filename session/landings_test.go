package session_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/trace"
)

// lands is a run whose moves end as configured.
type lands struct {
	*fake
	landing trace.Landing
	err     error
	input   error
	closing error
}

func (l *lands) Move(context.Context, trace.Position, dsl.Action, ...trace.Stop) (trace.Landing, error) {
	return l.landing, l.err
}

func (l *lands) Pass(context.Context, int) (trace.Landing, error) { return l.landing, l.err }

func (l *lands) Debug(context.Context, int, string) (trace.Landing, error) { return l.landing, l.err }

func (l *lands) Input(text string, eof bool) error {
	if l.input != nil {
		return l.input
	}
	return l.fake.Input(text, eof)
}

func (l *lands) Close() error { return l.closing }

func (l *lands) start(ctx context.Context, o trace.Options) (session.Recording, trace.Landing, error) {
	_, landing, err := l.fake.start(ctx, o)
	return l, landing, err
}

// withKeys configures a session for a screen, which names keys for commands.
func withKeys(c *session.Config) { c.Key = bracketed }

// bracketed returns a placeholder for the key of a command.
func bracketed(command string) string { return "<" + command + ">" }

// TestLandingsAreExplained checks the reason why a move ended; on a screen it names keys.
func TestLandingsAreExplained(t *testing.T) {
	post := trace.Position{Event: 1, PostMortem: true}
	for _, c := range []struct {
		landing       trace.Landing
		typed, onKeys string
	}{
		{trace.Landing{Position: trace.Position{Event: 1}, Reason: trace.LimitReached}, "The recording has reached its limit; a further move goes on for as much again.", ""},
		{trace.Landing{Position: trace.Position{Event: 1}, Reason: trace.LimitReached, Notice: "No memory is left."}, "No memory is left.", ""},
		{trace.Landing{Position: trace.Position{Event: 1}, Reason: trace.Interrupted}, "Program interrupted. (Use 'cont' to resume).", "Program interrupted; <continue> goes on."},
		{trace.Landing{Position: post, Reason: trace.Landed}, "Uncaught exception. Entering post mortem debugging\nA forward move goes to the end of the program, a backward move into its past.", "Uncaught exception."},
		{trace.Landing{Position: trace.Position{Event: 0}, Boundary: trace.AtStart}, "This is the first state.", ""},
		{trace.Landing{Position: trace.Position{Event: 1}}, "", ""},
	} {
		for _, keys := range []bool{false, true} {
			f := newFake(t)
			l := &lands{fake: f, landing: c.landing}
			s := open(t, f, func(c *session.Config) {
				c.Start = l.start
				if keys {
					withKeys(c)
				}
			})
			s.First(t.Context())
			f.record(1, false)
			want := c.typed
			if keys && c.onKeys != "" {
				want = c.onKeys
			}
			if said, _ := do(s, "s").Text(session.Notice); said != want {
				t.Errorf("%+v, keys %v: %q, want %q", c.landing, keys, said, want)
			}
			if said, _ := do(s, "s").Text(session.Notice); c.landing.PostMortem && said != "" {
				t.Errorf("that it died is said again: %q", said)
			}
		}
	}
}

// TestFailuresOfTheRecording checks that an error of the recording is the answer, and that
// the session stays where it is.
func TestFailuresOfTheRecording(t *testing.T) {
	broken := errors.New("the recording broke")
	f := newFake(t)
	l := &lands{fake: f, err: broken}
	s := open(t, f, func(c *session.Config) { c.Start = l.start })
	s.First(t.Context())
	for _, line := range []string{"s", "n", "c", "c 3", "goto 5", "debug f(1)"} {
		if a := do(s, line); a.Err == nil || a.Err.Kind != session.EngineFailed || a.Err.Message != "the recording broke" || s.Position().Event != 0 || len(s.History()) != 1 {
			t.Errorf("%s: %+v", line, a.Err)
		}
	}
	l.err = &trace.GoneError{}
	if a := do(s, "s"); a.Err == nil || a.Err.Kind != session.ProgramOver {
		t.Errorf("%+v", a.Err)
	}
	l.landing, l.err, l.input = trace.Landing{Position: trace.Position{Event: 0}, Reason: trace.NeedsInput}, nil, broken
	if a := do(s, "s"); a.Err == nil || a.Err.Message != "the recording broke" {
		t.Errorf("input that is not taken: %+v", a.Err)
	}
	l.closing = broken
	if said, _ := do(s, "restart").Text(session.Notice); said != "The program did not end cleanly: the recording broke" {
		t.Errorf("restart: %q", said)
	}
	l.closing = nil
}

// TestInputBeforeTheFirstState checks a program that reads before its first state: it
// waits without a line.
func TestInputBeforeTheFirstState(t *testing.T) {
	f := newFake(t)
	var asked []*session.Answer
	s := open(t, f, func(c *session.Config) {
		c.Start = func(context.Context, trace.Options) (session.Recording, trace.Landing, error) {
			f.edge = trace.Position{Event: -1}
			f.resume = func() (trace.Landing, error) { f.record(0, false); return trace.Landing{Position: f.edge}, nil }
			return f, trace.Landing{Position: f.edge, Reason: trace.NeedsInput}, nil
		}
		c.Input = func(_ context.Context, a *session.Answer) session.InputLine {
			asked = append(asked, a)
			return session.InputLine{Text: "yes\n"}
		}
	})
	a := s.First(t.Context())
	if len(asked) != 1 || asked[0].Asks != nil || asked[0].State != nil || asked[0].Waiting != session.ForInput || a.State == nil || a.State.Line != 1 || strings.Join(f.inputs, "") != "yes\n" {
		t.Errorf("%+v, then %+v", asked, a)
	}
	f.reads[3] = true
	do(s, "s 4")
	if len(asked) != 2 || asked[1].Asks == nil || *asked[1].Asks != (dsl.Frame{Function: "<module>", File: "prog.py", Line: 6}) {
		t.Errorf("%+v", asked[1].Asks)
	}
}
