package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/keys"
)

// question is what npdb asks in the last row before it does what cannot be undone.
type question struct {
	text string
	yes  func() tea.Cmd
}

func (q *question) key(m *Model, msg tea.KeyPressMsg) tea.Cmd {
	a, ok := m.config.Keys.Lookup(keys.Question, msg)
	switch {
	case !ok: // it is still asked
	case a.Name == "confirm":
		m.question = nil
		return q.yes()
	case a.Name == "decline":
		m.question = nil
	default:
		return m.act(a.Name)
	}
	return nil
}

func (q *question) draw(m *Model, a *draw.Area) {
	w, _ := a.Size()
	hints := m.config.Keys.Hints(keys.Question, w-2)
	room := w - 4
	for _, h := range hints {
		room -= m.measure.Width(h.String()) + keys.HintGap
	}
	x := 1 + a.Text(1, 0, m.measure.Cut(q.text, max(room, 1)), m.style(themes.Notice)) + 2
	m.drawHints(a, x, hints)
}

// restart asks whether to run the program again.
func (m *Model) restart() tea.Cmd {
	switch {
	case m.view == nil:
		return nil
	case m.running != nil:
		m.flash = "Something runs: " + m.keyFor("cancel") + " stops it, and then it can be begun again."
		return nil
	}
	m.question = &question{"Run " + m.config.Program + " again from the start?", func() tea.Cmd { return m.run("restart") }}
	return nil
}
