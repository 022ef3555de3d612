package tui

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/trace"
)

// slow is a recording whose moves wait until the test lets them land.
type slow struct {
	session.Recording
	began func()
	lands chan struct{}
	deaf  bool // it ignores interrupts
	still bool // the next move is interrupted at its first event
}

func (r *slow) Interrupt() {
	if !r.deaf {
		r.Recording.Interrupt()
	}
}

func (r *slow) Advance(ctx context.Context, stops []trace.Stop, until *int) (trace.Landing, error) {
	if r.deaf {
		r.began()
		<-r.lands
		ctx = context.WithoutCancel(ctx)
	}
	return r.Recording.Advance(ctx, stops, until)
}

func (r *slow) Move(ctx context.Context, from trace.Position, a dsl.Action, stops ...trace.Stop) (trace.Landing, error) {
	r.began()
	<-r.lands
	if r.still {
		r.still = false
		return trace.Landing{Position: from, Reason: trace.Interrupted}, nil
	}
	return r.Recording.Move(ctx, from, a, stops...)
}

// slowly returns a session whose moves wait.
func slowly(config session.Config) (session.Config, *slow) {
	r := &slow{lands: make(chan struct{}), began: func() {}}
	start := config.Start
	config.Start = func(ctx context.Context, o trace.Options) (session.Recording, trace.Landing, error) {
		var l trace.Landing
		var err error
		r.Recording, l, err = start(ctx, o)
		return r, l, err
	}
	return config, r
}

// begin presses the key of a move, and returns when the move waits.
func (r *slow) begin(d *driver, name string) {
	began := false
	r.began = func() {
		began = true
		d.inbox <- nil
	}
	d.tell(key(name))
	d.until(func() bool { return began })
	r.began = func() {}
}

// TestPaceShows checks the last row while a move runs. It shows the progress and the key
// that stops the move, at every size. A piece of advice is shown once. All of it is gone
// at the next stop.
func TestPaceShows(t *testing.T) {
	config, r := slowly(shop(t))
	d := drive(t, 80, 24, config)
	before := d.text()
	r.begin(d, "n")
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
	d.tell(key("esc")) // the row now says that the move is being stopped
	if got := footer(); strings.Contains(got, "events") {
		t.Errorf("%q", got)
	}
	close(r.lands)
	d.settle()
	if got := d.text(); strings.Contains(got, "1,234,567") || got == before {
		t.Errorf("the pace stays:\n%s", got)
	}
}

// TestHurry checks that the key of fast-continue stops a running continue, and that the
// program then continues unrecorded.
func TestHurry(t *testing.T) {
	config, r := slowly(shop(t))
	d := drive(t, 80, 24, config)
	r.still, r.deaf = true, true
	r.begin(d, "c")
	d.tell(key(">"))
	if got := d.text(); !strings.Contains(got, "Stopping, to go on unrecorded.") {
		t.Errorf("it does not say what it does:\n%s", got)
	}
	close(r.lands)
	d.settle()
	if v := d.m.screen.View; v.State != nil || r.Tree().Len() != 1 {
		t.Errorf("it recorded %d events, and is not at the end:\n%s", r.Tree().Len(), d.text())
	}
}

// TestHurryTooLate checks that the program stays at a breakpoint that it meets before the
// continue can be stopped.
func TestHurryTooLate(t *testing.T) {
	config, r := slowly(shop(t))
	d := drive(t, 80, 24, config)
	d.command("b 22")
	r.deaf = true
	r.begin(d, "c")
	d.tell(key(">"))
	close(r.lands)
	d.settle()
	if now := d.m.screen.View.State; now == nil || now.Line != 22 || d.m.screen.Running != nil {
		t.Errorf("it went on to %+v:\n%s", now, d.text())
	}
}

// TestRunningProgramScene checks the screen while the program runs. The first row shows
// where it is and how much was recorded, the timeline grows, and the last row shows its
// speed and the key that stops it.
func TestRunningProgramScene(t *testing.T) {
	config, r := slowly(shop(t))
	d := drive(t, 120, 36, config)
	go func() { r.lands <- struct{}{} }()
	d.press("n")
	r.begin(d, "n")
	d.tell(paceMsg{&session.Pace{Events: 34, Function: "restock", File: "shop.py", Line: 21, Rate: 40}})
	d.now = d.now.Add(2400 * time.Millisecond)
	d.everySize(t)
	d.m.screen.Running.Pace = nil
	d.shows("Esc stop the program, again to end it")
	close(r.lands)
	d.settle()
}

// TestStaleIsDimmed checks that, while a model answers, the state before is dimmed, and
// that the arriving answer replaces it.
func TestStaleIsDimmed(t *testing.T) {
	p := &scripted{replies: []string{atCall, inF, atY, atReturn}}
	d := drive(t, 80, 24, predicted(t, "double.py", p))
	d.press("s", "s", "s")
	look := func(text string, role themes.Role) {
		t.Helper()
		y := d.rowOf(text)
		before, _, _ := strings.Cut(strings.Split(d.text(), "\n")[y], text)
		got, want := d.cells().CellAt(d.m.screen.Measure.Width(before)+len(text)-1, y).Style, d.m.screen.Style(role)
		if !sameColor(got.Fg, want.Fg) {
			t.Errorf("%q has not the look of %v: %v", text, role, got)
		}
	}
	look("x  2", themes.Predicted)
	p.shut(d)
	d.tell(key("s"))
	d.asks(p, 4)
	look("x  2", themes.Predicted) // the move may be over soon
	d.now = d.now.Add(time.Second)
	look("x  2", themes.Dim)
	look("f           double.py:2", themes.Dim)
	d.shows("predicting")
	d.shows("Esc cancel the question")
	close(p.gate)
	d.settle()
	look("y  3", themes.Changed)
}
