package nav

import (
	"context"
	"math"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/breakpoint"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

// Pass makes a move over the recorded events. If it goes past the live edge, the program is run,
// and the tracer tests the stops. If a backward move comes to a hole, its past is made.
func (r *Recorded) Pass(ctx context.Context, from trace.Position, a dsl.Action, stops *Stops) (p *Passage, err error) {
	if a.Move.Inverse() && r.remake != nil && !r.filling {
		return r.passBack(ctx, from, a, stops)
	}
	defer func() {
		if p != nil {
			r.trail.ledToLines(r.rec.Tree(), from, p)
			r.pass(from, p)
		}
	}()
	switch {
	case free(a.Move):
		return r.onward(ctx, from, a, stops)
	case !passes(from, a.Move):
		return made(ctx, r, from, a)
	}
	beyond, p := r.lookThrough(ctx, from, a, stops)
	switch {
	case p != nil:
		return p, nil
	case !beyond:
		return made(ctx, r, from, a)
	case stops.goal != nil:
		return r.leg(ctx, from, stops)
	}
	return r.run(ctx, &a, stops, func(told []trace.Stop) (trace.Landing, error) { return r.move(ctx, from, a, told...) })
}

// onward makes a free move (continue or its inverse): over recorded events up to a hole, and from
// the live edge on by running the program.
func (r *Recorded) onward(ctx context.Context, from trace.Position, a dsl.Action, stops *Stops) (*Passage, error) {
	inverse := a.Move.Inverse()
	if inverse && stops.none() {
		return made(ctx, r, from, a)
	}
	by := new(dsl.Action)
	*by = stops.onward(a)
	if stops.find != "" {
		by = nil // no action of the wire format leads there
	}
	if inverse || !from.End && !r.Live(from) {
		limit := r.Furthest() + 1
		if inverse {
			limit = -1
		}
		w := r.stretchTo(r.eventOf(from), limit, a.Move)
		seen, err := r.search(ctx, stops, w)
		if err != nil {
			return nil, err
		}
		if seen != nil || w.hole {
			p := r.landIn(w, seen, from)
			p.By = by
			return p, nil
		}
	}
	switch {
	case inverse:
		return &Passage{Landing: trace.Landing{Position: from, Boundary: trace.AtStart}, By: by}, nil
	case r.over() || r.Live(from) && stops.none():
		return made(ctx, r, from, a)
	}
	if by != nil {
		r.base.Making(*by)
	}
	return r.run(ctx, by, stops, func(told []trace.Stop) (trace.Landing, error) { return r.advance(ctx, from, told, nil) })
}

// search looks through the recorded events of w for a stop, or for the condition of find.
func (r *Recorded) search(ctx context.Context, stops *Stops, w stretch) (*sighting, error) {
	if stops.find == "" {
		return r.look(ctx, stops, w.at, w.limit, w.inverse), nil
	}
	overTexts := func(event int) bool {
		holds, err := stops.w.truth(ctx, event, stops.find)
		stops.unanswered.add(event, err)
		return err == nil && holds
	}
	event, found, err := stops.w.Past().Find(ctx, stops.find, w.at, w.limit, overTexts, r.base.Stopping)
	switch {
	case err != nil:
		return nil, errorf(BadArgument, "Invalid condition %s: %s", stops.find, err)
	case found:
		return &sighting{event: event, why: trace.Landed}, nil
	case event != w.limit:
		return &sighting{event: event, why: trace.Interrupted}, nil
	}
	return nil, nil
}

// run runs the program with a move that the tracer ends at each stop, and repeats the move until a
// breakpoint's condition and count are satisfied. told are the stops for the tracer.
func (r *Recorded) run(ctx context.Context, by *dsl.Action, stops *Stops, move func(told []trace.Stop) (trace.Landing, error)) (*Passage, error) {
	for {
		told, whose := stops.told(r.rec.LiveEdge(), r.rec.Tree())
		since := r.Furthest()
		l, err := move(told)
		if err != nil {
			return nil, err
		}
		p := &Passage{Landing: l, By: by}
		b, raised := stops.met(whose, since, l)
		if b == nil {
			if p.Reason == trace.HitBreakpoint { // stopped by the condition of find, not a breakpoint
				p.Reason = trace.Landed
			}
			return p, nil
		}
		hit, failed := stops.confirm(ctx, b, l.Event)
		switch {
		case hit != nil:
			p.Hit, p.Raised = hit, raised || failed
			to := stops.toward(dsl.Breakpoint)
			p.By = &to
			return p, nil
		case r.base.Stopping():
			p.Reason = trace.Interrupted
			return p, nil
		}
	}
}

// advance runs the program from the live edge to one of the stops (told), or to line until of the
// top activation. from is where the user's move began.
func (r *Recorded) advance(ctx context.Context, from trace.Position, told []trace.Stop, until *int) (trace.Landing, error) {
	edge := r.rec.LiveEdge()
	l, err := r.base.Run(ctx, func(ctx context.Context) (trace.Landing, error) { return r.rec.Advance(ctx, told, until) })
	if !from.End && !edge.End {
		l.Horizon += edge.Event - from.Event
	}
	return l, err
}

// leg runs the program towards the goal of until, as far as a single request to the tracer can go.
// The tracer can look for a line of the top activation only. When another activation returns, and
// in generators, the leg is a single event, at which breakpoints were not tested.
func (r *Recorded) leg(ctx context.Context, from trace.Position, stops *Stops) (*Passage, error) {
	edge := r.rec.LiveEdge()
	var until *int
	if top := r.frameAt(edge); top != nil && !r.over() {
		g := stops.goal
		beyond := math.MaxInt32 // no line is that large, so only the return stops
		switch at := r.rec.Tree().At(edge.Event); {
		case top.Activation == g.Activation && (at.Event != dsl.Return || g.Generator):
			until = &g.Line
		case at.Event == dsl.Return || g.Generator:
			p, err := made(ctx, r, edge, dsl.Action{Move: dsl.StepInto})
			if err == nil && !from.End {
				p.Horizon += edge.Event - from.Event
			}
			return p, err
		default:
			until = &beyond
		}
	}
	return r.run(ctx, nil, stops, func(told []trace.Stop) (trace.Landing, error) { return r.advance(ctx, from, told, until) })
}

// lookThrough looks for a stop among the recorded events that a move passes, and returns the
// passage to it, nil if there is none. beyond reports that the move lands past the live edge.
func (r *Recorded) lookThrough(ctx context.Context, from trace.Position, a dsl.Action, stops *Stops) (beyond bool, p *Passage) {
	start := r.eventOf(from)
	if start < 0 {
		return false, nil
	}
	out := r.landFrom(start, a)
	limit := out.Event
	switch out.Boundary {
	case statetree.AtStart:
		return false, nil
	case statetree.Beyond:
		limit = r.rec.LiveEdge().Event + 1
	}
	beyond = out.Boundary == statetree.Beyond
	seen := r.look(ctx, stops, start, limit, a.Move.Inverse())
	if seen == nil {
		return beyond, nil
	}
	p = seen.passage(r, from)
	p.By = &a
	if p.Hit != nil {
		by := stops.toward(a.Move)
		p.By = &by
	}
	return beyond, p
}

// sighting is a recorded event at which a move stops, and why.
type sighting struct {
	event  int
	why    trace.Reason
	hit    *breakpoint.Breakpoint
	raised bool
}

// passage returns the passage of a move that began at from and stopped at the sighting.
func (seen *sighting) passage(r *Recorded, from trace.Position) *Passage {
	return &Passage{Hit: seen.hit, Raised: seen.raised, Landing: trace.Landing{
		Position: r.PositionOf(seen.event), Reason: seen.why, Horizon: r.Distance(from, seen.event),
	}}
}

// look searches the recorded events between at and limit, in either direction, for the first one
// that stops a move: by a satisfied breakpoint, by a call of the debugger in the program, or
// because the user has interrupted. It returns nil if there is none.
func (r *Recorded) look(ctx context.Context, t *Stops, at, limit int, inverse bool) *sighting {
	lines := t.Lines()
	waiting := t.waitingFor(limit, inverse)
	for {
		wait, waits := waiting.next(at)
		next, ok := r.rec.Tree().NextLine(at, lines)
		pause, paused := r.nextPause(at)
		if inverse {
			next, ok = r.rec.Tree().PrevLine(at, lines)
			pause, paused = r.prevPause(at)
		}
		ok = ok && (next < limit) != inverse && next != limit
		paused = paused && (pause < limit) != inverse && pause != limit
		if waits && (!ok || next == wait.event || waiting.ahead(next, wait.event)) && (!paused || waiting.ahead(pause, wait.event)) {
			if stops, raised := t.satisfied(ctx, wait.b, wait.event, inverse); stops {
				return &sighting{event: wait.event, why: trace.HitBreakpoint, hit: wait.b, raised: raised}
			}
			if r.base.Stopping() {
				return &sighting{event: wait.event, why: trace.Interrupted}
			}
			waiting.pass(wait)
			continue
		}
		switch {
		case paused && (!ok || (pause < next) != inverse && pause != next):
			return &sighting{event: pause, why: trace.ProgramBreak}
		case !ok:
			return nil
		}
		if b, raised := t.test(ctx, next); b != nil {
			return &sighting{event: next, why: trace.HitBreakpoint, hit: b, raised: raised}
		}
		if paused && pause == next {
			return &sighting{event: pause, why: trace.ProgramBreak}
		}
		if r.base.Stopping() {
			return &sighting{event: next, why: trace.Interrupted}
		}
		at = next
	}
}

// landFrom returns where an action at event i leads. A backward move stops at the edge of a hole.
// If it is repeated there, it continues before the hole.
func (r *Recorded) landFrom(i int, a dsl.Action) statetree.Outcome {
	if r.atHole(i, a.Move) {
		return r.rec.Tree().LandAcross(i, a)
	}
	return r.rec.Tree().Land(i, a)
}

// atHole reports whether a backward move begins at the edge of a hole where the last move stopped.
func (r *Recorded) atHole(i int, m dsl.Move) bool { return m.Inverse() && i == r.edge && i >= 0 }

// cross makes a backward move that begins at the edge of a hole and continues before the hole.
func (r *Recorded) cross(i int, from trace.Position, a dsl.Action) trace.Landing {
	out := r.landFrom(i, a)
	if out.Boundary == statetree.AtStart {
		return trace.Landing{Position: from, Boundary: trace.AtStart}
	}
	r.past = true
	return trace.Landing{Position: r.PositionOf(out.Event), Boundary: trace.AtHole, Horizon: r.Distance(from, out.Event)}
}

// stretch is the range of recorded events that a move searches, from at to limit. limit itself is
// excluded. The range ends at the first hole.
type stretch struct {
	at, limit int
	inverse   bool
	hole      bool // a hole ends the range; edge is its edge
	edge      int
	crossing  bool // a backward move crosses the hole at which it begins
}

// stretchTo returns the range from an event to a limit, shortened to the first hole in it.
func (r *Recorded) stretchTo(at, limit int, m dsl.Move) stretch {
	w := stretch{at: at, limit: limit, inverse: m.Inverse(), crossing: r.atHole(at, m)}
	if w.edge, w.hole = r.holeWithin(at, limit, m); !w.hole {
		return w
	}
	w.limit = w.edge + 1 // the event at the edge is searched too
	if w.inverse {
		w.limit = w.edge - 1
	}
	return w
}

// holeWithin returns the edge of the first hole between at and limit in the direction of a move.
// limit is excluded.
func (r *Recorded) holeWithin(at, limit int, m dsl.Move) (edge int, ok bool) {
	t := r.rec.Tree()
	if !m.Inverse() {
		edge, ok = t.HoleAfter(at)
		return edge, ok && edge < limit
	}
	if r.atHole(at, m) {
		at--
	}
	edge, ok = t.HoleUpTo(at)
	return edge, ok && edge > limit
}

// landIn returns where a move through a range lands: at the sighting, or else at the hole.
func (r *Recorded) landIn(w stretch, seen *sighting, from trace.Position) *Passage {
	found := seen != nil
	if !found {
		seen = &sighting{event: w.edge, why: trace.Landed}
	}
	p := seen.passage(r, from)
	if !found && seen.event == r.rec.Tree().Len() {
		p.Position = from
	}
	if !found || w.crossing || w.hole && seen.event == w.edge && !w.inverse {
		p.Boundary = trace.AtHole
		r.past = w.crossing && found
	}
	return p
}
