package dsl

import (
	"math"
	"slices"
)

// Moment describes an event of a run as the table of moves needs it.
type Moment struct {
	Event      Event
	Kind       ReturnKind
	Resumed    bool // a call that is not the first of its activation
	Suspends   bool // its activation is a generator or coroutine
	Depth      int
	Activation int
	Outermost  int // the activation at the bottom of the stack
	At         Location
}

// Goal is the table of moves (docs/nd1.md) for one action at one event: the action lands on the
// first later event that Lands accepts, for an inverse move on the last earlier one. Continue and
// its inverse look for no event.
//
// An event ends its activation if it is a return other than a yield, for an inverse move if it is
// the activation's first call.
type Goal struct {
	Inverse   bool
	Depth     int        // lands at this depth or less; below 0 nowhere
	Own       int        // lands on the end of this activation, -1 for none
	Places    bool       // and on its lines and exceptions
	Outermost int        // lands on the end of this activation too, -1 for none
	Lines     []Location // lands on these lines
}

// AnyDepth lets a goal land at every depth.
const AnyDepth = math.MaxInt32

// Goal returns what an action at an event looks for.
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
			if !over { // also if the activation's own end is no event
				g.Depth--
			}
		case from.Outermost != from.Activation: // it may never be resumed
			g.Outermost = from.Outermost
		}
	case Breakpoint, InvBreakpoint:
		g.Lines = a.Lines
	}
	return g
}

// Lands reports whether the action lands on an event. The events must be passed in order, up to
// the first one that is accepted.
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
