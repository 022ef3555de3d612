package statetree

import "github.com/npdb/npdb/dsl"

// Outcome says where a move lands. Unless Boundary is NoBoundary or AtHole, Event is the event
// at which the move began (AtStart) or Len (AtEnd, Beyond).
type Outcome struct {
	Event    int
	Boundary Boundary
}

// Boundary says why a move found no event to land on.
type Boundary uint8

// NoBoundary: the move landed. AtStart: there is nothing earlier. AtEnd: the program has
// ended. Beyond: the landing is not recorded yet, so the program must run further. AtHole:
// the move would pass over a hole; Event is the first event after the hole, in either
// direction.
const (
	NoBoundary Boundary = iota
	AtStart
	AtEnd
	Beyond
	AtHole
)

// Land returns where an action leads from event i, or from the end of a finished tree, which is
// i = Len. This is the nearest event that the action's dsl.Goal accepts. A landing depends only
// on the events up to it (for inverse moves, on those between it and i), so it does not change
// when the tree grows.
//
// A move stops at a hole, because the event that it looks for may be in the unrecorded part.
func (t *Tree) Land(i int, a dsl.Action) (out Outcome) {
	out = Outcome{i, AtStart} // for a query that meets damage
	t.mu.RLock()
	defer t.done()
	return t.upToHole(i, t.land(i, a), a.Move.Inverse())
}

// LandAcross returns where an inverse action leads from event i, like Land, but passes over the
// hole, if any, that ends at event i. If no earlier event is the landing, it returns AtStart,
// even if there are earlier holes.
func (t *Tree) LandAcross(i int, a dsl.Action) (out Outcome) {
	out = Outcome{i, AtStart} // for a query that meets damage
	t.mu.RLock()
	defer t.done()
	landing := t.land(i, a)
	if landing.Boundary == AtStart {
		return landing
	}
	return t.upToHole(i-1, landing, true)
}

func (t *Tree) land(i int, a dsl.Action) Outcome {
	if a.Move.Inverse() {
		if j := t.back(i, a); j >= 0 {
			return Outcome{Event: j}
		}
		return Outcome{i, AtStart}
	}
	if i < t.events.n() {
		g := t.goal(i, a)
		next := func(from int) int { return t.ahead(from, g) }
		if j := t.passing(g, next(i), next); j >= 0 {
			return Outcome{Event: j}
		}
	}
	if t.finished {
		return Outcome{t.events.n(), AtEnd}
	}
	return Outcome{t.events.n(), Beyond}
}

// Goal returns the condition for the landing of an action that begins at event i.
func (t *Tree) Goal(i int, a dsl.Action) dsl.Goal {
	t.mu.RLock()
	defer t.done()
	return t.goal(i, a)
}

func (t *Tree) goal(i int, a dsl.Action) dsl.Goal {
	var now dsl.Moment
	switch a.Move {
	case dsl.StepOver, dsl.StepReturn, dsl.StepBlock, dsl.InvStepOver, dsl.InvStepReturn, dsl.InvStepBlock:
		if i == t.events.n() { // from the end, these moves lead to the last event
			a.Move = dsl.InvStepInto
			break
		}
		p := t.events.placeOf(i)
		now = dsl.Moment{Event: t.events.head.at(i).event(), Depth: int(p.depth), Activation: int(p.who)}
		if p.generator() {
			r := t.resumptions.at(int(p.who &^ isResumption))
			now.Suspends, now.Activation, now.Outermost = true, int(r.activation), int(r.outermost)
		}
	}
	return a.Goal(now)
}

// ahead returns the first event after i that a goal accepts, or -1.
func (t *Tree) ahead(i int, g dsl.Goal) int {
	j := -1
	if g.Depth == dsl.AnyDepth {
		if i+1 < t.events.n() {
			j = i + 1
		}
	} else if g.Depth >= 0 {
		j = t.depths.first(&t.events, 0, i+1, uint32(g.Depth))
	}
	switch {
	case g.Own < 0:
	case g.Places:
		j = earlier(j, index(t.nextStop(i)))
	default:
		j = earlier(j, index(t.finalReturn(uint32(g.Own))))
	}
	if g.Outermost >= 0 {
		j = earlier(j, index(t.finalReturn(uint32(g.Outermost))))
	}
	if line, ok := t.nextLine(i, g.Lines); ok {
		j = earlier(j, line)
	}
	if g.Calls {
		j = earlier(j, t.nextCall(i))
	}
	return j
}

