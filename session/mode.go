package session

import (
	"context"

	"github.com/npdb/npdb/session/nav"
)

// SetMode changes the mode; "" shows it. The change from neural to side-by-side mode runs the
// program.
type SetMode struct {
	Mode Mode `json:"mode,omitempty"`
}

func (c SetMode) String() string { return words("mode", c.Mode) }

func (c SetMode) run(ctx context.Context, s *Session) error {
	now, arg := s.Mode(), c.Mode
	if err := s.CanSetMode(arg); err != nil {
		return err
	}
	switch want := arg; {
	case want == "" || want == now:
	case now == Both && want == Real:
		s.program.left = s.program.beside()
		s.program.walkOver(s.program.left.Reference())
	case now == Real && want == Both:
		return s.joinModel()
	case now == Predicted && want == Both:
		return s.joinProgram(ctx)
	}
	s.draft.say(string(s.Mode()))
	return nil
}

// CanSetMode returns nil if the mode can be changed to want, else the reason why not.
func (s *Session) CanSetMode(want Mode) error {
	now := s.Mode()
	switch {
	case want == "" || want == now:
		return nil
	case s.position.pos.Inferred > 0:
		return errorf(Refused, "mode %s: the shown state is inferred; %s returns to the recording first", want, s.draft.key("goto 100%"))
	case want != Real && s.cfg.Neural == nil:
		return errorf(Refused, "mode %s: there is no model to ask: give the address of its server with --base-url, or base_url in the configuration", want)
	case s.cfg.Against != nil:
		return errorf(Refused, "mode %s: two models walk beside each other in this session, and nothing is run", want)
	case want == Both && s.Withheld() != "":
		return errorf(Refused, "mode %s: %s", want, s.Withheld())
	case now == Both && want == Real, want == Both:
		return nil
	}
	return errorf(Refused, "mode %s: from %s one goes by --mode %s at the start", want, now, want)
}

// Consent is a question whether the program may be sent to a model, and the user's answer.
type Consent = nav.Consent

// Consent returns the question that the user must answer before the program may be sent to the
// model, nil if none is open.
func (s *Session) Consent() Consent {
	if n := s.cfg.Neural; n != nil && n.Consent != nil && !n.Consent.Given() && n.Consent.Question() != "" {
		return n.Consent
	}
	return nil
}

// Withheld returns why the program must not be sent to the model and the user cannot change that by
// an answer. It returns "" if it may be sent, or if Consent returns a question.
func (s *Session) Withheld() string {
	n := s.cfg.Neural
	if n == nil || n.Consent == nil || n.Consent.Given() || s.Consent() != nil {
		return ""
	}
	return n.Consent.Refusal()
}

// joinModel changes from real to side-by-side mode. If the session was in side-by-side mode before,
// its score and divergences continue.
func (s *Session) joinModel() error {
	w := s.program.left
	if w == nil {
		w = s.newBoth(s.program.source())
		if err := w.Load(); err != nil {
			return err
		}
	}
	s.program.left = nil
	s.recordAgain()
	if s.program.rec.Tree().TellsUnasked() {
		s.draft.notice("Objects with a __repr__ of their own are compared by their attributes. restart compares what __repr__ says.")
	}
	s.program.walkOver(w)
	w.Rejoin(s.visits.tree.Shown(), s.position.pos)
	s.draft.say(string(Both))
	return nil
}

// joinProgram changes from neural to side-by-side mode: it runs the program, repeats the predicted
// moves with it, and compares the model with it from there on. If the program cannot be started,
// the session stays in neural mode.
func (s *Session) joinProgram(ctx context.Context) error {
	predicted := s.program.source().(*nav.Predicted)
	way := predicted.Way(s.position.pos.Event)
	pos, selected, history, last, displays := s.position.pos, s.position.selected, s.visits.tree, s.visits.lastMove, s.watching.displays
	w := s.newBoth(s.newRecorded())
	s.program.walkOver(w)
	if err := s.start(ctx); err != nil {
		s.draft.drain()
		s.program.walkOver(predicted)
		s.program.close()
		s.position.pos, s.position.selected, s.visits.tree, s.visits.lastMove, s.watching.displays = pos, selected, history, last, displays
		return err
	}
	l, err := w.Retrace(ctx, s.position.pos, way)
	s.arrive(l, nil)
	return err
}

// recordAgain turns recording on if it is off, because side-by-side mode needs it.
func (s *Session) recordAgain() {
	if s.program.unrecorded {
		s.program.unrecorded = false
		s.program.rec.Record(true)
		s.draft.notice("What runs is recorded again: the model is compared with it.")
	}
}
