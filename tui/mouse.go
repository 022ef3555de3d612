package tui

import tea "charm.land/bubbletea/v2"

// wheelRows is how far a notch of the wheel scrolls.
const wheelRows = 3

// click focuses the pane that was clicked on, which then takes the click.
func (m *Model) click(at tea.Mouse) tea.Cmd {
	m.flash = ""
	if at.Button != tea.MouseLeft {
		return nil
	}
	switch {
	case m.help != nil:
		m.help = nil
		return nil
	case m.atStart():
		return m.start.click(m, at.Y-m.layout.header.H)
	case m.view == nil:
		return nil
	case m.layout.timeline.Contains(at.X, at.Y):
		return m.clickTimeline(at.X)
	}
	id, ok := m.layout.at(at.X, at.Y)
	if !ok {
		return nil
	}
	m.line.leave()
	r := m.layout.panes[id]
	cmd := m.focus(id)
	if at.Y == r.Y {
		return cmd // its title
	}
	return tea.Batch(cmd, m.panes[id].click(m, at.X-r.X, at.Y-r.Y-1))
}

// wheel scrolls the pane below the mouse.
func (m *Model) wheel(at tea.Mouse) {
	by := 0
	switch at.Button {
	case tea.MouseWheelDown:
		by = wheelRows
	case tea.MouseWheelUp:
		by = -wheelRows
	}
	if m.help != nil {
		m.help.top += by
		return
	}
	if m.atStart() {
		m.start.wheel(by, len(m.start.rows))
		return
	}
	if id, ok := m.layout.at(at.X, at.Y); ok {
		m.panes[id].wheel(m, by)
	}
}
