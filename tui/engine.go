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

// engine runs the session for the model. The methods that return commands use the session, except
// answer; only one of these commands runs at a time. The other methods can be called while it runs.
type engine struct {
	ctx      context.Context
	config   session.Config
	journal  *journal.Journal // the session to resume; nil for a new one
	commands command.Config
	another  Opener                              // see Config.Traceback
	program  string                              // name of the program of another's last session
	former   error                               // why a replaced session could not be closed
	session  atomic.Pointer[command.Interpreter] // nil until it is open
	send     func(tea.Msg)                       // sends a message to the model while a command runs
	inputs   chan session.InputLine
	cancel   context.CancelFunc
	picture  func(*session.View) string // draws the screen as text, for reports
	keys     atomic.Pointer[keys.Map]   // the screen's; the user may change them while a command runs

	turn   sync.Mutex // held by the running command
	closed bool
	shared *guest // nil if the session is the screen's own

	// givenUp is set by an interrupt and cleared by the user's next command. While it is set,
	// commands that were given before the interrupt do not start.
	givenUp atomic.Bool
	// starting cancels the start of the program.
	starting atomic.Pointer[context.CancelFunc]
}

// Opener opens the session that begins where a traceback ends, after connect has connected it to the
// screen. program is its name for the header.
type Opener func(ctx context.Context, traceback string, connect func(*session.Config)) (s *session.Session, program string, err error)

// stopMsg is the result of a command, with the session's view after it.
type stopMsg struct {
	answers  []*session.Answer
	view     *session.View
	timeline []session.Span
	columns  int    // width of the timeline
	skipped  int    // number of typed lines that were not run
	program  string // name of the program, if the session was replaced by one of another program
	others   bool   // the command is another user's
}

// failedMsg reports that a session could not be opened.
type failedMsg struct{ err error }

// errStartGivenUp reports that the user ended the program before its first state.
var errStartGivenUp = errors.New("the program was ended before it came to its first state")

// outputMsg is output of the program while a command runs.
type outputMsg struct{ answer *session.Answer }

// paceMsg is the progress of the running command.
type paceMsg struct{ pace *session.Pace }

// landedMsg is the view of CPython's state while the model still predicts.
type landedMsg struct{ view *session.View }

// inputMsg reports that the program waits for a line of input.
type inputMsg struct{ answer *session.Answer }

// progressMsg is a prediction while it streams.
type progressMsg struct{ update backend.Update }

func newEngine(ctx context.Context, c Config) *engine {
	e := &engine{inputs: make(chan session.InputLine), another: c.Traceback}
	e.ctx, e.cancel = context.WithCancel(ctx)
	e.use(c.Session, c.Commands, c.Journal)
	if c.Join != nil {
		e.shared = e.newGuest(c.Join)
	}
	return e
}

// use sets the program and the configuration that open starts a session with.
func (e *engine) use(config session.Config, begin command.Config, journal *journal.Journal) {
	e.config, e.commands, e.journal = config, begin, journal
	e.commands.Flowing = true
	if e.another != nil {
		e.commands.Traceback = e.openTraceback
	}
	e.connect(&e.config)
}

// connect connects a session to the screen.
func (e *engine) connect(c *session.Config) {
	c.Stream = func(a *session.Answer) { e.send(outputMsg{a}) }
	c.Pace = func(p *session.Pace) { e.send(paceMsg{p}) }
	c.Progress = func(u backend.Update) { e.send(progressMsg{u}) }
	c.Landed = func(v *session.View) { e.send(landedMsg{v}) }
	c.Input = e.input
	c.Interrupted = e.givenUp.Load
	c.Draws, c.Watches, c.ShortPaths = true, true, true
	c.Key = e.named
	c.Picture = func(v *session.View) string { return e.picture(v) }
}

// keyOf maps commands of the session to the actions that have keys for them.
var keyOf = map[string]string{
	"b": "focus-breakpoints", "continue": "continue", "fc": "fast-continue", "restart": "restart", "raw": "raw-reply", "infer": "infer", "divergence onward": "next-divergence",
	"candidates +5": "more-candidates", "reverse-step": "step-back", "reverse-next": "next-back", "reverse-finish": "return-back",
}

// named returns how a message refers to a command of the session: by its key, or as it is typed if
// it has none.
func (e *engine) named(command string) string {
	if action, ok := keyOf[command]; ok {
		return e.keys.Load().Key(action)
	}
	return ":" + command
}

// input asks the user for a line that the program reads, and waits for it.
func (e *engine) input(ctx context.Context, a *session.Answer) session.InputLine {
	e.send(inputMsg{a})
	select {
	case line := <-e.inputs:
		return line
	case <-ctx.Done():
	case <-e.ctx.Done(): // the screen leaves a shared session, which continues
	}
	return session.InputLine{EOF: true}
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
	if e.shared != nil {
		return e.join(columns)
	}
	ctx, cancel := context.WithCancel(e.ctx)
	e.starting.Store(&cancel)
	return e.work("", func() tea.Msg {
		s, err := session.Open(ctx, e.config)
		if err != nil {
			return failedMsg{err}
		}
		i := command.New(s, e.commands)
		e.session.Store(i)
		if e.ctx.Err() != nil {
			s.Kill() // close was called before the session was stored
		}
		return e.stopped([]*session.Answer{i.Start(e.ctx, e.journal)}, columns)
	})
}

