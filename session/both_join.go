package session

import (
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
)

// trail is how each place of a recording was come to first: by one action from
// another place. A model that joins later is told it, so that it has read as much as
// one that was there all the time. A place that no action led to is not in it, or
// without a way to it.
type trail map[trace.Position]treads

// treads is one action of a trail.
type treads struct {
	from trace.Position
	by   dsl.Action // the zero action for a place that no action led to
}

// mostTreads is how many actions a model that joins is told. Beyond that the text
// begins with what is known of the stack, as after goto.
const mostTreads = 1000

// led takes down that an action led from one place to another. The first way to a
// place is kept: following these back never goes in a circle.
func (s *Session) led(from trace.Position, a dsl.Action, to trace.Position) {
	if from.End || from.PostMortem || to.End || to.PostMortem || from.Event < 0 {
		return
	}
	if s.trail == nil {
		s.trail = trail{}
	}
	if _, ok := s.trail[from]; !ok {
		s.trail[from] = treads{}
	}
	if _, ok := s.trail[to]; !ok {
		s.trail[to] = treads{from: from, by: a}
	}
}

// ledToBreakpoint takes down the actions of a continue that CPython made in one go:
// one to each line of a breakpoint that it passed.
func (s *Session) ledToBreakpoint(from trace.Position, a *dsl.Action, to trace.Position) {
	if s.rec == nil || a == nil || a.Move != dsl.Breakpoint || from.End || to.End || from.Event < 0 {
		return
	}
	at := from
	for range mostTreads {
		next, ok := s.rec.Tree().NextLine(at.Event, a.Lines)
		if !ok || next > to.Event {
			return
		}
		p := trace.Position{Event: next}
		s.led(at, *a, p)
		if next == to.Event {
			return
		}
		at = p
	}
}

// rejoin has the model go on where it was at this stop before, or join here.
func (s *bothWalk) rejoin() {
	if at, ok := s.places[s.shown]; ok && !s.isEdited(s.pos) {
		s.stand = at
		return
	}
	s.join()
}

// join puts the model on the truth where it joins: on the text of how the program
// came here, as far as actions led.
func (s *bothWalk) join() {
	s.stand = s.alongTrail(s.pos)
	if s.shown >= 0 {
		s.places[s.shown] = s.stand
	}
}

// alongTrail is a place of the model's at a position of the recording, on a text of
// the actions that led there.
func (s *bothWalk) alongTrail(pos trace.Position) besidePlace {
	var way []treads
	at := pos
	for !pos.End && !pos.PostMortem && len(way) < mostTreads {
		step, ok := s.trail[at]
		if !ok || step.by.Move == 0 || s.isEdited(at) {
			break
		}
		asked, ok := s.spelled(step.by)
		if !ok {
			break
		}
		way = append(way, treads{from: at, by: asked})
		at = step.from
	}
	place := s.onTruth(at)
	if place.truth == nil {
		return s.onTruth(pos)
	}
	node := place.truth
	for i := len(way) - 1; i >= 0; i-- {
		next, err := node.Append(dsl.Step{Action: way[i].by, Reply: s.reply(trace.Landing{Position: way[i].from})})
		if err != nil {
			return s.onTruth(pos)
		}
		node = next
	}
	if len(way) > 0 {
		place.truth, place.own, place.said = node, node, s.told(node, pos)
	}
	return place
}

// isEdited reports whether the user changed a value at a position.
func (s *bothWalk) isEdited(pos trace.Position) bool {
	return !pos.End && pos.Event >= 0 && s.rec.Tree().At(pos.Event).Edited
}
