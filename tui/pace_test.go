package tui

import (
	"context"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/trace"
)

// slow is a recording whose moves wait until they may land.
type slow struct {
	session.Recording
	began func()
	lands chan struct{}
}

func (r *slow) Move(ctx context.Context, from trace.Position, a dsl.Action, stops ...trace.Stop) (trace.Landing, error) {
	r.began()
	<-r.lands
	return r.Recording.Move(ctx, from, a, stops...)
}

// TestPaceShows: while a move runs, the last row says how far it has come and what
// stops it, at every size; what it was advised is read once; and all is gone with the
// next stop.
func TestPaceShows(t *testing.T) {
	r := &slow{lands: make(chan struct{})}
	config := shop(t)
	start := config.Start
	config.Start = func(ctx context.Context, o trace.Options) (session.Recording, trace.Landing, error) {
		var l trace.Landing
		var err error
		r.Recording, l, err = start(ctx, o)
		return r, l, err
	}
	d := drive(t, 80, 24, config)
	before := d.text()
	began := false
	r.began = func() {
		began = true
		d.inbox <- nil
	}
	d.tell(key("n"))
	d.until(func() bool { return began })
	pace := session.Pace{Events: 1234567, Function: "price", File: "shop.py", Line: 13, Rate: 400000}
	d.tell(paceMsg{&pace})
	footer := func() string {
		rows := strings.Split(strings.TrimRight(d.text(), "\n"), "\n")
		return strings.TrimRight(rows[len(rows)-1], " ")
	}
	for _, c := range []struct {
		width int
		want  string
	}{
		{120, " 1,234,567 events · 400,000 a second · price shop.py:13 · Esc stops"},
		{80, " 1,234,567 events · 400,000 a second · price shop.py:13 · Esc stops"},
		{60, " 1,234,567 events · price shop.py:13 · Esc stops"},
	} {
		d.resize(c.width, 24)
		if got := footer(); got != c.want {
			t.Errorf("at %d columns %q, want %q", c.width, got, c.want)
		}
	}
	d.resize(80, 24)
	advised := pace
	advised.Advice = "There is another way."
	d.tell(paceMsg{&advised})
	d.tell(paceMsg{&pace})
	if got := d.text(); strings.Count(got, advised.Advice) != 1 || !strings.HasSuffix(footer(), "Esc stops") {
		t.Errorf("the advice does not stand above the pace:\n%s", got)
	}
	d.tell(key("esc")) // which says that it is being stopped
	if got := footer(); strings.Contains(got, "events") {
		t.Errorf("%q", got)
	}
	close(r.lands)
	d.settle()
	if got := d.text(); strings.Contains(got, "1,234,567") || got == before {
		t.Errorf("the pace stays:\n%s", got)
	}
}
