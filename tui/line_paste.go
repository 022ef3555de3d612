package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/tui/keys"
)

// What stands in the line for characters that it cannot hold: what was pasted is seen
// as a whole before Enter does anything with it.
const (
	glyphNewline = "␤"
	glyphTab     = "␉"
)

var (
	inGlyphs  = strings.NewReplacer("\r\n", glyphNewline, "\r", glyphNewline, "\n", glyphNewline, "\t", glyphTab)
	inCommand = strings.NewReplacer("\r\n", glyphNewline, "\r", glyphNewline, "\n", glyphNewline, "\t", "    ")
	ofGlyphs  = strings.NewReplacer(glyphNewline, "\n", glyphTab, "\t")
)

// paste puts text in at the cursor. Where nothing is typed it begins a command.
func (m *Model) paste(msg tea.PasteMsg) tea.Cmd {
	text := strings.TrimRight(msg.Content, "\r\n")
	switch {
	case text == "" || m.question != nil:
		return nil
	case m.help != nil:
		return m.help.paste(msg)
	case !m.line.open && m.atStart():
		m.line.start(m, keys.Path, "")
	case !m.line.open:
		m.line.start(m, keys.CommandLine, "")
	case m.line.held.tab:
		m.line.held.msgs = append(m.line.held.msgs, msg)
		return nil
	}
	l := &m.line
	switch l.offer = nil; l.of {
	case keys.CommandLine:
		text = inCommand.Replace(text)
	case keys.Input:
		text = inGlyphs.Replace(text)
	}
	cmd := l.update(tea.PasteMsg{Content: text})
	if l.of == keys.Search {
		m.searchFor(l.input.Value())
	}
	return cmd
}

// sendLines gives the program what was typed. Of several lines each is the answer to
// a question of its own.
func (m *Model) sendLines(text string) tea.Cmd {
	first, more, several := strings.Cut(ofGlyphs.Replace(text), "\n")
	m.line.more = nil
	if several {
		m.line.more = strings.Split(more, "\n")
	}
	return m.sendInput(session.InputLine{Text: first + "\n"})
}

// sendMore answers the program with the next line of several; done is false where
// there is none.
func (m *Model) sendMore() (cmd tea.Cmd, done bool) {
	l := &m.line
	if len(l.more) == 0 {
		return nil, false
	}
	text := l.more[0]
	l.more = l.more[1:]
	return m.sendInput(session.InputLine{Text: text + "\n"}), true
}
