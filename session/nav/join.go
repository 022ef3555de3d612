package nav

import (
	"context"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

// trail records how each position of a recording was first reached: by which action and from which
// position. A model that joins later gets these actions as its text, so that it has seen as much as
// one that was asked from the start. Positions that no action led to are missing.
type trail map[trace.Position]treads

// treads is the action that first led to a position of a trail.
type treads struct {
	from trace.Position
	by   dsl.Action // zero if no action led to the position
}

// mostTreads limits the number of actions in the text of a joining model. If there were more, the
// text begins with the call stack before the last of them, as after goto.
const mostTreads = 1000

// led records that an action led from one position to another. Only the first action to a position
// is kept, so that following the trail backwards ends.
func (t *trail) led(from trace.Position, a dsl.Action, to trace.Position) {
	if from.End || from.PostMortem || to.End || to.PostMortem || from.Event < 0 {
		return
	}
	if *t == nil {
		*t = trail{}
	}
	if _, ok := (*t)[from]; !ok {
		(*t)[from] = treads{}
	}
	if _, ok := (*t)[to]; !ok {
		(*t)[to] = treads{from: from, by: a}
	}
}

// ledToLines records a move that CPython made at once as several breakpoint moves: one to each line
// with a breakpoint that the move passed.
func (t *trail) ledToLines(tree *statetree.Tree, from trace.Position, p *Passage) {
	if p.By == nil || p.By.Move != dsl.Breakpoint || from.End || p.End || from.Event < 0 {
		return
	}
	at := from
	for range mostTreads {
		next, ok := tree.NextLine(at.Event, p.By.Lines)
		if !ok || next > p.Event {
			return
		}
		to := trace.Position{Event: next}
		t.led(at, *p.By, to)
		if next == p.Event {
			return
		}
		at = to
	}
}

// join moves the model to a position of the reference. Its text then consists of the actions that
// led there.
func (s *Both) join(pos trace.Position) { s.standAt(s.alongTrail(pos)) }

// Rejoin moves the model to its saved place at a visit of the history. If there is none, or a value
// was edited there, the model joins anew.
func (s *Both) Rejoin(shown int, pos trace.Position) {
	s.shown, s.guesses = shown, nil // from now on each move is compared
	if at, ok := s.places[shown]; ok && !s.isEdited(pos) {
		s.stand = at
		return
	}
	s.join(pos)
}

// Retrace repeats predicted actions (way) with the reference, from its first state, and lets the
// model join where they end. With an error, the landing is the position that was reached.
func (s *Both) Retrace(ctx context.Context, from trace.Position, way []dsl.Action) (l trace.Landing, err error) {
	l.Position = from
	for _, a := range way {
		next, e := s.reference.Move(ctx, l.Position, s.real(a))
		if e != nil {
			err = e
			break
		}
		if l = next; !lands(l) {
			break
		}
	}
	l.Horizon, l.Boundary = 0, trace.NoBoundary
	s.stand = s.alongTrail(l.Position)
	return l, err
}

// real returns an action with the reference's file numbers.
func (s *Both) real(a dsl.Action) dsl.Action {
	out := dsl.Action{Move: a.Move}
	for _, at := range a.Lines {
		if i := fileIndex(s.reference, s.model.files[at.File].Path); i >= 0 {
			out.Lines = append(out.Lines, dsl.Location{File: i, Line: at.Line})
		}
	}
	return out
}

// alongTrail returns a place for the model at a position of the recording. Its text consists of the
// actions that led there, as far as the trail goes back.
func (s *Both) alongTrail(pos trace.Position) besidePlace {
	r := s.recorded()
	var way []treads
	at := pos
	for r != nil && !pos.End && !pos.PostMortem && len(way) < mostTreads {
		step, ok := r.trail[at]
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
func (s *Both) isEdited(pos trace.Position) bool {
	return !pos.End && pos.Event >= 0 && s.States().At(pos.Event).Edited
}
