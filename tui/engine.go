package tui

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/tui/keys"
	"github.com/npdb/npdb/tui/line"
)

// engine runs the session for the model. Its methods return commands; all but
// interrupt and answer make the session work, and only one of those may be under
// way at a time.
type engine struct {
	ctx      context.Context
	config   session.Config
	journal  *journal.Journal // to be resumed; nil for a fresh start
	commands command.Config
	session  atomic.Pointer[command.Interpreter] // nil until it is open
	send     func(tea.Msg)                       // to the model, while a command is under way
	inputs   chan session.InputLine
	cancel   context.CancelFunc
	picture  func(*session.View) string // of the screen, for reports
	keys     atomic.Pointer[keys.Map]   // those of the screen, which may become others meanwhile

	turn   sync.Mutex // held by the command that is under way
	closed bool

	// givenUp is set by an interrupt and unset when the user gives a command: what
	// was given before an interrupt is done no more, also where it has not begun.
	givenUp atomic.Bool
	// starting ends what open waits for.
	starting atomic.Pointer[context.CancelFunc]
}

// stopMsg is what a command came to, and the session as it is after it.
type stopMsg struct {
	answers  []*session.Answer
	view     *session.View
	timeline []session.Span
	columns  int // of the timeline
	skipped  int // lines that were not run
}

// failedMsg is a session that could not be opened.
type failedMsg struct{ err error }

// errStartGivenUp is a program that the user ended before its first state.
var errStartGivenUp = errors.New("the program was ended before it came to its first state")

// outputMsg is what the program wrote while a command is under way.
type outputMsg struct{ answer *session.Answer }

// paceMsg is how far the command has come that is under way.
type paceMsg struct{ pace *session.Pace }

// landedMsg is what CPython came to while the model is still asked.
type landedMsg struct{ view *session.View }

// inputMsg says that the program waits for a line.
type inputMsg struct{ answer *session.Answer }

// progressMsg is a prediction as far as it has come.
type progressMsg struct{ update backend.Update }

func newEngine(ctx context.Context, config session.Config, begin command.Config, journal *journal.Journal) *engine {
	e := &engine{inputs: make(chan session.InputLine)}
	e.ctx, e.cancel = context.WithCancel(ctx)
	e.use(config, begin, journal)
	return e
}

// use sets what open will open.
func (e *engine) use(config session.Config, begin command.Config, journal *journal.Journal) {
	e.config, e.commands, e.journal = config, begin, journal
	e.commands.Flowing = true
	e.config.Stream = func(a *session.Answer) { e.send(outputMsg{a}) }
	e.config.Pace = func(p *session.Pace) { e.send(paceMsg{p}) }
	e.config.Progress = func(u backend.Update) { e.send(progressMsg{u}) }
	e.config.Landed = func(v *session.View) { e.send(landedMsg{v}) }
	e.config.Input = e.input
	e.config.Interrupted = e.givenUp.Load
	e.config.Draws, e.config.Watches, e.config.ShortPaths = true, true, true
	e.config.Key = e.named
	e.config.Picture = func(v *session.View) string { return e.picture(v) }
}

// keyOf is the action whose key gives a command of the session, where that is one.
var keyOf = map[string]string{"b": "focus-breakpoints", "continue": "continue", "fc": "fast-continue", "restart": "restart", "raw": "raw-reply", "divergence onward": "next-divergence"}

// named returns what the user presses for a command of the session.
func (e *engine) named(command string) string {
	if action, ok := keyOf[command]; ok {
		return e.keys.Load().Key(action)
	}
	return ":" + command
}

// input asks the model for a line that the program reads.
func (e *engine) input(ctx context.Context, a *session.Answer) session.InputLine {
	e.send(inputMsg{a})
	select {
	case line := <-e.inputs:
		return line
	case <-ctx.Done():
		return session.InputLine{EOF: true}
	}
}

// answer gives the program the line it waits for.
func (e *engine) answer(line session.InputLine) tea.Cmd {
	return func() tea.Msg {
		select {
		case e.inputs <- line:
		case <-e.ctx.Done():
		}
		return nil
	}
}

