package session

import (
	"context"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/breakpoint"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

// passage is a move that was made: where it led and by which action. A command
// that passes over code stops at a breakpoint there; then the action is the
// breakpoint move that leads to it.
type passage struct {
	trace.Landing
	by     dsl.Action
	hit    *breakpoint.Breakpoint // nil where the move landed
	raised bool                   // its condition raised
	// crossed are the places of breakpoints that were asked for on the way and did
	// not stop, in neural mode.
	crossed []trace.Position
}

// passes reports whether a move passes over code in which a breakpoint can stand.
func passes(m dsl.Move) bool {
	switch m {
	case dsl.StepOver, dsl.StepReturn, dsl.InvStepOver, dsl.InvStepReturn:
		return true
	}
	return false
}

// make makes one move of a command.
func (s *Session) make(ctx context.Context, from trace.Position, a dsl.Action, t targets) (passage, error) {
	if passes(a.Move) && (a.Move.Inverse() || !from.PostMortem && !from.End) {
		return s.walk.pass(ctx, from, a, t)
	}
	l, err := s.walk.move(ctx, from, a)
	return passage{Landing: l, by: a}, err
}

// ends reports whether a move came where a command that repeats it ends.
func (p passage) ends() bool {
	return p.hit != nil || p.Reason != trace.Landed || p.Boundary != trace.NoBoundary || p.End || p.PostMortem
}

// arriveBy makes where a passage led the session's position.
func (s *Session) arriveBy(p passage) {
	if p.hit != nil {
		p.Reason = trace.HitBreakpoint
		s.land(p.hit, p.raised, p.Landing, &p.by)
		return
	}
	s.arrive(p.Landing, &p.by)
}

// toward is the move to a place of a breakpoint, in the direction of a move.
func (t targets) toward(m dsl.Move) dsl.Action {
	if m.Inverse() {
		return dsl.Action{Move: dsl.InvBreakpoint, Lines: t.locations()}
	}
	return dsl.Action{Move: dsl.Breakpoint, Lines: t.locations()}
}

// pass makes a move: over what is recorded, and where that does not say where it
// lands by letting the program run on.
func (s *recordedWalk) pass(ctx context.Context, from trace.Position, a dsl.Action, t targets) (passage, error) {
	out, p, stopped := s.lookThrough(ctx, from, a, t)
	if stopped {
		return p, nil
	}
	if out.Boundary != statetree.Beyond {
		l, err := s.move(ctx, from, a)
		return passage{Landing: l, by: a}, err
	}
	stops, whose := s.stops(t)
	for {
		l, err := s.moveTo(ctx, from, a, stops...)
		if err != nil {
			return passage{}, err
		}
		p = passage{Landing: l, by: a}
		if p.hit, p.raised = s.met(whose, l); p.hit == nil {
			return p, nil
		}
		p.by = t.toward(a.Move)
		hit, raised := s.confirm(ctx, p.hit, l)
		switch {
		case hit != nil:
			p.hit, p.raised = hit, p.raised || raised
			return p, nil
		case s.stopping.Load():
			p.hit, p.Reason = nil, trace.Interrupted
			return p, nil
		}
	}
}

// lookThrough looks for what stops a move among the recorded events that it passes
// over; the one that it lands on is not among them. out is where the tree has it land.
func (s *recordedWalk) lookThrough(ctx context.Context, from trace.Position, a dsl.Action, t targets) (out statetree.Outcome, p passage, stopped bool) {
	start := s.eventOf(from)
	if start < 0 {
		return statetree.Outcome{Boundary: statetree.AtEnd}, p, false
	}
	out = s.landFrom(start, a)
	limit := out.Event
	switch out.Boundary {
	case statetree.AtStart:
		return out, p, false
	case statetree.Beyond:
		limit = s.rec.LiveEdge().Event + 1
	}
	seen, found := s.look(ctx, t, start, limit, a.Move.Inverse())
	if !found {
		return out, p, false
	}
	p = passage{Landing: s.landingOf(seen, from), by: a, hit: seen.hit, raised: seen.raised}
	if p.hit != nil {
		p.by = t.toward(a.Move)
	}
	return out, p, true
}

// sighting is a recorded event at which a move stops.
type sighting struct {
	event  int
	why    trace.Reason
	hit    *breakpoint.Breakpoint
	raised bool
}

// look goes over the recorded events between two, in either direction, to a satisfied
// breakpoint, to a call of the debugger by the program, or to where the user
// interrupted.
func (s *recordedWalk) look(ctx context.Context, t targets, at, limit int, inverse bool) (seen sighting, found bool) {
	lines := t.locations()
	waiting := s.waitingFor(limit, inverse)
	for {
		wait, waits := waiting.next(at)
		next, ok := s.rec.Tree().NextLine(at, lines)
		pause, paused := s.nextPause(at)
		if inverse {
			next, ok = s.rec.Tree().PrevLine(at, lines)
			pause, paused = s.prevPause(at)
		}
		ok = ok && (next < limit) != inverse && next != limit
		paused = paused && (pause < limit) != inverse && pause != limit
		if waits && (!ok || next == wait.event || waiting.ahead(next, wait.event)) && (!paused || waiting.ahead(pause, wait.event)) {
			if stops, raised := s.satisfied(ctx, wait.b, wait.event, inverse); stops {
				return sighting{event: wait.event, why: trace.HitBreakpoint, hit: wait.b, raised: raised}, true
			}
			if s.stopping.Load() {
				return sighting{event: wait.event, why: trace.Interrupted}, true
			}
			waiting.pass(wait)
			continue
		}
		switch {
		case paused && (!ok || (pause < next) != inverse && pause != next):
			return sighting{event: pause, why: trace.ProgramBreak}, true
		case !ok:
			return seen, false
		}
		if b, raised := s.effective(ctx, t, next); b != nil {
			return sighting{event: next, why: trace.HitBreakpoint, hit: b, raised: raised}, true
		}
		if paused && pause == next {
			return sighting{event: pause, why: trace.ProgramBreak}, true
		}
		if s.stopping.Load() {
			return sighting{event: next, why: trace.Interrupted}, true
		}
		at = next
	}
}

// landingOf is a sighting as the landing of a move that was made at from.
func (s *recordedWalk) landingOf(seen sighting, from trace.Position) trace.Landing {
	return trace.Landing{
		Position: s.positionOf(seen.event), Reason: seen.why, Horizon: distance(from, seen.event, s.rec.Tree()),
	}
}

// eventOf is the number of a position's event; of the end, that behind the last one.
func (s *recordedWalk) eventOf(p trace.Position) int {
	if p.End {
		return s.rec.Tree().Len()
	}
	return p.Event
}
