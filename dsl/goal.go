package dsl

import (
	"math"
	"slices"
)

// Moment describes an event of a run, as far as the table of moves (Goal) needs it.
type Moment struct {
	Event      Event
	Kind       ReturnKind
	Resumed    bool // this call resumes a generator or coroutine
	Suspends   bool // the event's activation is a generator or coroutine
	Depth      int
	Activation int
	Outermost  int // the activation at the bottom of the stack
	At         Location
	Straight   bool // the event is a line that continues the basic block of the previous event in its activation
}

// Goal is the row of the table of moves (docs/nd1.md) for one action at one event. The action lands
// on the first later event that Lands accepts; an inverse move lands on the last earlier one.
// Continue and its inverse search for no event.
//
// The end of an activation is its return event, but not a yield. For an inverse move the end is the
// activation's first call event.
type Goal struct {
	Inverse   bool
	Depth     int        // lands on every event of at most this depth; -1 for none
	Own       int        // lands on the end of this activation; -1 for none
	Places    bool       // also lands on the lines and exceptions of activation Own
	Outermost int        // also lands on the end of this activation; -1 for none
	Lines     []Location // lands on line events at these lines
	Calls     bool       // lands on every call and return
	Block     int        // passes over the lines of this activation that continue a basic block; -1 for none
}

// AnyDepth is the value of Goal.Depth that accepts events at every depth.
const AnyDepth = math.MaxInt32

// Goal returns which events the action lands on, if it starts at the event from.
func (a Action) Goal(from Moment) Goal {
	g := Goal{Inverse: a.Move.Inverse(), Depth: -1, Own: -1, Outermost: -1, Block: -1}
	leaves := from.Event == Return
	if g.Inverse {
		leaves = from.Event == Call
	}
	block := a.Move == StepBlock || a.Move == InvStepBlock
	over := block || a.Move == StepOver || a.Move == InvStepOver
	if block {
		g.Block = from.Activation
	}
	switch a.Move {
	case StepInto, InvStepInto:
		g.Depth = AnyDepth
	case StepOver, InvStepOver, StepReturn, InvStepReturn, StepBlock, InvStepBlock:
		if !leaves && (from.Suspends || !over) {
			g.Own, g.Places = from.Activation, over
		}
		switch {
		case !from.Suspends || leaves:
			g.Depth = from.Depth
			if !over { // also accept the caller's events: the return may have no event
				g.Depth--
			}
		case from.Outermost != from.Activation: // the generator may never resume
			g.Outermost = from.Outermost
		}
	case Breakpoint, InvBreakpoint:
		g.Lines = a.Lines
	case StepFunction, InvStepFunction:
		g.Calls = true
	}
	return g
}

// Lands reports whether the action lands on event m. Call it for the events in the direction of the
// move, in order, until it returns true.
func (g *Goal) Lands(m Moment) bool {
	if m.Straight && m.Activation == g.Block {
		return false
	}
	own, ends := m.Activation == g.Own, m.Event == Return && m.Kind != Yielded
	if g.Inverse {
		ends = m.Event == Call && !m.Resumed
	}
	return m.Depth <= g.Depth ||
		ends && (own || m.Activation == g.Outermost) ||
		own && g.Places && (m.Event == Line || m.Event == Exception) ||
		g.Calls && (m.Event == Call || m.Event == Return) ||
		m.Event == Line && slices.Contains(g.Lines, m.At)
}
