package session

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/session/breakpoint"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
)

// Visit is a place the user was shown, and the command that led there.
type Visit struct {
	trace.Position
	Command  string
	Function string    // "" at the end
	Kind     dsl.Event // 0 at the end
	File     string    // as shown
	Line     int
	Origin   dsl.Origin
}

// lastMove is the last command that moved, and where it was given.
type lastMove struct {
	command Command // nil for none
	from    trace.Position
}

// Session is a debugger at work on one program. Its methods are called by one
// goroutine, except for Interrupt and Kill.
type Session struct {
	cfg Config

	// mu guards the source, rec and cancel against Interrupt, Kill and Resize while mode
	// and restart swap them.
	mu     sync.Mutex
	nav    *nav.Walker
	rec    Recording          // nil in neural mode
	cancel context.CancelFunc // ends the recording's move under way

	pos       trace.Position
	selected  int        // frames above the top of the stack; below it where an exception came from, less than 0
	look      bool       // the position is where the program looks at a traceback
	belowHere *belowHere // the frames below; nil while not asked for
	bps       breakpoint.Table
	programID string // as journal.Program names it
	kept      *journal.Breakpoints
	unkept    bool // it was said that breakpoints cannot be kept
	journal   *journal.Writer
	chance    chance                // what of the running command was chance
	displays  map[uint32][]*display // by activation
	watches   []*watch              // displayed in all frames
	altered   int                   // counts what may have changed values where the session stands
	scopes    map[string]*python.Scopes
	listed    listed // what list showed last
	imports   imports
	history   []Visit
	shown     int // the place in history that is shown
	lastMove  lastMove
	onward    Command // the last kind of forward move that was made; nil for none
	output    outputCursor

	unrecorded bool // record off
	opened     bool // the first stop was asked for
	late       bool // the program is on its way to where --from says

	answer    *Answer                // being built
	stop      *stop                  // of the answer being built; nil when nothing moved
	hit       *breakpoint.Breakpoint // whose commands are to run
	programs  []string               // commands that the program gave as it called the debugger
	script    Script
	given     string // the command under way, as its type words it
	nested    int    // of commands that run commands
	seq       int
	busy      atomic.Bool // a command runs, and does not wait for input
	stopping  atomic.Bool // the user interrupted the running command: nothing more of it begins
	replaying *replay     // a journal being replayed
	ledger    nav.Ledger
	answers   nav.Known
	prefetch  nav.Prefetch
	accounts  nav.Accounts
	billed    int       // answers whose cost is kept already
	pacer     pacer     // of the command under way
	advised   bool      // what to do about a program that takes long was said
	left      *nav.Both // the source of both modes that mode real left; nil if it did not
	page      page
}

// Open starts the program and stands at its first state. The error is a
// *trace.StartError when the program could not be started.
func Open(ctx context.Context, cfg Config) (*Session, error) {
	s := &Session{
		cfg: cfg, journal: &journal.Writer{},
	}
	s.answer = &Answer{}
	for _, n := range cfg.Notices {
		s.notice("%s", n)
	}
	s.keep(cfg.StateDir)
	s.nav = nav.New(s.newSource(cfg.Mode), host{s}, &s.bps, cfg.Evaluator)
	if cfg.Options.From != "" && s.Mode() != Real {
		return nil, &trace.StartError{
			Kind: trace.FromInvalid, Message: "--from runs the program, and records nothing up to there: that is for real mode (--mode real)",
		}
	}
	if err := s.start(ctx); err != nil {
		_ = s.end() // it may run already; err says why it came to no state
		return nil, err
	}
	return s, nil
}

// keep loads what an earlier run of the program kept.
func (s *Session) keep(dir string) {
	s.programID = journal.Program(s.cfg.Options)
	s.kept = journal.NewBreakpoints(dir, s.programID)
	if dir == "" {
		s.notice("No state folder is known (HOME and XDG_STATE_HOME are not set): breakpoints and the journal are not kept.")
		return
	}
	kept, err := s.kept.Load()
	if err != nil {
		s.notice("%v", err)
		return
	}
	s.bps.Restore(kept)
	for _, w := range breakpoint.Relocate(kept, s.textOf) {
		s.notice("%s", w)
	}
	if len(kept) > 0 {
		s.notice("%s kept from an earlier run; %s lists them.", plural(len(kept), "breakpoint is", "breakpoints are"), s.key("b"))
	}
}

// begin forgets what was known of the run before.
func (s *Session) begin() {
	s.pos, s.selected, s.listed = trace.Position{Event: -1}, 0, listed{}
	s.output = outputCursor{event: -1}
	s.displays, s.scopes = map[uint32][]*display{}, map[string]*python.Scopes{}
	for _, w := range s.watches { // they stay, in other activations
		w.in = map[uint32]*watchReading{}
	}
	s.history, s.shown, s.lastMove = nil, -1, lastMove{}
	s.left, s.page = nil, page{}
	s.nav.EndWatches()
}

// First returns the answer that shows the first stop. begin runs the commands to begin
// with, nil for none.
func (s *Session) First(ctx context.Context, begin func() error) *Answer {
	defer s.Work()()
	failed := s.comeToFirst(ctx)
	s.journalOpen(s.bps.List)
	if begin != nil {
		if err := begin(); failed == nil {
			failed = err
		}
	}
	return s.finish(ctx, failed)
}

// Recording returns the run that the session walks over, nil in neural mode.
func (s *Session) Recording() Recording {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.rec
}

// Position returns where the session stands.
func (s *Session) Position() trace.Position { return s.pos }

// History returns the places shown so far, the oldest first.
func (s *Session) History() []Visit { return s.history }

