package walk

import (
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

// landFrom is where an action leads to that is given at event i. A backward move stops at
// the edge of a hole, and says so; given there again, it goes on before it.
func (r *Recorded) landFrom(i int, a dsl.Action) statetree.Outcome {
	if r.atHole(i, a.Move) {
		return r.rec.Tree().LandAcross(i, a)
	}
	return r.rec.Tree().Land(i, a)
}

// atHole reports whether a backward move is given at an edge at which one has just
// stopped.
func (r *Recorded) atHole(i int, m dsl.Move) bool { return m.Inverse() && i == r.edge && i >= 0 }

// cross makes a backward move that goes on before a hole.
func (r *Recorded) cross(i int, from trace.Position, a dsl.Action) trace.Landing {
	out := r.landFrom(i, a)
	if out.Boundary == statetree.AtStart {
		return trace.Landing{Position: from, Boundary: trace.AtStart}
	}
	r.past = true
	return trace.Landing{Position: r.PositionOf(out.Event), Boundary: trace.AtHole, Horizon: r.Distance(from, out.Event)}
}

// stretch is recorded events that a move looks through from one of them on, as far as
// the first hole: up to limit, which is no longer looked at.
type stretch struct {
	at, limit int
	inverse   bool
	hole      bool // one ends it, at edge
	edge      int
	crossing  bool // it begins before the hole at which the move is given
}

// stretchTo is the stretch from an event to a limit, as far as a hole.
func (r *Recorded) stretchTo(at, limit int, m dsl.Move) stretch {
	w := stretch{at: at, limit: limit, inverse: m.Inverse(), crossing: r.atHole(at, m)}
	if w.edge, w.hole = r.holeWithin(at, limit, m); !w.hole {
		return w
	}
	w.limit = w.edge + 1 // what stands at the edge is looked at
	if w.inverse {
		w.limit = w.edge - 1
	}
	return w
}

// holeWithin is the edge of the first hole between two events that a move from one
// of them looks through; the far one is not looked at.
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

// landIn is where a move lands that looks through a stretch: on what it found, or else
// at the hole.
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
