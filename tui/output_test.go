package tui

import (
	"fmt"
	"strings"
	"testing"

	"github.com/npdb/npdb/themes"
)

// shownOutput is the rows of the output pane that have something in them.
func shownOutput(d *driver) []string {
	r := d.m.layout.panes[outputPane]
	var rows []string
	for _, row := range strings.Split(d.text(), "\n")[r.Y+1 : r.Y+r.H] {
		if row = strings.TrimSpace(string([]rune(row)[r.X:])); row != "" {
			rows = append(rows, row)
		}
	}
	return rows
}

// Wherever the cursor of the output is, it shows, and the pane is full.
func TestOutputIsFull(t *testing.T) {
	d := drive(t, 120, 36, replayed(t, oddRun()))
	d.m.output.lines = nil
	for i := range 80 {
		d.m.output.say(themes.Text, fmt.Sprintf("%d %s", i, strings.Repeat("word ", i%5*16)))
	}
	d.press("4", "+")
	h := d.m.layout.panes[outputPane].H - 1
	for _, c := range []struct{ keys, cursor, shows string }{
		{"", "79", "79"},
		{"k", "78", "79"},
		{"g", "0", "0"},
		{"j j", "2", "0"},
		{"ctrl+f", "", ""},
		{"ctrl+b k", "", ""},
		{"g ctrl+f g", "0", "0"},
		{"G", "79", "79"},
	} {
		d.press(strings.Fields(c.keys)...)
		rows := shownOutput(d)
		if len(rows) != h {
			t.Errorf("after %q %d rows of %d show something:\n%s", c.keys, len(rows), h, d.text())
		}
		if c.cursor != "" && fmt.Sprint(d.m.output.cursor) != c.cursor {
			t.Errorf("after %q the cursor is on line %d, not %s", c.keys, d.m.output.cursor, c.cursor)
		}
		begins := func(line string) bool {
			for _, row := range rows {
				if strings.HasPrefix(row+" ", line+" ") {
					return true
				}
			}
			return false
		}
		if cursor := fmt.Sprint(d.m.output.cursor); !begins(cursor) || c.shows != "" && !begins(c.shows) {
			t.Errorf("after %q lines %s and %s are not both on the screen:\n%s", c.keys, cursor, c.shows, d.text())
		}
	}
	d.m.output.wheel(d.m, -3)
	if d.m.output.last != 76 {
		t.Errorf("the wheel left line %d at the bottom", d.m.output.last)
	}
	d.m.output.wheel(d.m, -300)
	if rows := shownOutput(d); len(rows) != h || rows[0] != "0" {
		t.Errorf("at the top it shows\n%s", strings.Join(rows, "\n"))
	}
}

// A pane that did not show has no columns, and may be asked for its rows before it is
// drawn.
func TestOutputWithoutColumns(t *testing.T) {
	m, err := New(t.Context(), Config{Keys: defaultKeys(t), Theme: npdbTheme})
	if err != nil {
		t.Fatal(err)
	}
	p := &output{rows: 1, width: -2}
	if rows := p.wrapped(m, "one\ntwo"); len(rows) != 1 {
		t.Errorf("%q, want one row", rows)
	}
}
