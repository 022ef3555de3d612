package session_test

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/session/score"
	"github.com/npdb/npdb/trace"
)

// TestSpent checks that the cost of answers is shown by info and at the session's end, and
// is stored. Unused prefetches are counted separately.
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
		if a := s.View().Account; a == nil || a.Answers != 1 || a.Prefetched || a.Last() != m.latency || s.View().Model.Dialect != "nd/1" {
			t.Errorf("after a move: %+v", a)
		}
		do(s, "n")
		if a := s.View().Account; a.Answers != 2 || !a.Prefetched {
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
	if got := kept[0].Spent; got.Answers != 2 || got.Prefetch.Used != 1 || got.Prefetch.Discarded.Answers != 1 || len(got.Took) != 2 {
		t.Errorf("%+v", got)
	}
}

// TestInvalidIsCounted checks that invalid answers are counted with their tokens, and
// shown wherever tokens are.
func TestInvalidIsCounted(t *testing.T) {
	two := 2.0
	dir, o := t.TempDir(), trace.Options{Script: scriptOf(t, endless)}
	no := backend.Discarded{Usage: backend.Usage{Prompt: 100, Cached: 90, Completion: 20}, Invalid: true}
	outside := no
	outside.Outside = true
	m := &imitation{discarded: []backend.Discarded{outside}}
	none := nav.Foresight{}
	bubble(t, m, none, func(t *testing.T, s *command.Interpreter) {
		do(s, "n") // corrected
		m.is(func() { m.invalid, m.discarded = true, []backend.Discarded{no, no} })
		if a := do(s, "n"); a.Err == nil || a.Err.Kind != session.NoPrediction {
			t.Errorf("%+v", a.Err)
		}
		m.is(func() { m.invalid, m.discarded = false, nil })
		do(s, "retry")
		want := []string{
			"imitation, asked by nd/1: 5 answers: 500 tokens read, 90% of them from the cache, 100 written.",
			"Invalid: 3 answers were no state (1 for a line that the program does not have); of their questions 1 answered when asked once more, 1 left.",
			"Cost: 0.001200 USD.",
		}
		got := s.Bill()
		if len(got) < 3 || strings.Join(got[:3], "\n") != strings.Join(want, "\n") {
			t.Errorf("%q", got)
		}
		info := run(s, "info prog")
		for _, line := range want[1:] {
			if !strings.Contains(info, line) {
				t.Errorf("info does not say %q:\n%s", line, info)
			}
		}
		if a := s.View().Account; a.Invalid.Answers != 3 {
			t.Errorf("the screen has %+v", a)
		}
	}, func(c *session.Config) {
		c.StateDir, c.Options = dir, o
		c.Neural.Prices = score.Prices{Prompt: &two, Completion: &two, Currency: "USD"}
	})
	kept, _, err := journal.Scores(dir)
	if err != nil || len(kept) != 1 || kept[0].Spent == nil {
		t.Fatalf("%+v %v", kept, err)
	}
	if got, want := kept[0].Spent.Invalid, (score.Invalid{Answers: 3, Outside: 1, Corrected: 1, Left: 1}); got != want || kept[0].Spent.Answers != 5 {
		t.Errorf("%+v", kept[0].Spent)
	}
}

// TestInvalidPrefetch checks that a prefetch with an invalid answer counts once as unused,
// with its tokens, however often it is used.
func TestInvalidPrefetch(t *testing.T) {
	two := 2.0
	m := &imitation{latency: time.Second}
	one := nav.Foresight{Moves: 1}
	bubble(t, m, one, func(t *testing.T, s *command.Interpreter) {
		do(s, "n")
		m.is(func() {
			m.invalid, m.discarded = true, []backend.Discarded{{Usage: backend.Usage{Prompt: 100, Cached: 0, Completion: 20}, Invalid: true}}
		})
		reads(3 * time.Second)
		for range 3 {
			spent := s.Spent()
			if a := spent.Prefetch; a.Asked != 1 || a.Lost != 0 || a.Discarded.Answers != 1 || a.Discarded.Money() != "0.000240 USD" {
				t.Errorf("%+v", a)
			}
			if spent.Answers != 1 || spent.Invalid.Answers != 0 {
				t.Errorf("the user has asked for %+v", spent)
			}
		}
	}, func(c *session.Config) {
		c.Neural.Prices = score.Prices{Prompt: &two, Completion: &two, Currency: "USD"}
	})
}

