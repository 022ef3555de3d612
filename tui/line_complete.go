package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/tui/keys"
)

// held is what comes after a Tab, until what it completes is known. A shell
// completes before it looks at the next key; so Tab and Enter typed at once run the
// completed line.
type held struct {
	tab  bool
	msgs []tea.Msg // keys, and what was pasted
}

// completing is what is under way then.
const completing = "completing"

// leaves reports whether an action does not wait for a completion, which may take
// long: the program is asked.
func leaves(action string) bool {
	switch action {
	case "cancel", "leave-command-line", "leave-path":
		return true
	}
	return false
}

// complete completes the word before the cursor; while something else is under
// way, when that is over.
func (l *line) complete(m *Model) tea.Cmd {
	if m.view != nil && m.view.Waiting != session.ForCommand {
		if l.blank() {
			l.input.SetValue("    " + l.input.Value()) // of a statement that goes on
			l.input.CursorEnd()
		}
		return nil
	}
	l.held.tab = true
	if m.running != nil || m.view == nil {
		m.flash = "What you type goes on when this is over."
		return nil
	}
	return l.askCompletion(m)
}

// blank reports whether nothing but spaces was typed.
func (l *line) blank() bool { return strings.TrimSpace(l.input.Value()) == "" }

func (l *line) askCompletion(m *Model) tea.Cmd {
	return m.work(completing, m.engine.complete(l.input.Value()[:l.position()]))
}

// turn completes what a Tab was typed for while something else was under way.
func (l *line) turn(m *Model) tea.Cmd {
	if !l.open || !l.held.tab || l.of != keys.CommandLine {
		return nil
	}
	m.flash = ""
	return l.askCompletion(m)
}

// completed takes how a line can go on, and what was typed meanwhile.
func (m *Model) completed(msg completedMsg) tea.Cmd {
	if m.running != nil && m.running.what == completing {
		m.running = nil
	}
	if m.line.held.tab {
		m.line.completed(m, msg)
	}
	cmds := []tea.Cmd{m.next(nil)}
	held := m.line.held.msgs
	m.line.held.tab, m.line.held.msgs = false, nil
	for i, msg := range held {
		cmds = append(cmds, m.take(msg))
		if m.line.held.tab { // another Tab
			m.line.held.msgs = held[i+1:]
			break
		}
	}
	return tea.Batch(cmds...)
}

// completed puts in what all completions have in common, and shows the rest.
func (l *line) completed(m *Model, msg completedMsg) {
	text := l.input.Value()
	at := l.position()
	if text[:at] != msg.line {
		return // it was left meanwhile, and another one begun
	}
	if len(msg.words) == 0 {
		m.flash = "Nothing is known that goes on like this."
		return
	}
	common := msg.words[0]
	for _, w := range msg.words[1:] {
		n := 0
		for n < min(len(common), len(w)) && common[n] == w[n] {
			n++
		}
		common = common[:n]
	}
	common = strings.ToValidUTF8(common, "")
	if l.of == keys.CommandLine && len(msg.words) == 1 && !strings.HasSuffix(common, ":") {
		common += " "
	}
	l.offer = nil
	if len(msg.words) > 1 {
		l.offer = msg.words
	}
	if len(common) > len(text[msg.from:at]) {
		l.input.SetValue(text[:msg.from] + common + text[at:])
		l.input.SetCursor(len([]rune(text[:msg.from] + common)))
	}
}
