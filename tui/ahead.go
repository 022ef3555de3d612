package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/session"
)

// mostAhead is how many lines can be typed ahead.
const mostAhead = 32

// run has the session run a line of commands. While another is under way it waits
// for its turn. Whatever is about a place names it, so that it means the place
// that was on the screen when the key was pressed.
func (m *Model) run(line string) tea.Cmd {
	return m.inTurn(func() (string, bool) { return line, true })
}

// runFor is run with a line that is made when its turn comes, "" if there is nothing
// to run then. A command that is counted from where the session stands is made so.
func (m *Model) runFor(line func() string) tea.Cmd {
	return m.inTurn(func() (string, bool) {
		l := line()
		return l, l != ""
	})
}

func (m *Model) inTurn(line func() (string, bool)) tea.Cmd {
	switch {
	case m.running == nil && m.view != nil:
		if l, ok := line(); ok {
			return m.work(l, m.engine.do(l, m.w))
		}
	case len(m.queue) < mostAhead:
		m.queue = append(m.queue, line)
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
		line := m.queue[0]
		m.queue = m.queue[1:]
		if cmd := m.inTurn(line); cmd != nil {
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
