package tui

import (
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/keys"
)

// line is the last row while something is typed into it: a command, a pattern to
// search for, or a line that the program reads.
type line struct {
	open  bool
	of    keys.Context
	input textinput.Model
	given string                    // what it was opened with
	left  map[keys.Context]string   // what was typed when it was left
	past  map[keys.Context][]string // what was entered, the oldest first
	at    int                       // the place in past, len(past) for what is new
	fresh string                    // what was typed before going into the past
	offer []string                  // completions
	file  *pastFile                 // what is kept of past beyond the session
	held  held                      // what was typed after a Tab that is not done yet
	more  []string                  // lines for the program's next questions
}

func newLine(historyFile string) line {
	in := textinput.New()
	in.Prompt = ""
	in.SetVirtualCursor(false)
	return line{input: in, left: map[keys.Context]string{}, past: map[keys.Context][]string{}, file: &pastFile{path: historyFile}}
}

// start opens the line for something, with a text in it; "" is what was left
// there.
func (l *line) start(m *Model, c keys.Context, text string) {
	if l.open && l.of != c {
		l.leave() // the program asks for input while something else is typed
	}
	l.given = text
	if text == "" {
		text = l.left[c]
	}
	l.open, l.of, l.offer, l.held = true, c, nil, held{}
	l.at = len(l.past[c])
	l.input.SetValue(text)
	l.input.CursorEnd()
	l.input.Focus()
	m.flash = ""
}

// leave closes the line and keeps what was typed; close forgets it. What the line
// was opened with is not kept: it was not typed.
func (l *line) leave() {
	if text := l.input.Value(); l.open && text != l.given {
		l.left[l.of] = text
	}
	l.open, l.held = false, held{}
}

func (l *line) close() {
	delete(l.left, l.of)
	l.open, l.held = false, held{}
}

// stopped follows what the session waits for: the rest of a statement, an answer,
// lines of a list of commands.
func (l *line) stopped(m *Model) {
	if m.view.Waiting != session.ForCommand {
		l.start(m, keys.CommandLine, "")
	} else if l.open && l.of == keys.Input {
		l.close()
	}
}

// key takes a key that was pressed while the line is open.
func (l *line) key(m *Model, msg tea.KeyPressMsg) tea.Cmd {
	a, ok := m.config.Keys.Lookup(l.of, msg)
	if l.held.tab && (!ok || !leaves(a.Name)) {
		l.held.msgs = append(l.held.msgs, msg)
		return nil
	}
	if ok {
		return l.act(m, a.Name)
	}
	l.offer = nil
	cmd := l.update(msg)
	if l.of == keys.Search {
		m.searchFor(l.input.Value())
	}
	return cmd
}

func (l *line) update(msg tea.Msg) tea.Cmd {
	var cmd tea.Cmd
	l.input, cmd = l.input.Update(msg)
	return cmd
}

func (l *line) act(m *Model, action string) tea.Cmd {
	switch action {
	case "run-command":
		return l.runCommand(m)
	case "complete":
		return l.complete(m)
	case "open-path":
		return m.start.openPath(m, l.input.Value())
	case "complete-path":
		l.held.tab = true
		return completePath(l.input.Value()[:l.position()])
	case "leave-path":
		l.leave()
	case "older-command", "older-search":
		l.recall(-1)
	case "newer-command", "newer-search":
		l.recall(+1)
	case "find-command":
		l.find()
	case "leave-command-line":
		return l.leaveCommand(m)
	case "accept-search":
		m.acceptSearch()
		l.enter()
		l.close()
	case "leave-search":
		m.leaveSearch()
		l.close()
	case "search-case":
		m.searchCase()
	case "send-input":
		text, _ := l.enter()
		l.close()
		return m.sendLines(text)
	case "input-tab":
		return l.update(tea.PasteMsg{Content: glyphTab})
	case "end-input":
		l.close()
		return m.sendInput(session.InputLine{EOF: true})
	case "leave-input":
		l.leave()
	case "cancel":
		l.held.msgs = nil
		if m.running == nil || m.running.what != completing {
			l.held.tab = false
		}
		if l.of == keys.Input || m.running != nil {
			return m.cancel()
		}
		l.close()
		return m.abort()
	default:
		return m.act(action)
	}
	return nil
}

// position is the cursor's place in the line in bytes.
func (l *line) position() int {
	runes := []rune(l.input.Value())
	return len(string(runes[:min(l.input.Position(), len(runes))]))
}

