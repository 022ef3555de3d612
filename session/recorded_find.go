package session

import (
	"context"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
)

// find looks for the condition behind the live edge, as far as a hole; from there on
// the program runs until it holds.
func (s *recordedWalk) find(ctx context.Context, expr string, inverse bool) error {
	move, limit := dsl.Breakpoint, s.furthest()+1
	if inverse {
		move, limit = dsl.InvBreakpoint, -1
	}
	w := s.stretchTo(s.eventOf(s.pos), limit, move)
	event, found, err := s.findRecorded(ctx, expr, w.at, w.limit)
	interrupted := !found && event != w.limit
	switch {
	case err != nil:
		return err
	case found || interrupted || w.hole:
		l := s.landIn(w, event, found || interrupted)
		if interrupted {
			l.Reason = trace.Interrupted
		}
		s.arrive(l, nil)
	case inverse:
		s.arrive(trace.Landing{Position: s.pos, Boundary: trace.AtStart}, nil)
	case s.over():
		if err := s.repeat(ctx, dsl.Continue, 1); err != nil {
			return err
		}
		s.heldNowhere(expr, w.at)
	default:
		return s.findLive(ctx, expr)
	}
	return nil
}

// findLive lets the program run on from the live edge until the condition holds.
func (s *recordedWalk) findLive(ctx context.Context, expr string) error {
	from := s.pos
	stops := []trace.Stop{{For: trace.Anywhere, Condition: expr}}
	l, err := s.running(ctx, func(ctx context.Context) (trace.Landing, error) { return s.rec.Advance(ctx, stops, nil) })
	if l, err = s.feed(ctx, l, err); err != nil {
		return err
	}
	if l.Reason == trace.HitBreakpoint {
		l.Reason = trace.Landed
	}
	if !l.End {
		l.Horizon = distance(from, l.Event, s.rec.Tree())
	} else {
		l.Boundary = trace.AtEnd
	}
	s.arrive(l, nil)
	if l.End || l.PostMortem {
		s.heldNowhere(expr, s.eventOf(from))
	}
	return nil
}

// heldNowhere says why find has come to the end from an event.
func (s *Session) heldNowhere(expr string, from int) {
	recorded := ""
	if _, hole := s.rec.Tree().HoleAfter(from); hole {
		recorded = " that was recorded"
	}
	s.notice("%s was true at no line%s up to here; where it raises, it counts as not true.", expr, recorded)
}

// findRecorded looks for a condition among recorded events.
func (s *recordedWalk) findRecorded(ctx context.Context, expr string, at, limit int) (event int, found bool, err error) {
	byWorker := func(event int) bool {
		holds, err := s.truth(ctx, event, expr)
		return err == nil && holds
	}
	event, found, err = s.pastOf().Find(ctx, expr, at, limit, byWorker, s.stopping.Load)
	if err != nil {
		err = errorf(BadArgument, "Invalid condition %s: %s", expr, err)
	}
	return event, found, err
}
