package session

import (
	"crypto/sha256"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/trace"
)

// memory is what models have answered in this session, by model, text and action: what
// was answered once is not asked again, wherever the user comes from. A question that
// failed, and one that the model declined, is not in it.
type memory map[question]reply

type question struct {
	of     *Neural
	prompt [sha256.Size]byte
}

// questionOf is false for an action that cannot be written.
func questionOf(n *Neural, node *dsl.Node, a dsl.Action) (question, bool) {
	prompt, err := node.Prompt(a)
	return question{n, sha256.Sum256([]byte(prompt))}, err == nil
}

// recall is the answer that a model has given to the same question.
func (s *Session) recall(n *Neural, node *dsl.Node, a dsl.Action) (reply, bool) {
	if !s.recalls() {
		return reply{}, false
	}
	q, _ := questionOf(n, node, a)
	r, ok := s.memory[q]
	r.again = ok
	if !r.compacted {
		r.node = node // of the same text
	}
	return r, ok
}

// recalls reports whether an answer may be one that is known. It may not where the user
// asks anew; a journal says of each answer whether it was.
func (s *Session) recalls() bool {
	return !s.anew && (s.replaying == nil || s.replaying.known())
}

// recalled writes to the journal that an answer was known.
func (s *Session) recalled() {
	if s.replaying != nil {
		s.replaying.reply()
	}
	s.journal.Reply(journal.Reply{Known: true})
}

// keepAnswer has an answer known from now on.
func (s *Session) keepAnswer(n *Neural, node *dsl.Node, a dsl.Action, r reply) {
	if r.err != nil || r.again || r.made.Step.Reply.Outcome == dsl.Unknown {
		return
	}
	if q, ok := questionOf(n, node, a); ok {
		if s.memory == nil {
			s.memory = memory{}
		}
		s.memory[q] = r
	}
}

// mirrored is the state that an action leads back to by the table of moves alone: the
// one at which the last action was made, where this one is its mirror image. -1 where
// the model has to be asked.
func (s *predictedWalk) mirrored(from trace.Position, a dsl.Action) int {
	at := s.list[from.Event]
	if at.stop == nil || at.postMortem || at.before < 0 {
		return -1
	}
	was := s.list[at.before]
	step, ok := at.node.Step()
	if !ok || step.Edit || was.stop == nil || was.postMortem || at.node.Parent() != was.node || step.Action.Move.Inverse() == a.Move.Inverse() {
		return -1
	}
	next := step.Action.Move == dsl.StepInto || step.Action.Move == dsl.InvStepInto // there is no event between
	over := step.Action.Move == dsl.StepOver || step.Action.Move == dsl.InvStepOver
	switch a.Move {
	case dsl.StepInto, dsl.InvStepInto:
		if next {
			return at.before
		}
	case dsl.StepOver, dsl.InvStepOver:
		// In generators it passes over yields, which are events of the same depth.
		if s.suspends(at.stop) || s.suspends(was.stop) {
			return -1
		}
		if next && was.stop.Depth <= at.stop.Depth || over && was.stop.Depth == at.stop.Depth {
			return at.before
		}
	}
	return -1
}

// suspends reports whether a state may be in a generator or a coroutine.
func (s *predictedWalk) suspends(stop *dsl.Stop) bool {
	if stop.Function == "<module>" {
		return false
	}
	code := s.codes[s.codeAt(s.predictions.fileIndex(stop.File), stop.Line, stop.Function)]
	return code.Generator || code.FirstLine == 0 // what has no def of its name: <genexpr>, for one
}

// placeOf is the place of an answer that is known, where it was made one here before;
// -1 where it was not.
func (s *predictedWalk) placeOf(from trace.Position, r reply) int {
	if !r.again {
		return -1
	}
	for i, p := range s.list {
		if p.before == from.Event && p.made == r.made {
			return i
		}
	}
	return -1
}

// landing is how an action lands on a state of the walk.
func (s *predictedWalk) landing(i int, a dsl.Action) trace.Landing {
	l := trace.Landing{Position: s.positionOf(i), Horizon: unknownHorizon}
	if a.Move == dsl.StepInto || a.Move == dsl.InvStepInto {
		l.Horizon = 1
	}
	switch {
	case l.End:
		l.Reason = trace.Ended
		if a.Move != dsl.Continue {
			l.Boundary = trace.AtEnd
		}
	case l.PostMortem:
		l.Reason = trace.DiedPostMortem
	}
	return l
}
