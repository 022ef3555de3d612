package session_test

import (
	"strings"
	"testing"
	"time"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/session/score"
	"github.com/npdb/npdb/trace"
)

// What answers took is told by info, at the session's end and in what is kept of it; what was
// asked ahead in vain is counted apart.
func TestSpent(t *testing.T) {
	two, half := 2.0, 0.5
	dir, o := t.TempDir(), trace.Options{Script: scriptOf(t, endless)}
	m := &imitation{}
	bubble(t, m, both, func(t *testing.T, s *command.Interpreter) {
		if got := s.Bill(); got != nil {
			t.Errorf("before anything was asked: %q", got)
		}
		do(s, "n")
		reads(2 * time.Second)
		if a := s.View().Account; a == nil || a.Answers != 1 || a.WasAhead || a.Last() != m.latency || s.View().Model.Dialect != "nd/1" {
			t.Errorf("after a move: %+v", a)
		}
		do(s, "n")
		if a := s.View().Account; a.Answers != 2 || !a.WasAhead {
			t.Errorf("after one that was asked ahead: %+v", a)
		}
		s.Interrupt()
		do(s, "rn")
		reads(time.Second / 2)
		want := []string{
			"imitation, asked by nd/1: 2 answers: 200 tokens read, 90% of them from the cache, 40 written.",
			"Cost: 0.000210 USD.",
			"Latency: 0.8 s in the median, 0.8 s the last.",
		}
		got := s.Bill()
		if len(got) != 4 || strings.Join(got[:3], "\n") != strings.Join(want, "\n") {
			t.Errorf("%q", got)
		}
		if !strings.Contains(got[3], "1 used. In vain so far: 1 answer, 100 tokens read") || !strings.Contains(got[3], "1 given up or failed") {
			t.Errorf("%q", got[3])
		}
		info := run(s, "info prog")
		for _, line := range append([]string{"imitation at http://127.0.0.1:8000/v1, asked by nd/1"}, want[1:]...) {
			if !strings.Contains(info, line) {
				t.Errorf("info does not say %q:\n%s", line, info)
			}
		}
		if got := s.Summary(); got != nil {
			t.Errorf("nothing was compared: %q", got)
		}
	}, func(c *session.Config) {
		c.StateDir, c.Options = dir, o
		c.Neural.Prices = score.Prices{Prompt: &two, Cached: &half, Completion: &two, Currency: "USD"}
	})
	kept, _, err := journal.Scores(dir)
	if err != nil || len(kept) != 1 || kept[0].Spent == nil || kept[0].Score.Moves() != 0 {
		t.Fatalf("%+v %v", kept, err)
	}
	if got := kept[0].Spent; got.Answers != 2 || got.Ahead.Used != 1 || got.Ahead.Vain.Answers != 1 || len(got.Took) != 2 {
		t.Errorf("%+v", got)
	}
}
