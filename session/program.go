package session

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace/query"
)

// program is the debugged program and where its states come from.
type program struct {
	cfg *Config
	id  string // as journal.Program names it

	// mu guards the source, rec and cancel against Interrupt, Kill and Resize while mode
	// and restart swap them.
	mu     sync.Mutex
	nav    *nav.Walker
	rec    Recording          // nil in neural mode
	cancel context.CancelFunc // ends the recording's move under way
	left   *nav.Both          // the source of both modes that mode real left; nil if it did not

	busy       atomic.Bool // a command runs, and does not wait for input
	stopping   atomic.Bool // the user interrupted the running command: nothing more of it begins
	unrecorded bool        // record off
	opened     bool        // the first stop was asked for
	late       bool        // the program is on its way to where --from says
	told       imports     // what it last reported
}

// Recording returns the recording, nil in neural mode.
func (pr *program) Recording() Recording {
	pr.mu.Lock()
	defer pr.mu.Unlock()
	return pr.rec
}

// Runs reports whether there is a program that Kill would end. It may be called from any
// goroutine.
func (pr *program) Runs() bool { return pr.Recording() != nil }

// Mode returns the current mode.
func (pr *program) Mode() Mode {
	switch pr.source().(type) {
	case *nav.Predicted:
		return Predicted
	case *nav.Both:
		return Both
	}
	return Real
}

// Busy reports whether a command runs, and whether it was interrupted already.
// It may be called from any goroutine.
func (pr *program) Busy() (busy, interrupted bool) { return pr.busy.Load(), pr.stopping.Load() }

// Interrupt stops the running move at the next event and cancels the commands after it. It may be
// called from any goroutine.
func (pr *program) Interrupt() {
	pr.stopping.Store(true)
	src, r := pr.current()
	if r != nil { // else it is still starting, or there is none
		r.Interrupt()
	}
	src.GiveUp()
	pr.mu.Lock()
	defer pr.mu.Unlock()
	if pr.cancel != nil {
		pr.cancel()
	}
}

// Kill ends the program at once. It may be called from any goroutine.
func (pr *program) Kill() {
	pr.stopping.Store(true)
	src, r := pr.current()
	if r != nil {
		r.Kill()
	}
	src.GiveUp()
}

// Resize sets the size of the program's terminal, if it has one. It
// may be called from any goroutine.
func (pr *program) Resize(columns, rows int) {
	if r := pr.Recording(); r != nil {
		r.Resize(columns, rows)
	}
}

// Interrupted reports whether the user has interrupted the running command.
func (pr *program) Interrupted() bool { return pr.stopping.Load() }

// interruptible returns a context that an interrupt cancels. A recording ignores an interrupt that
// comes before it runs, so it is cancelled by the context.
func (pr *program) interruptible(ctx context.Context) (_ context.Context, done func()) {
	ctx, cancel := context.WithCancel(ctx)
	pr.mu.Lock()
	pr.cancel = cancel
	pr.mu.Unlock()
	if pr.stopping.Load() {
		cancel()
	}
	return ctx, cancel
}

// current returns the source and the recording, for other goroutines.
func (pr *program) current() (nav.Source, Recording) {
	pr.mu.Lock()
	defer pr.mu.Unlock()
	return pr.nav.Source, pr.rec
}

// source returns the source of the states. Other goroutines call current.
func (pr *program) source() nav.Source { return pr.nav.Source }

// reference returns the source to which the position belongs; in both modes that of the true
// states.
func (pr *program) reference() nav.Source {
	if b := pr.beside(); b != nil {
		return b.Reference()
	}
	return pr.source()
}

// beside returns the source of both modes, nil in other modes.
func (pr *program) beside() *nav.Both {
	b, _ := pr.source().(*nav.Both)
	return b
}

// both returns the source of both modes, or an error that names what needs it.
func (pr *program) both(what string) (*nav.Both, error) {
	if w := pr.beside(); w != nil {
		return w, nil
	}
	return nil, errorf(Refused, "%s: this session has one source of states; --mode both has two", what)
}

