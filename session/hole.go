package session

import (
	"fmt"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

// recordAgain has everything recorded, as both modes need it.
func (s *Session) recordAgain() {
	if s.unrecorded {
		s.unrecorded = false
		s.rec.Record(true)
		s.notice("What runs is recorded again: the model is compared with it.")
	}
}

// landFrom is where an action leads to that is given at event i. A backward move stops at
// the edge of a hole, and says so; given there again, it goes on before it.
func (s *recordedWalk) landFrom(i int, a dsl.Action) statetree.Outcome {
	if s.atHole(i, a.Move) {
		return s.rec.Tree().LandAcross(i, a)
	}
	return s.rec.Tree().Land(i, a)
}

// atHole reports whether a backward move is given at an edge at which one has just
// stopped.
func (s *recordedWalk) atHole(i int, m dsl.Move) bool {
	return m.Inverse() && s.told && i == s.eventOf(s.pos)
}

// cross makes a backward move that goes on before a hole.
func (s *recordedWalk) cross(i int, from trace.Position, a dsl.Action) trace.Landing {
	out := s.landFrom(i, a)
	if out.Boundary == statetree.AtStart {
		return trace.Landing{Position: from, Boundary: trace.AtStart}
	}
	s.pastHole = true
	return trace.Landing{Position: s.positionOf(out.Event), Boundary: trace.AtHole, Horizon: distance(from, out.Event, s.rec.Tree())}
}

// holeWithin is the edge of the first hole between two events that a move from one
// of them looks through; the far one is not looked at.
func (s *recordedWalk) holeWithin(at, limit int, m dsl.Move) (edge int, ok bool) {
	t := s.rec.Tree()
	if !m.Inverse() {
		edge, ok = t.HoleAfter(at)
		return edge, ok && edge < limit
	}
	if s.atHole(at, m) {
		at--
	}
	edge, ok = t.HoleUpTo(at)
	return edge, ok && edge > limit
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
func (s *recordedWalk) stretchTo(at, limit int, m dsl.Move) stretch {
	w := stretch{at: at, limit: limit, inverse: m.Inverse(), crossing: s.atHole(at, m)}
	if w.edge, w.hole = s.holeWithin(at, limit, m); !w.hole {
		return w
	}
	w.limit = w.edge + 1 // what stands at the edge is looked at
	if w.inverse {
		w.limit = w.edge - 1
	}
	return w
}

// landIn is where a move lands that looks through a stretch: on what it found, or else
// at the hole.
func (s *recordedWalk) landIn(w stretch, event int, found bool) trace.Landing {
	if !found {
		event = w.edge
	}
	l := trace.Landing{Position: s.positionOf(event), Horizon: distance(s.pos, event, s.rec.Tree())}
	if !found && event == s.rec.Tree().Len() {
		l.Position = s.pos
	}
	if !found || w.crossing || w.hole && event == w.edge && !w.inverse {
		l.Boundary = trace.AtHole
		s.pastHole = w.crossing && found
	}
	return l
}

// explainHole says what was not recorded, and how to go on before it.
func (s *Session) explainHole(inverse bool) {
	t := s.rec.Tree()
	crossed := s.pastHole
	edge := s.pos.Event
	s.told, s.pastHole = inverse && !crossed && (edge > 0 || s.pos.End), false
	if s.pos.End {
		edge = t.Len()
	}
	switch {
	case inverse && crossed:
		until := "its end"
		if after, _ := t.HoleAfter(edge); after < t.Len() {
			until = "event " + thousands(after)
		}
		s.notice("hole: what the program did after this, up to %s, was not recorded.", until)
	case !inverse:
		s.notice("hole: recording began again here; what the program did after event %s was not recorded.", thousands(edge-1))
	case edge == 0:
		s.notice("hole: recording began here; what came before was not recorded.")
	case s.pos.End:
		s.notice("hole: the program ran unrecorded up to its end; given again, the move goes on from event %s.", thousands(edge-1))
	default:
		s.notice("hole: recording began again here; what came before was not recorded. Given again, the move goes on before it (event %s and earlier).", thousands(edge-1))
	}
}

// behindHole reports whether what led here was not recorded.
func (s *Session) behindHole() bool {
	if s.rec == nil || s.pos.End {
		return false
	}
	return s.holeAt(s.pos.Event)
}

// holeAt reports whether an event is the first one after a hole.
func (s *Session) holeAt(event int) bool {
	if s.rec == nil || s.pastOf() == nil {
		return false
	}
	edge, ok := s.rec.Tree().HoleUpTo(event)
	return ok && edge == event
}

// holes tells of the stretches that ran unrecorded.
func (s *recordedWalk) holes() []string {
	t := s.rec.Tree()
	var where []string
	for i := -1; ; {
		edge, ok := t.HoleAfter(i)
		if !ok {
			break
		}
		switch {
		case edge >= t.Len():
			where = append(where, "after event "+thousands(t.Len()-1))
		default:
			where = append(where, "before event "+thousands(edge))
		}
		i = edge
	}
	var lines []string
	if s.unrecorded {
		lines = append(lines, "Recording is off (record on)")
	}
	if len(where) > 0 {
		lines = append(lines, "Unrecorded: "+shortList(where))
	}
	return lines
}

// shortList is some of a list's items, and how many more there are.
func shortList(items []string) string {
	const most = 5
	text := ""
	for i, item := range items {
		if i == most {
			return text + fmt.Sprintf(" and %d more", len(items)-most)
		}
		if i > 0 {
			text += ", "
		}
		text += item
	}
	return text
}
