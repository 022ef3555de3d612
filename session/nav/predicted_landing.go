package nav

import (
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
)

// First returns a landing on the first state, without asking the model.
func (s *Predicted) First() trace.Landing {
	s.unanswered = nil
	return trace.Landing{Position: s.positionOf(0), Horizon: UnknownHorizon}
}

// positionOf returns the position of state i. That of the true state at which inferred states begin
// is in the recording.
func (s *Predicted) positionOf(i int) trace.Position {
	if i == 0 && s.edge != nil {
		return s.edge.at
	}
	p := trace.Position{Event: i, End: s.list[i].stop == nil, PostMortem: s.list[i].postMortem}
	if s.edge != nil {
		p.Inferred = s.edge.branch
	}
	return p
}

// landing returns the landing of action a on state i.
func (s *Predicted) landing(i int, a dsl.Action) trace.Landing {
	l := trace.Landing{Position: s.positionOf(i), Horizon: UnknownHorizon}
	if a.Move == dsl.StepInto || a.Move == dsl.InvStepInto {
		l.Horizon = 1
	}
	switch {
	case i == 0 && s.edge != nil:
		l.Boundary = trace.AtHole
	case l.End:
		l.Reason = trace.Ended
		if a.Move != dsl.Continue {
			l.Boundary = trace.AtEnd
		}
	case l.PostMortem:
		l.Reason = trace.DiedPostMortem
	}
	return l
}

// placeOf returns the index of the state that a cached answer led to before from the same position,
// -1 if there is none.
func (s *Predicted) placeOf(from trace.Position, r reply) int {
	if !r.again {
		return -1
	}
	for i, p := range s.list {
		if p.before == from.Event && p.made == r.made {
			return i
		}
	}
	return -1
}
