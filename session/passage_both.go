package session

import (
	"context"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
)

// pass makes a move as the reference has it, and has the model predict what was
// made: the move, or the breakpoint moves that lead to where it was stopped.
func (s *bothWalk) pass(ctx context.Context, from trace.Position, a dsl.Action, t targets) (passage, error) {
	if len(t) == 0 && !s.waiting() {
		l, err := s.move(ctx, from, a)
		return passage{Landing: l, by: a}, err
	}
	p, err := s.reference.pass(ctx, from, a, t)
	if err != nil {
		return p, err
	}
	if p.hit != nil && !p.hit.OnLine() { // the model cannot be asked for that
		s.stand = s.onTruth(p.Position)
		return p, nil
	}
	by := func(from trace.Position, l trace.Landing) {
		_, err = s.besides(ctx, from, p.by, func(context.Context) (trace.Landing, error) { return l, nil })
	}
	if p.hit == nil {
		by(from, p.Landing)
		return p, err
	}
	for _, at := range s.between(from, p) {
		by(from, trace.Landing{Position: at, Horizon: s.horizon(from, at)})
		from = at
	}
	last := p.Landing
	last.Reason, last.Horizon = trace.Landed, s.horizon(from, p.Position)
	by(from, last)
	return p, err
}

// waiting reports whether there are watchpoints or catchpoints that can stop a move.
func (s *bothWalk) waiting() bool {
	w, ok := s.recorded()
	return ok && len(w.waits()) > 0
}

// between is the places of breakpoints that a passage crossed before it was stopped.
func (s *bothWalk) between(from trace.Position, p passage) []trace.Position {
	if s.rec == nil {
		return p.crossed
	}
	var out []trace.Position
	tree := s.rec.Tree()
	at := from.Event
	if from.End {
		at = tree.Len()
	}
	for len(out) < mostTreads {
		next, ok := tree.NextLine(at, p.by.Lines)
		if p.by.Move.Inverse() {
			next, ok = tree.PrevLine(at, p.by.Lines)
		}
		if !ok || next == p.Event {
			break
		}
		out = append(out, trace.Position{Event: next})
		at = next
	}
	return out
}

// horizon is how many events lie between two places of the reference.
func (s *bothWalk) horizon(from, to trace.Position) int {
	if s.rec == nil {
		return unknownHorizon
	}
	return distance(from, to.Event, s.rec.Tree())
}
