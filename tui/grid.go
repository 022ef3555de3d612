package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/tui/grid"
	"github.com/npdb/npdb/tui/values"
)

// Grid shows an array or a data frame as rows and columns: first the recorded elements, and then,
// at the live edge, those from the program's memory. shown is false for other values.
func (o orders) Grid(name, expression, text string) (cmd tea.Cmd, shown bool) {
	m := o.m
	table, whole, ok := grid.Read(text)
	note := "elements in place of … are not recorded"
	switch {
	case ok && whole:
		note = ""
	case ok:
	case values.IsTable(text):
		table, note = grid.Lines(text), "only its text was recorded"
	default:
		return nil, false
	}
	m.grid = grid.New(m.screen, name, table, note)
	if v := m.screen.View; expression == "" || v == nil || v.Place.End || v.Place.Event != v.Place.Live || m.screen.Running != nil {
		return nil, true
	}
	return m.engine.grid(m.grid, expression), true
}

// Lists shows a list of lists as rows and columns.
func (o orders) Lists(name, text string) bool {
	table, ok := grid.Lists(text)
	if ok {
		o.m.grid = grid.New(o.m.screen, name, table, "")
	}
	return ok
}

// gridMsg holds the table that was read from the program's memory for a grid.
type gridMsg struct {
	of    *grid.Grid
	table session.Grid
	err   error
}

// grid reads a value from the program's memory.
func (e *engine) grid(of *grid.Grid, expression string) tea.Cmd {
	return e.work("", func() tea.Msg {
		table, err := e.session.Load().Grid(e.ctx, expression)
		return gridMsg{of, table, err}
	})
}

// gridRead shows the table that was read from memory. After an error the recorded elements stay.
func (m *Model) gridRead(msg gridMsg) tea.Cmd {
	if msg.err == nil && m.grid == msg.of {
		m.grid.Take(msg.table, grid.Missing(msg.table))
	}
	return nil
}

// gridKey handles a key press while a grid is open.
func (m *Model) gridKey(msg tea.KeyPressMsg) tea.Cmd {
	action := m.grid.Key(msg)
	if cmd, done := m.actOnLoop(action); done {
		return cmd
	}
	switch action {
	case "":
	case "leave-grid", "cancel":
		m.grid = nil
	default:
		return m.act(action)
	}
	return m.loadLoop()
}
