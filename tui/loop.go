package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/tui/grid"
	"github.com/npdb/npdb/tui/keys"
)

// loop shows the table of the loop under the source's cursor.
func (o orders) loop() tea.Cmd {
	path, line := o.m.source.Place()
	if path == "" {
		return nil
	}
	return o.give(session.Loop{At: session.Target{File: path, Line: line}})
}

// showLoop opens the table of the loop in the last answer that has one.
func (m *Model) showLoop(answers []*session.Answer) tea.Cmd {
	for i := len(answers) - 1; i >= 0; i-- {
		if a := answers[i]; a.Loop != nil {
			m.grid = grid.NewLoop(m.screen, a.Loop)
			return m.loadLoop()
		}
	}
	return nil
}

// loopMsg holds rows that were loaded for the table of a loop.
type loopMsg struct {
	of   *grid.Grid
	page *session.LoopPage
}

// loadLoop loads rows of the table of a loop, if some are missing.
func (m *Model) loadLoop() tea.Cmd {
	if m.grid == nil {
		return nil
	}
	first, rows := m.grid.Lacks()
	if rows == 0 || m.loading {
		return nil
	}
	m.loading = true
	e, of, page := m.engine, m.grid, m.grid.Loop()
	return e.work("", func() tea.Msg {
		return loopMsg{of, e.session.Load().MoreOf(e.ctx, page, first, rows)}
	})
}

// loopRead shows loaded rows, and loads what is still missing.
func (m *Model) loopRead(msg loopMsg) tea.Cmd {
	m.loading = false
	if m.grid == msg.of {
		m.grid.TakeLoop(msg.page)
	}
	return m.loadLoop()
}

// actOnLoop does an action of the table of a loop. done is false for others.
func (m *Model) actOnLoop(action string) (cmd tea.Cmd, done bool) {
	switch action {
	case "leave-loop":
		m.grid = nil
	case "show-iteration":
		return m.showIteration(), true
	case "filter-iterations":
		m.filterLoop()
	case "all-runs":
		c := m.grid.Loop().Command
		c.All = !c.All
		return m.orders.give(c), true
	default:
		return nil, false
	}
	return nil, true
}

// showIteration closes the table and goes to the selected iteration.
func (m *Model) showIteration() tea.Cmd {
	r := m.grid.Selected()
	switch {
	case r == nil:
		return nil
	case m.screen.View.Mode == session.Predicted && r.Visit == 0:
		m.screen.Flash = "No state of this iteration was shown, so that the history has none."
		return nil
	}
	m.grid = nil
	if r.Visit > 0 {
		return m.orders.Visit(r.Visit)
	}
	return m.orders.GoTo(r.Event)
}

// filterLoop closes the table and opens the command line with the command that shows it, for a filter.
func (m *Model) filterLoop() {
	c := m.grid.Loop().Command
	c.Filter = ""
	if v := m.screen.View; v.Selected >= 0 && v.Frames[v.Selected].Path == c.At.File {
		c.At.File = ""
	}
	if strings.ContainsAny(c.At.File, " \n\r") {
		m.screen.Flash = "This file's name cannot be part of a command: select a frame of the file first."
		return
	}
	m.grid = nil
	m.line.Start(keys.CommandLine, c.String()+" ")
}
