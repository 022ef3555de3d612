package session_test

import (
	"context"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
)

// bubble runs a test with a fake clock on a session of endless with prefetching.
func bubble(t *testing.T, m *imitation, f nav.Foresight, test func(t *testing.T, s *command.Interpreter), change ...func(*session.Config)) {
	t.Helper()
	if m.latency == 0 {
		m.latency = 800 * time.Millisecond
	}
	synctest.Test(t, func(t *testing.T) {
		s := foreseeing(t, m, f, change...)
		test(t, s)
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if m.underWay() != 0 {
			t.Errorf("%d questions are under way in a session that is closed", m.underWay())
		}
	})
}

// took returns how long a command takes by the fake clock.
func took(t *testing.T, s *command.Interpreter, line string) time.Duration {
	t.Helper()
	began := time.Now()
	if a := do(s, line); a.Err != nil {
		t.Fatalf("%s: %v", line, a.Err)
	}
	return time.Since(began)
}

var both = nav.Foresight{Moves: 2}

// TestPrefetchAsks checks that prefetched replies are available and not requested again,
// and that inspecting values cancels none.
func TestPrefetchAsks(t *testing.T) {
	m := &imitation{}
	bubble(t, m, both, func(t *testing.T, s *command.Interpreter) {
		reads(9 * time.Second)
		if got := m.questions(); got != "" {
			t.Errorf("before the user has asked anything: %s", got)
		}
		if d := took(t, s, "n"); d != m.latency {
			t.Errorf("the first move takes %v", d)
		}
		for range 4 {
			reads(time.Second / 2)
			do(s, "p total")
		}
		if got, want := m.questions(), "step_over step_over step_into"; got != want {
			t.Errorf("%s, not %s", got, want)
		}
		if d := took(t, s, "s") + took(t, s, "rs") + took(t, s, "n"); d != 0 {
			t.Errorf("moves that were asked ahead take %v", d)
		}
		if got := s.Spent().Prefetch; got.Used != 2 || got.Lost != 0 && got.Asked == 2 {
			t.Errorf("%+v", got)
		}
	})
}

// TestPrefetchJoins checks that a move waits for its running prefetch, and shows its
// stream.
func TestPrefetchJoins(t *testing.T) {
	var shown []string
	m := &imitation{streams: true}
	progress := func(c *session.Config) { c.Progress = func(u backend.Update) { shown = append(shown, u.Raw) } }
	bubble(t, m, both, func(t *testing.T, s *command.Interpreter) {
		do(s, "n")
		for _, read := range []time.Duration{300, 500} { // before the half that is shown, and after it
			shown = nil
			reads(read * time.Millisecond)
			if len(shown) > 0 {
				t.Errorf("before the user's move %q is shown", shown)
			}
			if d := took(t, s, "n"); d != m.latency-read*time.Millisecond {
				t.Errorf("after %d ms the move takes %v", read, d)
			}
			if len(shown) != 1 || shown[0] != "half of step_over" {
				t.Errorf("shown: %q", shown)
			}
		}
		synctest.Wait()
		if got := m.questions(); got != "step_over step_over step_over step_over" || m.ended != 0 {
			t.Errorf("%s, %d given up", got, m.ended)
		}
	}, progress)
}

// TestPrefetchGivesUp checks that another move cancels prefetches, without waiting for
// them.
func TestPrefetchGivesUp(t *testing.T) {
	for name, leave := range map[string]func(t *testing.T, s *command.Interpreter, m *imitation){
		"another move": func(t *testing.T, s *command.Interpreter, m *imitation) {
			if d := took(t, s, "s"); d != m.latency {
				t.Errorf("the user's own takes %v", d)
			}
			s.Interrupt()
		},
		"continue":     func(t *testing.T, s *command.Interpreter, m *imitation) { do(s, "c"); s.Interrupt() },
		"an interrupt": func(_ *testing.T, s *command.Interpreter, _ *imitation) { s.Interrupt() },
		"a kill":       func(_ *testing.T, s *command.Interpreter, _ *imitation) { s.Kill() },
		"restart":      func(_ *testing.T, s *command.Interpreter, _ *imitation) { do(s, "restart") },
		"rewind":       func(_ *testing.T, s *command.Interpreter, _ *imitation) { do(s, "rewind"); s.Interrupt() },
		"an edit":      func(_ *testing.T, s *command.Interpreter, _ *imitation) { do(s, "!total = 7"); s.Interrupt() },
		"jump":         func(_ *testing.T, s *command.Interpreter, _ *imitation) { do(s, "j 9"); s.Interrupt() },
	} {
		t.Run(name, func(t *testing.T) {
			m := &imitation{}
			bubble(t, m, both, func(t *testing.T, s *command.Interpreter) {
				do(s, "n")
				reads(300 * time.Millisecond)
				if m.underWay() != 1 {
					t.Fatalf("%d questions are asked ahead", m.underWay())
				}
				leave(t, s, m)
				synctest.Wait()
				if m.underWay() != 0 || m.ended == 0 {
					t.Errorf("%d are under way, %d were given up: %s", m.underWay(), m.ended, m.questions())
				}
			})
		})
	}
}

