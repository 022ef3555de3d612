package nav

import (
	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/trace"
)

// Did is the user's last command, if that was a single move, and where it was made. After any other
// command it is zero, and nothing is prefetched.
type Did struct {
	Move dsl.Move
	From trace.Position
}

// foreseeing is implemented by sources that can prefetch.
type foreseeing interface {
	// foreseen returns the questions of moves whose answers are not known yet. The number of moves
	// is limited by each model's settings.
	foreseen(from trace.Position, moves []dsl.Move, stops *Stops) []wish
	// sortOf returns the kind of a position.
	sortOf(at trace.Position) sort
}

// sort is a kind of position: the properties that influence whether the user steps into calls or
// over them.
type sort struct {
	event dsl.Event // 0 at the end of the program
	calls bool      // the line may run functions of the program
}

// habit identifies a habit of the user: the kind of position, and whether the user moves backwards.
type habit struct {
	sort
	inverse bool
}

// Foresee prefetches the user's likely next moves while the user reads, and cancels prefetches of
// other moves. The session's goroutine calls it after each command.
func (w *Walker) Foresee(a *Prefetch, at trace.Position, did Did) {
	src, ok := w.Source.(foreseeing)
	if !ok || did.Move == 0 {
		a.want(nil)
		return
	}
	moves := a.likely(src, at, did)
	if len(moves) == 0 {
		a.want(nil)
		return
	}
	wishes := src.foreseen(at, moves, w.Stops())
	for i := range wishes {
		wishes[i].alone = wishes[i].a.Move != did.Move
	}
	a.want(wishes)
}

// likely returns the moves that may come next, the likeliest first. They have the direction of the
// user's last move, and step into or over as the user usually does at such a position. After a
// backward move, forward moves are added, because the user may turn.
func (a *Prefetch) likely(src foreseeing, at trace.Position, did Did) []dsl.Move {
	into := false
	switch did.Move {
	case dsl.StepInto, dsl.InvStepInto:
		into = true
	case dsl.StepBlock, dsl.StepFunction, dsl.InvStepBlock, dsl.InvStepFunction:
		return []dsl.Move{did.Move}
	case dsl.StepOver, dsl.InvStepOver, dsl.StepReturn, dsl.InvStepReturn:
	default:
		return nil
	}
	inverse := did.Move.Inverse()
	if did != a.learnt && did.Move != dsl.StepReturn && did.Move != dsl.InvStepReturn {
		a.learnt = did
		a.learn(habit{src.sortOf(did.From), inverse}, into)
	}
	onward := a.usual(habit{src.sortOf(at), false}, into, dsl.StepInto, dsl.StepOver)
	if !inverse {
		return onward
	}
	return append(a.usual(habit{src.sortOf(at), true}, into, dsl.InvStepInto, dsl.InvStepOver), onward...)
}

// fixed is the maximum strength of a habit.
const fixed = 2

// learn records whether the user stepped into or over at a kind of position. A single exception
// does not reverse a strong habit.
func (a *Prefetch) learn(h habit, into bool) {
	if a.habits == nil {
		a.habits = map[habit]int{}
	}
	if into {
		a.habits[h] = min(a.habits[h]+1, fixed)
	} else {
		a.habits[h] = max(a.habits[h]-1, -fixed)
	}
}

// usual returns the moves into and over, the more usual one first. If there is no habit, the kind
// of the last move comes first.
func (a *Prefetch) usual(h habit, last bool, into, over dsl.Move) []dsl.Move {
	if firm := a.habits[h]; firm > 0 || firm == 0 && last {
		return []dsl.Move{into, over}
	}
	return []dsl.Move{over, into}
}

// sortOf returns the kind of position of a predicted state.
func (s *Predicted) sortOf(at trace.Position) sort {
	if at.End {
		return sort{}
	}
	return s.sorted(s.list[at.Event].stop)
}

// sorted returns the kind of position of a state.
func (p *predictions) sorted(stop *dsl.Stop) sort {
	if stop.Event != dsl.Line || p.fileIndex(stop.File) < 0 {
		return sort{event: stop.Event}
	}
	return sort{stop.Event, p.outgoing(stop) != python.RunsNothing}
}

// foreseen returns the questions that Pass would ask for the moves.
func (s *Predicted) foreseen(from trace.Position, moves []dsl.Move, stops *Stops) (out []wish) {
	left := s.Prefetch.Moves
	for _, m := range moves {
		a := dsl.Action{Move: m}
		if left == 0 || from.End && !m.Inverse() || m.Inverse() && s.list[from.Event].before < 0 && !s.beginsLater() || s.mirrored(from, a) >= 0 {
			continue
		}
		if m.Repeats() != 0 && stops != nil && len(stops.at) > 0 { // made by single steps
			continue
		}
		node, before := s.list[from.Event].node, len(out)
		if passes(from, m) && m != dsl.InvStepOver {
			if w := s.withinOf(from, a, stops); w != nil {
				out = s.wish(out, node, s.sought(a, stops, w))
			}
		}
		if out = s.wish(out, node, a); len(out) > before || s.keeps(node, a) {
			left--
		}
	}
	return out
}

// sortOf returns the kind of a position of the reference.
func (s *Both) sortOf(at trace.Position) sort {
	if at.End || at.Event < 0 {
		return sort{}
	}
	r := s.States().At(at.Event)
	return s.model.sorted(&dsl.Stop{State: dsl.State{Event: r.Event, File: s.States().Files()[r.File].Name, Line: r.Line}})
}

// foreseen returns the questions that the model will be asked if the moves hit no breakpoint.
// Whether they hit one is known only when the reference has moved. If the reference is a model too,
// its questions are added.
func (s *Both) foreseen(from trace.Position, moves []dsl.Move, stops *Stops) (out []wish) {
	if other, ok := s.reference.(foreseeing); ok {
		out = other.foreseen(from, moves, stops)
	}
	left := s.Prefetch.Moves
	for _, m := range moves {
		asked, ok := s.question(from, dsl.Action{Move: m})
		if before := len(out); ok && left > 0 {
			if out = s.wish(out, s.node(), asked); len(out) > before || s.keeps(s.node(), asked) {
				left--
			}
		}
	}
	return out
}

// keeps reports whether the predictor has the answer to a question already, so that it need not be
// prefetched. Such a move still counts as one of those to prefetch.
func (q *asker) keeps(node *dsl.Node, a dsl.Action) bool {
	return backend.Keeps(q.Predictor, backend.Question{At: node, Action: a})
}

// wish adds a question to a list of questions to prefetch, unless its answer is known already or
// the model cannot answer it.
func (q *asker) wish(list []wish, node *dsl.Node, a dsl.Action) []wish {
	asked, ok := q.questionOf(node, a)
	if _, known := q.base.Known.answers[asked]; known || !ok || q.keeps(node, a) || a.Move.Inverse() && q.Predictor.Model().Forwards {
		return list
	}
	return append(list, wish{question: asked, by: q, node: node, a: a, size: node.Len()})
}
