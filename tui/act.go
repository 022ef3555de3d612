package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/breakpoint"
	"github.com/npdb/npdb/tui/help"
	"github.com/npdb/npdb/tui/keys"
	"github.com/npdb/npdb/tui/pane"
	"github.com/npdb/npdb/tui/places"
)

// focusFor maps actions to the pane that they focus.
var focusFor = map[string]paneID{
	"focus-source": sourcePane, "focus-locals": localsPane, "focus-stack": stackPane,
	"focus-output": outputPane, "focus-history": historyPane, "focus-breakpoints": breakpointsPane,
	"focus-candidates": candidatesPane,
}

// key runs the action that is bound to a key press.
func (m *Model) key(msg tea.KeyPressMsg) tea.Cmd {
	m.screen.Flash = ""
	switch {
	case m.question != nil:
		return m.question.key(m, msg)
	case m.help != nil:
		return m.helpKey(msg)
	case m.themes != nil:
		return m.themesKey(msg)
	case m.page != nil:
		return m.settingsKey(msg)
	case m.files != nil:
		return m.filesKey(msg)
	case m.grid != nil:
		return m.gridKey(msg)
	case m.screen.Typing:
		return m.typedKey(msg)
	case m.atStart():
		return m.startKey(msg)
	}
	if a, ok := m.screen.Keys.Lookup(m.pane(m.shape.focus).Context(), msg); ok {
		return m.act(a.Name)
	}
	if a, ok := m.screen.Keys.Lookup(keys.Tour, msg); ok && m.tour != nil {
		return m.guide(a.Name)
	}
	return m.unbound(msg)
}

// unbound handles an unbound key: a letter opens the command line, so that pdb's commands can be
// typed as in pdb.
func (m *Model) unbound(msg tea.KeyPressMsg) tea.Cmd {
	switch letter, name := keys.Unbound(msg); {
	case letter && !m.atStart():
		m.line.Begin(msg.Text)
	case name != "":
		m.screen.Flash = name + " is not bound; " + m.screen.KeyFor("help") + " lists the keys."
	}
	return nil
}

// startKey handles a key press on the start screen.
func (m *Model) startKey(msg tea.KeyPressMsg) tea.Cmd {
	a, ok := m.screen.Keys.Lookup(keys.Start, msg)
	if !ok {
		return m.unbound(msg)
	}
	if cmd, done := m.start.Act(a.Name); done {
		return cmd
	}
	if a.Name == "cancel" { // on the start screen, cancel quits
		return m.quit()
	}
	return m.act(a.Name)
}

// helpKey handles a key press while the help is open.
func (m *Model) helpKey(msg tea.KeyPressMsg) tea.Cmd {
	action, cmd := m.help.Key(msg)
	switch action {
	case "leave-help", "help", "cancel":
		m.help = nil
	case "settings", "themes":
		m.help = nil
		return m.act(action)
	case "suspend", "redraw":
		return m.act(action)
	}
	return cmd
}

// act runs an action: of the focused pane if it has the action, else of the session, else of the
// screen.
func (m *Model) act(action string) tea.Cmd {
	if cmd, kept := m.early(action); kept {
		return cmd
	}
	if cmd, done := m.pane(m.shape.focus).Act(action); done {
		return m.refit(cmd)
	}
	if cmd, done := m.orders.action(action); done {
		return cmd
	}
	if action == "candidates" || action == "focus-candidates" {
		return m.showCandidates(action == "focus-candidates")
	}
	if id, ok := focusFor[action]; ok {
		return m.focus(id)
	}
	switch action {
	case "toggle-breakpoint":
		return m.orders.ToggleBreakpoint(m.source.Place())
	case "loop":
		return m.orders.loop()
	case "record":
		return m.orders.record()
	case "edit-breakpoint":
		return m.editBreakpoint()
	case "frame-current":
		return m.currentFrame()
	case "line-values":
		m.source.Values = !m.source.Values
	case "goto":
		m.line.Start(keys.CommandLine, "goto ")
	case "command-line":
		m.line.Start(keys.CommandLine, "")
	case "statement":
		m.line.Start(keys.CommandLine, "!")
	case "program-input":
		return m.askInput()
	case "search":
		m.screen.Search = nil // start a new search in the focused pane
		m.line.Start(keys.Search, "")
	case "search-next":
		return m.searchNext(+1)
	case "search-previous":
		return m.searchNext(-1)
	case "copy":
		return m.copyLine()
	case "help":
		m.help = help.New(m.screen, append(m.screen.Keys.Bindings(m.context()), places.Legend...))
	case "editor":
		return m.openEditor()
	case "files":
		return m.openFiles()
	case "settings":
		return m.openSettings()
	case "themes":
		return m.openThemes()
	case "cancel":
		return m.cancel()
	case "restart":
		return m.restart()
	case "quit":
		return m.quit()
	case "redraw":
		return tea.ClearScreen
	case "suspend":
		return m.suspend()
	case "mouse":
		m.mouse = !m.mouse
		m.screen.Flash = "The mouse selects text now; " + m.screen.KeyFor("mouse") + " gives it back to npdb."
		if m.mouse {
			m.screen.Flash = "The mouse is npdb's."
		}
	case "compare":
		return m.compare()
	case "score":
		return m.showScore()
	default:
		return m.actOnPanes(action)
	}
	return nil
}

