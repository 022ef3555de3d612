package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/breakpoint"
	"github.com/npdb/npdb/tui/line"
	"github.com/npdb/npdb/tui/pane"
)

// orders are the screen's requests to the session. While one runs, others wait. A request names its
// line, frame or expression, so that it means what was visible when the key was pressed.
type orders struct{ m *Model }

var _ pane.Orders = orders{}

// order is a request to the session: a command, or typed lines.
type order struct {
	command session.Command
	lines   string
}

func (o order) String() string {
	if o.command != nil {
		return o.command.String()
	}
	return o.lines
}

// commandFor maps actions to commands of the session.
var commandFor = map[string]session.Command{
	"step": session.Step{Move: dsl.StepInto}, "next": session.Step{Move: dsl.StepOver}, "return": session.Step{Move: dsl.StepReturn},
	"step-back": session.Step{Move: dsl.InvStepInto}, "next-back": session.Step{Move: dsl.InvStepOver}, "return-back": session.Step{Move: dsl.InvStepReturn},
	"continue": session.Continue{}, "continue-back": session.Continue{Inverse: true}, "fast-continue": session.Continue{Unrecorded: true},
	"next-visited": session.Revisit{By: +1}, "previous-visited": session.Revisit{By: -1},
	"frame-up": session.SelectFrame{By: +1}, "frame-down": session.SelectFrame{By: -1}, "raw-reply": session.ShowRaw{},
	"next-candidate": session.Candidates{By: +1}, "previous-candidate": session.Candidates{By: -1}, "more-candidates": session.Candidates{More: 5},
	"next-divergence": session.ToDivergence{Which: "onward"}, "previous-divergence": session.ToDivergence{Which: "previous"},
}

// action runs an action that is a command of the session; done is false for others.
func (o orders) action(name string) (cmd tea.Cmd, done bool) {
	if name == "fast-continue" && o.hurry() {
		return nil, true
	}
	if command, ok := commandFor[name]; ok {
		return o.give(command), true
	}
	if name == "infer" { // as if typed, so that npdb asks for consent
		return o.typed("::infer"), true
	}
	if name == "explain" { // the same
		return o.typed("::why"), true
	}
	if name != "run-to-cursor" && name != "run-back-to-cursor" {
		return nil, false
	}
	path, line := o.m.source.Place()
	if path == "" {
		return nil, true
	}
	return o.give(session.Advance{To: session.Target{File: path, Line: line}, Inverse: name == "run-back-to-cursor"}), true
}

// hurry interrupts a recorded continue, or a move for which fast-continue was suggested, and
// continues unrecorded from there. It returns false if no such move is running. If the move
// stops by itself first, npdb does not continue.
func (o orders) hurry() bool {
	m := o.m
	r := m.screen.Running
	if r == nil || r.Waits || r.Asked || !r.Advised && r.What != "c" && r.What != (session.Continue{}).String() {
		return false
	}
	m.engine.interrupt()
	r.Asked = true
	m.screen.Flash = "Stopping, to go on unrecorded."
	m.queue = []func() tea.Cmd{func() tea.Cmd {
		return o.inTurn(func() (order, bool) {
			return order{command: session.Continue{Unrecorded: true}}, m.interrupted
		})
	}}
	return true
}

// typed runs lines of commands as they were typed.
func (o orders) typed(lines string) tea.Cmd {
	return o.inTurn(func() (order, bool) { return order{lines: lines}, true })
}

// give makes the session run a command.
func (o orders) give(c session.Command) tea.Cmd {
	return o.inTurn(func() (order, bool) { return order{command: c}, true })
}

func (o orders) restart() tea.Cmd { return o.give(session.Restart{}) }

// join switches to mode both, which adds CPython to a model or a model to CPython. It runs the
// command as if it were typed, so that npdb asks before it runs the program.
func (o orders) join() tea.Cmd { return o.typed(session.SetMode{Mode: session.Both}.String()) }

// record turns recording off or on.
func (o orders) record() tea.Cmd {
	return o.later(func() session.Command {
		if o.m.screen.View.Unrecorded {
			return session.Record{Turn: "on"}
		}
		return session.Record{Turn: "off"}
	})
}

func (o orders) setBreakpoint(path string, line int) tea.Cmd {
	return o.give(session.SetBreakpoint{At: session.Target{File: path, Line: line}})
}

// ToggleBreakpoint sets a breakpoint on a line, or deletes those that are there.
func (o orders) ToggleBreakpoint(path string, line int) tea.Cmd {
	if path == "" || o.m.screen.View == nil {
		return nil
	}
	if len(o.m.breakpointsAt(path, line)) > 0 {
		return o.give(session.ClearLine{File: path, Line: line})
	}
	return o.setBreakpoint(path, line)
}

// EnableBreakpoint enables a breakpoint, or disables it if it is enabled when the request's turn
// comes.
func (o orders) EnableBreakpoint(number int) tea.Cmd {
	return o.later(func() session.Command {
		list := o.m.screen.View.Breakpoints
		i := slices.IndexFunc(list, func(b breakpoint.Breakpoint) bool { return b.Number == number })
		if i < 0 {
			return nil
		}
		return session.EnableBreakpoints{Numbers: []int{number}, Off: list[i].Enabled}
	})
}

// DeleteBreakpoint deletes a breakpoint.
func (o orders) DeleteBreakpoint(number int) tea.Cmd {
	return o.give(session.ClearBreakpoints{Numbers: []int{number}})
}

// Display shows an expression at each stop.
func (o orders) Display(expression string) tea.Cmd {
	return o.give(session.Display{Expression: expression})
}

