package output

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/pane"
)

// shown returns the rows of the pane that are not blank.
func shown(p *Pane, w, h int) []string {
	c := draw.NewCanvas(w, h, p.Measure)
	p.Draw(c.Sub(draw.Rect{W: w, H: h}), true)
	var rows []string
	for row := range strings.SplitSeq(ansi.Strip(c.Render()), "\n") {
		if row = strings.TrimSpace(row); row != "" {
			rows = append(rows, row)
		}
	}
	return rows
}

func empty(t *testing.T) *Pane {
	t.Helper()
	theme, err := themes.Load(themes.Default, true)
	if err != nil {
		t.Fatal(err)
	}
	return New(&pane.Screen{Theme: theme})
}

// TestOutputIsFull checks that, wherever the cursor of the output is, it is in sight and
// the pane has no empty rows.
func TestOutputIsFull(t *testing.T) {
	const w, h = 120, 32
	p := empty(t)
	for i := range 80 {
		p.Say(themes.Text, fmt.Sprintf("%d %s", i, strings.Repeat("word ", i%5*16)))
	}
	shown(p, w, h)
	for _, c := range []struct{ actions, cursor, shows string }{
		{"", "79", "79"},
		{"up", "78", "79"},
		{"top", "0", "0"},
		{"down down", "2", "0"},
		{"page-down", "", ""},
		{"page-up up", "", ""},
		{"top page-down top", "0", "0"},
		{"bottom", "79", "79"},
	} {
		for _, action := range strings.Fields(c.actions) {
			p.Act(action)
			shown(p, w, h)
		}
		rows := shown(p, w, h)
		if len(rows) != h {
			t.Errorf("after %q %d rows of %d show something:\n%q", c.actions, len(rows), h, rows)
		}
		if c.cursor != "" && fmt.Sprint(p.At()) != c.cursor {
			t.Errorf("after %q the cursor is on line %d, not %s", c.actions, p.At(), c.cursor)
		}
		begins := func(line string) bool {
			for _, row := range rows {
				if strings.HasPrefix(row+" ", markOwn+line+" ") {
					return true
				}
			}
			return false
		}
		if cursor := fmt.Sprint(p.At()); !begins(cursor) || c.shows != "" && !begins(c.shows) {
			t.Errorf("after %q lines %s and %s are not both to be seen:\n%q", c.actions, cursor, c.shows, rows)
		}
	}
	p.Wheel(-3)
	if p.last != 76 {
		t.Errorf("the wheel left line %d at the bottom", p.last)
	}
	p.Wheel(-300)
	if rows := shown(p, w, h); len(rows) != h || rows[0] != markOwn+"0" {
		t.Errorf("at the top it shows %q", rows)
	}
}

// TestOutputWithoutColumns checks that a pane that was never drawn, and therefore has no
// columns, can be asked for its rows.
func TestOutputWithoutColumns(t *testing.T) {
	p := empty(t)
	p.rows, p.width = 1, -2
	if rows := p.wrapped("one\ntwo"); len(rows) != 1 {
		t.Errorf("%q, want one row", rows)
	}
}

// TestOwnLines checks that npdb's lines and the user's commands have a mark before them,
// and that the program's output and input have none.
func TestOwnLines(t *testing.T) {
	p := empty(t)
	p.Wrote(session.Chunk{Kind: session.Wrote, Stream: "stdout", Text: "name? ", After: []session.After{{}}})
	p.Typed("", "Grete")
	p.Typed("(npdb) ", "p x")
	p.Say(themes.Text, "1\n2")
	p.Wrote(session.Chunk{Kind: session.Wrote, Stream: "stderr", Text: "oh\n", After: []session.After{{}}})
	want := []string{"name? Grete", markOwn + "(npdb) p x", markOwn + "1", markOwn + "2", "oh"}
	if got := shown(p, 30, 8); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestParts checks which event wrote each character of a line: of a line that several events wrote, of
// one that a carriage return overwrote, and of one that is wrapped.
func TestParts(t *testing.T) {
	p := empty(t)
	orders := &goesTo{}
	p.Orders, p.View = orders, &session.View{}
	wrote := func(event int, text string) {
		p.Wrote(session.Chunk{Kind: session.Wrote, Stream: "stdout", Text: text, After: []session.After{{Event: event}}})
	}
	wrote(3, "one ")
	wrote(5, "tw")
	wrote(5, "o ")
	wrote(6, "three\n")
	wrote(7, "10%")
	wrote(8, "\r20%")
	wrote(9, "\r3")
	wrote(11, "\nlast")
	shown(p, 8, 12) // six columns of text, wrapped behind one and two
	for _, c := range []struct{ x, y, event int }{
		{1, 0, 3}, {3, 0, 3}, {7, 0, 3}, {1, 1, 5}, {3, 1, 5}, {1, 2, 6}, {7, 2, 6}, {1, 3, 9}, {3, 3, 9}, {1, 4, 11}, {7, 4, 11},
	} {
		orders.event = -1
		if p.Click(c.x, c.y); orders.event != c.event {
			t.Errorf("a click at %d,%d goes to event %d, want %d:\n%q", c.x, c.y, orders.event, c.event, shown(p, 8, 12))
		}
	}
	p.GoTo(0)
	if p.Act("show-printer"); orders.event != 3 {
		t.Errorf("Enter on the first line goes to event %d", orders.event)
	}
}

// goesTo records the event that the pane goes to.
type goesTo struct {
	pane.Orders
	event int
}

func (o *goesTo) GoTo(event int) tea.Cmd {
	o.event = event
	return nil
}