// work returns a command that runs f, which uses the session, as soon as no other such command
// runs. After close the command does nothing. words describes the command to other users of a shared session;
// see shared.Session.Use.
func (e *engine) work(words string, f func() tea.Msg) tea.Cmd {
	return func() tea.Msg {
		e.turn.Lock()
		defer e.turn.Unlock()
		switch {
		case e.closed:
			return nil
		case e.shared != nil:
			return e.shared.use(e.ctx, words, f)
		}
		return f()
	}
}

// do executes a command, or runs lines as if they were typed. It skips the remaining lines after an
// interrupt, and after an answer for which ends is true.
func (e *engine) do(o order, columns int) tea.Cmd {
	e.givenUp.Store(false)
	return e.work(o.String(), func() tea.Msg {
		if o.command != nil {
			return e.stopped([]*session.Answer{e.session.Load().Do(e.ctx, o.command)}, columns)
		}
		var answers []*session.Answer
		all, skipped := []string{o.lines}, 0
		if !e.session.Load().Whole(o.lines) {
			all = strings.Split(o.lines, "\n")
		}
		for i, line := range all {
			from := len(answers)
			e.session.Load().Line(e.ctx, line, func(a *session.Answer) { answers = append(answers, a) })
			if e.givenUp.Load() || slices.ContainsFunc(answers[from:], ends) {
				skipped = len(all) - i - 1
				break
			}
		}
		program := e.replace()
		msg := e.stopped(answers, columns)
		msg.skipped, msg.program = skipped, program
		return msg
	})
}

// openTraceback opens the session that begins where a traceback ends.
func (e *engine) openTraceback(ctx context.Context, text string) (s *session.Session, err error) {
	s, e.program, err = e.another(ctx, text, e.connect)
	return s, err
}

// replace closes the session if the last command has opened another one, and returns the name of the
// other one's program, "" if there is none.
func (e *engine) replace() (program string) {
	old := e.session.Load()
	next := old.Next()
	if next == nil {
		return ""
	}
	e.session.Store(next)
	e.former = errors.Join(e.former, old.Close())
	return e.program
}

// ends reports whether the remaining lines should not run after an answer: after an error, a quit,
// a question, and a move that ended the program or found nothing.
func ends(a *session.Answer) bool {
	over := a.Action != nil && (a.Done || a.PostMortem)
	return a.Err != nil || a.Quit || over || a.Boundary != trace.NoBoundary || a.Waiting == session.ForConfirmation
}

func (e *engine) stopped(answers []*session.Answer, columns int) stopMsg {
	s := e.session.Load()
	if e.shared != nil {
		e.shared.columns.Store(int32(columns))
	}
	return stopMsg{answers: answers, view: s.View(), timeline: s.Timeline(columns), columns: columns}
}

// survey computes the timeline for another width.
func (e *engine) survey(columns int) tea.Cmd {
	return e.work("", func() tea.Msg { return e.stopped(nil, columns) })
}

// abort ends a dialogue of the session, such as an unfinished statement or a question.
func (e *engine) abort(columns int) tea.Cmd {
	return e.work("", func() tea.Msg {
		if a := e.session.Load().Abort(); a != nil {
			return e.stopped([]*session.Answer{a}, columns)
		}
		return e.stopped(nil, columns)
	})
}

// complete lists completions of the last word of before.
func (e *engine) complete(before string) tea.Cmd {
	return e.work("", func() tea.Msg {
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
	if e.shared != nil {
		return // other users also use the program
	}
	if cancel := e.starting.Load(); cancel != nil {
		(*cancel)()
	}
	if s := e.session.Load(); s != nil {
		s.Kill()
	}
}

// giveUp prevents the start of commands that the user has given so far.
func (e *engine) giveUp() { e.givenUp.Store(true) }

// mortal reports whether there is a program that kill would end.
func (e *engine) mortal() bool {
	s := e.session.Load()
	return e.shared == nil && (s == nil || s.Runs())
}

// close interrupts the running command and ends the session and its program. If the screen has joined another
// user's session, close only leaves it.
func (e *engine) close() error {
	if e.shared != nil {
		e.leave()
		return nil
	}
	if !e.turn.TryLock() {
		e.cancel() // before kill, so that open notices it
		e.kill()
		e.turn.Lock()
	}
	defer e.turn.Unlock()
	defer e.cancel()
	e.closed = true
	if s := e.session.Load(); s != nil {
		return errors.Join(e.former, s.Close())
	}
	return nil
}