// TestSpentOnFilledValues checks that values that a model fills in for --entry are paid
// for, but not those of a journal.
func TestSpentOnFilledValues(t *testing.T) {
	reply := backend.Usage{Prompt: 50, Cached: 0, Completion: 4}
	open := func(m *scripted, filled journal.Filled) []string {
		s := neuralIn(t, m, trace.Options{Script: scriptOf(t, neuralSource), Entry: "f(_)"}, "", filled)
		s.First(t.Context())
		return s.Bill()
	}
	for name, c := range map[string]struct {
		m      *scripted
		filled journal.Filled
		want   string
	}{
		"values":            {&scripted{filled: []string{"2"}, filling: []backend.Usage{reply, reply}}, journal.Filled{}, "2 answers: 100 tokens read, 0% of them from the cache, 8 written."},
		"after another try": {&scripted{filled: []string{"2"}, filling: []backend.Usage{reply}, discarded: []backend.Discarded{{Usage: reply, Invalid: true}}}, journal.Filled{}, "2 answers: 100 tokens read, 0% of them from the cache, 8 written. Invalid: 1 answer was no state; of their questions 1 answered when asked once more, 0 left."},
		"from a journal":    {&scripted{}, journal.Filled{Values: []string{"2"}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := strings.TrimPrefix(strings.Join(open(c.m, c.filled), " "), "scripted: ")
			if got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// TestSpentOnValuesAskedForAgain checks the same for values that are requested again after
// the program was changed, also if that fails.
func TestSpentOnValuesAskedForAgain(t *testing.T) {
	reply := backend.Usage{Prompt: 50, Cached: 0, Completion: 4}
	m := &scripted{filled: []string{"2"}, filling: []backend.Usage{reply}}
	script := scriptOf(t, neuralSource)
	s := neuralIn(t, m, trace.Options{Script: script, Entry: "f(_)"}, "", journal.Filled{})
	s.First(t.Context())
	if err := os.WriteFile(script, []byte(strings.Replace(neuralSource, "def f(x)", "def f(x, z)", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	s.SetEntry("f(_, _)")
	m.refuses, m.discarded = true, []backend.Discarded{{Usage: reply}, {Usage: reply}}
	if a := do(s, "restart"); a.Err == nil {
		t.Errorf("it begins at %+v", a.State)
	}
	if got := s.Bill()[0]; !strings.Contains(got, "3 answers: 150 tokens read") {
		t.Errorf("%q", got)
	}
}

// deaf is a model that replies although the request was cancelled.
type deaf struct{ *imitation }

func (m deaf) Predict(ctx context.Context, q backend.Question, show func(backend.Update)) (*backend.Prediction, error) {
	return m.imitation.Predict(context.WithoutCancel(ctx), q, show)
}

// TestSpentOnWhatWasGivenUp checks that a partial reply to a cancelled request counts its
// tokens, and so does a reply that came too late.
func TestSpentOnWhatWasGivenUp(t *testing.T) {
	broken := backend.Discarded{Usage: backend.Usage{Prompt: 100, Cached: 90, Completion: 5}}
	for name, c := range map[string]struct {
		model     func(*imitation) backend.Predictor
		discarded []backend.Discarded
		want      string // "" for nothing
	}{
		"nothing had come":      {func(m *imitation) backend.Predictor { return m }, nil, ""},
		"a reply had come":      {func(m *imitation) backend.Predictor { return m }, []backend.Discarded{broken}, "1 answer: 100 tokens read, 90% of them from the cache, 5 written."},
		"the answer comes late": {func(m *imitation) backend.Predictor { return deaf{m} }, nil, "1 answer: 100 tokens read, 90% of them from the cache, 20 written."},
		"as its second reply":   {func(m *imitation) backend.Predictor { return deaf{m} }, []backend.Discarded{broken}, "2 answers: 200 tokens read, 90% of them from the cache, 25 written."},
	} {
		t.Run(name, func(t *testing.T) {
			m := &imitation{discarded: c.discarded}
			bubble(t, m, nav.Foresight{}, func(t *testing.T, s *command.Interpreter) {
				time.AfterFunc(m.latency/4, s.Interrupt)
				if a := do(s, "n"); a.State.Line != 1 {
					t.Fatalf("it is at %+v", a.State)
				}
				got := strings.TrimPrefix(strings.Join(s.Bill(), "\n"), "imitation, asked by nd/1: ")
				if got != c.want {
					t.Errorf("%q, want %q", got, c.want)
				}
			}, func(cfg *session.Config) { cfg.Neural.Predictor = c.model(m) })
		})
	}
}

// fullOnce is a model whose window is full at one request: its reply is cut off.
type fullOnce struct {
	*imitation
	at, n int
}

func (m *fullOnce) Predict(ctx context.Context, q backend.Question, show func(backend.Update)) (*backend.Prediction, error) {
	if m.n++; m.n == m.at {
		cut := backend.Discarded{Usage: backend.Usage{Prompt: 100, Cached: 90, Completion: 20}}
		return nil, &backend.Error{Kind: backend.TooLong, Message: "no room", Raw: "half", Discarded: []backend.Discarded{cut}}
	}
	return m.imitation.Predict(ctx, q, show)
}

// TestSpentOnFullWindow checks that a reply that the window cut off before compaction
// counts its tokens, but not as an invalid answer.
func TestSpentOnFullWindow(t *testing.T) {
	m := &imitation{}
	none := nav.Foresight{}
	bubble(t, m, none, func(t *testing.T, s *command.Interpreter) {
		for range 6 {
			do(s, "n")
		}
		if spent := s.Spent(); spent.Answers != 7 || spent.Invalid != (score.Invalid{}) || len(spent.Took) != 6 {
			t.Errorf("%+v", spent)
		}
	}, func(c *session.Config) { c.Neural.Predictor = &fullOnce{imitation: m, at: 5} })
}

// TestSpentOfTwo checks that the figures of both models are shown and stored.
func TestSpentOfTwo(t *testing.T) {
	s := against(t, &scripted{replies: []string{saysLoop, saysOne}}, &scripted{replies: []string{saysLoop, saysCall}})
	s.First(t.Context())
	do(s, "s")
	for range 2 {
		if err := s.KeepScore(); err != nil {
			t.Fatal(err)
		}
	}
	kept, _, err := journal.Scores(s.Configured().StateDir)
	if err != nil || len(kept) != 1 {
		t.Fatalf("%+v %v", kept, err)
	}
	for of, spent := range map[string]*score.Spent{"the model": kept[0].Spent, "the other one": kept[0].SpentAgainst} {
		if spent == nil || spent.Answers != 1 || spent.Prompt.Told != 100 {
			t.Errorf("%s: %+v", of, spent)
		}
	}
	if info := run(s, "info prog"); strings.Count(info, "1 answer: 100 tokens read") != 2 {
		t.Errorf("info says\n%s", info)
	}
}
