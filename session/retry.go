package session

import (
	"context"

	"github.com/npdb/npdb/session/nav"
)

// ShowRaw shows the model's reply to the last question if that failed, else the reply for the
// current state.
type ShowRaw struct{}

func (ShowRaw) String() string { return "raw" }

func (ShowRaw) run(_ context.Context, s *Session) error {
	if w := s.program.beside(); w != nil {
		s.draft.say(w.Raw())
		return nil
	}
	w, err := s.visits.answering("raw")
	if err != nil {
		return err
	}
	text, ok := w.Raw(s.position.indexIn(w))
	if !ok {
		text = "No model wrote this state: it is " + s.program.nav.Mark(s.position.pos).Origin.String() + "."
	}
	s.draft.say(text)
	return nil
}

// Retry repeats the last question to the model. If the model had answered it, another answer is
// sampled.
type Retry struct{}

func (Retry) String() string { return "retry" }

func (Retry) run(ctx context.Context, s *Session) error {
	again := s.visits.lastMove
	if s.Mode() != Real && again.command == nil {
		return errorf(NotFound, "Nothing was asked yet that could be asked again")
	}
	s.bills.answers.Anew = true
	defer func() { s.bills.answers.Anew = false }()
	if w := s.program.beside(); w != nil {
		return s.retryBeside(ctx, w, again)
	}
	w, err := s.visits.answering("retry")
	if err != nil {
		return err
	}
	defer w.Redraw()()
	here := s.visits.tree.Visit(s.visits.tree.Shown())
	from := s.visits.tree.Visit(again.visit)
	if from == nil {
		return errorf(NotFound, "The state where the last move was given was pruned (prune -u brings it back)")
	}
	if !w.Failed() { // a failed move has not changed the position
		s.visits.stand(from)
	}
	s.position.selected = 0
	if err = again.command.run(ctx, s); err != nil && s.position.pos == again.from {
		s.visits.stand(here)
	}
	return err
}

// retryBeside repeats the last move in side-by-side mode, from where it began, and requests a new
// prediction.
func (s *Session) retryBeside(ctx context.Context, w *nav.Both, again lastMove) error {
	defer w.Redraw()()
	if s.visits.tree.Leads(again.visit, s.visits.tree.Shown()) {
		s.revisit(again.visit)
		return again.command.run(ctx, s)
	}
	return errorf(NotFound, "The place where the last move was given is shown no more")
}
