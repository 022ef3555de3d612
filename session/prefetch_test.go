package session_test

import (
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/session/score"
)

// reads waits like a user who reads between two keys; the fake clock runs meanwhile.
func reads(d time.Duration) { <-time.After(d) }

// person draws keys like a user who debugs.
type person struct {
	rng    *rand.Rand
	enters float64 // how often they step into a call
	into   float64 // how often they use s where n would do
	back   float64 // how often they step back, usually by the inverse of the last move
	last   string
}

func (p *person) key(line int, inF bool) string {
	calls := !inF && (line == 8 || line == 10)
	if p.rng.Float64() < p.back {
		if p.rng.Float64() < 0.2 {
			return []string{"rn", "rs"}[p.rng.IntN(2)]
		}
		return "r" + p.last
	}
	p.last = "n"
	if calls && p.rng.Float64() < p.enters || !calls && p.rng.Float64() < p.into {
		p.last = "s"
	}
	return p.last
}

// there returns the share of a person's moves whose answers are available when the key is
// pressed.
func there(t *testing.T, p person, f nav.Foresight) (share float64, m *imitation, spent score.Prefetch) {
	t.Helper()
	const steps = 200
	m = &imitation{latency: 800 * time.Millisecond}
	synctest.Test(t, func(t *testing.T) {
		p.rng = rand.New(rand.NewPCG(1, 2))
		s := foreseeing(t, m, f)
		at := do(s, "n").State
		p.last = "n"
		prompt := 0
		for range steps {
			reads(time.Second)
			began := time.Now()
			a := do(s, p.key(at.Line, at.Depth > 0))
			if a.Err != nil {
				t.Fatal(a.Err)
			}
			if time.Since(began) == 0 {
				prompt++
			}
			at = a.State
		}
		share, spent = float64(prompt)/steps, s.Spent().Prefetch
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if m.underWay() != 0 {
			t.Errorf("%d questions are under way in a session that is closed", m.underWay())
		}
	})
	return share, m, spent
}

// TestPrefetchIsThere walks like a user, one step a second, with a model that takes 0.8 s.
func TestPrefetchIsThere(t *testing.T) {
	looks, tosses := person{enters: 0.8, into: 0.03, back: 0.08}, person{enters: 0.5, into: 0.5, back: 0.08}
	for _, c := range []struct {
		name  string
		who   person
		how   nav.Foresight
		least float64
	}{
		{"who looks into calls, one at a time", looks, nav.Foresight{Moves: 2}, 0.9},
		{"who looks into calls, two at once", looks, nav.Foresight{Moves: 2, AtOnce: 2}, 0.95},
		{"who tosses a coin, one at a time", tosses, nav.Foresight{Moves: 2}, 0.4},
		{"who tosses a coin, two at once", tosses, nav.Foresight{Moves: 2, AtOnce: 2}, 0.95},
	} {
		share, m, spent := there(t, c.who, c.how)
		t.Logf("%s: %.1f%% of 200 steps are there; of %d moves asked ahead %d were used", c.name, 100*share, spent.Asked, spent.Used)
		if share < c.least {
			t.Errorf("%s: %.1f%% are there, %.0f%% are wanted", c.name, 100*share, 100*c.least)
		}
		if m.most > max(c.how.AtOnce, 1)+1 { // the user's own request never waits
			t.Errorf("%s: %d questions at once", c.name, m.most)
		}
	}
	if share, _, _ := there(t, looks, nav.Foresight{}); share > 0.2 {
		t.Errorf("without asking ahead %.1f%% are there: the test measures something else", 100*share)
	}
}