// Undisplay ends the display of an expression.
func (o orders) Undisplay(expression string) tea.Cmd {
	return o.give(session.Undisplay{Expression: expression})
}

// BreakOnChange sets a watchpoint, which stops where an expression changes.
func (o orders) BreakOnChange(expression string) tea.Cmd {
	return o.give(session.Watch{Expression: expression})
}

// LastChange goes to the last change of an expression.
func (o orders) LastChange(expression string) tea.Cmd {
	return o.give(session.LastChange{Expression: expression})
}

// ValueHistory lists the values of an expression.
func (o orders) ValueHistory(expression string) tea.Cmd {
	return o.give(session.ValueHistory{Expression: expression})
}

// Provenance lists where the value of an expression came from.
func (o orders) Provenance(expression string) tea.Cmd {
	return o.give(session.Provenance{Expression: expression})
}

// SelectFrame selects a frame of the stack by its index in the view.
func (o orders) SelectFrame(i int) tea.Cmd {
	frame := o.m.screen.View.Frames[i].Activation
	return o.later(func() session.Command {
		v := o.m.screen.View
		now := slices.IndexFunc(v.Frames, func(f session.ViewFrame) bool { return f.Activation == frame })
		switch by := v.Selected - now; {
		case now < 0:
			o.m.screen.Flash = "That frame is over."
		case by != 0:
			return session.SelectFrame{By: by}
		}
		return nil
	})
}

// GoTo shows an event of the recording; in neural mode a state of the history by its index.
func (o orders) GoTo(event int) tea.Cmd {
	if v := o.m.screen.View; v.Mode == session.Predicted {
		return o.Visit(v.History[event].Number)
	}
	return o.give(session.Goto{Event: event})
}

// Visit shows a state of the history again.
func (o orders) Visit(number int) tea.Cmd {
	return o.later(func() session.Command {
		if v := o.m.screen.View; v.Shown >= 0 && v.History[v.Shown].Number == number {
			return nil
		}
		return session.GotoVisit{To: session.VisitName(number)}
	})
}

// Diff compares the shown state with another one of the history.
func (o orders) Diff(number int) tea.Cmd {
	return o.give(session.Diff{With: session.VisitName(number)})
}

// Prune removes a branch from the history.
func (o orders) Prune(number int) tea.Cmd {
	return o.give(session.Prune{At: session.VisitName(number)})
}

// Restore brings the branch back that was removed last.
func (o orders) Restore() tea.Cmd { return o.give(session.Prune{Undo: true}) }

// TakeCandidate shows another candidate by its number, unless the candidates have changed since.
func (o orders) TakeCandidate(number int) tea.Cmd {
	of := o.m.screen.View.Candidates
	return o.later(func() session.Command {
		switch v := o.m.screen.View; {
		case v.Candidates != of:
			o.m.screen.Flash = "The candidates have changed: none was taken."
			return nil
		case v.Candidate == number-1:
			return nil
		}
		return session.Candidates{Take: number}
	})
}

// later queues a command that is computed when its turn comes, because it depends on the position
// then. If command returns nil, nothing runs.
func (o orders) later(command func() session.Command) tea.Cmd {
	return o.inTurn(func() (order, bool) {
		c := command()
		return order{command: c}, c != nil
	})
}

// mostQueued limits the number of waiting requests.
const mostQueued = 32

func (o orders) inTurn(what func() (order, bool)) tea.Cmd {
	m := o.m
	if m.screen.Running != nil || m.screen.View == nil {
		m.wait(func() tea.Cmd { return o.inTurn(what) })
		return nil
	}
	if now, ok := what(); ok {
		return m.work(now.String(), m.engine.do(now, m.w))
	}
	return nil
}

// wait queues a request until the running command and the requests before it have ended.
func (m *Model) wait(do func() tea.Cmd) {
	if len(m.queue) == mostQueued {
		m.screen.Flash = fmt.Sprintf("%d orders wait for their turn already: this one is dropped.", mostQueued)
		return
	}
	m.queue = append(m.queue, do)
}

// next runs the next queued request. It drops the queue if ends is true for an answer, or if the
// session waits for something else than a command.
func (o orders) next(answers []*session.Answer) tea.Cmd {
	m := o.m
	m.interrupted = slices.ContainsFunc(answers, func(a *session.Answer) bool { return a.Interrupted })
	for _, a := range answers {
		if n := len(m.queue); n > 0 && (ends(a) || a.Waiting != session.ForCommand) {
			m.queue = nil
			m.screen.Flash = "A command that was typed ahead was dropped after this answer."
			if n > 1 {
				m.screen.Flash = fmt.Sprintf("%d commands that were typed ahead were dropped after this answer.", n)
			}
		}
	}
	var cmds []tea.Cmd
	for len(m.queue) > 0 && m.screen.Running == nil {
		do := m.queue[0]
		m.queue = m.queue[1:]
		// A message about the request before would seem to belong to the next stop.
		m.screen.Flash = ""
		m.hush()
		if cmd := do(); cmd != nil {
			cmds = append(cmds, cmd)
		}
	}
	return tea.Batch(cmds...)
}

// abort ends a dialogue of the session.
func (o orders) abort() tea.Cmd {
	if v := o.m.screen.View; v == nil || v.Waiting == session.ForCommand {
		return nil
	}
	return o.m.work("", o.m.engine.abort(o.m.w))
}

// work runs a command that uses the session, and shows what as the running command.
func (m *Model) work(what string, cmd tea.Cmd) tea.Cmd {
	what = strings.ReplaceAll(what, "\n", line.GlyphNewline)
	m.screen.Running = &pane.Running{What: what, Since: m.config.Now()}
	return tea.Batch(cmd, tick())
}
