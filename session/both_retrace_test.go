package session_test

import (
	"context"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
)

// halting is a fake with one move that ends differently.
type halting struct {
	*fake
	moves []dsl.Action // requested moves
	at    int          // index of the move
	how   func(l trace.Landing) (trace.Landing, error)
}

func (h *halting) Move(ctx context.Context, from trace.Position, a dsl.Action, stops ...trace.Stop) (trace.Landing, error) {
	l, err := h.fake.Move(ctx, from, a, stops...)
	h.moves = append(h.moves, a)
	if len(h.moves) == h.at {
		return h.how(l)
	}
	return l, err
}

// retraced returns the answer to mode both after three predicted steps that the program
// does not all make.
func retraced(t *testing.T, start session.StartFunc) (*command.Interpreter, *session.Answer) {
	t.Helper()
	s := open(t, newFake(t), func(c *session.Config) {
		c.Options = trace.Options{Script: scriptOf(t, fakeSource)}
		c.Mode, c.Neural = session.Predicted, &nav.Neural{Predictor: &scripted{t: t, replies: []string{saysLoop, saysCall, saysInF}}}
		c.Start = start
	})
	s.First(context.Background())
	do(s, "s 3")
	do(s, "mode both")
	return s, do(s, "y")
}

// TestBothRetraces checks that on the change from neural mode to both the program runs
// along the predicted moves until something stops it, and that the reason is reported.
func TestBothRetraces(t *testing.T) {
	for _, test := range []struct {
		name   string
		how    func(l trace.Landing) (trace.Landing, error)
		moves  int
		line   int
		notice string
		fails  bool
	}{
		{"interrupted", func(l trace.Landing) (trace.Landing, error) { l.Reason = trace.Interrupted; return l, nil }, 2, 6, "Program interrupted", false},
		{"by breakpoint()", func(l trace.Landing) (trace.Landing, error) {
			l.Reason, l.Notice, l.Commands = trace.ProgramBreak, "it calls the debugger", []string{"p i"}
			return l, nil
		}, 2, 6, "it calls the debugger", false},
		{"with an error", func(trace.Landing) (trace.Landing, error) { return trace.Landing{}, errDied }, 2, 5, "", true},
		{"all the way", func(l trace.Landing) (trace.Landing, error) { return l, nil }, 3, 1, "", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := &halting{at: 2, how: test.how}
			s, a := retraced(t, func(ctx context.Context, o trace.Options) (session.Recording, trace.Landing, error) {
				h.fake = newFakeOf(t, o.Script)
				_, l, err := h.start(ctx, o)
				return h, l, err
			})
			if len(h.moves) != test.moves || a.State == nil || a.State.Line != test.line || (a.Err != nil) != test.fails || s.Mode() != session.Both {
				t.Fatalf("%v to %+v, %v", h.moves, a.State, a.Err)
			}
			if said, _ := a.Text(session.Notice); !strings.Contains(said, test.notice) {
				t.Errorf("it says %q", said)
			}
			if said, _ := a.Text(session.Said); strings.Contains(said, "0") != (test.name == "by breakpoint()") {
				t.Errorf("the program's command says %q", said)
			}
			if a.Beside == nil || a.Beside.State == nil || a.Beside.State.Line != test.line {
				t.Errorf("the model is beside it at %+v", a.Beside)
			}
		})
	}
}

// TestBothRetracesNothing checks that the session keeps the predictions if the program
// ends before its first state.
func TestBothRetracesNothing(t *testing.T) {
	f := newFake(t)
	s, a := retraced(t, f.dies)
	if a.Err == nil || !strings.Contains(a.Err.Message, errDied.Error()) || a.State == nil || a.State.Function != "f" {
		t.Fatalf("%+v, %v", a, a.Err)
	}
	if s.Mode() != session.Predicted || s.Recording() != nil || !f.closed || len(s.History()) != 2 {
		t.Errorf("mode %s, a recording: %v, closed: %v, history %v", s.Mode(), s.Recording() != nil, f.closed, s.History())
	}
	if a := do(s, "back"); a.Err != nil || a.State.Function != "<module>" {
		t.Errorf("%+v", a)
	}
	if spans := s.Timeline(10); len(spans) != 2 {
		t.Errorf("%+v", spans)
	}
}