// predicted returns the source of neural mode, or an error that names what needs it.
func (pr *program) predicted(what string) (*nav.Predicted, error) {
	if p, ok := pr.source().(*nav.Predicted); ok {
		return p, nil
	}
	return nil, errorf(Refused, "%s: no model is asked in real mode, every state is CPython's", what)
}

// recorded returns the recording as a source, nil if the states are predicted.
func (pr *program) recorded() *nav.Recorded {
	r, _ := pr.reference().(*nav.Recorded)
	return r
}

func (pr *program) states() nav.States { return pr.nav.States() }

// past returns the searchable past of the recording; nil if the states are predicted.
func (pr *program) past() *query.Past { return pr.nav.Past() }

// walkOver replaces the source.
func (pr *program) walkOver(src nav.Source) {
	pr.mu.Lock()
	defer pr.mu.Unlock()
	pr.nav.Source = src
}

// close closes the recording, if there is one.
func (pr *program) close() {
	pr.mu.Lock()
	rec := pr.rec
	pr.rec = nil
	pr.mu.Unlock()
	if rec != nil {
		_ = rec.Close() // why it came to nothing is said already
	}
}

// end cancels requests and ends the program.
func (pr *program) end() error {
	pr.source().GiveUp()
	if pr.rec == nil {
		return nil
	}
	return pr.rec.Close()
}

// waits reports whether a program waits and can be asked.
func (pr *program) waits() bool {
	return pr.rec != nil && !pr.rec.LiveEdge().End && pr.rec.Exit() == nil
}

// asking returns the frame that waits for the program's input: the last recorded one, nil if there
// is none.
func (pr *program) asking() *dsl.Frame {
	t, event := pr.rec.Tree(), pr.rec.LiveEdge().Event
	if event < 0 || event >= t.Len() {
		return nil
	}
	at := t.At(event)
	return &dsl.Frame{Function: t.Code(at.Code).Name, File: t.Files()[at.File].Name, Line: at.Line}
}

// recordedTo returns the last event that goto can reach, and whether the program has ended there.
// It returns an error if there is none.
func (pr *program) recordedTo() (last int, ended bool, err error) {
	if pr.recorded() == nil {
		return 0, false, errorf(Refused, "goto: there is no recording in neural mode; back and forth go over what was shown, rewind to the first state")
	}
	n := pr.rec.Tree().Len()
	if n == 0 {
		return 0, false, errorf(ProgramOver, "The recording has no states")
	}
	if edge := pr.rec.LiveEdge(); !edge.End {
		return edge.Event, false, nil
	}
	return n - 1, true, nil
}

// holeAt reports whether an event is the first one after a hole.
func (pr *program) holeAt(event int) bool {
	if pr.recorded() == nil {
		return false
	}
	edge, ok := pr.rec.Tree().HoleUpTo(event)
	return ok && edge == event
}

// changeOf adds to a recorded change the line that made it.
func (pr *program) changeOf(c query.Change) Change {
	return Change{Event: c.Event, By: pr.past().By(c.Event), Old: c.Old, New: c.New}
}

// fromText returns the mark of values that were computed from text and not by the program.
func (pr *program) fromText() string { return " (from " + pr.nav.Text() + ")" }

// canLeaveOut returns nil if a program runs and no model predicts it.
func (pr *program) canLeaveOut(what string) error {
	switch {
	case pr.Mode() == Predicted:
		return errorf(Refused, "%s: nothing runs in neural mode, so there is nothing to leave out", what)
	case pr.recorded() == nil:
		return errorf(Refused, "%s: two models walk beside each other in this session, and nothing is run, so there is nothing to leave out", what)
	case pr.Mode() == Both:
		return errorf(Refused, "%s: in both modes what runs is recorded, for the model is compared with it (mode real leaves the model out)", what)
	}
	return nil
}
