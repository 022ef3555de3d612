package session

import (
	"context"
	"slices"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
)

// host is the session as the sources of its states see it.
type host struct{ s *Session }

var _ nav.Host = host{}

// Begin forgets what was known of the run before.
func (h host) Begin() { h.s.begin() }

// Making notes in the answer being built which action is under way.
func (h host) Making(a dsl.Action) {
	word := a.String()
	h.s.answer.Action = &word
}

// Run makes a move of the recording, and feeds the program what it reads.
func (h host) Run(ctx context.Context, move func(context.Context) (trace.Landing, error)) (trace.Landing, error) {
	return h.s.fed(ctx, move)
}

// Landed shows what the reference came to as it will be shown when the model has
// answered, too.
func (h host) Landed(p trace.Position) {
	s := h.s
	if s.cfg.Landed == nil || s.replaying != nil || p == s.pos {
		return
	}
	pos, selected, history, shown, look := s.pos, s.selected, s.history, s.shown, s.look
	s.pos, s.selected, s.look = p, 0, false
	s.history = append(slices.Clip(history), s.visit())
	s.shown = len(history)
	v := s.View()
	v.Beside = s.beside().Awaited()
	s.pos, s.selected, s.history, s.shown, s.look = pos, selected, history, shown, look
	s.cfg.Landed(v)
}

// Stopping reports whether the user interrupted the command.
func (h host) Stopping() bool { return h.s.stopping.Load() }

// Notice adds a word to the answer being built.
func (h host) Notice(format string, a ...any) { h.s.notice(format, a...) }

// Key returns how the user gives a command.
func (h host) Key(command string) string { return h.s.key(command) }

// Reply adds a model's reply to the journal.
func (h host) Reply(r journal.Reply) { h.s.journal.Reply(r) }

// Replaying returns the replies of the journal that is being replayed.
func (h host) Replaying() *nav.Replies {
	if h.s.replaying == nil {
		return nil
	}
	return &h.s.replaying.replies
}

// base returns what the sources of the session's states share; those of the model that
// stands in CPython's place are not listed.
func (s *Session) base(listed bool) *nav.Base {
	b := &nav.Base{Host: host{s}, Options: &s.cfg.Options, Known: &s.answers, Prefetch: &s.prefetch, Accounts: &s.accounts}
	if listed {
		b.Ledger = &s.ledger
	}
	return b
}

// foresee prefetches the user's likely next moves. An interrupted session prefetches
// nothing.
func (s *Session) foresee() {
	if s.replaying != nil || s.stopping.Load() || len(s.history) == 0 {
		return
	}
	var did nav.Did
	if step, ok := s.lastMove.command.(Step); ok {
		did = nav.Did{Move: step.Move, From: s.lastMove.from}
	}
	s.nav.Foresee(&s.prefetch, s.pos, did)
}

// newSource returns where states come from in a mode.
func (s *Session) newSource(m Mode) nav.Source {
	n := s.cfg.Neural
	switch {
	case m == Both && n != nil && s.cfg.Against != nil:
		return s.newBoth(nav.NewPredicted(s.base(false), s.cfg.Against, nil))
	case m == Both && n != nil:
		return s.newBoth(s.newRecorded())
	case m == Real || n == nil:
		return s.newRecorded()
	}
	return nav.NewPredicted(s.base(true), n, s.cfg.Progress)
}

// newBoth puts the model beside another source.
func (s *Session) newBoth(reference nav.Source) *nav.Both {
	return nav.NewBoth(s.base(true), reference, s.cfg.Neural, s.cfg.Progress)
}

func (s *Session) newRecorded() *nav.Recorded {
	return nav.NewRecorded(s.base(true), s.launch)
}

// launch starts the program.
func (s *Session) launch(ctx context.Context) (nav.Recording, trace.Landing, error) {
	o := s.cfg.Options
	if s.cfg.Options.Named = nil; o.Named == nil { // else a journal has them as they were
		o.Named = s.bps.Files()
	}
	if o.Reprs == "" && s.beside() == nil { // a model has learnt what a __repr__ says
		o.Reprs = trace.ReprsAsked
	}
	rec, l, err := s.cfg.Start(ctx, o)
	if err != nil {
		return nil, l, err
	}
	s.mu.Lock()
	s.rec = rec
	s.mu.Unlock()
	rec.Record(!s.unrecorded)
	return rec, l, nil
}

