package session_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/frontend"
	"github.com/npdb/npdb/trace"
)

// writer is a fake whose moves write while they run, and end when the output so far was
// shown.
type writer struct {
	*fake
	ticks chan time.Time
	shown chan string
	seen  []string
}

func (w *writer) Move(ctx context.Context, from trace.Position, a dsl.Action, stops ...trace.Stop) (trace.Landing, error) {
	if a.Move == dsl.Continue {
		for _, text := range []string{"tick ", "tock\n"} {
			w.output = append(w.output, trace.Output{Event: from.Event, Stream: "stdout", Text: text})
			w.ticks <- time.Time{}
			w.seen = append(w.seen, <-w.shown)
		}
	}
	return w.fake.Move(ctx, from, a, stops...)
}

// TestOutputIsShownWhileTheProgramRuns checks that output shown meanwhile is not in the
// move's answer, and that the answer continues on the same line.
func TestOutputIsShownWhileTheProgramRuns(t *testing.T) {
	w := &writer{fake: newFake(t), ticks: make(chan time.Time), shown: make(chan string)}
	var out strings.Builder
	shown := frontend.NewPlain(&out, false)
	s := open(t, w.fake, func(c *session.Config) {
		c.Start = func(ctx context.Context, o trace.Options) (session.Recording, trace.Landing, error) {
			_, l, err := w.start(ctx, o)
			return w, l, err
		}
		c.Ticks = w.ticks
		c.Stream = func(a *session.Answer) {
			if err := shown.Show(a); err != nil {
				t.Error(err)
			}
			text, _ := a.Text(session.Wrote)
			w.shown <- text
		}
	})
	s.First(context.Background())
	s.Line(context.Background(), "c", func(a *session.Answer) {
		if err := shown.Show(a); err != nil {
			t.Error(err)
		}
	})
	if got := strings.Join(w.seen, "|"); got != "tick |tock\n" {
		t.Errorf("%q was shown while the program ran", got)
	}
	want := "tick tock\n2\nThe program finished. Exit code: 0\n"
	if got := out.String(); !strings.HasPrefix(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
