package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/python/traceback"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/tui/keys"
	"github.com/npdb/npdb/tui/line"
	"github.com/npdb/npdb/tui/pane"
)

// typedKey handles a key press while the line is open.
func (m *Model) typedKey(msg tea.KeyPressMsg) tea.Cmd {
	action, cmd := m.line.Key(msg)
	return tea.Batch(cmd, m.actOnLine(action))
}

// paste inserts text at the cursor. If the line is closed it opens the command line.
func (m *Model) paste(msg tea.PasteMsg) tea.Cmd {
	switch {
	case strings.TrimRight(msg.Content, "\r\n") == "" || m.question != nil:
		return nil
	case m.help != nil:
		return m.help.Paste(msg)
	case m.themes != nil:
		return m.themes.Paste(msg)
	case m.page != nil, m.grid != nil:
		return nil
	case m.files != nil:
		return m.files.Paste(msg)
	case m.atStart() && strings.ContainsAny(strings.TrimRight(msg.Content, "\r\n"), "\r\n"):
		m.line.Close() // several lines are not path
		return m.start.OpenTraceback(msg.Content)
	case !m.screen.Typing && m.atStart():
		m.line.Start(keys.Path, "")
	case !m.screen.Typing:
		m.line.Start(keys.CommandLine, "")
		if _, err := traceback.Parse(msg.Content); err == nil && m.config.Traceback != nil {
			m.line.Start(keys.CommandLine, ":traceback ")
		}
	}
	if m.line.Is(keys.CommandLine) && strings.TrimLeft(m.line.Before(), ":") == "traceback" {
		m.line.Start(keys.CommandLine, m.line.Before()+" ")
	}
	action, cmd := m.line.Paste(msg)
	return tea.Batch(cmd, m.actOnLine(action))
}

// actOnLine runs an action that the line passes to the screen.
func (m *Model) actOnLine(action string) tea.Cmd {
	switch action {
	case "":
	case line.Edited:
		if m.line.Is(keys.Search) {
			m.searchFor(m.line.Text())
		}
	case "run-command":
		return m.runTyped()
	case "complete":
		return m.complete()
	case "open-path":
		return m.openPath()
	case "complete-path":
		m.line.Hold()
		return line.CompletePath(m.line.Before())
	case "leave-command-line":
		if v := m.screen.View; v != nil && v.Waiting != session.ForCommand && m.screen.Running == nil {
			m.line.Close()
			return m.orders.abort()
		}
		m.line.Leave()
	case "accept-search":
		m.acceptSearch()
		m.line.Enter()
	case "leave-search":
		m.leaveSearch()
		m.line.Close()
	case "search-case":
		m.searchCase()
	case "send-input":
		_, lines, _ := m.line.Enter()
		return m.sendInput(session.InputLine{Text: m.line.Queue(lines) + "\n"})
	case "end-input":
		m.line.Close()
		return m.sendInput(session.InputLine{EOF: true})
	case "cancel":
		m.line.Unhold(m.completing())
		if m.line.Is(keys.Input) || m.screen.Running != nil {
			return m.cancel()
		}
		m.line.Close()
		return m.orders.abort()
	default:
		return m.act(action)
	}
	return nil
}

// openPath opens the program whose path was typed.
func (m *Model) openPath() tea.Cmd {
	path, err := m.line.Path()
	if err == nil && path == "" {
		m.screen.Flash = "A path is wanted, such as prog.py."
		return nil
	}
	m.line.Leave() // keep the path in case it cannot be opened
	if err != nil {
		m.failToStart(err)
		return nil
	}
	return m.start.OpenPath(path)
}

// runTyped runs a typed line. An empty line repeats the last command, as in pdb.
func (m *Model) runTyped() tea.Cmd {
	text, lines, fresh := m.line.Enter()
	m.output.Typed(m.prompt(), shortened(text))
	cmd := m.orders.typed(lines)
	if fresh && (m.screen.View == nil || m.screen.View.Waiting == session.ForCommand) {
		m.line.Remember(text)
		cmd = tea.Batch(cmd, m.line.Save)
	}
	return cmd
}