// Breakpoints returns the table of breakpoints, in the order of their numbers.
func (s *Session) Breakpoints() []*breakpoint.Breakpoint { return s.bps.List }

// LastBreakpoint returns the highest number that a breakpoint was given, 0 for none.
func (s *Session) LastBreakpoint() int { return s.bps.Last() }

// Interrupt stops what runs, a move at the next event, and with it what was to run
// after it. It may be called from any goroutine.
func (s *Session) Interrupt() {
	s.stopping.Store(true)
	src, r := s.current()
	if r != nil { // else it is still starting, or there is none
		r.Interrupt()
	}
	src.GiveUp()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cancel != nil {
		s.cancel()
	}
}

// current returns where the states come from, for goroutines other than the session's.
func (s *Session) current() (nav.Source, Recording) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.nav.Source, s.rec
}

// walkOver makes another source the session's.
func (s *Session) walkOver(src nav.Source) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.nav.Source = src
}

// Mode returns where states come from now.
func (s *Session) Mode() Mode {
	switch s.source().(type) {
	case *nav.Predicted:
		return Predicted
	case *nav.Both:
		return Both
	}
	return Real
}

// Busy reports whether a command runs, and whether it was interrupted already.
// It may be called from any goroutine.
func (s *Session) Busy() (busy, interrupted bool) { return s.busy.Load(), s.stopping.Load() }

// Runs reports whether there is a program that Kill would end. It may be called
// from any goroutine.
func (s *Session) Runs() bool { return s.Recording() != nil }

// Resize sets the size of the program's terminal, if it has one. It
// may be called from any goroutine.
func (s *Session) Resize(columns, rows int) {
	if r := s.Recording(); r != nil {
		r.Resize(columns, rows)
	}
}

// Kill ends the program at once. It may be called from any goroutine.
func (s *Session) Kill() {
	s.stopping.Store(true)
	src, r := s.current()
	if r != nil {
		r.Kill()
	}
	src.GiveUp()
}

// Close ends the program and closes what the session holds.
func (s *Session) Close() error {
	s.journal.Close()
	s.prefetch.Close()
	err := errors.Join(s.keepScore(), s.end())
	if s.cfg.Evaluator != nil {
		if e := s.cfg.Evaluator.Close(); err == nil {
			err = e
		}
	}
	return err
}

// end gives up what is asked, and ends the program.
func (s *Session) end() error {
	s.source().GiveUp()
	if s.rec == nil {
		return nil
	}
	return s.rec.Close()
}

// Said returns what was said since the last answer, as an answer without a state.
func (s *Session) Said() *Answer {
	a := &Answer{Chunks: s.answer.Chunks}
	s.answer = &Answer{}
	return a
}

// Say and Notice add to what is being answered: an answer to the command, and a word
// that the user did not ask for.
func (s *Session) Say(text string) { s.say(text) }

// Notice adds a word that the user did not ask for.
func (s *Session) Notice(format string, a ...any) { s.notice(format, a...) }

// Quits reports whether the session is to end with what is being answered.
func (s *Session) Quits() bool { return s.answer.Quit }

// Journal keeps a line that is no command of the session's, for the one that it is.
func (s *Session) Journal(line string) {
	if s.nested == 0 {
		s.chance = chance{}
		s.journal.Line(s.secrets().Text(line))
		s.landed()
	}
}

// say adds to what the running command answers.
func (s *Session) say(text string) {
	s.answer.Chunks = append(s.answer.Chunks, Chunk{Kind: Said, Text: text})
}

func (s *Session) sayf(format string, a ...any) { s.say(fmt.Sprintf(format, a...)) }

// key returns how the user gives a command: by a key, or as it is typed.
func (s *Session) key(command string) string {
	if s.cfg.Key == nil {
		return command
	}
	return s.cfg.Key(command)
}

func (s *Session) notice(format string, a ...any) {
	s.answer.Chunks = append(s.answer.Chunks, Chunk{Kind: Notice, Text: fmt.Sprintf(format, a...)})
}

// finish completes the answer that was being built and begins the next.
func (s *Session) finish(ctx context.Context, err error) *Answer {
	s.drain()
	if news := s.journal.News(); news != "" {
		s.notice("%s", news)
	}
	s.showStop(ctx)
	s.readWatches(ctx)
	a := s.answer
	s.answer, s.stop = &Answer{}, nil
	if err != nil {
		a.Err = AsError(err)
	}
	s.fill(a, s.pos)
	return a
}

// fill gives an answer its number and the state of a position.
func (s *Session) fill(a *Answer, pos trace.Position) {
	a.Seq = s.seq
	s.seq++
	mark := s.nav.Mark(pos)
	a.Origin, a.Confidence, a.Sureness, a.MadeUp = mark.Origin, mark.Confidence, mark.Sureness, mark.MadeUp
	if b := s.beside(); b != nil && pos == s.pos {
		a.Beside = b.Beside()
	}
	a.PostMortem = pos.PostMortem
	if pos.End {
		a.Done = true
		a.Exit = mark.Exit
		return
	}
	t := s.states()
	if pos.Event < 0 || pos.Event >= t.Len() {
		return
	}
	a.State = t.State(pos.Event)
	stack := t.Stack(pos.Event)
	for _, f := range stack {
		a.Stack = append(a.Stack, f.Frame)
	}
	if pos != s.pos || len(stack) == 0 {
		return
	}
	for _, l := range a.State.Locals {
		if !l.Hidden && s.byAttributes(stack[len(stack)-1].Activation, l.Name) {
			a.Attributed = append(a.Attributed, l.Name)
		}
	}
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return thousands(n) + " " + many
}

// chance is what of a command a replay cannot come to by itself.
type chance struct {
	interrupted bool // the user interrupted it,
	hole        bool // and nothing of it was recorded
}
