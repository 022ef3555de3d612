package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/tui/keys"
)

// commandFor is the session's command of an action that is nothing else.
var commandFor = map[string]string{
	"step": "step", "next": "next", "return": "return", "continue": "continue", "fast-continue": "fast-continue",
	"step-back": "reverse-step", "next-back": "reverse-next", "return-back": "reverse-finish", "continue-back": "reverse-continue",
	"next-visited": "forth", "previous-visited": "back",
	"frame-up": "up", "frame-down": "down", "raw-reply": "raw",
}

// focusFor is the pane that an action goes to.
var focusFor = map[string]paneID{
	"focus-source": sourcePane, "focus-locals": localsPane, "focus-stack": stackPane,
	"focus-output": outputPane, "focus-history": historyPane, "focus-breakpoints": breakpointsPane,
}

// key turns a key press into what it is bound to.
func (m *Model) key(msg tea.KeyPressMsg) tea.Cmd {
	m.flash = ""
	switch {
	case m.question != nil:
		return m.question.key(m, msg)
	case m.help != nil:
		return m.help.key(m, msg)
	case m.line.open:
		return m.line.key(m, msg)
	case m.atStart():
		return m.start.key(m, msg)
	}
	if a, ok := m.config.Keys.Lookup(m.panes[m.shape.focus].context(), msg); ok {
		return m.act(a.Name)
	}
	return nil
}

// act does an action: one of the focused pane's, else one of the screen's.
func (m *Model) act(action string) tea.Cmd {
	if cmd, done := m.panes[m.shape.focus].act(m, action); done {
		return cmd
	}
	if command, ok := commandFor[action]; ok {
		return m.run(command)
	}
	if id, ok := focusFor[action]; ok {
		return m.focus(id)
	}
	switch action {
	case "run-to-cursor":
		return m.runToCursor("advance")
	case "run-back-to-cursor":
		return m.runToCursor("reverse-advance")
	case "toggle-breakpoint":
		return m.toggleBreakpoint()
	case "record":
		return m.runFor(func() string {
			if m.view.Unrecorded {
				return "record on"
			}
			return "record off"
		})
	case "edit-breakpoint":
		return m.editBreakpoint()
	case "frame-current":
		return m.currentFrame()
	case "line-values":
		m.source.values = !m.source.values
	case "goto":
		m.line.start(m, keys.CommandLine, "goto ")
	case "command-line":
		m.line.start(m, keys.CommandLine, "")
	case "statement":
		m.line.start(m, keys.CommandLine, "!")
	case "program-input":
		return m.askInput()
	case "search":
		m.search = nil // a new one begins here, in this pane
		m.line.start(m, keys.Search, "")
	case "search-next":
		return m.searchNext(+1)
	case "search-previous":
		return m.searchNext(-1)
	case "copy":
		return m.copyLine()
	case "help":
		m.help = newHelp(m.context())
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
		m.flash = "The mouse selects text now; " + m.keyFor("mouse") + " gives it back to npdb."
		if m.mouse {
			m.flash = "The mouse is npdb's."
		}
	case "compare":
		return m.compare()
	case "score":
		return m.showScore()
	case "next-divergence":
		return m.run("divergence next")
	case "previous-divergence":
		return m.run("divergence previous")
	default:
		return m.actOnPanes(action)
	}
	return nil
}

