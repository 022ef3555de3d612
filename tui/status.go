package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/keys"
)

func (m *Model) spansWidth(spans []draw.Span) int {
	n := 0
	for _, s := range spans {
		n += m.measure.Width(s.Text)
	}
	return n
}

// drawFooter is the last row: what is typed, words to the user, which may take more
// rows, or the keys that matter here. It returns where the terminal's cursor is.
func (m *Model) drawFooter(a *draw.Area) *tea.Cursor {
	w, h := a.Size()
	if h == 0 {
		return nil // a screen of one row
	}
	if m.question != nil {
		m.question.draw(m, a)
		return nil
	}
	if m.line.open {
		word := message{themes.Notice, m.flash}
		if rows, cut := m.wordRows(w-2, 1); m.flash == "" && cut {
			m.drawWords(m.canvas.Sub(draw.Rect{W: w, H: m.h}))
		} else if len(rows) > 0 {
			word = message{rows[0].role, m.words()[0].text}
		}
		return m.line.draw(m, a, word)
	}
	switch words := m.drawWords(m.canvas.Sub(draw.Rect{W: w, H: m.h})); {
	case words == 0:
		m.drawHints(a, 1, m.hints(w-2))
	case m.search != nil && m.search.pattern != "":
		m.drawHints(a, words+3, m.searchHints(w-words-4))
	}
	return nil
}

// drawHints writes hints into the last row, from a column on.
func (m *Model) drawHints(a *draw.Area, x int, hints []keys.Hint) {
	for _, h := range hints {
		x += a.Text(x, 0, strings.Join(h.Keys, " "), m.style(themes.HintKey))
		x += a.Text(x, 0, " "+h.Word+strings.Repeat(" ", keys.HintGap), m.style(themes.Dim))
	}
}
