package tui

import (
	tea "charm.land/bubbletea/v2"
)

// guide runs an action of the tour's panel.
func (m *Model) guide(action string) tea.Cmd {
	switch {
	case action == "tour-leave":
		m.tour = nil
	case m.screen.View == nil, m.screen.Running != nil:
		m.screen.Flash = "Something runs: the tour goes on when it ends."
		return nil
	default:
		if lines := m.tour.Next(); lines != "" {
			// A list that an earlier step opened must not keep the source off a small screen.
			return tea.Batch(m.focus(sourcePane), m.orders.typed(lines))
		}
	}
	return m.relayout()
}

// continueTour passes the result of a command to the tour.
func (m *Model) continueTour(msg stopMsg) {
	if m.tour != nil {
		m.tour.See(msg.view, msg.answers)
	}
}

// tourRows returns the height of the tour's panel.
func (m *Model) tourRows() int {
	if m.tour == nil || m.atStart() || m.tooSmall() {
		return 0
	}
	return m.tour.Rows(m.screen, m.w, m.h)
}