// actOnPanes runs the actions that change the layout.
func (m *Model) actOnPanes(action string) tea.Cmd {
	const step = 2
	grow := 0
	switch action {
	case "next-pane":
		return m.focus(m.paneAfter(+1))
	case "previous-pane":
		return m.focus(m.paneAfter(-1))
	case "zoom":
		m.shape.zoom = true
	case "unzoom":
		m.shape.zoom = false
	case "grow":
		grow = step
	case "shrink":
		grow = -step
	}
	if m.shape.focus != sourcePane {
		grow = -grow
	}
	if grow != 0 {
		m.had = nil
	}
	m.shape.grown = min(max(m.shape.grown+grow, -m.w), m.w)
	return m.relayout()
}

// paneAfter returns the pane that is by places after the focused one. It skips the candidates while
// there are none.
func (m *Model) paneAfter(by int) paneID {
	id := (m.shape.focus + paneID(by) + paneCount) % paneCount
	if id == candidatesPane && m.shape.candidates == 0 {
		id = (id + paneID(by) + paneCount) % paneCount
	}
	return id
}

// focus focuses a pane, and makes it visible.
func (m *Model) focus(id paneID) tea.Cmd {
	m.shape.focus, m.screen.Focused = id, m.panes[id].Context()
	if id != sourcePane && id != candidatesPane {
		m.shape.shelf = id
	}
	cmd := m.relayout()
	if id == outputPane {
		r := m.layout.panes[outputPane]
		m.output.ShowTold(r.W-2, r.H-1) // within the margins and below the title
	}
	return cmd
}

// breakpointsAt returns the breakpoints on a line.
func (m *Model) breakpointsAt(path string, line int) []breakpoint.Breakpoint {
	var here []breakpoint.Breakpoint
	for _, b := range m.screen.View.Breakpoints {
		if b.File == path && b.Line == line {
			here = append(here, b)
		}
	}
	return here
}

// editBreakpoint opens the command line with a command that sets the condition of the breakpoint
// under the cursor. If there is none, the command sets a new breakpoint with a condition.
func (m *Model) editBreakpoint() tea.Cmd {
	path, line := m.source.Place()
	if path == "" || m.screen.View == nil {
		return nil
	}
	if here := m.breakpointsAt(path, line); len(here) > 0 {
		m.line.Start(keys.CommandLine, pane.ConditionLine(here[0]))
		return nil
	}
	if strings.ContainsAny(path, ",\n\r") || strings.Contains(path, ";;") {
		m.screen.Flash = "This file's name cannot be part of a command: " + m.screen.KeyFor("edit-breakpoint") + " sets the condition of the breakpoint that is here now."
		return m.orders.setBreakpoint(path, line)
	}
	m.line.Start(keys.CommandLine, fmt.Sprintf("break %s:%d, ", path, line))
	return nil
}

// currentFrame selects the newest frame and shows its line.
func (m *Model) currentFrame() tea.Cmd {
	if m.screen.View == nil || m.screen.View.Selected < 0 {
		return nil
	}
	m.source.ToFrame()
	return m.orders.SelectFrame(m.screen.View.Here)
}

// copyLine copies the line under the source's cursor.
func (m *Model) copyLine() tea.Cmd {
	text, ok := m.source.Line()
	if !ok {
		return nil
	}
	return m.screen.Copy(text)
}

// compare opens or closes the side-by-side view. If the session has only a model or only CPython,
// compare adds the other one instead.
func (m *Model) compare() tea.Cmd {
	if m.screen.View == nil {
		return nil
	}
	if m.screen.View.Mode != session.Both && !m.differs {
		return m.orders.join()
	}
	m.shape.beside = !m.shape.beside || m.beside.Scored
	m.beside.Show(false)
	return m.relayout()
}

// showScore opens the side-by-side view with the score, or switches from the score to the two
// states.
func (m *Model) showScore() tea.Cmd {
	if m.differs {
		m.screen.Flash = "Two states of the history are compared here; the score is back at the next stop."
		return nil
	}
	if m.screen.View == nil || m.screen.View.Mode != session.Both {
		m.screen.Flash = "There is no score, because only CPython runs. " + m.screen.KeyFor("compare") + " adds a model beside it."
		return nil
	}
	m.beside.Show(!m.beside.Scored || !m.shape.beside)
	m.shape.beside = true
	return m.relayout()
}

// cancel interrupts the running command and drops the queued ones; repeated, it kills the program.
// If nothing runs, it ends the search or the zoom.
func (m *Model) cancel() tea.Cmd {
	if m.screen.Running != nil {
		m.queue = nil
		m.line.Drop()
	}
	switch r := m.screen.Running; {
	case r != nil && r.Asked && m.engine.mortal():
		m.screen.Flash = "The program is ended."
		return func() tea.Msg { m.engine.kill(); return nil }
	case r != nil && r.Waits:
		r.Waits = false
		m.line.Close()
		m.engine.giveUp()
		return m.engine.answer(session.InputLine{Interrupt: true})
	case r != nil:
		r.Asked = true
		m.screen.Flash = "Stopping."
		switch {
		case m.engine.mortal():
			m.screen.Flash += " " + m.screen.KeyFor("cancel") + " again ends the program."
		case m.config.Join == nil:
			m.screen.Flash += " The question is cancelled."
		}
		m.engine.interrupt()
	case m.screen.Search != nil:
		m.screen.Search = nil
	case m.shape.zoom:
		m.shape.zoom = false
		return m.relayout()
	default:
		m.screen.Flash = "Nothing is running. " + m.screen.KeyFor("quit") + " ends the session."
	}
	return nil
}

// quit interrupts the running command and ends the session. It does not interrupt another user's command.
func (m *Model) quit() tea.Cmd {
	if r := m.screen.Running; r != nil && !r.Others {
		m.engine.interrupt()
	}
	return tea.Quit
}