// open starts the program and shows its first stop.
func (e *engine) open(columns int) tea.Cmd {
	e.givenUp.Store(false)
	ctx, cancel := context.WithCancel(e.ctx)
	e.starting.Store(&cancel)
	return e.work(func() tea.Msg {
		s, err := session.Open(ctx, e.config)
		if err != nil {
			return failedMsg{err}
		}
		i := command.New(s, e.commands)
		e.session.Store(i)
		if e.ctx.Err() != nil {
			s.Kill() // close came before it could see the session
		}
		var first *session.Answer
		if e.journal != nil {
			first = i.Resume(e.ctx, e.journal)
		} else {
			first = i.First(e.ctx)
		}
		return e.stopped([]*session.Answer{first}, columns)
	})
}

// work makes a command of something the session does. What has not begun when the
// engine is closed does nothing.
func (e *engine) work(f func() tea.Msg) tea.Cmd {
	return func() tea.Msg {
		e.turn.Lock()
		defer e.turn.Unlock()
		if e.closed {
			return nil
		}
		return f()
	}
}

// do does a command, or runs lines of commands as if they were typed one after the other. One that
// comes to something unforeseen is the last, and so is one that is interrupted.
func (e *engine) do(o order, columns int) tea.Cmd {
	e.givenUp.Store(false)
	return e.work(func() tea.Msg {
		if o.command != nil {
			return e.stopped([]*session.Answer{e.session.Load().Do(e.ctx, o.command)}, columns)
		}
		var answers []*session.Answer
		all, skipped := strings.Split(o.lines, "\n"), 0
		for i, line := range all {
			from := len(answers)
			e.session.Load().Line(e.ctx, line, func(a *session.Answer) { answers = append(answers, a) })
			if e.givenUp.Load() || slices.ContainsFunc(answers[from:], ends) {
				skipped = len(all) - i - 1
				break
			}
		}
		msg := e.stopped(answers, columns)
		msg.skipped = skipped
		return msg
	})
}

// ends reports whether an answer is one after which what was written beforehand is
// better not run. A program's end is that for the move that came to it, and not for
// what is done there.
func ends(a *session.Answer) bool {
	over := a.Action != nil && (a.Done || a.PostMortem)
	return a.Err != nil || a.Quit || over || a.Boundary != trace.NoBoundary || a.Waiting == session.ForConfirmation
}

func (e *engine) stopped(answers []*session.Answer, columns int) stopMsg {
	s := e.session.Load()
	return stopMsg{answers: answers, view: s.View(), timeline: s.Timeline(columns), columns: columns}
}

// survey cuts the timeline anew, for another width.
func (e *engine) survey(columns int) tea.Cmd {
	return e.work(func() tea.Msg { return e.stopped(nil, columns) })
}

// abort leaves what the session waits for in place of a command.
func (e *engine) abort(columns int) tea.Cmd {
	return e.work(func() tea.Msg {
		if a := e.session.Load().Abort(); a != nil {
			return e.stopped([]*session.Answer{a}, columns)
		}
		return e.stopped(nil, columns)
	})
}

// complete lists how a line can go on.
func (e *engine) complete(before string) tea.Cmd {
	return e.work(func() tea.Msg {
		from, words := e.session.Load().Complete(e.ctx, before)
		return line.Completions{Before: before, From: from, Words: words}
	})
}

// interrupt stops the command that is under way, be it begun or not, with all that
// is to follow it; kill ends the program with it. Both return at once.
func (e *engine) interrupt() {
	e.giveUp()
	if s := e.session.Load(); s != nil {
		s.Interrupt()
	}
}

// resize sets the size of the program's terminal.
func (e *engine) resize(columns, rows int) {
	if s := e.session.Load(); s != nil {
		s.Resize(columns, rows)
	}
}

func (e *engine) kill() {
	if cancel := e.starting.Load(); cancel != nil {
		(*cancel)()
	}
	if s := e.session.Load(); s != nil {
		s.Kill()
	}
}

// giveUp lets nothing begin of what the user has asked for so far.
func (e *engine) giveUp() { e.givenUp.Store(true) }

// mortal reports whether there is a program that kill would end.
func (e *engine) mortal() bool {
	s := e.session.Load()
	return s == nil || s.Runs()
}

// close ends the session with its program. What is under way is ended first.
func (e *engine) close() error {
	if !e.turn.TryLock() {
		e.cancel() // first: see open
		e.kill()
		e.turn.Lock()
	}
	defer e.turn.Unlock()
	defer e.cancel()
	e.closed = true
	if s := e.session.Load(); s != nil {
		return s.Close()
	}
	return nil
}
