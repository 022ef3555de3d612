package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"
)

// anytime lists the actions that work before the program has started. All others wait for its
// start.
var anytime = []string{
	"cancel", "quit", "redraw", "suspend", "mouse", "help", "settings", "themes", "copy", "editor",
	"command-line", "statement", "goto", "search", "search-next", "search-previous",
	"next-pane", "previous-pane", "zoom", "unzoom", "grow", "shrink",
}

// early delays an action that is given before the program has started, so that it runs in its turn
// after the first stop. An action about a line keeps the line that the source's cursor is on now.
// done is false if the action can run at once.
func (m *Model) early(action string) (cmd tea.Cmd, done bool) {
	if m.screen.View != nil || m.screen.Running == nil || slices.Contains(anytime, action) {
		return nil, false
	}
	if _, focuses := focusFor[action]; focuses {
		return nil, false
	}
	if m.shape.focus == sourcePane || m.shape.focus == outputPane {
		if cmd, done := m.pane(m.shape.focus).Act(action); done {
			return m.refit(cmd), true
		}
	}
	path, line := m.source.Place()
	m.wait(func() tea.Cmd {
		if path == "" || !onPlace[action] {
			return m.act(action)
		}
		nowPath, nowLine := m.source.Place()
		m.source.Show(path, line)
		cmd := m.act(action)
		m.source.Show(nowPath, nowLine)
		return cmd
	})
	return nil, true
}

// onPlace holds the actions that apply to the line under the source's cursor.
var onPlace = map[string]bool{
	"toggle-breakpoint": true, "edit-breakpoint": true, "run-to-cursor": true, "run-back-to-cursor": true,
}