// TestPrefetchElsewhere checks that a jump in the history prefetches the likely moves
// there.
func TestPrefetchElsewhere(t *testing.T) {
	m := &imitation{}
	bubble(t, m, both, func(t *testing.T, s *command.Interpreter) {
		for range 3 {
			do(s, "n")
		}
		do(s, "back 2")
		reads(2 * time.Second)
		if d := took(t, s, "s"); d != 0 {
			t.Errorf("s takes %v: %s", d, m.questions())
		}
		do(s, "!total = 7")
		reads(2 * time.Second)
		if d := took(t, s, "s") + took(t, s, "rs") + took(t, s, "n"); d != 0 {
			t.Errorf("after an edit the moves take %v: %s", d, m.questions())
		}
		if got := m.questions(); strings.Count(got, "continue") != 0 {
			t.Errorf("%s", got)
		}
	})
}

// TestPrefetchInterruptsJoined checks that an interrupt ends a move that waits for a
// prefetch, and the prefetch itself.
func TestPrefetchInterruptsJoined(t *testing.T) {
	m := &imitation{}
	bubble(t, m, both, func(t *testing.T, s *command.Interpreter) {
		do(s, "n")
		reads(300 * time.Millisecond)
		time.AfterFunc(100*time.Millisecond, s.Interrupt)
		began := time.Now()
		a := do(s, "n")
		if said, _ := a.Text(session.Notice); !strings.Contains(said, "was cancelled") || time.Since(began) != 100*time.Millisecond {
			t.Errorf("after %v: %+v", time.Since(began), a)
		}
		synctest.Wait()
		if m.underWay() != 0 {
			t.Errorf("%d are under way", m.underWay())
		}
		if got := s.Spent().Prefetch; got.Lost == 0 || got.Asked != got.Used+got.Lost+got.Discarded.Answers {
			t.Errorf("not all that was asked is accounted for: %+v", got)
		}
		if d := took(t, s, "retry"); d != m.latency {
			t.Errorf("retry takes %v", d)
		}
	})
}

// TestPrefetchRetry checks that retry samples another answer, whatever was prefetched.
func TestPrefetchRetry(t *testing.T) {
	m := &imitation{}
	bubble(t, m, both, func(t *testing.T, s *command.Interpreter) {
		do(s, "n")
		reads(2 * time.Second)
		do(s, "n")
		reads(2 * time.Second)
		synctest.Wait()
		before := len(m.options)
		if d := took(t, s, "retry"); d != m.latency {
			t.Errorf("retry takes %v", d)
		}
		if o := m.options[before]; o.Temperature == nil || *o.Temperature == 0 {
			t.Errorf("it draws as before: %+v", o)
		}
		reads(2 * time.Second)
		for _, o := range m.options[before+1:] {
			if o.Temperature != nil {
				t.Errorf("what is asked ahead is drawn as a retry: %+v", o)
			}
		}
	})
}

// TestPrefetchBreakpoints checks that if a breakpoint may be hit on the way, its request
// is prefetched, because it will be made first.
func TestPrefetchBreakpoints(t *testing.T) {
	m := &imitation{}
	bubble(t, m, both, func(t *testing.T, s *command.Interpreter) {
		do(s, "b 2")
		for range 3 {
			do(s, "n") // to the call of f
		}
		s.Interrupt()
		synctest.Wait()
		before := m.questions()
		do(s, "p total")
		reads(9 * time.Second)
		if got := strings.TrimPrefix(m.questions(), before+" "); got != "breakpoint 2 step_over step_into" {
			t.Errorf("%s", got)
		}
	})
}

