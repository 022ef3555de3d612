package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/draw"
	"github.com/npdb/npdb/tui/keys"
)

// Heights of the pane from which the score has rows below the two sides. They
// depend on nothing else, so that a step moves nothing.
const (
	oneScoreRow  = 5
	twoScoreRows = 10 // forward moves, and inverse ones
)

func scoreRows(h int) int {
	switch {
	case h >= twoScoreRows:
		return 2
	case h >= oneScoreRow:
		return 1
	}
	return 0
}

// showScore puts the score in the place of the two sides, or these in its place.
func (m *Model) showScore() tea.Cmd {
	if m.view == nil || m.view.Mode != session.Both {
		m.flash = "There is no score: no model stands beside CPython. " + m.keyFor("compare") + " has one join."
		return nil
	}
	m.shape.scored = !m.shape.scored || !m.shape.beside
	m.shape.beside = true
	m.panes[localsPane].(*locals).scroll = scroll{}
	return m.relayout()
}

// drawScoreRows draws how often the model was right in a row or two: of the way the
// shown state was reached, or of both ways.
func (m *Model) drawScoreRows(a *draw.Area, b *session.Beside) {
	w, h := a.Size()
	hint := m.keyFor("score") + " score"
	room := w - 2 - m.measure.Width(hint)
	for y := range h {
		inverse := y == 1 || h == 1 && b.Inverse
		a.Text(1, y, m.measure.Cut(b.Score.Row(inverse, max(room-2, 0)), max(room-1, 0)), m.style(themes.Dim))
	}
	if room > 0 {
		a.Text(w-1-m.measure.Width(hint), h-1, hint, m.style(themes.Dim))
	}
}

// scoreLines are the whole score.
func (m *Model) scoreLines() []string {
	lines := m.view.Beside.Score.Lines(max(m.layout.panes[localsPane].W-2, 1))
	if lines == nil {
		return []string{"nothing was compared yet"}
	}
	return lines
}

// drawScore draws the score in the place of the two sides.
func (p *locals) drawScore(m *Model, a *draw.Area, focused bool) {
	w, h := a.Size()
	lines := m.scoreLines()
	p.fit(len(lines), h)
	for y := range min(h, len(lines)-p.top) {
		a.Text(1, y, m.measure.Cut(lines[p.top+y], max(w-2, 0)), m.style(themes.Text))
		if focused && p.top+y == p.cursor {
			a.Overlay(draw.Rect{Y: y, W: w, H: 1}, m.style(themes.Selection))
		}
	}
}

// besideCount is how many rows the two sides or the score have.
func (m *Model) besideCount() int {
	if m.shape.scored {
		return len(m.scoreLines())
	}
	return len(m.besideRows())
}

// actBeside does an action on the row of the two sides that the cursor is on.
func (p *locals) actBeside(m *Model, action string) (tea.Cmd, bool) {
	if p.move(action, m.besideCount()) {
		return nil, true
	}
	var row besideRow
	if rows := m.besideRows(); !m.shape.scored && p.cursor < len(rows) {
		row = rows[p.cursor]
	}
	switch action {
	case "copy":
		text := row.real
		if text == "" {
			text = row.predicted
		}
		if m.shape.scored {
			text = m.scoreLines()[p.cursor]
		}
		return m.copy(text), true
	case "set", "watch":
		if !row.local {
			m.flash = "This row is no name."
			return nil, true
		}
		if action == "watch" {
			return m.run("display " + row.label), true
		}
		m.line.start(m, keys.CommandLine, "!"+row.label+" = ")
	case "expand", "wrap", "hidden-names":
		m.flash = "The locals by themselves do that: " + m.keyFor("compare") + " closes this view."
	default:
		return nil, false
	}
	return nil, true
}

// clickBeside moves to a row.
func (p *locals) clickBeside(m *Model, y int) {
	if !m.shape.scored {
		y -= besideHead
	}
	if row := p.top + y; y >= 0 && row < min(m.besideCount(), p.top+p.rows) {
		p.cursor = row
	}
}

// besideTexts are what a search finds in the two sides or in the score.
func (m *Model) besideTexts() (n int, text func(i int) string) {
	if lines := m.scoreLines(); m.shape.scored {
		return len(lines), func(i int) string { return lines[i] }
	}
	rows := m.besideRows()
	return len(rows), func(i int) string { return rows[i].label + " " + rows[i].predicted + " " + rows[i].real }
}
