package session

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python/supported"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace/query"
)

// program is the debugged program and the source of its states.
type program struct {
	cfg *Config
	id  string // the name from journal.Program

	// mu guards the source, rec and cancel: Interrupt, Kill and Resize may read them in other
	// goroutines while mode and restart replace them.
	mu        sync.Mutex
	nav       *nav.Walker
	rec       Recording          // nil in neural mode, and while inferred states are shown
	cancel    context.CancelFunc // cancels the recording's current move
	inferring inferring
	runs      []*run // empty as long as there is one; the entry of the shown run is not up to date
	shown     int    // index of the shown run
	// The source of side-by-side mode, kept after a change to real mode; nil if there was none.
	left *nav.Both

	busy       atomic.Bool // a command is running and not waiting for input
	stopping   atomic.Bool // the user interrupted the command, so no further part of it may begin
	unrecorded bool        // the user has turned recording off
	opened     bool        // comeToFirst was called
	versioned  bool        // noticeVersion has checked the version
	late       bool        // the program has not reached the location of --from yet
	told       imports     // the imports that it last reported
	savedTo    string      // the file to which the recording is written, "" for none
	debugging  []string    // the statements of debug that have not ended, the outermost first
}

// Recording returns the recording of the run, nil if nothing runs.
func (pr *program) Recording() Recording {
	pr.mu.Lock()
	defer pr.mu.Unlock()
	return pr.recording()
}

// Runs reports whether there is a program that Kill would end. Any goroutine may call it.
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

// Busy reports whether a command is running, and whether it was interrupted already. Any goroutine
// may call it.
func (pr *program) Busy() (busy, interrupted bool) { return pr.busy.Load(), pr.stopping.Load() }

// noticeVersion adds a notice, once in a session, if the program's Python is newer than those npdb is
// tested with. It ignores recordings from files, whose Python does not run here.
func (pr *program) noticeVersion(d *draft) {
	rec := pr.Recording()
	if pr.versioned || rec == nil || pr.cfg.File != "" {
		return
	}
	pr.versioned = true
	if said := supported.Notice(rec.PythonVersion()); said != "" {
		d.notice("%s", said)
	}
}

// Interrupt stops the running move at its next event, and cancels the commands after it. Any
// goroutine may call it.
func (pr *program) Interrupt() {
	pr.stopping.Store(true)
	src, r := pr.current()
	if r != nil { // nil if the program is still starting or nothing runs
		r.Interrupt()
	}
	src.GiveUp()
	pr.mu.Lock()
	defer pr.mu.Unlock()
	if pr.cancel != nil {
		pr.cancel()
	}
}

// Kill ends the program at once. Any goroutine may call it.
func (pr *program) Kill() {
	pr.stopping.Store(true)
	src, r := pr.current()
	if r != nil {
		r.Kill()
	}
	src.GiveUp()
}

// Resize sets the size of the program's terminal, if it has one. Any goroutine may call it.
func (pr *program) Resize(columns, rows int) {
	pr.mu.Lock()
	list := pr.others()
	pr.mu.Unlock()
	if r := pr.Recording(); r != nil {
		list = append(list, r)
	}
	for _, r := range list {
		r.Resize(columns, rows)
	}
}

// Interrupted reports whether the user has interrupted the running command.
func (pr *program) Interrupted() bool { return pr.stopping.Load() }

// interruptible returns a context that an interrupt cancels, until done is called. It is needed
// because a recording ignores an interrupt that arrives before it runs.
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

// current returns the source and the recording. Goroutines other than the session's must use it.
func (pr *program) current() (nav.Source, Recording) {
	pr.mu.Lock()
	defer pr.mu.Unlock()
	return pr.nav.Source, pr.recording()
}

// source returns the source of the states. Only the session's goroutine may call it; others call
// current.
func (pr *program) source() nav.Source { return pr.nav.Source }

// reference returns the source to which the position belongs: in side-by-side mode the source of
// the true states, else the only one.
func (pr *program) reference() nav.Source {
	if b := pr.beside(); b != nil {
		return b.Reference()
	}
	return pr.source()
}

// beside returns the source of side-by-side mode, nil in other modes.
func (pr *program) beside() *nav.Both {
	b, _ := pr.source().(*nav.Both)
	return b
}

