package statetree

import "github.com/npdb/npdb/dsl"

// Spot is a place in the run of a program, and what of it outlives a move.
type Spot struct {
	Event      int  // its number; at the end how many there are
	End        bool // after the last event: the program is over
	PostMortem bool // at an exception that nothing caught: forward of it is the end
	Died       bool // there was such a stop: what comes to the end now gets there
}

// Mourns reports whether a forward move from the spot that comes to the program's end
// stops before it, at the exception that ended the program. That one is event fatal, -1
// where none did.
func (s Spot) Mourns(fatal int) bool {
	return fatal >= 0 && !s.End && !s.PostMortem && !s.Died
}

// Move returns where an action leads from a spot in a finished tree without holes, the
// post-mortem stop included. fatal is the exception event that ended the program, -1 for
// none. stays is an inverse move that finds nothing: to is where it was asked.
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

// Horizon returns how many events a move from one spot to another passes over, the one it lands
// on included. The end is none.
func (s Spot) Horizon(to Spot) int {
	if to.End {
		return max(to.Event-1-s.Event, 0)
	}
	return max(to.Event-s.Event, s.Event-to.Event)
}