// actOnPanes does what changes the layout.
func (m *Model) actOnPanes(action string) tea.Cmd {
	const step = 2
	grow := 0
	switch action {
	case "next-pane":
		return m.focus((m.shape.focus + 1) % paneCount)
	case "previous-pane":
		return m.focus((m.shape.focus + paneCount - 1) % paneCount)
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
	m.shape.grown = min(max(m.shape.grown+grow, -m.w), m.w)
	return m.relayout()
}

// focus goes to a pane, and has it show.
func (m *Model) focus(id paneID) tea.Cmd {
	m.shape.focus = id
	if id != sourcePane {
		m.shape.shelf = id
	}
	cmd := m.relayout()
	if id == outputPane {
		m.output.showTold(m)
	}
	return cmd
}

// runToCursor runs to the line under the source's cursor, as a breakpoint there
// would stop it once.
func (m *Model) runToCursor(how string) tea.Cmd {
	path, line := m.source.place()
	if path == "" {
		return nil
	}
	return m.runAt(how, path, line)
}

// toggleBreakpoint sets a breakpoint on the line under the cursor, or deletes
// those that are there.
func (m *Model) toggleBreakpoint() tea.Cmd {
	path, line := m.source.place()
	if path == "" || m.view == nil {
		return nil
	}
	if here := m.breakpointsAt(path, line); len(here) > 0 {
		return m.runAt("clear", path, line)
	}
	return m.runAt("break", path, line)
}

func (m *Model) breakpointsAt(path string, line int) []session.Breakpoint {
	var here []session.Breakpoint
	for _, b := range m.view.Breakpoints {
		if b.File == path && b.Line == line {
			here = append(here, b)
		}
	}
	return here
}

// editBreakpoint opens the command line on the condition of the breakpoint under
// the cursor; where there is none, on a new one.
func (m *Model) editBreakpoint() tea.Cmd {
	path, line := m.source.place()
	if path == "" || m.view == nil {
		return nil
	}
	if here := m.breakpointsAt(path, line); len(here) > 0 {
		b := here[0]
		m.line.start(m, keys.CommandLine, strings.TrimRight(fmt.Sprintf("condition %d %s", b.Number, b.Condition), " ")+" ")
		return nil
	}
	if strings.ContainsAny(path, ",\n\r") || strings.Contains(path, ";;") {
		m.flash = "This file's name cannot be part of a command: " + m.keyFor("edit-breakpoint") + " sets the condition of the breakpoint that is here now."
		return m.runAt("break", path, line)
	}
	m.line.start(m, keys.CommandLine, fmt.Sprintf("break %s:%d, ", path, line))
	return nil
}

// currentFrame selects the newest frame and shows its line.
func (m *Model) currentFrame() tea.Cmd {
	if m.view == nil || m.view.Selected < 0 {
		return nil
	}
	m.source.stopped(m)
	return m.selectFrame(m.view.Here)
}

// selectFrame selects a frame of the stack by its index.
func (m *Model) selectFrame(i int) tea.Cmd {
	frame := m.view.Frames[i].Activation
	return m.runFor(func() string {
		now := slices.IndexFunc(m.view.Frames, func(f session.ViewFrame) bool { return f.Activation == frame })
		switch by := now - m.view.Selected; {
		case now < 0:
			m.flash = "That frame is over."
		case by < 0:
			return fmt.Sprintf("up %d", -by)
		case by > 0:
			return fmt.Sprintf("down %d", by)
		}
		return ""
	})
}

// copyLine copies the line under the source's cursor.
func (m *Model) copyLine() tea.Cmd {
	doc := m.source.document(m)
	if doc == nil || m.source.cursor >= len(doc.lines) {
		return nil
	}
	return m.copy(doc.lines[m.source.cursor])
}

// copy puts a text on the terminal's clipboard (OSC 52).
func (m *Model) copy(text string) tea.Cmd {
	m.flash = fmt.Sprintf("Copied %d characters.", len([]rune(text)))
	return tea.SetClipboard(text)
}

// cancel stops what is under way with all that was to follow it, a second time with
// the program, if there is one; else it closes what is open.
func (m *Model) cancel() tea.Cmd {
	if m.running != nil {
		m.queue, m.line.more = nil, nil
	}
	switch r := m.running; {
	case r != nil && r.asked && m.engine.mortal():
		m.flash = "The program is ended."
		return func() tea.Msg { m.engine.kill(); return nil }
	case r != nil && r.waits:
		r.waits = false
		m.line.close()
		m.engine.giveUp()
		return m.engine.answer(session.InputLine{Interrupt: true})
	case r != nil:
		r.asked = true
		m.flash = "Stopping."
		if m.engine.mortal() {
			m.flash += " " + m.keyFor("cancel") + " again ends the program."
		}
		m.engine.interrupt()
	case m.search != nil:
		m.search = nil
	case m.shape.zoom:
		m.shape.zoom = false
		return m.relayout()
	default:
		m.flash = "Nothing is running. " + m.keyFor("quit") + " ends the session."
	}
	return nil
}

// quit ends the session; what is under way is stopped first.
func (m *Model) quit() tea.Cmd {
	m.quits = true
	if m.running != nil {
		m.engine.interrupt()
	}
	return tea.Quit
}
