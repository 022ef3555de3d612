package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/keys"
	"github.com/npdb/npdb/tui/values"
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
	return len(m.panes[localsPane].(*locals).besideRows(m))
}

// actBeside does an action on the row of the two sides that the cursor is on.
func (p *locals) actBeside(m *Model, action string) (tea.Cmd, bool) {
	if p.move(action, m.besideCount()) {
		return nil, true
	}
	var row besideRow
	if rows := p.besideRows(m); !m.shape.scored && p.cursor < len(rows) {
		row = rows[p.cursor]
	}
	switch action {
	case "expand":
		p.two.toggle(row)
	case "copy":
		if m.shape.scored {
			return m.copy(m.scoreLines()[p.cursor]), true
		}
		return m.copy(row.text()), true
	case "set", "watch":
		if row.access == "" {
			m.flash = "This row has no name."
			return nil, true
		}
		if action == "watch" {
			return m.run("display " + row.access), true
		}
		m.line.start(m, keys.CommandLine, "!"+row.access+" = ")
	case "wrap", "hidden-names":
		m.flash = "The locals by themselves do that: " + m.keyFor("compare") + " closes this view."
	default:
		return nil, false
	}
	return nil, true
}

// text is the value of a row: CPython's, where it has one.
func (r *besideRow) text() string {
	for _, n := range []*values.Node{r.sides[1], r.sides[0]} {
		if n != nil {
			return n.Text
		}
	}
	return ""
}

// clickBeside moves to a row, and opens the one it is at.
func (p *locals) clickBeside(m *Model, y int) {
	if !m.shape.scored {
		y -= besideHead
	}
	row := p.top + y
	if y < 0 || row >= min(m.besideCount(), p.top+p.rows) {
		return
	}
	if row == p.cursor && !m.shape.scored {
		p.two.toggle(p.besideRows(m)[row])
	}
	p.cursor = row
}

// besideTexts are what a search finds in the two sides or in the score.
func (m *Model) besideTexts() (n int, text func(i int) string) {
	if lines := m.scoreLines(); m.shape.scored {
		return len(lines), func(i int) string { return lines[i] }
	}
	rows := m.panes[localsPane].(*locals).besideRows(m)
	return len(rows), func(i int) string { return rows[i].searched() }
}

// searched is what a search finds in a row: of an open value the name alone, for what
// is in it has rows.
func (r *besideRow) searched() string {
	text := r.label
	for _, n := range r.sides {
		if n != nil && !r.opened {
			text += " " + n.Text
		}
	}
	return text
}

// besideOpenMatch opens the value under the cursor down to the first match in it, and
// goes there. Where the name matches it stays.
func (p *locals) besideOpenMatch(m *Model, q *search) {
	if m.shape.scored {
		return
	}
	for {
		rows := p.besideRows(m)
		if p.cursor >= len(rows) {
			return
		}
		r := rows[p.cursor]
		if !r.opens() || r.opened || q.matches(r.label) {
			return
		}
		p.two.toggle(r)
		rows = p.besideRows(m)
		at := p.cursor + 1
		for at < len(rows) && rows[at].depth > r.depth && !q.matches(rows[at].searched()) {
			at++
		}
		if at == len(rows) || rows[at].depth <= r.depth {
			p.two.toggle(rows[p.cursor]) // it is in what holds the parts together
			return
		}
		p.cursor = at
	}
}