// TestPrefetchBeside checks that in the mode both CPython's side is shown at once, whether
// the model is requested, is already replying, or has replied.
func TestPrefetchBeside(t *testing.T) {
	m := &imitation{leads: func(*dsl.Stop, dsl.Move) *dsl.Stop {
		st := dsl.State{Event: dsl.Line, File: "prog.py", Line: 5, Source: "for i in range(3):", Function: "<module>"}
		return &dsl.Stop{State: st, Stack: []dsl.Frame{{Function: "<module>", File: "prog.py", Line: 5}}}
	}}
	dir := t.TempDir()
	path := dir + "/prog.py"
	if err := os.WriteFile(path, []byte(fakeSource), 0o600); err != nil {
		t.Fatal(err)
	}
	var landed []time.Time
	cfg := func(c *session.Config) {
		c.Options, c.Start, c.Mode = trace.Options{Script: path}, newFakeOf(t, path).start, session.Both
		c.Landed = func(v *session.View) {
			if !v.Beside.Awaited {
				t.Error("the model's answer is said to be there")
			}
			landed = append(landed, time.Now())
		}
	}
	bubble(t, m, both, func(t *testing.T, s *command.Interpreter) {
		for i, read := range []time.Duration{0, 300, 2000, 0} {
			reads(read * time.Millisecond)
			began := time.Now()
			waited := took(t, s, "s")
			if len(landed) != i+1 || landed[i] != began {
				t.Errorf("move %d: CPython's side is there at %v, begun at %v", i, landed, began)
			}
			if want := max(m.latency-read*time.Millisecond, 0); waited != want {
				t.Errorf("move %d, after %v: the model's side takes %v, not %v", i, read*time.Millisecond, waited, want)
			}
		}
		score := do(s, "score")
		if said, _ := score.Text(session.Said); !strings.Contains(said, "4 moves") {
			t.Errorf("score: %s", said)
		}
		if b := score.Beside; b == nil || b.Moves != 4 {
			t.Errorf("%+v", b)
		}
		do(s, "mode real")
		synctest.Wait()
		if m.underWay() != 0 {
			t.Error("in real mode a model is asked ahead")
		}
	}, cfg)
}

// TestPrefetchOff checks that without prefetching only the user's moves are requested.
func TestPrefetchOff(t *testing.T) {
	m := &imitation{}
	bubble(t, m, nav.Foresight{}, func(t *testing.T, s *command.Interpreter) {
		do(s, "n")
		reads(2 * time.Second)
		if got := m.questions(); got != "step_over" {
			t.Errorf("%s", got)
		}
	})
}

// TestPrefetchForwards checks that no backward moves are prefetched for a model that only
// goes forwards.
func TestPrefetchForwards(t *testing.T) {
	for _, forwards := range []bool{false, true} {
		m := &imitation{forwards: forwards}
		bubble(t, m, both, func(t *testing.T, s *command.Interpreter) {
			for _, key := range []string{"n", "n", "n", "n", "n", "rn", "rn", "rn"} {
				do(s, key)
				reads(3 * time.Second)
			}
			if got := m.questions(); strings.Contains(got, "inv_") == forwards {
				t.Errorf("one that goes forwards alone: %v; it is asked %s", forwards, got)
			}
		})
	}
}

// TestPrefetchResume checks that a resumed session makes no requests by itself.
func TestPrefetchResume(t *testing.T) {
	dir, o := t.TempDir(), trace.Options{Script: scriptOf(t, endless)}
	kept := func(c *session.Config) { c.StateDir, c.Options = dir, o }
	bubble(t, &imitation{}, both, func(_ *testing.T, s *command.Interpreter) {
		do(s, "n")
		reads(2 * time.Second)
		do(s, "n")
	}, kept)
	j, err := journal.Find(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	m := &imitation{}
	synctest.Test(t, func(t *testing.T) {
		s := unclosed(t, session.Config{Options: j.Options(o), StateDir: dir, Neural: &nav.Neural{Predictor: m, Prefetch: both}})
		if a := s.Resume(context.Background(), j); a.Err != nil || len(s.History()) != 3 {
			t.Errorf("%d states are shown, %v", len(s.History()), a.Err)
		}
		reads(2 * time.Second)
		if got := m.questions(); got != "" {
			t.Errorf("%q is asked", got)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestPrefetchAgainst checks that two models are prefetched separately.
func TestPrefetchAgainst(t *testing.T) {
	m, other := &imitation{}, &imitation{latency: 500 * time.Millisecond}
	bubble(t, m, both, func(t *testing.T, s *command.Interpreter) {
		if d := took(t, s, "n"); d < m.latency {
			t.Errorf("the first move takes %v", d)
		}
		reads(time.Second)
		if d := took(t, s, "n"); d != 0 {
			t.Errorf("one that was asked ahead takes %v", d)
		}
		synctest.Wait()
		for _, each := range []*imitation{m, other} {
			if each.underWay() > 1 || len(each.asked) < 3 {
				t.Errorf("%d questions at once: %s", each.underWay(), each.questions())
			}
		}
		if got := s.Bill(); len(got) != 6 || !strings.HasPrefix(got[0], "imitation, asked by nd/1: 2 answers") || !strings.HasPrefix(got[3], "imitation, asked by nd/1: 2 answers") {
			t.Errorf("%q", got)
		}
	}, func(c *session.Config) {
		c.Mode, c.Against = session.Both, &nav.Neural{Predictor: other, Prefetch: both}
	})
	if other.underWay() != 0 {
		t.Errorf("%d questions to the other model are under way", other.underWay())
	}
}
