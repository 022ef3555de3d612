package nav

import (
	"context"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
)

// Earlier is a state that a model inferred before another one, without moving there.
type Earlier struct {
	State       int  // its number
	Start       bool // no state comes before
	Interrupted bool // the user gave the question up
	Candidate   backend.Candidate
}

// Earlier asks the model where a backward action leads from state at. The inferred state is added to the
// states, after the one that it was inferred from; the user's position and the last answer stay.
func (s *Predicted) Earlier(ctx context.Context, at int, a dsl.Action) (e Earlier, err error) {
	progress, failed := s.progress, s.unanswered
	s.progress = nil
	defer func() { s.progress, s.unanswered = progress, failed }()
	l, err := s.move(ctx, trace.Position{Event: at, End: s.list[at].stop == nil}, a)
	switch {
	case err != nil:
		return e, err
	case l.Reason == trace.Interrupted:
		return Earlier{Interrupted: true}, nil
	case l.Boundary == trace.AtStart:
		return Earlier{Start: true}, nil
	}
	e.State = l.Event
	if of, shown, ok := s.Candidates(e.State); ok {
		e.Candidate = of.List[shown]
	}
	return e, nil
}

// Knows reports whether the answer to an action at state at is known, so that the model is not asked.
func (s *Predicted) Knows(at int, a dsl.Action) bool {
	_, ok := s.recall(s.list[at].node, a)
	return ok
}

// PositionOf returns the position of state i.
func (s *Predicted) PositionOf(i int) trace.Position { return s.positionOf(i) }
