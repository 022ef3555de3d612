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

// engine runs the session for the model. Its methods return commands; all but interrupt and answer
// use the session, and only one of those may run at a time.
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

	// givenUp is set by an interrupt and cleared by the user's next command: commands that were
	// given before an interrupt do not begin any more.
	givenUp atomic.Bool
	// starting cancels what open waits for.
	starting atomic.Pointer[context.CancelFunc]
}

// stopMsg is the result of a command, with the session's view after it.
type stopMsg struct {
	answers  []*session.Answer
	view     *session.View
	timeline []session.Span
	columns  int // of the timeline
	skipped  int // lines that were not run
}

// failedMsg reports that a session could not be opened.
type failedMsg struct{ err error }

// errStartGivenUp reports that the user ended the program before its first state.
var errStartGivenUp = errors.New("the program was ended before it came to its first state")

// outputMsg is output of the program while a command runs.
type outputMsg struct{ answer *session.Answer }

// paceMsg is the progress of the running command.
type paceMsg struct{ pace *session.Pace }

// landedMsg is the view of the true state while the model is still asked.
type landedMsg struct{ view *session.View }

// inputMsg says that the program waits for a line.
type inputMsg struct{ answer *session.Answer }

// progressMsg is a prediction while it streams.
type progressMsg struct{ update backend.Update }

func newEngine(ctx context.Context, config session.Config, begin command.Config, journal *journal.Journal) *engine {
	e := &engine{inputs: make(chan session.InputLine)}
	e.ctx, e.cancel = context.WithCancel(ctx)
	e.use(config, begin, journal)
	return e
}

// use sets the configuration for open.
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

// keyOf maps commands of the session to the actions that have keys for them.
var keyOf = map[string]string{"b": "focus-breakpoints", "continue": "continue", "fc": "fast-continue", "restart": "restart", "raw": "raw-reply", "divergence onward": "next-divergence"}

// named returns the key of a command of the session, or the command.
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

// answer passes an input line to the program.
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
		return e.stopped([]*session.Answer{i.Start(e.ctx, e.journal)}, columns)
	})
}

// work makes a command from work of the session. After the engine is closed it does nothing.
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

// do executes a command, or runs lines as if they were typed. It stops after an unexpected result
// and after an interrupt.
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

// ends reports whether the remaining lines should not run after an answer: after an error, and
// after a move that ended the program.
func ends(a *session.Answer) bool {
	over := a.Action != nil && (a.Done || a.PostMortem)
	return a.Err != nil || a.Quit || over || a.Boundary != trace.NoBoundary || a.Waiting == session.ForConfirmation
}

func (e *engine) stopped(answers []*session.Answer, columns int) stopMsg {
	s := e.session.Load()
	return stopMsg{answers: answers, view: s.View(), timeline: s.Timeline(columns), columns: columns}
}

// survey computes the timeline for another width.
func (e *engine) survey(columns int) tea.Cmd {
	return e.work(func() tea.Msg { return e.stopped(nil, columns) })
}

// abort ends a dialogue of the session.
func (e *engine) abort(columns int) tea.Cmd {
	return e.work(func() tea.Msg {
		if a := e.session.Load().Abort(); a != nil {
			return e.stopped([]*session.Answer{a}, columns)
		}
		return e.stopped(nil, columns)
	})
}

// complete lists completions of a line.
func (e *engine) complete(before string) tea.Cmd {
	return e.work(func() tea.Msg {
		from, words := e.session.Load().Complete(e.ctx, before)
		return line.Completions{Before: before, From: from, Words: words}
	})
}

// interrupt interrupts the running command and drops the queued ones; kill ends the program too.
// Both return at once.
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

// giveUp prevents that what the user has asked for so far begins.
func (e *engine) giveUp() { e.givenUp.Store(true) }

// mortal reports whether there is a program that kill would end.
func (e *engine) mortal() bool {
	s := e.session.Load()
	return s == nil || s.Runs()
}

// close ends the session and its program, after it has interrupted what runs.
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
