package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/files"
)

// openFiles opens the list of files and modules.
func (m *Model) openFiles() tea.Cmd {
	if m.screen.View == nil {
		m.screen.Flash = "The program has not started yet."
		return nil
	}
	path, _ := m.source.Place()
	m.files = files.New(m.screen, path)
	return m.engine.modules()
}

// filesKey handles a key press while the list of files is open.
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

// showFile shows the file under the list's cursor, or the typed one.
func (m *Model) showFile() tea.Cmd {
	name, line := m.files.At()
	if name == "" {
		return nil
	}
	return m.engine.look(name, line)
}

// showLine shows a line of a file.
func (m *Model) showLine(path string, line int) tea.Cmd {
	if m.source.Show(path, line) {
		return nil
	}
	return m.engine.look(path, line)
}

// found shows a requested source text in the source pane.
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

// foundMsg holds a requested source text, or the error if there is none. words describes changes of
// breakpoints in it.
type foundMsg struct {
	text  session.Text
	words []string
	err   error
}

// modules requests the list of files.
func (e *engine) modules() tea.Cmd {
	return e.work("", func() tea.Msg { return files.Listed(e.session.Load().Modules(e.ctx)) })
}

// look requests the text of a file, a module or a function, to show it at a line, 0 for none.
func (e *engine) look(name string, line int) tea.Cmd {
	return e.work("", func() tea.Msg {
		text, err := e.session.Load().Look(e.ctx, name)
		if line > 0 {
			text.Line = line
		}
		return foundMsg{text: text, err: err}
	})
}
