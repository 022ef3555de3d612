package tui

import (
	"context"
	"strings"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"

	"github.com/npdb/npdb/backend"
)

// sage is a chat model with one answer. If endless is set, it says it until it is interrupted.
type sage struct {
	answer  string
	endless bool
}

func (s *sage) Talk(ctx context.Context, _ []backend.Message, show func(string)) (backend.Talk, error) {
	for _, word := range strings.SplitAfter(s.answer, " ") {
		show(word)
	}
	if s.endless {
		<-ctx.Done()
	}
	return backend.Talk{Text: s.answer}, ctx.Err()
}

func (s *sage) Model() backend.Model { return backend.Model{Name: "sage"} }
func (s *sage) Close() error         { return nil }

// struckOut returns what is struck through on the screen.
func (d *driver) struckOut() string {
	var b strings.Builder
	cells := d.cells()
	for y := range d.m.h {
		for x := range d.m.w {
			if c := cells.CellAt(x, y); c != nil && c.Style.Attrs&uv.AttrStrikethrough != 0 {
				b.WriteString(c.Content)
			}
		}
	}
	return b.String()
}

// TestWhyOnScreen checks that an explanation appears in the output with its wrong claims struck through, and that
// the list of its claims leads to their events.
func TestWhyOnScreen(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		s := replayed(t, threeLines())
		s.Explain.Talker = &sage{answer: "See `#1 a.py:2` and `#2 a.py:9`, \x1b[2Jand\n`#77`."}
		d := drive(t, size[0], size[1], s)
		d.press("n", "n", "Y")
		d.shows("lists the claims")
		d.press("4")
		d.shows(`\x1b[2Jand`)
		if got := d.struckOut(); got != "#2 a.py:9#77" {
			t.Errorf("%v: %q is struck through", size, got)
		}
		d.press("5")
		for _, row := range []string{"claims of why", "✓ #1 a.py:2", "✗ #2 a.py:9  a.py:3", "✗ #77"} {
			d.shows(row)
		}
		if got := d.struckOut(); !strings.HasSuffix(got, "#2 a.py:9#77") {
			t.Errorf("%v: in the list %q is struck through", size, got)
		}
		d.press("k", "enter")
		if got := d.here(); got != 2 {
			t.Errorf("%v: enter on the first claim goes to line %d", size, got)
		}
		d.press("j", "j", "enter")
		d.shows("There is no such event")
		d.press("esc")
		d.showsNot("claims of why")
	}
}

// TestWhyStopsOnScreen checks that a key ends the model's answer, and that what it said stays.
func TestWhyStopsOnScreen(t *testing.T) {
	s := replayed(t, threeLines())
	s.Explain.Talker = &sage{answer: "It goes on ", endless: true}
	d := drive(t, 120, 36, s)
	d.press(":")
	d.write("why")
	d.tell(key("enter"))
	d.until(func() bool { return strings.Contains(d.text(), "It goes") })
	d.press("esc")
	d.shows("The explanation is not complete: it was interrupted.")
	d.press("4")
	d.shows("It goes on")
	d.press("n")
	if got := d.here(); got != 2 {
		t.Errorf("after it n goes to line %d", got)
	}
}
