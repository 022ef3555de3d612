package session

import (
	"context"
	"errors"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
)

// host implements nav.Host: it gives the sources of states access to the session.
type host struct{ s *Session }

var _ nav.Host = host{}

// Begin resets the session for a new run.
func (h host) Begin() { h.s.begin() }

// Making records in the answer which action is being made.
func (h host) Making(a dsl.Action) {
	word := a.String()
	h.s.draft.answer.Action = &word
}

// Run makes a move that runs the program, and passes input to it.
func (h host) Run(ctx context.Context, move func(context.Context) (trace.Landing, error)) (trace.Landing, error) {
	return h.s.fed(ctx, move)
}

// Landed passes the view of the true state to the front end while the model's answer is awaited.
func (h host) Landed(p trace.Position) {
	s := h.s
	if s.cfg.Landed == nil || s.journaling.replaying != nil || p == s.position.pos {
		return
	}
	pos, selected, history, look := s.position.pos, s.position.selected, s.visits.tree, s.position.look
	s.position.pos, s.position.selected, s.position.look = p, 0, false
	s.visits.tree = history.With(s.visits.visit(s.position.pos))
	v := s.View()
	v.Beside = s.program.beside().Awaited()
	s.position.pos, s.position.selected, s.visits.tree, s.position.look = pos, selected, history, look
	s.cfg.Landed(v)
}

// Stopping reports whether the user interrupted the current command.
func (h host) Stopping() bool { return h.s.program.mustEnd() }

// Notice adds a notice to the answer being built.
func (h host) Notice(format string, a ...any) { h.s.draft.notice(format, a...) }

// Key returns the key that runs a command, or the command as it is typed.
func (h host) Key(command string) string { return h.s.draft.key(command) }

// Reply adds a model's reply to the journal.
func (h host) Reply(r journal.Reply) { h.s.journaling.writer.Reply(r) }

// Replaying returns the remaining replies of the journal that is being replayed, nil if none is.
func (h host) Replaying() *nav.Replies {
	if h.s.journaling.replaying == nil {
		return nil
	}
	return &h.s.journaling.replaying.replies
}

// base returns what the sources of the session share. If listed is set, the model's answers are
// listed in the ledger; those of the model that stands in for CPython are not.
func (s *Session) base(listed bool) *nav.Base {
	b := &nav.Base{Host: host{s}, Options: &s.cfg.Options, Known: &s.bills.answers, Prefetch: &s.bills.prefetch, Accounts: &s.bills.accounts}
	if listed {
		b.Ledger = &s.bills.ledger
	}
	return b
}

// foresee prefetches the user's likely next moves, unless the command was interrupted.
func (s *Session) foresee() {
	if s.journaling.replaying != nil || s.program.stopping.Load() || s.visits.tree.Shown() == 0 {
		return
	}
	var did nav.Did
	if step, ok := s.visits.lastMove.command.(Step); ok && s.visits.lastMove.from.Inferred == s.position.pos.Inferred {
		did = nav.Did{Move: step.Move, From: s.visits.lastMove.from}
	}
	s.program.nav.Foresee(&s.bills.prefetch, s.position.pos, did)
}

// newSource creates the source of states for a mode.
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

// newBoth creates the source of side-by-side mode. reference provides the true states.
func (s *Session) newBoth(reference nav.Source) *nav.Both {
	return nav.NewBoth(s.base(true), reference, s.cfg.Neural, s.cfg.Progress)
}

func (s *Session) newRecorded() *nav.Recorded {
	r := nav.NewRecorded(s.base(true), s.launch)
	if s.cfg.Options.Repeat {
		r.MakesPasts(s.demand.remake)
	}
	return r
}

// launch starts the program and its recording.
func (s *Session) launch(ctx context.Context) (nav.Recording, trace.Landing, error) {
	o := s.cfg.Options
	// Options.Named is set if a journal is resumed; then it lists the files.
	if s.cfg.Options.Named = nil; o.Named == nil {
		o.Named = s.breakpoints.table.Files()
	}
	// Only side-by-side mode needs every result of __repr__: models were trained with these.
	if o.Reprs == "" && s.program.beside() == nil {
		o.Reprs = trace.ReprsAsked
	}
	if s.program.beside() != nil { // a model is compared with all that runs
		o.Repeat, o.Budget = false, trace.Budget{}
	}
	if s.program.beside() == nil {
		o.Branches = true // an edit in the past runs the program again
	}
	rec, l, err := s.cfg.Start(ctx, o)
	if err != nil {
		return nil, l, err
	}
	s.program.mu.Lock()
	s.program.rec = rec
	s.program.mu.Unlock()
	rec.Record(!s.program.unrecorded)
	if s.program.savedTo = ""; s.cfg.SaveTo != "" {
		if err := s.program.saveTo(s.cfg.SaveTo); err != nil {
			return nil, l, errors.Join(err, rec.Close())
		}
	}
	return rec, l, nil
}

// start starts a run and makes its first state the position.
func (s *Session) start(ctx context.Context) error {
	l, err := s.program.source().Start(ctx)
	if err != nil {
		return err
	}
	s.program.noticeVersion(s.draft)
	if s.program.late = l.Reason == trace.Begun; s.program.late {
		if s.program.opened {
			return s.comeToFirst(ctx)
		}
		return nil // First runs on to the first state, so that it can be interrupted
	}
	s.arrive(l, nil)
	return nil
}

// comeToFirst runs the program to the first state, if --from makes the recording begin later.
func (s *Session) comeToFirst(ctx context.Context) error {
	s.program.opened = true
	if !s.program.late {
		return nil
	}
	s.program.late = false
	l, err := s.fed(ctx, s.program.rec.Resume)
	if err != nil {
		return err
	}
	l.Horizon, l.Boundary = 0, trace.NoBoundary
	s.arrive(l, nil)
	switch from := s.cfg.Options.From; {
	case from == "":
	case from == trace.FirstTest && l.End:
		s.draft.notice("No test ran, and only tests are recorded. --from :start records from the first line on, imports included.")
	case from == trace.FirstTest:
		s.draft.notice("Recording begins at the first test. --from :start records what runs before it too: imports, collection, fixtures.")
	case l.End:
		s.draft.notice("The program did not come to %s (--from).", escape.Line(from))
	}
	return nil
}
