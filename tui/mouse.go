package tui

import tea "charm.land/bubbletea/v2"

// wheelRows is the number of rows that a notch of the wheel scrolls.
const wheelRows = 3

// click focuses the clicked pane and passes the click to it.
func (m *Model) click(at tea.Mouse) tea.Cmd {
	m.screen.Flash = ""
	if at.Button != tea.MouseLeft {
		return nil
	}
	switch {
	case m.help != nil:
		m.help = nil
		return nil
	case m.question != nil:
		return nil
	case m.themes != nil:
		chosen, cmd := m.themes.Click(at.X, at.Y)
		if chosen {
			return m.keepTheme()
		}
		return cmd
	case m.grid != nil:
		if m.grid.Loop() != nil && m.grid.Click(at.Y) {
			return m.showIteration()
		}
		return nil
	case m.page != nil:
		return m.onPage(m.page.Click(at.Y))
	case m.files != nil:
		if m.files.Click(at.Y) {
			return m.showFile()
		}
		return nil
	case m.atStart():
		return m.start.Click(at.Y - m.layout.header.H)
	case m.screen.View == nil:
		return nil
	case m.layout.timeline.Contains(at.X, at.Y):
		return m.timeline.Click(at.X, m.layout.timeline.W)
	}
	id, ok := m.layout.at(at.X, at.Y)
	if !ok {
		return nil
	}
	m.line.Leave()
	r := m.layout.panes[id]
	cmd := m.focus(id)
	if at.Y == r.Y {
		return cmd // its title
	}
	return tea.Batch(cmd, m.refit(m.pane(id).Click(at.X-r.X, at.Y-r.Y-1)))
}

// refit gives a pane room for what was opened in it.
func (m *Model) refit(cmd tea.Cmd) tea.Cmd {
	if m.screen.View == nil {
		return cmd
	}
	return tea.Batch(cmd, m.relayout())
}

// wheel scrolls the pane below the mouse.
func (m *Model) wheel(at tea.Mouse) tea.Cmd {
	by := 0
	switch at.Button {
	case tea.MouseWheelDown:
		by = wheelRows
	case tea.MouseWheelUp:
		by = -wheelRows
	}
	switch id, ok := m.layout.at(at.X, at.Y); {
	case m.help != nil:
		m.help.Top += by
	case m.themes != nil:
		return m.themes.Wheel(by)
	case m.page != nil:
		m.page.Wheel(by)
	case m.files != nil:
		m.files.Wheel(by)
	case m.grid != nil:
		m.grid.Wheel(by)
		return m.loadLoop()
	case m.atStart():
		m.start.Wheel(by)
	case ok:
		m.pane(id).Wheel(by)
	}
	return nil
}
