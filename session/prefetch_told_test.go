package session_test

import (
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/session/score"
)

// TestPrefetchIsToldWhenUsed checks that a prefetched reply appears nowhere before the
// user's move uses it, and everywhere afterwards.
func TestPrefetchIsToldWhenUsed(t *testing.T) {
	m := &imitation{}
	dir := t.TempDir()
	bubble(t, m, both, func(t *testing.T, s *command.Interpreter) {
		replies := func() int {
			text, err := os.ReadFile(latest(t, dir))
			if err != nil {
				t.Fatal(err)
			}
			return strings.Count(string(text), "line_sep")
		}
		do(s, "n")
		reads(2 * time.Second)
		if got := run(s, "info prog"); !strings.Contains(got, "Asked: 1 prediction,") || replies() != 1 || len(s.History()) != 2 {
			t.Errorf("%d replies in the journal\n%s", replies(), got)
		}
		do(s, "n")
		if got := run(s, "info prog"); !strings.Contains(got, "Asked: 2 predictions,") || replies() != 2 || len(s.History()) != 3 {
			t.Errorf("%d replies in the journal\n%s", replies(), got)
		}
	}, func(c *session.Config) { c.StateDir = dir })
}

// TestPrefetchHoldsBack checks that prefetching pauses after a failure until the model has
// answered the user.
func TestPrefetchHoldsBack(t *testing.T) {
	m := &imitation{}
	bubble(t, m, both, func(t *testing.T, s *command.Interpreter) {
		do(s, "n")
		m.is(func() { m.failing = true })
		reads(2 * time.Second)
		do(s, "p total")
		reads(2 * time.Second)
		if got := m.questions(); got != "step_over step_over" {
			t.Errorf("a model that fails is asked %s", got)
		}
		if a := do(s, "n"); a.Err == nil {
			t.Error("the user is not told that the model fails")
		}
		m.is(func() { m.failing = false })
		do(s, "n")
		reads(2 * time.Second)
		if d := took(t, s, "n"); d != 0 {
			t.Errorf("once it answers again, n takes %v", d)
		}
	})
}

// TestPrefetchDeclined checks that a move that the model answers with unknown is
// prefetched once.
func TestPrefetchDeclined(t *testing.T) {
	m := &imitation{}
	bubble(t, m, both, func(t *testing.T, s *command.Interpreter) {
		do(s, "n")
		m.is(func() { m.declines = true })
		reads(2 * time.Second)
		before := m.questions()
		if a := do(s, "n"); a.Err == nil || a.Err.Kind != session.NoPrediction {
			t.Errorf("%+v", a)
		}
		reads(2 * time.Second)
		if got := m.questions(); got != before {
			t.Errorf("%s, before %s", got, before)
		}
	})
}

// TestPrefetchBound checks that the limit counts tokens that no move has used, reported by
// the server or not.
func TestPrefetchBound(t *testing.T) {
	for _, untold := range []bool{false, true} {
		m := &imitation{untold: untold}
		bubble(t, m, nav.Foresight{Moves: 2, Tokens: 300}, func(t *testing.T, s *command.Interpreter) {
			for range 12 {
				do(s, "n")
				reads(2 * time.Second)
			}
			got := s.Spent().Prefetch
			n := got.Discarded.Answers
			if n < 2 || n > 3 || got.Asked != got.Used+n || got.Asked >= 20 {
				t.Errorf("%+v", got)
			}
			want := score.Bill{Answers: n, Prompt: score.Tokens{Told: 100 * n}, Cached: score.Tokens{Told: 90 * n}, Completion: score.Tokens{Told: 20 * n}}
			if untold {
				none := score.Tokens{Untold: n}
				want = score.Bill{Answers: n, Prompt: none, Cached: none, Completion: none}
			}
			if !reflect.DeepEqual(got.Discarded, want) {
				t.Errorf("in vain: %+v, not %+v", got.Discarded, want)
			}
		})
	}
}

// TestPrefetchWarnings checks that a server's warning is shown once, with the user's next
// answer.
func TestPrefetchWarnings(t *testing.T) {
	m := &imitation{}
	bubble(t, m, both, func(t *testing.T, s *command.Interpreter) {
		do(s, "n")
		m.is(func() { m.warning = "the window is nearly full" })
		reads(2 * time.Second)
		m.is(func() { m.warning = "" })
		if said, _ := do(s, "p total").Text(session.Notice); said != "" {
			t.Errorf("before it is used: %q", said)
		}
		if said, _ := do(s, "n").Text(session.Notice); strings.Count(said, "the window is nearly full") == 0 {
			t.Errorf("with the next answer: %q", said)
		}
		reads(2 * time.Second)
		if said, _ := do(s, "n").Text(session.Notice); said != "" {
			t.Errorf("it is said again: %q", said)
		}
	})
}
