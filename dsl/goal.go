package dsl

import (
	"math"
	"slices"
)

// Moment holds what the table of moves needs to know about an event of a run.
type Moment struct {
	Event      Event
	Kind       ReturnKind
	Resumed    bool // this call resumes a generator or coroutine
	Suspends   bool // the event's activation is a generator or coroutine
	Depth      int
	Activation int
	Outermost  int // the activation at the bottom of the stack
	At         Location
}

// Goal is the row of the table of moves (docs/nd1.md) for one action at one event: the action lands
// on the first later event that Lands accepts, an inverse move on the last earlier one. Continue
// and its inverse search for no event.
//
// The end of an activation is its return event, yields excepted; for an inverse move it is the
// activation's first call event.
type Goal struct {
	Inverse   bool
	Depth     int        // lands on every event of at most this depth; -1 for none
	Own       int        // lands on the end of this activation; -1 for none
	Places    bool       // lands on the lines and exceptions of activation Own too
	Outermost int        // lands on the end of this activation too; -1 for none
	Lines     []Location // lands on line events at these lines
}

// AnyDepth as Goal.Depth accepts events at every depth.
const AnyDepth = math.MaxInt32

// Goal returns which events the action lands on if it starts at the event from.
func (a Action) Goal(from Moment) Goal {
	g := Goal{Inverse: a.Move.Inverse(), Depth: -1, Own: -1, Outermost: -1}
	leaves := from.Event == Return
	if g.Inverse {
		leaves = from.Event == Call
	}
	over := a.Move == StepOver || a.Move == InvStepOver
	switch a.Move {
	case StepInto, InvStepInto:
		g.Depth = AnyDepth
	case StepOver, InvStepOver, StepReturn, InvStepReturn:
		if !leaves && (from.Suspends || !over) {
			g.Own, g.Places = from.Activation, over
		}
		switch {
		case !from.Suspends || leaves:
			g.Depth = from.Depth
			if !over { // a caller's event counts too: the return may not be an event
				g.Depth--
			}
		case from.Outermost != from.Activation: // the generator may never be resumed
			g.Outermost = from.Outermost
		}
	case Breakpoint, InvBreakpoint:
		g.Lines = a.Lines
	}
	return g
}

// Lands reports whether the action lands on event m. Call it for the events in the direction of the
// move, one after the other, until it returns true.
func (g *Goal) Lands(m Moment) bool {
	own, ends := m.Activation == g.Own, m.Event == Return && m.Kind != Yielded
	if g.Inverse {
		ends = m.Event == Call && !m.Resumed
	}
	return m.Depth <= g.Depth ||
		ends && (own || m.Activation == g.Outermost) ||
		own && g.Places && (m.Event == Line || m.Event == Exception) ||
		m.Event == Line && slices.Contains(g.Lines, m.At)
}