// back returns the event on which an inverse move from event i lands, or -1.
func (t *Tree) back(i int, a dsl.Action) int {
	if a.Move == dsl.InvContinue {
		return min(i, 1) - 1
	}
	g := t.goal(i, a)
	next := func(from int) int { return t.behind(from, g) }
	return t.passing(g, next(i), next)
}

// behind returns the last event before i that a goal accepts, or -1.
func (t *Tree) behind(i int, g dsl.Goal) int {
	j := -1
	if g.Depth == dsl.AnyDepth {
		j = i - 1
	} else if g.Depth >= 0 {
		j = t.depths.last(&t.events, 0, i-1, uint32(g.Depth))
	}
	switch {
	case g.Own < 0:
	case g.Places:
		j = max(j, index(t.previousStop(i)))
	default:
		j = max(j, t.callBefore(uint32(g.Own), i))
	}
	if g.Outermost >= 0 {
		j = max(j, t.callBefore(uint32(g.Outermost), i))
	}
	if line, ok := t.prevLine(i, g.Lines); ok {
		j = max(j, line)
	}
	if g.Calls {
		j = max(j, t.previousCall(i))
	}
	return j
}

// earlier returns the smaller of two indexes. -1 means none.
func earlier(a, b int) int {
	if a < 0 || b >= 0 && b < a {
		return b
	}
	return a
}

// finalReturn returns the event that ended an activation, or none.
func (t *Tree) finalReturn(act uint32) uint32 {
	last := t.lastEvent(act)
	if last != none && t.events.head.at(int(last)).leaves() {
		return last
	}
	return none
}

// callBefore returns the first call of an activation if it is before event i, otherwise -1.
func (t *Tree) callBefore(act uint32, i int) int {
	if call := t.call(act); call != none && int(call) < i {
		return int(call)
	}
	return -1
}

// nextStop returns the event after i at which a generator next stops: a line, an exception or
// its final return; or none. Event i is one of the generator's.
func (t *Tree) nextStop(i int) uint32 {
	at := *t.events.place.at(i)
	p := t.events.places.at(int(at))
	j := t.depths.first(&t.events, 0, i+1, p.depth)
	if j >= 0 && *t.events.place.at(j) == at {
		if h := *t.events.head.at(j); h.stops() || h.leaves() {
			return uint32(j)
		}
	}
	return t.resumptions.at(int(p.who &^ isResumption)).after
}

// previousStop returns the event before i at which a generator last stopped: a line, an
// exception or its first call; or none. Event i is one of the generator's.
func (t *Tree) previousStop(i int) uint32 {
	p := t.events.placeOf(i)
	if j := *t.events.previous.at(i); j != none {
		if t.events.head.at(int(j)).stops() || j == t.call(t.activationOf(p)) {
			return j
		}
	}
	return t.resumptions.at(int(p.who &^ isResumption)).before
}

// NextLine returns the first line event after event i that is on one of the given lines.
func (t *Tree) NextLine(i int, at []dsl.Location) (int, bool) {
	t.mu.RLock()
	defer t.done()
	return t.nextLine(i, at)
}

func (t *Tree) nextLine(i int, at []dsl.Location) (next int, ok bool) {
	for _, l := range at {
		if p := t.posted(l); p != nil {
			if j, found := p.after(i); found && (!ok || j < next) {
				next, ok = j, true
			}
		}
	}
	return next, ok
}

// NextRaise returns the first event after event i at which an exception is raised. Events at
// which it passes on to a caller do not count.
func (t *Tree) NextRaise(i int) (int, bool) {
	t.mu.RLock()
	defer t.done()
	return t.raised.after(i)
}

// PrevRaise returns the last event before event i at which an exception is raised.
func (t *Tree) PrevRaise(i int) (int, bool) {
	t.mu.RLock()
	defer t.done()
	return t.raised.before(i)
}

// PrevLine returns the last line event before event i that is on one of the given lines; i may
// be Len.
func (t *Tree) PrevLine(i int, at []dsl.Location) (int, bool) {
	t.mu.RLock()
	defer t.done()
	return t.prevLine(i, at)
}

func (t *Tree) prevLine(i int, at []dsl.Location) (previous int, ok bool) {
	for _, l := range at {
		if p := t.posted(l); p != nil {
			if j, found := p.before(i); found && (!ok || j > previous) {
				previous, ok = j, true
			}
		}
	}
	return previous, ok
}
