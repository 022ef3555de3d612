package session

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
)

// InputLine is what the program reads when it asks for standard input.
type InputLine struct {
	Text      string // with its line end
	EOF       bool   // nothing comes after Text
	Interrupt bool   // the user interrupted in place of answering
}

// Mode says where states come from.
type Mode string

// CPython runs the program; a model predicts it and nothing runs; or both, beside
// each other.
const (
	Real      Mode = "real"
	Predicted Mode = "neural"
	Both      Mode = "both"
)

// Config says what to debug and how.
type Config struct {
	Options   trace.Options
	Start     StartFunc
	Evaluator Evaluator
	// Mode says where states come from; "" is real without a model, neural with one.
	Mode Mode
	// Neural is the model that predicts, nil if there is none.
	Neural *Neural
	// Against is a model that takes CPython's place in both modes: nothing is run.
	// Nil is CPython itself.
	Against *Neural

	// StateDir keeps breakpoints and journals; "" keeps nothing.
	StateDir string
	// StdinFile is the path behind Options.Stdin, for the journal.
	StdinFile string
	// RC is commands to run at the first stop, as from .pdbrc files.
	RC []string
	// Input answers the program when it reads its standard input. The answer it
	// is given is the state of the move so far. Nil answers with end of file.
	Input func(ctx context.Context, a *Answer) InputLine
	// Stream is shown what the program writes while a move is under way, looked
	// for at each of Ticks; the move's own answer goes on where it ended. It is
	// called by another goroutine than the session's, which waits meanwhile. Nil
	// leaves all output to the answer.
	Stream func(a *Answer)
	Ticks  <-chan time.Time
	// Progress is shown a prediction as it streams. In both modes another goroutine
	// than the session's calls it. Nil waits for the whole.
	Progress func(u backend.Update)
	// Key names what the user presses for a command, on a face that has keys. Nil
	// names the command itself.
	Key func(command string) string
	// Picture draws a view as text, for the report that export writes; nil draws
	// the stack, the source and the values of both sides.
	Picture func(v *View) string
}

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
	command string
	from    trace.Position
}

// Session is a debugger at work on one program. Its methods are called by one
// goroutine, except for Interrupt and Kill.
type Session struct {
	cfg Config

	// mu guards walk and rec against Interrupt, Kill and Resize while mode and
	// restart swap them.
	mu   sync.Mutex
	walk walk
	rec  Recording // nil in neural mode

	pos      trace.Position
	selected int // frames above the top of the stack
	bps      *breakpoints
	store    store
	journal  *journal
	aliases  map[string]string
	displays map[uint32][]*display // by activation
	listed   int                   // the last line that list showed; 0 for none
	last     string                // the command an empty line repeats
	history  []Visit
	shown    int // the place in history that is shown
	lastMove lastMove
	output   outputCursor
	pauses   map[int]bool // events at which the program itself called the debugger

	mode      mode
	answer    *Answer     // being built
	stop      *stop       // of the answer being built; nil when nothing moved
	hit       *Breakpoint // whose commands are to run
	seq       int
	busy      atomic.Bool // a command runs, and does not wait for input
	stopping  atomic.Bool // the user interrupted the running move
	replaying *replay     // a journal being replayed
	ledger    ledger
	trail     trail
	left      *bothWalk // the walk of both modes that mode real left; nil if it did not
}