// source returns where the states come from. Other goroutines than the session's call current.
func (s *Session) source() nav.Source { return s.nav.Source }

// reference returns the source that the position is one of: of both, the truth's.
func (s *Session) reference() nav.Source {
	if b := s.beside(); b != nil {
		return b.Reference()
	}
	return s.source()
}

// beside returns the source of both modes, nil in others.
func (s *Session) beside() *nav.Both {
	b, _ := s.source().(*nav.Both)
	return b
}

// recorded returns the recording as a source, nil where the states are a model's.
func (s *Session) recorded() *nav.Recorded {
	r, _ := s.reference().(*nav.Recorded)
	return r
}

func (s *Session) states() nav.States { return s.nav.States() }

// live reports whether the program waits where the session stands.
func (s *Session) live() bool {
	r := s.recorded()
	return r != nil && r.Live(s.pos)
}

// start begins a run, and stands at its first state.
func (s *Session) start(ctx context.Context) error {
	l, err := s.source().Start(ctx)
	if err != nil {
		return err
	}
	if s.late = l.Reason == trace.Begun; s.late {
		if s.opened {
			return s.comeToFirst(ctx)
		}
		return nil // First goes there, which can be interrupted
	}
	s.arrive(l, nil)
	return nil
}

// joinModel puts the model beside the recording. If it was there before, its score and
// divergences continue.
func (s *Session) joinModel() error {
	w := s.left
	if w == nil {
		w = s.newBoth(s.source())
		if err := w.Load(); err != nil {
			return err
		}
	}
	s.left = nil
	s.recordAgain()
	if s.rec.Tree().TellsUnasked() {
		s.notice("Objects with a __repr__ of their own are compared by their attributes. restart compares what __repr__ says.")
	}
	s.walkOver(w)
	w.Rejoin(s.shown, s.pos)
	s.say(string(Both))
	return nil
}

// recordAgain switches the recording of everything on, as both modes need it.
func (s *Session) recordAgain() {
	if s.unrecorded {
		s.unrecorded = false
		s.rec.Record(true)
		s.notice("What runs is recorded again: the model is compared with it.")
	}
}

// joinProgram runs the program to where the predicted moves lead, and has the model
// nav beside it from here on. Where it comes to no state, all stays as it was.
func (s *Session) joinProgram(ctx context.Context) error {
	predicted := s.source().(*nav.Predicted)
	way := predicted.Way(s.pos.Event)
	pos, selected, history, shown, last, displays := s.pos, s.selected, s.history, s.shown, s.lastMove, s.displays
	w := s.newBoth(s.newRecorded())
	s.walkOver(w)
	if err := s.start(ctx); err != nil {
		s.drain()
		s.walkOver(predicted)
		s.closeRun()
		s.pos, s.selected, s.history, s.shown, s.lastMove, s.displays = pos, selected, history, shown, last, displays
		return err
	}
	l, err := w.Retrace(ctx, s.pos, way)
	s.arrive(l, nil)
	return err
}

// closeRun closes the recording, if there is one, for good.
func (s *Session) closeRun() {
	s.mu.Lock()
	rec := s.rec
	s.rec = nil
	s.mu.Unlock()
	if rec != nil {
		_ = rec.Close() // why it came to nothing is said already
	}
}

// comeToFirst goes to where --from says that the first state is.
func (s *Session) comeToFirst(ctx context.Context) error {
	s.opened = true
	if !s.late {
		return nil
	}
	s.late = false
	l, err := s.fed(ctx, s.rec.Resume)
	if err != nil {
		return err
	}
	l.Horizon, l.Boundary = 0, trace.NoBoundary
	s.arrive(l, nil)
	switch from := s.cfg.Options.From; {
	case from == trace.FirstTest && l.End:
		s.notice("No test ran, and only tests are recorded. --from :start records from the first line on, imports included.")
	case from == trace.FirstTest:
		s.notice("Recording begins at the first test. --from :start records what runs before it too: imports, collection, fixtures.")
	case l.End:
		s.notice("The program did not come to %s (--from).", escape.Line(from))
	}
	return nil
}
