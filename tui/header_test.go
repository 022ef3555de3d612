package tui

import (
	"strings"
	"testing"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/session/score"
)

// header returns the first row.
func (d *driver) header() string {
	row, _, _ := strings.Cut(d.text(), "\n")
	return row
}

// TestHeaderSheds checks that the first row drops the least important parts if it has no
// room.
func TestHeaderSheds(t *testing.T) {
	long := func(c *Config) { c.Program = "a_rather_long_program.py" }
	d := drive(t, 80, 24, shop(t), long)
	inPrice(d)
	for _, c := range []struct {
		width int
		want  string
	}{
		{120, " npdb  a_rather_long_program.py · real CPython                                         price:13   35 of 35 live   idle "},
		{80, " npdb  a_rather_long_program.py · real CPython        price:13   35 of 35 live  "},
		{60, " npdb  a_rather_lon… · real CPython price:13  35 of 35 live "},
		{40, " npdb  real CPython   price:13  35 live "},
	} {
		d.resize(c.width, 24)
		if got := d.header(); strings.TrimRight(got, " ") != strings.TrimRight(c.want, " ") {
			t.Errorf("at %d columns\n%q, not\n%q", c.width, got, c.want)
		}
	}
}

// TestHeaderKeepsTheOrigin checks that the header always says how a predicted state came
// about, whatever is running.
func TestHeaderKeepsTheOrigin(t *testing.T) {
	d, p := prefetch(t)
	d.tell(key("s"))
	d.asks(p, 3)
	d.now = d.now.Add(time.Second)
	d.tell(key("n"))
	for _, width := range []int{100, 80, 60, 50, 40} {
		d.resize(width, 24)
		if got := d.header(); !strings.Contains(got, "predicted 0.93") || !strings.Contains(got, "f:1 ") {
			t.Errorf("at %d columns: %q", width, got)
		}
	}
	p.open()
	d.settle()
}

// TestHeaderBesideKeepsTheWay checks that the header says "free" or "guided" at every size
// that npdb is made for.
func TestHeaderBesideKeepsTheWay(t *testing.T) {
	d := drive(t, 80, 24, twoSides(t, &scripted{replies: []string{saysMissing}}))
	for _, width := range []int{120, 80, 60} {
		d.resize(width, 24)
		if got := d.header(); !strings.Contains(got, ", free") || !strings.Contains(got, "<module>:1") {
			t.Errorf("at %d columns: %q", width, got)
		}
	}
}

// TestHeaderSaysWhatReads checks the header while the program waits for input. The
// location is that of the stop before, and the header also names the line that reads, if
// there is room.
func TestHeaderSaysWhatReads(t *testing.T) {
	d := drive(t, 120, 36, cpython(t, "reads.py"))
	d.tell(key("c"))
	d.until(func() bool { return d.m.screen.Running != nil && d.m.screen.Running.Waits })
	for _, c := range []struct {
		width int
		want  string
	}{
		{120, "   <module>:1   0 of 0 live   <module>:3 waits for input 0.0s "},
		{80, " waits for input 0.0s "},
		{60, " input 0.0s "},
	} {
		d.resize(c.width, 36)
		if got := d.header(); !strings.Contains(got, c.want) {
			t.Errorf("at %d columns: %q", c.width, got)
		}
	}
	d.tell(key("enter"))
	d.settle()
}

// TestHeaderRests checks that a move that is over at once changes only the location in the
// first row.
func TestHeaderRests(t *testing.T) {
	d, p := prefetch(t)
	before := d.header()
	d.tell(key("s"))
	d.asks(p, 3)
	if got := d.header(); got != before {
		t.Errorf("%q became %q", before, got)
	}
	d.now = d.now.Add(busyAfter)
	if got := d.header(); !strings.Contains(got, "step 0.2s") {
		t.Errorf("%q", got)
	}
	p.open()
	d.settle()
}

