package session_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/trace"
)

// paced is a fake that runs for as many ticks of a given clock as it has events to report.
type paced struct {
	*fake
	ticks  chan time.Time
	asked  chan trace.Progress
	every  time.Duration
	events []int // recorded at each tick
	file   string
	hole   bool // the run is unrecorded
}

func (r *paced) Progress() trace.Progress { return <-r.asked }

func (r *paced) Move(ctx context.Context, from trace.Position, a dsl.Action, stops ...trace.Stop) (trace.Landing, error) {
	now := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	if a.Move == dsl.Continue {
		for _, n := range r.events {
			now = now.Add(r.every)
			r.ticks <- now
			r.asked <- trace.Progress{Events: n, Function: "f", File: r.file, Line: 2, Unrecorded: r.hole}
		}
	}
	return r.fake.Move(ctx, from, a, stops...)
}

// pacing returns a session on a paced program; show receives its progress.
func pacing(t *testing.T, r *paced, show func(*session.Pace)) *command.Interpreter {
	r.fake, r.ticks, r.asked = newFake(t), make(chan time.Time), make(chan trace.Progress)
	if r.file == "" {
		r.file = "prog.py"
	}
	s := open(t, r.fake, func(c *session.Config) {
		c.Start = func(ctx context.Context, o trace.Options) (session.Recording, trace.Landing, error) {
			_, l, err := r.start(ctx, o)
			return r, l, err
		}
		c.Ticks = r.ticks
		c.Stream = func(*session.Answer) {}
		c.Pace = show
	})
	s.First(context.Background())
	return s
}

// TestPace checks that nothing is reported in the first half second, and that the rate is
// that of the last second or two.
func TestPace(t *testing.T) {
	var got []string
	r := &paced{every: 250 * time.Millisecond, events: []int{1, 101, 201, 301, 401, 901, 1401, 1901, 2401, 2901}}
	s := pacing(t, r, func(p *session.Pace) {
		got = append(got, fmt.Sprintf("%d %.0f %s %s:%d%s", p.Events, p.Rate, p.Function, p.File, p.Line, p.Advice))
	})
	want := []string{
		"201 400 f prog.py:2", "301 400 f prog.py:2", "401 400 f prog.py:2", "901 720 f prog.py:2", "1401 933 f prog.py:2",
		"1901 1086 f prog.py:2", "2401 2000 f prog.py:2", "2901 2000 f prog.py:2",
	}
	if run(s, "c"); !slices.Equal(got, want) {
		t.Errorf("told\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	got = nil // the next command starts over
	run(s, "rewind")
	r.every, r.events = 100*time.Millisecond, []int{3000, 3001, 3002, 3003, 3004, 3005}
	if run(s, "c"); len(got) != 1 || got[0] != "3005 10 f prog.py:2" {
		t.Errorf("told of the next command: %q", got)
	}
}

// TestPaceAdvises checks that npdb suggests other options once, after ten seconds.
func TestPaceAdvises(t *testing.T) {
	var got []string
	r := &paced{every: 3 * time.Second, events: []int{1, 2, 3, 4, 5, 6, 7, 8}}
	s := pacing(t, r, func(p *session.Pace) { got = append(got, p.Advice) })
	r.hole = true
	run(s, "c", "rewind")
	if told := strings.Join(got, ""); told != "" {
		t.Errorf("what runs unrecorded is advised to: %q", told)
	}
	r.hole, got = false, nil
	run(s, "c", "rewind", "c")
	first := slices.IndexFunc(got, func(a string) bool { return a != "" })
	if first != 3 || !strings.HasPrefix(got[first], "Recording takes long: 5 events in 12 seconds. To hurry, stop it, and fc (fast-continue) goes") || !strings.Contains(got[first], "--from LOCATION") {
		t.Errorf("at 3, 6, 9 and 12 seconds, and so on, it said %q", got)
	}
	if n := len(slices.DeleteFunc(got, func(a string) bool { return a == "" })); n != 1 {
		t.Errorf("it was said %d times", n)
	}
}

// TestPaceAdviceWords checks that the advice has the reason, and on the screen the key.
func TestPaceAdviceWords(t *testing.T) {
	s := alone(t, &scripted{}, session.Real)
	s.SetKey(func(c string) string { return "<" + c + ">" })
	const want = "Recording takes long: 4,000,000 events in 10 seconds, up to 50 times as long as plain Python. To hurry, <fc> (fast-continue) goes on to the next breakpoint unrecorded; npdb --from LOCATION begins to record there."
	if got := s.AdviceFor(&session.Pace{Events: 4e6, Rate: 4e5}, 10*time.Second); got != want {
		t.Errorf("%q", got)
	}
}

// TestPaceDoesNotAdviseInBothModes checks that the mode both, which refuses these options,
// suggests none.
func TestPaceDoesNotAdviseInBothModes(t *testing.T) {
	if said := alone(t, &scripted{}, session.Both).Advice(); said != "" {
		t.Errorf("it said %q", said)
	}
}

func TestPaceWords(t *testing.T) {
	p := &session.Pace{Events: 1234567, Function: "is_prime", File: "math\x1b.py", Line: 12, Rate: 410000.7}
	for _, c := range []struct {
		columns int
		want    string
	}{
		{80, `1,234,567 events · 410,000 a second · is_prime math\x1b.py:12 · Ctrl-C stops`},
		{76, `1,234,567 events · 410,000 a second · is_prime math\x1b.py:12 · Ctrl-C stops`},
		{75, `1,234,567 events · is_prime math\x1b.py:12 · Ctrl-C stops`},
		{56, `1,234,567 events · math\x1b.py:12 · Ctrl-C stops`},
		{47, "1,234,567 events · Ctrl-C stops"},
		{20, "1,234,567 events"},
		{3, "1,234,567 events"},
	} {
		if got := p.Words(c.columns, utf8.RuneCountInString, "Ctrl-C stops"); got != c.want {
			t.Errorf("in %d columns %q, want %q", c.columns, got, c.want)
		}
	}
	p.Unrecorded = true
	if got := p.Words(80, utf8.RuneCountInString, "Ctrl-C stops"); got != "runs unrecorded · Ctrl-C stops" {
		t.Errorf("where nothing is recorded: %q", got)
	}
	if got := (&session.Pace{Events: 1, Rate: 0.2}).Words(80, utf8.RuneCountInString, ""); got != "1 event" {
		t.Errorf("%q", got)
	}
}