// runCommand gives the session what was typed. An empty line repeats the last
// command, as in pdb.
func (l *line) runCommand(m *Model) tea.Cmd {
	text, fresh := l.enter()
	l.close()
	m.output.typed(m, m.prompt(), text)
	cmd := m.run(ofGlyphs.Replace(text))
	if fresh && (m.view == nil || m.view.Waiting == session.ForCommand) {
		l.file.add(text)
		cmd = tea.Batch(cmd, l.file.save)
	}
	return cmd
}

// prompt is what the session asks with; until it has started, as it will.
func (m *Model) prompt() string {
	if m.view == nil {
		return "(npdb) "
	}
	return m.view.Prompt
}

// enter takes what was typed into the past, unless it is what was entered last. A
// command that begins with a space is not remembered, as in a shell.
func (l *line) enter() (text string, fresh bool) {
	text = l.input.Value()
	past := l.past[l.of]
	if text == "" || len(past) > 0 && past[len(past)-1] == text || l.of == keys.CommandLine && text[0] == ' ' {
		return text, false
	}
	l.past[l.of] = append(past, text)
	return text, true
}

// leaveCommand closes the command line; where the session waits for something
// else than a command, that is given up.
func (l *line) leaveCommand(m *Model) tea.Cmd {
	if m.view != nil && m.view.Waiting != session.ForCommand && m.running == nil {
		l.close()
		return m.abort()
	}
	l.leave()
	return nil
}

// abort gives up what the session waits for in place of a command.
func (m *Model) abort() tea.Cmd {
	if m.view == nil || m.view.Waiting == session.ForCommand {
		return nil
	}
	return m.work("", m.engine.abort(m.w))
}

// recall goes through what was entered before.
func (l *line) recall(by int) {
	past := l.past[l.of]
	if l.at == len(past) {
		l.fresh = l.input.Value()
	}
	l.at = min(max(l.at+by, 0), len(past))
	text := l.fresh
	if l.at < len(past) {
		text = past[l.at]
	}
	l.input.SetValue(text)
	l.input.CursorEnd()
}

// find goes to the next older command that has what was typed in it.
func (l *line) find() {
	past := l.past[l.of]
	if l.at == len(past) {
		l.fresh = l.input.Value()
	}
	for i := l.at - 1; i >= 0; i-- {
		if strings.Contains(past[i], l.fresh) {
			l.at = i
			l.input.SetValue(past[i])
			l.input.CursorEnd()
			return
		}
	}
}

// draw shows the line, with a word behind what is typed, and returns where the
// terminal's cursor is.
func (l *line) draw(m *Model, a *draw.Area, word message) *tea.Cursor {
	w, _ := a.Size()
	prompt := " / "
	switch l.of {
	case keys.CommandLine:
		prompt = " " + m.prompt()
	case keys.Input:
		prompt = " in> " + m.output.asked()
	case keys.Path:
		prompt = " path: "
	}
	prompt = m.measure.Cut(prompt, max(w/2, 1))
	x := a.Text(0, 0, prompt, m.style(themes.Prompt))
	text := l.input.Value()
	before := m.measure.Width(text[:l.position()])
	scroll := max(before-(w-x-1), 0)
	end := x + a.Sub(draw.Rect{X: x, W: w - x, H: 1}).Spans(0, 0, []draw.Span{{Text: text, Style: m.style(themes.Text)}}, scroll)
	if len(l.offer) > 0 && end+2 < w {
		a.Text(end+2, 0, m.measure.Cut(strings.Join(l.offer, "  "), w-end-3), m.style(themes.Dim))
	} else if word.text != "" && end+2 < w {
		a.Text(end+2, 0, m.measure.Cut(word.text, w-end-3), m.style(word.role))
	}
	r := a.Rect()
	return tea.NewCursor(r.X+min(x+before-scroll, w-1), r.Y)
}

// askInput opens the line for the program's input, if it waits for some.
func (m *Model) askInput() tea.Cmd {
	if m.running == nil || !m.running.waits {
		m.flash = "The program does not wait for input."
		return nil
	}
	m.line.start(m, keys.Input, "")
	return nil
}

// sendInput gives the program a line.
func (m *Model) sendInput(in session.InputLine) tea.Cmd {
	if m.running == nil || !m.running.waits {
		m.flash = "The program does not wait for input any more."
		return nil
	}
	m.running.waits = false
	m.output.typed(m, "", strings.TrimSuffix(in.Text, "\n"))
	return m.engine.answer(in)
}
