package statetree

import "github.com/npdb/npdb/dsl"

// Spot is a position in the run of a program, including the post-mortem state that a move
// must remember.
type Spot struct {
	Event      int  // index of the event; at the end the number of events
	End        bool // after the last event: the program has ended
	PostMortem bool // at an uncaught exception; forward moves lead to the end
	Died       bool // there was already a post-mortem stop, so that no further one comes before the end
}

// Mourns reports whether a forward move from the spot stops at the uncaught exception
// before it reaches the program's end. fatal is the event of this exception, or -1.
func (s Spot) Mourns(fatal int) bool {
	return fatal >= 0 && !s.End && !s.PostMortem && !s.Died
}

// Move returns where an action leads from a spot in a finished tree without holes, including
// the post-mortem stop. fatal is the event of the uncaught exception that ended the program, or
// -1. If an inverse move finds nothing, stays is true and to is from.
func (t *Tree) Move(from Spot, a dsl.Action, fatal int) (to Spot, stays bool) {
	at := from.Event
	if from.End {
		at = t.Len()
	}
	out := Outcome{Boundary: AtEnd}
	if a.Move.Inverse() || !from.End && !from.PostMortem {
		out = t.Land(at, a)
	}
	switch {
	case out.Boundary == AtStart:
		return from, true
	case out.Boundary == NoBoundary:
		return Spot{Event: out.Event, Died: from.Died}, false
	case from.Mourns(fatal):
		return Spot{Event: fatal, PostMortem: true, Died: true}, false
	}
	return Spot{Event: t.Len(), End: true, Died: from.Died}, false
}

// Horizon returns the number of events that a move passes over, including the one it lands
// on. The end does not count.
func (s Spot) Horizon(to Spot) int {
	if to.End {
		return max(to.Event-1-s.Event, 0)
	}
	return max(to.Event-s.Event, s.Event-to.Event)
}
