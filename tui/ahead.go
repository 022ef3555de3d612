package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/session"
)

// mostAhead is how many lines can be typed ahead.
const mostAhead = 32

// order is what the session is to do: to run a line of commands, or something about
// a line of a file.
type order struct {
	line string
	at   *session.AtLine
}

func (o order) String() string {
	if o.at != nil {
		return o.at.String()
	}
	return o.line
}

// run has the session run a line of commands. While another is under way it waits
// for its turn. Whatever is about a place names it, so that it means the place
// that was on the screen when the key was pressed.
func (m *Model) run(line string) tea.Cmd {
	return m.inTurn(func() (order, bool) { return order{line: line}, true })
}

// runAt has the session do something about a line of a file, whatever its path is.
func (m *Model) runAt(command, path string, line int) tea.Cmd {
	at := &session.AtLine{Command: command, File: path, Line: line}
	return m.inTurn(func() (order, bool) { return order{at: at}, true })
}

// runFor is run with a line that is made when its turn comes, "" if there is nothing
// to run then. A command that is counted from where the session stands is made so.
func (m *Model) runFor(line func() string) tea.Cmd {
	return m.inTurn(func() (order, bool) {
		l := line()
		return order{line: l}, l != ""
	})
}

func (m *Model) inTurn(what func() (order, bool)) tea.Cmd {
	switch {
	case m.running == nil && m.view != nil:
		if o, ok := what(); ok {
			return m.work(o.String(), m.engine.do(o, m.w))
		}
	case len(m.queue) < mostAhead:
		m.queue = append(m.queue, what)
	}
	return nil
}

// next runs what was typed ahead, unless something came that nobody foresaw.
func (m *Model) next(answers []*session.Answer) tea.Cmd {
	for _, a := range answers {
		if ends(a) || a.Waiting != session.ForCommand {
			m.queue = nil
		}
	}
	for len(m.queue) > 0 && m.running == nil {
		what := m.queue[0]
		m.queue = m.queue[1:]
		if cmd := m.inTurn(what); cmd != nil {
			return cmd
		}
	}
	return nil
}

// work has the session do something.
func (m *Model) work(what string, cmd tea.Cmd) tea.Cmd {
	what = strings.ReplaceAll(what, "\n", glyphNewline)
	m.running = &running{what: what, since: m.config.Now()}
	return tea.Batch(cmd, tick())
}