// mostEchoed limits the lines of a pasted text that the output repeats.
const mostEchoed = 8

// shortened returns a typed text as the output repeats it: of many lines only the first.
func shortened(text string) string {
	lines := strings.Split(text, line.GlyphNewline)
	if len(lines) <= mostEchoed {
		return text
	}
	return fmt.Sprintf("%s%s%s +%d lines", lines[0], line.GlyphNewline, pane.GlyphEllipsis, len(lines)-1)
}

// prompt returns the session's prompt.
func (m *Model) prompt() string {
	if m.screen.View == nil {
		return "(npdb) "
	}
	return m.screen.View.Prompt
}

// linePrompt returns the prompt of the open line.
func (m *Model) linePrompt() string {
	switch {
	case m.line.Is(keys.CommandLine):
		return " " + m.prompt()
	case m.line.Is(keys.Input):
		return " in> " + m.output.Asked()
	case m.line.Is(keys.Path):
		return " path: "
	}
	return " / "
}

// lineStopped opens the line if the session waits for the rest of a statement, a line of a command
// list, or yes or no.
func (m *Model) lineStopped() {
	switch w := m.screen.View.Waiting; {
	case w == session.ForConfirmation:
		m.confirm()
	case w != session.ForCommand:
		m.line.Start(keys.CommandLine, "")
	case m.line.Is(keys.Input):
		m.line.Close()
	}
}

// completing is the description of a completion while it runs.
const completing = "completing"

func (m *Model) completing() bool {
	return m.screen.Running != nil && m.screen.Running.What == completing
}

// complete completes the word before the cursor, after the running command has ended.
func (m *Model) complete() tea.Cmd {
	if m.screen.View != nil && m.screen.View.Waiting != session.ForCommand {
		m.line.Indent()
		return nil
	}
	m.line.Hold()
	if m.screen.Running != nil || m.screen.View == nil {
		m.screen.Flash = "What you type goes on when this is over."
		return nil
	}
	return m.askCompletion()
}

func (m *Model) askCompletion() tea.Cmd {
	return m.work(completing, m.engine.complete(m.line.Before()))
}

// completeInTurn runs the completion that waited for the running command.
func (m *Model) completeInTurn() tea.Cmd {
	if !m.line.Holds() || !m.line.Is(keys.CommandLine) {
		return nil
	}
	m.screen.Flash = ""
	return m.askCompletion()
}

// completed inserts the completion, and replays the keys that were typed meanwhile.
func (m *Model) completed(msg line.Completions) tea.Cmd {
	if m.completing() {
		m.screen.Running = nil
	}
	if m.line.Holds() {
		m.line.Complete(msg)
	}
	cmds := []tea.Cmd{m.orders.next(nil)}
	held := m.line.Release()
	for i, msg := range held {
		cmds = append(cmds, m.take(msg))
		if m.line.Holds() { // another Tab
			m.line.Keep(held[i+1:])
			break
		}
	}
	return tea.Batch(cmds...)
}

// askInput opens the line for the program's input, if the program waits for input.
func (m *Model) askInput() tea.Cmd {
	if m.screen.Running == nil || !m.screen.Running.Waits {
		m.screen.Flash = "The program does not wait for input."
		return nil
	}
	if m.line.Start(keys.Input, ""); m.screen.Running.Unseen {
		m.line.Hide()
	}
	return nil
}

// sendInput passes a line to the program.
func (m *Model) sendInput(in session.InputLine) tea.Cmd {
	if m.screen.Running == nil || !m.screen.Running.Waits {
		m.screen.Flash = "The program does not wait for input any more."
		return nil
	}
	m.screen.Running.Waits = false
	if !m.screen.Running.Unseen { // a terminal without an echo does not show the line's end either
		m.output.Typed("", strings.TrimSuffix(in.Text, "\n"))
	}
	return m.engine.answer(in)
}
