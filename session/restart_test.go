package session_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
)

// stays checks that a restart fails, and that the session stays where it was, with its
// history and everything else.
func stays(t *testing.T, s session.Mode, run func(line string) *session.Answer, history func() int) {
	t.Helper()
	before, shown := run("where"), history()
	if a := run("restart"); a.Err == nil || a.State == nil || a.State.Line != before.State.Line {
		t.Fatalf("%s: restart: %+v, %v", s, a, a.Err)
	}
	if after := run("where"); after.Err != nil || after.Chunks[0].Text != before.Chunks[0].Text || history() != shown {
		t.Errorf("%s: %+v, %d in the history, was %+v, %d", s, after, history(), before, shown)
	}
	if a := run("back"); a.Err != nil || a.State == nil || a.State.Line == before.State.Line {
		t.Errorf("%s: back: %+v, %v", s, a, a.Err)
	}
}

// TestRestartOfWhatIsGone checks that the shown state stays if the program cannot be
// started any more.
func TestRestartOfWhatIsGone(t *testing.T) {
	for _, mode := range []session.Mode{session.Predicted, session.Both} {
		s := alone(t, &scripted{replies: []string{saysLoop, saysOne}}, mode)
		do(s, "s 2")
		if err := os.Remove(s.Configured().Options.Script); err != nil {
			t.Fatal(err)
		}
		stays(t, mode, func(line string) *session.Answer { return do(s, line) }, func() int { return len(s.History()) })
		if mode != session.Both {
			continue
		}
		if got := run(s, "score"); !strings.Contains(got, "2 moves: whole state 50%") || !strings.Contains(got, "First divergence: line 6 of prog.py") {
			t.Errorf("score: %s", got)
		}
	}
}

// TestRestartThatFails checks the same if the program does not start although its text can
// be read, or if a second model cannot begin.
func TestRestartThatFails(t *testing.T) {
	path := scriptOf(t, fakeSource)
	for _, against := range []bool{false, true} {
		started := false
		f := newFakeOf(t, path)
		m := &scripted{t: t, replies: []string{saysLoop, saysOne}}
		s := open(t, f, func(c *session.Config) {
			c.Options = trace.Options{Script: path}
			c.Mode, c.Neural = session.Both, &nav.Neural{Predictor: m}
			if against {
				c.Against = &nav.Neural{Predictor: &scripted{t: t, replies: []string{saysLoop, saysCall}}}
			}
			c.Start = func(ctx context.Context, o trace.Options) (session.Recording, trace.Landing, error) {
				if started {
					return nil, trace.Landing{}, &trace.StartError{Kind: trace.StartFailed, Message: "no interpreter"}
				}
				started = true
				return f.start(ctx, o)
			}
		})
		s.First(context.Background())
		do(s, "s 2")
		if against {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}
		stays(t, session.Both, func(line string) *session.Answer { return do(s, line) }, func() int { return len(s.History()) })
		if a := do(s, "forth"); !a.Beside.Compared || a.Beside.Moves != 2 || a.Beside.Verdicts.Same() {
			t.Errorf("%+v", a.Beside)
		}
	}
}

// TestRestartDies checks that after a restart that dies before the first state there is
// nothing to show, and that commands say so.
func TestRestartDies(t *testing.T) {
	f, start := newFake(t), (*fake).start
	s := open(t, f, func(c *session.Config) {
		c.Start = func(ctx context.Context, o trace.Options) (session.Recording, trace.Landing, error) {
			return start(f, ctx, o)
		}
	})
	s.First(context.Background())
	do(s, "s 2")
	f, start = newFake(t), (*fake).dies
	if a := do(s, "restart"); a.Err == nil || !strings.Contains(a.Err.Message, errDied.Error()) {
		t.Fatalf("%+v", a)
	}
	for _, line := range []string{"where", "p i", "ll", "up", "args", "back", "goto 0", "jump 3", "display i"} {
		if a := do(s, line); a.Err == nil || a.State != nil {
			t.Errorf("%s: %+v", line, a)
		}
	}
	if v := s.View(); v.State != nil || len(v.Frames) > 0 {
		t.Errorf("%+v", v)
	}
	f, start = newFake(t), (*fake).start
	if a := do(s, "restart"); a.Err != nil || a.State == nil || a.State.Line != 1 {
		t.Errorf("%+v %v", a, a.Err)
	}
}
