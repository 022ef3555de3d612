package session_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/trace"
)

// TestThreadCommand checks that thread NAME runs the program again with that thread, and what it says
// and refuses otherwise.
func TestThreadCommand(t *testing.T) {
	f := newFake(t)
	var asked []string
	s := open(t, f, func(c *session.Config) {
		c.Start = func(ctx context.Context, o trace.Options) (session.Recording, trace.Landing, error) {
			asked = append(asked, o.Thread)
			return f.start(ctx, o)
		}
	})
	s.First(t.Context())
	const again = "Restarting PROG with arguments:\n\t\n> PROG(1)<module>()\n-> def f(x):"
	answers(t, s, "thread", "The recorded thread is MainThread.")
	*f = *newFake(t)
	answers(t, s,
		"thread Worker-*", again,
		"thread", "The recorded thread is Worker-*.",
		"record off", "*** record off: a thread other than the main one is always recorded",
	)
	*f = *newFake(t)
	answers(t, s, "thread main", again, "thread", "The recorded thread is MainThread.", "record off", "Recording is off: next, return, until, continue and advance watch breakpoints and where they land, and record nothing else")
	if len(asked) != 3 || asked[1] != "Worker-*" || asked[0] != "" || asked[2] != "" {
		t.Errorf("%q", asked)
	}
}

// TestThreadRefused checks where thread NAME is refused.
func TestThreadRefused(t *testing.T) {
	s := open(t, newFake(t), func(c *session.Config) { c.File = "x.npdb" })
	s.First(t.Context())
	answers(t, s, "thread w", "*** thread: this session shows a recording, which holds one thread, and runs nothing")
	s = open(t, newFake(t), func(c *session.Config) { c.Options.From = "prog.py:2" })
	s.First(t.Context())
	answers(t, s, "thread w", "*** thread: --from names a place in the main thread; start npdb without it to record another thread")
}

// announcer is a fake whose moves announce something while they run, and end when that was shown.
type announcer struct {
	*fake
	ticks chan time.Time
	shown chan string
	seen  string

	mu   sync.Mutex
	news []string
}

func (r *announcer) Announced() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.news) == 0 {
		return ""
	}
	said := r.news[0]
	r.news = r.news[1:]
	return said
}

func (r *announcer) Move(ctx context.Context, from trace.Position, a dsl.Action, stops ...trace.Stop) (trace.Landing, error) {
	r.ticks <- time.Time{} // nothing to announce yet, and no output: nothing is shown
	r.mu.Lock()
	r.news = []string{"breakpoint 1 was hit"}
	r.mu.Unlock()
	r.ticks <- time.Time{}
	r.seen = <-r.shown
	return r.fake.Move(ctx, from, a, stops...)
}

// TestAnnouncedAtOnce checks that an urgent notice is shown while the move runs, and not again in its
// answer.
func TestAnnouncedAtOnce(t *testing.T) {
	r := &announcer{fake: newFake(t), ticks: make(chan time.Time), shown: make(chan string, 1)}
	s := open(t, r.fake, func(c *session.Config) {
		c.Start = func(ctx context.Context, o trace.Options) (session.Recording, trace.Landing, error) {
			_, l, err := r.start(ctx, o)
			return r, l, err
		}
		c.Ticks = r.ticks
		c.Stream = func(a *session.Answer) {
			text, _ := a.Text(session.Notice)
			r.shown <- text
		}
	})
	s.First(t.Context())
	answers(t, s, "s", "> PROG(5)<module>()\n-> for i in range(3):")
	if r.seen != "breakpoint 1 was hit" {
		t.Errorf("%q was shown", r.seen)
	}
}
