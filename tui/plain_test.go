package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/npdb/npdb/tui/pane"
)

// attributed returns the text of a row that has an SGR attribute, in a rendering without
// colors.
func attributed(row, on string) string {
	var b strings.Builder
	set := map[string]bool{}
	for i, part := range strings.Split(row, "\x1b[") {
		if i > 0 {
			codes, text, _ := strings.Cut(part, "m")
			part = text
			for _, c := range strings.Split(codes, ";") {
				switch c {
				case "", "0":
					clear(set)
				case "22":
					delete(set, "1")
					delete(set, "2")
				case "23", "24", "27", "29":
					delete(set, c[1:])
				default:
					set[c] = true
				}
			}
		}
		if set[on] {
			b.WriteString(part)
		}
	}
	return b.String()
}

// TestPlainTitles checks that, without colors, the focused title is a reversed word and
// not a bar with a rule through it. A faint text of a list is not faint in the selected
// row.
func TestPlainTitles(t *testing.T) {
	const reversed, faint, bold = "7", "2", "1"
	d := drive(t, 80, 24, cpython(t, "shop.py"))
	d.tell(tea.ColorProfileMsg{Profile: colorprofile.ASCII})
	d.command("b 22, missing > 1")
	d.press("6")
	rows := strings.Split(d.screen(), "\n")
	for i, row := range rows {
		if strings.Contains(row, "breakpoints") {
			if got := attributed(row, reversed); got != "breakpoints" {
				t.Errorf("of the title %q is reversed", got)
			}
			if got := attributed(rows[i+1], faint); got != "" {
				t.Errorf("in the selected row %q is faint", got)
			}
			if got := attributed(rows[i+1], bold); got != pane.GlyphConditional+"if missing > 1" {
				t.Errorf("in the selected row %q is bold", got)
			}
		}
	}
	d.press("?")
	if got := attributed(strings.Split(d.screen(), "\n")[0], reversed); got != "keys" {
		t.Errorf("of the help's title %q is reversed", got)
	}
}