// both returns the source of side-by-side mode. In other modes it returns an error that names what
// needs it.
func (pr *program) both(what string) (*nav.Both, error) {
	if w := pr.beside(); w != nil {
		return w, nil
	}
	return nil, errorf(Refused, "%s: this needs side-by-side mode: mode both, or --mode both at the start", what)
}

// predicted returns the source of neural mode. In other modes it returns an error that names what
// needs it.
func (pr *program) predicted(what string) (*nav.Predicted, error) {
	if p, ok := pr.source().(*nav.Predicted); ok {
		return p, nil
	}
	return nil, errorf(Refused, "%s: no model is asked in real mode, every state is CPython's", what)
}

// recorded returns the recording as a source of states, nil if the position is a predicted one.
func (pr *program) recorded() *nav.Recorded {
	r, _ := pr.reference().(*nav.Recorded)
	return r
}

func (pr *program) states() nav.States { return pr.nav.States() }

// past returns the recording in searchable form, nil if the states are predicted.
func (pr *program) past() *query.Past { return pr.nav.Past() }

// walkOver replaces the source of the states.
func (pr *program) walkOver(src nav.Source) {
	pr.mu.Lock()
	defer pr.mu.Unlock()
	pr.nav.Source = src
}

// close ends the recording, if there is one, and forgets it.
func (pr *program) close() {
	pr.mu.Lock()
	rec := pr.rec
	pr.rec = nil
	pr.mu.Unlock()
	if rec != nil {
		_ = rec.Close() // the failure that led here was reported already
	}
}

// end cancels the requests to models and ends all runs of the program.
func (pr *program) end() error {
	pr.source().GiveUp()
	var failed error
	for _, rec := range pr.others() {
		failed = errors.Join(failed, rec.Close())
	}
	if rec := pr.Recording(); rec != nil {
		failed = errors.Join(failed, rec.Close())
	}
	return failed
}

// waits reports whether the program waits at the live edge, so that it can be asked.
func (pr *program) waits() bool {
	return pr.rec != nil && !pr.rec.LiveEdge().End && pr.rec.Exit() == nil
}

// asking returns the frame in which the program reads input: that of the last event, nil if there
// is no event.
func (pr *program) asking() *dsl.Frame {
	t, event := pr.rec.Tree(), pr.rec.LiveEdge().Event
	if event < 0 || event >= t.Len() {
		return nil
	}
	at := t.At(event)
	return &dsl.Frame{Function: t.Code(at.Code).Name, File: t.Files()[at.File].Name, Line: at.Line}
}

// recordedTo returns the last event that goto can reach, and whether the program ended after it. It
// is an error if there are no events.
func (pr *program) recordedTo() (last int, ended bool, err error) {
	if pr.recorded() == nil {
		return 0, false, errorf(Refused, "goto: there is no recording in neural mode; goto #N shows again what was shown, rewind the first state")
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

// holeAt reports whether an event is the first one after an unrecorded part.
func (pr *program) holeAt(event int) bool {
	if pr.recorded() == nil {
		return false
	}
	edge, ok := pr.rec.Tree().HoleUpTo(event)
	return ok && edge == event
}

// changeOf converts a change in the recording, and adds the line that made it.
func (pr *program) changeOf(c query.Change) Change {
	return Change{Event: c.Event, By: pr.past().By(c.Event), Old: c.Old, New: c.New}
}

// fromText returns the note for values that npdb computed from texts, instead of the program.
func (pr *program) fromText() string { return " (from " + pr.nav.Text() + ")" }

// canLeaveOut returns nil if recording can be turned off: a program runs, and no model is compared
// with it.
func (pr *program) canLeaveOut(what string) error {
	switch {
	case pr.inferring.shown > 0:
		return errorf(Refused, "%s: this state is inferred, nothing runs from here; goto 100%% returns to the running program", what)
	case pr.Mode() == Predicted:
		return errorf(Refused, "%s: nothing runs in neural mode, so there is nothing to leave out", what)
	case pr.recorded() == nil:
		return errorf(Refused, "%s: two models walk beside each other in this session, and nothing is run, so there is nothing to leave out", what)
	case pr.cfg.Options.Thread != "":
		return errorf(Refused, "%s: a thread other than the main one is always recorded", what)
	case pr.Mode() == Both:
		return errorf(Refused, "%s: in both modes what runs is recorded, for the model is compared with it (mode real leaves the model out)", what)
	}
	return nil
}
