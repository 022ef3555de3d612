package statetree

import "github.com/npdb/npdb/dsl"

// Outcome says where a move lands. At a boundary, Event is the event from which the move
// was asked (AtStart) or Len (AtEnd, Beyond).
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

// Land answers an action asked at event i, or from the end of a finished tree,
// which is i = Len. A landing follows from the events up to it alone (for
// inverse moves, from those between it and i), so what it was once it stays.
//
//	step_into    i+1
//	step_over    the first j > i with depth(j) ≤ depth(i)
//	step_return  the return event of this activation; at a return event, or if
//	             the return was missed, the first j > i of smaller depth
//	breakpoint   the first line event after i on one of the lines
//	continue     the end
//
// What a hole has left out may be what the move looks for: it stops at the hole.
//
// At an event of a generator or coroutine that is no return, step_over lands
// on the next line, exception or final return (a return that is no yield) of
// the same activation, and step_return on its final return; but both no later
// than on the final return of the outermost activation on the stack at i. The inverse moves are the same on the reversed list
// with calls and returns exchanged: a call that is not the activation's first
// stands for a yield.
func (t *Tree) Land(i int, a dsl.Action) Outcome {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.upToHole(i, t.land(i, a), a.Move.Inverse())
}

// LandAcross answers an inverse action like Land, but passes over a hole that ends at event
// i.
func (t *Tree) LandAcross(i int, a dsl.Action) Outcome {
	t.mu.RLock()
	defer t.mu.RUnlock()
	out := t.land(i, a)
	if out.Boundary == AtStart {
		return out
	}
	return t.upToHole(i-1, out, true)
}

func (t *Tree) land(i int, a dsl.Action) Outcome {
	if a.Move.Inverse() {
		if j := t.back(i, a); j >= 0 {
			return Outcome{Event: j}
		}
		return Outcome{i, AtStart}
	}
	if i < t.events.n() {
		if j := t.ahead(i, a); j >= 0 {
			return Outcome{Event: j}
		}
	}
	if t.finished {
		return Outcome{t.events.n(), AtEnd}
	}
	return Outcome{t.events.n(), Beyond}
}

// ahead returns where a forward move lands, or -1.
func (t *Tree) ahead(i int, a dsl.Action) int {
	h, p := *t.events.head.at(i), t.events.placeOf(i)
	switch a.Move {
	case dsl.StepInto:
		if i+1 < t.events.n() {
			return i + 1
		}
	case dsl.StepOver:
		if p.generator() && !h.returns() {
			return earlier(index(t.nextStop(i)), index(t.outermostReturn(p)))
		}
		return t.depths.first(&t.events, 0, i+1, p.depth)
	case dsl.StepReturn:
		if p.generator() && !h.returns() {
			return earlier(index(t.finalReturn(t.activationOf(p))), index(t.outermostReturn(p)))
		}
		lower := t.lowerAhead(i, p.depth)
		if h.returns() {
			return lower
		}
		return earlier(index(t.finalReturn(p.who)), lower)
	case dsl.Breakpoint:
		if j, ok := t.nextLine(i, a.Lines); ok {
			return j
		}
	}
	return -1
}

// back returns where an inverse move lands, or -1.
func (t *Tree) back(i int, a dsl.Action) int {
	switch a.Move {
	case dsl.InvBreakpoint:
		if j, ok := t.prevLine(i, a.Lines); ok {
			return j
		}
		return -1
	case dsl.InvContinue:
		return min(i, 1) - 1
	}
	if i == t.events.n() || a.Move == dsl.InvStepInto {
		return i - 1
	}
	h, p := *t.events.head.at(i), t.events.placeOf(i)
	called := h.kind() == headCall
	switch a.Move {
	case dsl.InvStepOver:
		if p.generator() && !called {
			return max(index(t.previousStop(i)), index(t.outermostCall(p)))
		}
		return t.depths.last(&t.events, 0, i-1, p.depth)
	case dsl.InvStepReturn:
		if p.generator() && !called {
			return max(t.callBefore(t.activationOf(p), i), index(t.outermostCall(p)))
		}
		lower := t.lowerBehind(i, p.depth)
		if called {
			return lower
		}
		return max(t.callBefore(p.who, i), lower)
	}
	return -1
}

// earlier returns the smaller of two indexes. -1 means none.
func earlier(a, b int) int {
	if a < 0 || b >= 0 && b < a {
		return b
	}
	return a
}

func (t *Tree) lowerAhead(i int, depth uint32) int {
	if depth == 0 {
		return -1
	}
	return t.depths.first(&t.events, 0, i+1, depth-1)
}

func (t *Tree) lowerBehind(i int, depth uint32) int {
	if depth == 0 {
		return -1
	}
	return t.depths.last(&t.events, 0, i-1, depth-1)
}

// finalReturn returns the event that ended an activation, or none.
func (t *Tree) finalReturn(act uint32) uint32 {
	last := t.lastEvent(act)
	if last != none && t.events.head.at(int(last)).leaves() {
		return last
	}
	return none
}

// callBefore returns the call of an activation if it is before event i, otherwise -1.
func (t *Tree) callBefore(act uint32, i int) int {
	if call := t.call(act); call != none && int(call) < i {
		return int(call)
	}
	return -1
}

// outermostReturn returns the final return of the outermost activation on the stack at a
// place of a generator, or none.
func (t *Tree) outermostReturn(p *place) uint32 {
	return t.finalReturn(t.resumptions.at(int(p.who &^ isResumption)).outermost)
}

// outermostCall returns the first call of the outermost activation on the stack at a place
// of a generator, or none.
func (t *Tree) outermostCall(p *place) uint32 {
	return t.call(t.resumptions.at(int(p.who &^ isResumption)).outermost)
}

// nextStop returns the next line, exception or final return of a generator, after
// event i of it, or none.
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

// previousStop returns the latest line, exception or first call of a generator,
// before event i of it, or none.
func (t *Tree) previousStop(i int) uint32 {
	p := t.events.placeOf(i)
	if j := *t.events.previous.at(i); j != none {
		if t.events.head.at(int(j)).stops() || j == t.call(t.activationOf(p)) {
			return j
		}
	}
	return t.resumptions.at(int(p.who &^ isResumption)).before
}

// NextLine returns the first line event after event i on one of some lines.
func (t *Tree) NextLine(i int, at []dsl.Location) (int, bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
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

// NextRaise returns the first event after event i at which an exception is raised, not
// counting the frames that it then passes.
func (t *Tree) NextRaise(i int) (int, bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.raised.after(i)
}

// PrevRaise returns the last event before event i at which an exception is raised.
func (t *Tree) PrevRaise(i int) (int, bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.raised.before(i)
}

// PrevLine returns the last line event before event i on one of some lines; i may
// be Len.
func (t *Tree) PrevLine(i int, at []dsl.Location) (int, bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
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
