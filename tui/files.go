package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/files"
)

// openFiles lists the files and modules that can be looked at.
func (m *Model) openFiles() tea.Cmd {
	if m.screen.View == nil {
		m.screen.Flash = "The program has not started yet."
		return nil
	}
	path, _ := m.source.Place()
	m.files = files.New(m.screen, path)
	return m.engine.modules()
}

// filesKey takes a key that was pressed while the list of files is open.
func (m *Model) filesKey(msg tea.KeyPressMsg) tea.Cmd {
	action, cmd := m.files.Key(msg)
	switch action {
	case "show-file":
		return m.showFile()
	case "leave-files", "cancel":
		m.files = nil
	case "suspend", "redraw":
		return m.act(action)
	}
	return cmd
}

// showFile looks at what is under the list's cursor, or what is typed.
func (m *Model) showFile() tea.Cmd {
	name, line := m.files.At()
	if name == "" {
		return nil
	}
	return m.engine.look(name, line)
}

// showLine looks at a line of a file.
func (m *Model) showLine(path string, line int) tea.Cmd {
	if m.source.Show(path, line) {
		return nil
	}
	return m.engine.look(path, line)
}

// found shows a text that was looked for in the source.
func (m *Model) found(msg foundMsg) tea.Cmd {
	if msg.err != nil {
		m.screen.Flash = session.AsError(msg.err).Message
		return nil
	}
	for _, words := range msg.words {
		m.say(themes.Notice, words)
	}
	if msg.text.Edited && len(msg.words) == 0 {
		m.screen.Flash = msg.text.Name + " was edited. The source shows what runs; " + m.screen.KeyFor("restart") + " runs it as it is now."
	}
	m.files = nil
	learn := m.source.Open(msg.text)
	return tea.Batch(learn, m.focus(sourcePane))
}

// foundMsg is a text that was looked for, or why there is none; words are what there is to
// say of breakpoints in it.
type foundMsg struct {
	text  session.Text
	words []string
	err   error
}

// modules lists the files that can be looked at.
func (e *engine) modules() tea.Cmd {
	return e.work(func() tea.Msg { return files.Listed(e.session.Load().Modules(e.ctx)) })
}

// look finds a file, a module or a function, to be shown at a line; 0 for none.
func (e *engine) look(name string, line int) tea.Cmd {
	return e.work(func() tea.Msg {
		text, err := e.session.Load().Look(e.ctx, name)
		if line > 0 {
			text.Line = line
		}
		return foundMsg{text: text, err: err}
	})
}
