package main

import (
	"regexp"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
)

// frame is a copy of a screen.
type frame struct {
	w    int
	rows [][]run
}

// run is a part of a row with one style.
type run struct {
	column, width int
	text          string
	style         uv.Style
}

// frame copies the current screen.
func (m *screen) frame() *frame {
	m.mu.Lock()
	defer m.mu.Unlock()
	f := &frame{w: m.vt.Width()}
	for y := range m.vt.Height() {
		var row []run
		for x := 0; x < f.w; {
			c := m.vt.CellAt(x, y)
			text, width, style := " ", 1, uv.Style{}
			if c != nil {
				style = c.Style
				if c.Content != "" {
					text, width = c.Content, max(c.Width, 1)
				}
			}
			if text == " " && style.Attrs&uv.AttrReverse == 0 && style.Underline == 0 {
				style = uv.Style{Bg: style.Bg} // the rest is invisible, and depends on how the screen was drawn
			}
			if n := len(row) - 1; n >= 0 && row[n].style.Equal(&style) {
				row[n].text, row[n].width = row[n].text+text, row[n].width+width
			} else {
				row = append(row, run{x, width, text, style})
			}
			x += width
		}
		for i, r := range row {
			row[i].text = anonymous(r.text)
		}
		f.rows = append(f.rows, row)
	}
	return f
}

// numbered matches the name of the tour's folder.
var numbered = regexp.MustCompile(`npdb-tour-\d+`)

// anonymous removes the number of the tour's folder from a text, and pads the text to its old length.
func anonymous(text string) string {
	short := numbered.ReplaceAllString(text, "npdb-tour")
	return short + strings.Repeat(" ", len(text)-len(short))
}
