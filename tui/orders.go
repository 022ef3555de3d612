package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/tui/line"
	"github.com/npdb/npdb/tui/pane"
)

// orders are what the screen has the session do: all of it goes through here. While
// another order is under way one waits for its turn. Whatever is about a place names it,
// so that it means the place that was on the screen when the key was pressed.
type orders struct{ m *Model }

var _ pane.Orders = orders{}

// order is a line of commands, or something about a line of a file.
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

// commandFor is the session's command of an action that is nothing else.
var commandFor = map[string]string{
	"step": "step", "next": "next", "return": "return", "continue": "continue", "fast-continue": "fast-continue",
	"step-back": "reverse-step", "next-back": "reverse-next", "return-back": "reverse-finish", "continue-back": "reverse-continue",
	"next-visited": "forth", "previous-visited": "back",
	"frame-up": "up", "frame-down": "down", "raw-reply": "raw",
	"next-divergence": "divergence next", "previous-divergence": "divergence previous",
}

// commandToCursor is the session's command of an action that goes to the line under the
// source's cursor, as a breakpoint there would stop it once.
var commandToCursor = map[string]string{"run-to-cursor": "advance", "run-back-to-cursor": "reverse-advance"}

// action does an action that is a command of the session's; done is false for another.
func (o orders) action(name string) (cmd tea.Cmd, done bool) {
	if command, ok := commandFor[name]; ok {
		return o.typed(command), true
	}
	command, ok := commandToCursor[name]
	if path, line := o.m.source.Place(); ok && path != "" {
		return o.at(command, path, line), true
	}
	return nil, ok
}

// typed runs lines of commands as they were typed.
func (o orders) typed(lines string) tea.Cmd {
	return o.inTurn(func() (order, bool) { return order{line: lines}, true })
}

func (o orders) restart() tea.Cmd { return o.typed("restart") }

// join has the side that is missing beside the other one.
func (o orders) join() tea.Cmd { return o.typed("mode both") }

// record turns the recording off, or on again.
func (o orders) record() tea.Cmd {
	return o.later(func() string {
		if o.m.screen.View.Unrecorded {
			return "record on"
		}
		return "record off"
	})
}

func (o orders) setBreakpoint(path string, line int) tea.Cmd { return o.at("break", path, line) }

// ToggleBreakpoint sets a breakpoint on a line, or deletes those that are there.
func (o orders) ToggleBreakpoint(path string, line int) tea.Cmd {
	if path == "" || o.m.screen.View == nil {
		return nil
	}
	if len(o.m.breakpointsAt(path, line)) > 0 {
		return o.at("clear", path, line)
	}
	return o.setBreakpoint(path, line)
}

// EnableBreakpoint enables a breakpoint or disables it, whatever it is when its turn comes.
func (o orders) EnableBreakpoint(number int) tea.Cmd {
	return o.later(func() string {
		list := o.m.screen.View.Breakpoints
		i := slices.IndexFunc(list, func(b session.Breakpoint) bool { return b.Number == number })
		switch {
		case i < 0:
			return ""
		case list[i].Enabled:
			return fmt.Sprintf("disable %d", number)
		}
		return fmt.Sprintf("enable %d", number)
	})
}

// DeleteBreakpoint deletes a breakpoint.
func (o orders) DeleteBreakpoint(number int) tea.Cmd { return o.typed(fmt.Sprintf("clear %d", number)) }

// Display shows an expression after each stop.
func (o orders) Display(expression string) tea.Cmd { return o.typed("display " + expression) }

// BreakOnChange stops where an expression changes.
func (o orders) BreakOnChange(expression string) tea.Cmd { return o.typed("watch " + expression) }

// LastChange goes to where an expression changed last.
func (o orders) LastChange(expression string) tea.Cmd { return o.typed("last " + expression) }

// ValueHistory lists the values of an expression.
func (o orders) ValueHistory(expression string) tea.Cmd { return o.typed("history " + expression) }

// SelectFrame selects a frame of the stack by its place in the view.
func (o orders) SelectFrame(i int) tea.Cmd {
	frame := o.m.screen.View.Frames[i].Activation
	return o.later(func() string {
		v := o.m.screen.View
		now := slices.IndexFunc(v.Frames, func(f session.ViewFrame) bool { return f.Activation == frame })
		switch by := now - v.Selected; {
		case now < 0:
			o.m.screen.Flash = "That frame is over."
		case by < 0:
			return fmt.Sprintf("up %d", -by)
		case by > 0:
			return fmt.Sprintf("down %d", by)
		}
		return ""
	})
}

// GoTo shows an event of the recording; in neural mode a state of the history.
func (o orders) GoTo(event int) tea.Cmd {
	if o.m.screen.View.Mode != session.Predicted {
		return o.typed(fmt.Sprintf("goto %d", event))
	}
	return o.Visit(event)
}

// Visit shows a state of the history again.
func (o orders) Visit(i int) tea.Cmd {
	return o.later(func() string {
		switch by := i - o.m.screen.View.Shown; {
		case by < 0:
			return fmt.Sprintf("back %d", -by)
		case by > 0:
			return fmt.Sprintf("forth %d", by)
		}
		return ""
	})
}

// at has the session do something about a line of a file, whatever its path is.
func (o orders) at(command, path string, line int) tea.Cmd {
	at := &session.AtLine{Command: command, File: path, Line: line}
	return o.inTurn(func() (order, bool) { return order{at: at}, true })
}

// later is typed with a line that is made when its turn comes, "" if there is nothing to
// run then. A command that is counted from where the session stands is made so.
func (o orders) later(command func() string) tea.Cmd {
	return o.inTurn(func() (order, bool) {
		l := command()
		return order{line: l}, l != ""
	})
}

// mostAhead is how many orders can be given ahead.
const mostAhead = 32

func (o orders) inTurn(what func() (order, bool)) tea.Cmd {
	m := o.m
	switch {
	case m.screen.Running == nil && m.screen.View != nil:
		if now, ok := what(); ok {
			return m.work(now.String(), m.engine.do(now, m.w))
		}
	case len(m.queue) < mostAhead:
		m.queue = append(m.queue, what)
	}
	return nil
}

// next runs what was ordered ahead, unless something came that nobody foresaw.
func (o orders) next(answers []*session.Answer) tea.Cmd {
	m := o.m
	for _, a := range answers {
		if ends(a) || a.Waiting != session.ForCommand {
			m.queue = nil
		}
	}
	for len(m.queue) > 0 && m.screen.Running == nil {
		what := m.queue[0]
		m.queue = m.queue[1:]
		if cmd := o.inTurn(what); cmd != nil {
			return cmd
		}
	}
	return nil
}

// abort gives up what the session waits for in place of a command.
func (o orders) abort() tea.Cmd {
	if v := o.m.screen.View; v == nil || v.Waiting == session.ForCommand {
		return nil
	}
	return o.m.work("", o.m.engine.abort(o.m.w))
}

// work has the session do something.
func (m *Model) work(what string, cmd tea.Cmd) tea.Cmd {
	what = strings.ReplaceAll(what, "\n", line.GlyphNewline)
	m.screen.Running = &pane.Running{What: what, Since: m.config.Now()}
	return tea.Batch(cmd, tick())
}
