package session

import (
	"context"

	"github.com/npdb/npdb/backend"
)

// retryTemperature draws another answer where the first was the likeliest one.
const retryTemperature = 0.7

// predicted is the walk of neural mode; the error says that this is another one.
func (s *Session) predicted(what string) (*predictedWalk, error) {
	if w, ok := s.walk.(*predictedWalk); ok {
		return w, nil
	}
	return nil, errorf(Refused, "%s: no model is asked in real mode, every state is CPython's", what)
}

// ShowRaw tells what the model wrote: of the question that failed last, else of the
// state shown.
type ShowRaw struct{}

func (ShowRaw) String() string { return "raw" }

func (ShowRaw) run(_ context.Context, s *Session) error {
	if w, ok := s.walk.(*bothWalk); ok {
		s.say(w.raw())
		return nil
	}
	w, err := s.predicted("raw")
	if err != nil {
		return err
	}
	switch failed, made := w.unanswered, w.list[s.pos.Event].made; {
	case failed != nil && failed.Raw != "":
		s.say(failed.Raw)
	case failed != nil:
		s.say("The question that failed last was answered with no text.")
	case made != nil:
		s.say(made.Raw)
	default:
		s.say("No model wrote this state: it is " + w.origin(s.pos).String() + ".")
	}
	return nil
}

// Retry asks the last question again. Where a model had answered, another answer is
// drawn.
type Retry struct{}

func (Retry) String() string { return "retry" }

func (Retry) run(ctx context.Context, s *Session) error {
	again := s.lastMove
	if s.Mode() != Real && again.command == nil {
		return errorf(NotFound, "Nothing was asked yet that could be asked again")
	}
	s.anew = true
	defer func() { s.anew = false }()
	if w, ok := s.walk.(*bothWalk); ok {
		return w.retry(ctx, again)
	}
	w, err := s.predicted("retry")
	if err != nil {
		return err
	}
	failed := w.unanswered
	if failed == nil || failed.Kind == backend.NoState {
		w.drawn = another(len(w.list))
		defer func() { w.drawn = backend.Options{} }()
	}
	here := s.pos
	if failed == nil { // else what led here need not be asked again
		s.pos = again.from
	}
	s.selected = 0
	if err = s.give(ctx, again); err != nil && s.pos == again.from {
		s.pos = here
	}
	return err
}

// give gives a move again, where the session stands.
func (s *Session) give(ctx context.Context, again lastMove) error {
	if again.command == nil {
		return errorf(NotFound, "Nothing was asked yet that could be asked again")
	}
	return again.command.run(ctx, s)
}

// another is how another answer is drawn, after so many: otherwise at each retry, the
// same in each run.
func another(after int) backend.Options {
	temperature, seed := retryTemperature, int64(after)
	return backend.Options{Temperature: &temperature, Seed: &seed}
}
