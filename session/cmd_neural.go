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

// cmdRaw prints what the model wrote: of the question that failed last, else of
// the state shown.
func (s *Session) cmdRaw(_ context.Context, arg string) error {
	if arg != "" {
		return usage("raw", arg)
	}
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

// cmdRetry asks the last question again. Where a model had answered, another
// answer is drawn.
func (s *Session) cmdRetry(ctx context.Context, arg string) error {
	if arg != "" {
		return usage("retry", arg)
	}
	again := s.lastMove
	if s.Mode() != Real && again.command == "" && again.at == nil {
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
	if again.at != nil {
		return s.dispatchAt(ctx, *again.at)
	}
	name, operand := parseLine(again.command)
	return lookupCommand(name).run(s, ctx, operand)
}

// another is how another answer is drawn, after so many: otherwise at each retry, the
// same in each run.
func another(after int) backend.Options {
	temperature, seed := retryTemperature, int64(after)
	return backend.Options{Temperature: &temperature, Seed: &seed}
}

// cmdBack and cmdForth go over the states that were shown, which asks nobody.
func (s *Session) cmdBack(_ context.Context, arg string) error { return s.visited("back", arg, -1) }

func (s *Session) cmdForth(_ context.Context, arg string) error { return s.visited("forth", arg, +1) }

func (s *Session) visited(name, arg string, direction int) error {
	n, err := count(name, arg)
	if err != nil {
		return err
	}
	to := min(max(s.shown+direction*n, 0), len(s.history)-1)
	if to == s.shown {
		if direction < 0 {
			return errorf(NotFound, "No state was shown before this one")
		}
		return errorf(NotFound, "No state was shown after this one")
	}
	s.revisit(to)
	return nil
}