// TestHeaderSpent checks that the header shows the cost of the answers if there is room,
// and drops it before everything else except the word idle.
func TestHeaderSpent(t *testing.T) {
	d, p := prefetch(t)
	p.open()
	d.settle()
	price := 2.0
	account := &nav.Account{}
	account.Answered(backend.Usage{Prompt: 1200, Cached: -1, Completion: 80}, 830*time.Millisecond, score.Prices{Prompt: &price, Completion: &price, Currency: "USD"})
	for _, c := range []struct {
		width    int
		prefetch bool
		want     string
	}{
		{120, false, " · predicted 0.93 · 0.8 s · 0.002560 USD  "},
		{120, true, " · predicted 0.93 · prefetched · 0.002560 USD  "},
		{80, false, " · predicted 0.93 · 0.8 s  "},
		{80, true, " · predicted 0.93 "},
		{60, false, " · predicted 0.93 "},
	} {
		account.Prefetched, account.Invalid.Answers = c.prefetch, 0
		d.resize(c.width, 24)
		d.m.screen.View.Account = account
		got := d.header()
		if !strings.Contains(got, c.want) || !strings.Contains(got, "f:1 ") || strings.Contains(got, "idle") != (c.width == 120) {
			t.Errorf("at %d columns: %q", c.width, got)
		}
		account.WasKept = true
		if kept := d.header(); strings.Contains(kept, " · kept") != (c.width > 60) || strings.Contains(kept, "prefetched") {
			t.Errorf("at %d columns, with an earlier reply: %q", c.width, kept)
		}
		account.WasKept = false
		account.Invalid.Answers = 2
		if invalid := d.header(); strings.Contains(invalid, " · 2 invalid") != (c.width == 120) {
			t.Errorf("at %d columns, with answers that were no state: %q", c.width, invalid)
		}
		if n := d.m.screen.Measure.Width(strings.TrimRight(got, " ")); n > c.width {
			t.Errorf("%d columns in %d", n, c.width)
		}
	}
}

// TestHeaderMeasured checks that the header shows how often the model is right for the
// requested move, if there is room.
func TestHeaderMeasured(t *testing.T) {
	d, p := prefetch(t)
	p.open()
	d.settle()
	move := d.m.screen.View.Move
	if move == 0 {
		t.Fatal("the shown state is of no move")
	}
	model := backend.Model{Name: "nd-32b", Measured: &backend.Measured{Sets: []backend.MeasuredSet{
		{Name: "A", Moves: map[string]backend.MeasuredShare{move.String(): {N: 8, Same: 7}}},
	}}}
	said := " · predicted 0.93 · " + move.String() + " 88% right"
	for _, width := range []int{120, 60} {
		d.resize(width, 24)
		d.m.screen.View.Model = &model
		if got := d.header(); strings.Contains(got, said) != (width == 120) || !strings.Contains(got, "predicted 0.93") {
			t.Errorf("at %d columns: %q", width, got)
		}
	}
	d.resize(120, 24)
	d.m.screen.View.Model, d.m.screen.View.Move = &model, 0
	if got := d.header(); strings.Contains(got, "right") {
		t.Errorf("of a state that no model was asked for: %q", got)
	}
	d.m.screen.View.Move, d.m.screen.View.Origin = move, dsl.Computed
	if got := d.header(); strings.Contains(got, "right") || !strings.Contains(got, " · computed") {
		t.Errorf("of a computed state: %q", got)
	}
}

// TestHeaderMeasuredBeside checks the same for a prediction beside CPython.
func TestHeaderMeasuredBeside(t *testing.T) {
	d := drive(t, 120, 24, twoSides(t, &scripted{replies: []string{saysMissing}}))
	d.tell(key("n"))
	d.settle()
	view := d.m.screen.View
	view.Model = &backend.Model{Name: "nd-32b", Measured: &backend.Measured{Sets: []backend.MeasuredSet{
		{Name: "A", Moves: map[string]backend.MeasuredShare{"step_over": {N: 8, Same: 7}}},
	}}}
	if got := d.header(); !strings.Contains(got, " · step_over 88% right") {
		t.Errorf("%q", got)
	}
}