// Open starts the program and stands at its first state. The error is a
// *trace.StartError when the program could not be started.
func Open(ctx context.Context, cfg Config) (*Session, error) {
	s := &Session{
		cfg: cfg, bps: newBreakpoints(), aliases: map[string]string{},
		journal: &journal{},
	}
	s.answer = &Answer{}
	s.keep(cfg.StateDir)
	switch {
	case cfg.Mode == Both && cfg.Neural != nil:
		s.walk = newBothWalk(s)
	case cfg.Mode == Real || cfg.Neural == nil:
		s.walk = &recordedWalk{s}
	default:
		s.walk = newPredictedWalk(s, cfg.Neural, cfg.Progress)
	}
	if err := s.walk.start(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

// keep loads what an earlier run of the program kept.
func (s *Session) keep(dir string) {
	s.store = store{dir: dir, program: programKey(s.cfg.Options)}
	if dir == "" {
		s.notice("No state folder is known (HOME and XDG_STATE_HOME are not set): breakpoints and the journal are not kept.")
		return
	}
	kept, err := s.store.load()
	if err != nil {
		s.notice("%v", err)
		return
	}
	s.bps.restore(kept)
	for _, w := range relocate(kept, s.sourceOf) {
		s.notice("%s", w)
	}
	if len(kept) > 0 {
		s.notice("%s kept from an earlier run; %s lists them.", plural(len(kept), "breakpoint is", "breakpoints are"), s.key("b"))
	}
}

// begin forgets what was known of the run before.
func (s *Session) begin() {
	s.pos, s.selected, s.listed = trace.Position{Event: -1}, 0, 0
	s.output = outputCursor{event: -1}
	s.displays = map[uint32][]*display{}
	s.pauses = map[int]bool{}
	s.history, s.shown, s.lastMove = nil, -1, lastMove{}
	s.trail, s.left = nil, nil
}

// First is the answer that shows the first stop. It runs the commands of .pdbrc
// before it.
func (s *Session) First(ctx context.Context) *Answer {
	s.work()
	defer s.rest()
	s.journalOpen()
	var failed error
	for _, line := range rcCommands(s.cfg.RC) {
		s.journal.command(line)
		err := s.runLine(ctx, line)
		s.journal.landing(s.pos, s.states())
		if err != nil && failed == nil {
			failed = err
		}
		if s.answer.Quit {
			break
		}
	}
	s.last = ""
	return s.finish(ctx, failed)
}

// Recording is the run that the session walks over, nil in neural mode.
func (s *Session) Recording() Recording {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.rec
}

// Position is where the session stands.
func (s *Session) Position() trace.Position { return s.pos }

// History is the places shown so far, the oldest first.
func (s *Session) History() []Visit { return s.history }

// Breakpoints is the table of breakpoints, in the order of their numbers.
func (s *Session) Breakpoints() []*Breakpoint { return s.bps.list }

// Interrupt stops a running move at the next event. It may be called from any
// goroutine.
func (s *Session) Interrupt() {
	s.stopping.Store(true)
	s.current().interrupt()
}

// current is the walk, for goroutines other than the session's.
func (s *Session) current() walk {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.walk
}

// walkBy makes another walk the session's.
func (s *Session) walkBy(w walk) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.walk = w
}

// Mode is where states come from now.
func (s *Session) Mode() Mode {
	switch s.walk.(type) {
	case *predictedWalk:
		return Predicted
	case *bothWalk:
		return Both
	}
	return Real
}

// Busy reports whether a command runs, and whether it was interrupted already.
// It may be called from any goroutine.
func (s *Session) Busy() (busy, interrupted bool) { return s.busy.Load(), s.stopping.Load() }

// Resize tells the program that its terminal has another size, if it has one. It
// may be called from any goroutine.
func (s *Session) Resize(columns, rows int) {
	if r := s.Recording(); r != nil {
		r.Resize(columns, rows)
	}
}

// Kill ends the program at once. It may be called from any goroutine.
func (s *Session) Kill() {
	s.stopping.Store(true)
	s.current().kill()
}

// Close ends the program and closes what the session holds.
func (s *Session) Close() error {
	s.journal.close()
	err := errors.Join(s.keepScore(), s.walk.close())
	if s.cfg.Evaluator != nil {
		if e := s.cfg.Evaluator.Close(); err == nil {
			err = e
		}
	}
	return err
}

// work marks the beginning of a command, rest its end.
func (s *Session) work() {
	s.stopping.Store(false)
	s.busy.Store(true)
}

func (s *Session) rest() { s.busy.Store(false) }

// say adds to what the running command answers.
func (s *Session) say(text string) {
	s.answer.Chunks = append(s.answer.Chunks, Chunk{Kind: Said, Text: text})
}

func (s *Session) sayf(format string, a ...any) { s.say(fmt.Sprintf(format, a...)) }

// key is how the user gives a command: by a key, or as it is typed.
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
	if news := s.journal.news(); news != "" {
		s.notice("%s", news)
	}
	s.showStop(ctx)
	a := s.answer
	s.answer, s.stop = &Answer{}, nil
	if err != nil {
		a.Err = asError(err)
	}
	s.fill(a, s.pos)
	a.Waiting, a.Prompt = s.mode.waiting, s.prompt()
	return a
}

// fill gives an answer its number and the state of a position.
func (s *Session) fill(a *Answer, pos trace.Position) {
	a.Seq = s.seq
	s.seq++
	a.Origin = s.walk.origin(pos)
	a.Confidence = s.walk.confidence(pos)
	if pos == s.pos {
		a.Beside = s.walk.beside()
	}
	a.PostMortem = pos.PostMortem
	if pos.End {
		a.Done = true
		a.Exit = s.walk.exit(pos)
		return
	}
	t := s.states()
	if pos.Event < 0 || pos.Event >= t.Len() {
		return
	}
	a.State = t.State(pos.Event)
	for _, f := range t.Stack(pos.Event) {
		a.Stack = append(a.Stack, f.Frame)
	}
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
