package session

import (
	"context"
	"errors"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
)

// Infer asks the model where a backward move leads from the edge of a hole, where the recording does
// not know it. The inferred states are a branch of the history, beside the recording. In neural mode
// it makes the move.
type Infer struct {
	Move dsl.Move `json:"move"`
}

func (c Infer) String() string { return words("infer", moveWord(c.Move)) }

func (Infer) moves() bool { return true }

func (c Infer) run(ctx context.Context, s *Session) error {
	if moveWord(c.Move) == "" || !c.Move.Inverse() {
		return errorf(BadArgument, "infer: %s is no backward move", c.Move)
	}
	if s.Mode() == Predicted { // the move asks the model itself
		if c.Move == dsl.InvContinue {
			return s.reverseContinue(ctx)
		}
		return Step{Move: c.Move}.run(ctx, s)
	}
	branch, err := s.branchHere(c)
	if err != nil {
		return err
	}
	ctx, done := s.program.interruptible(ctx)
	defer done()
	a := s.program.nav.Begins(c.Move)
	l, err := branch.Move(ctx, branch.Root(), a)
	var failed *Error
	switch {
	case errors.As(err, &failed):
		return &Error{Kind: failed.Kind, Message: c.String() + ": " + failed.Message}
	case err != nil:
		return err
	case l.Reason == trace.Interrupted:
		s.draft.answer.Interrupted = true
		s.draft.notice("The question was cancelled.")
		return nil
	case l.Boundary == trace.AtStart:
		s.draft.notice("The model infers that no state that %s looks for comes before this one.", moveWord(c.Move))
		return nil
	}
	s.arrive(l, &a)
	s.draft.notice("%s", s.visits.branchNotice())
	return nil
}

// branchHere returns the branch of inferred states that begins at the position. It is an error if the
// recording has the state before it, or if no model can be asked.
func (s *Session) branchHere(c Infer) (*nav.Predicted, error) {
	switch {
	case s.Mode() == Both:
		return nil, errorf(Refused, "%s: only in real mode are states inferred across a hole (mode real)", c)
	case !s.position.atEdge():
		word := moveWord(c.Move)
		return nil, errorf(Refused, "%s: the recording has what came before this state, %s shows it; %s asks the model there",
			c, s.draft.key(word), s.draft.key("peek "+word))
	case s.position.selected != 0 && relative(c.Move):
		return nil, errorf(Refused, "%s: only moves of the newest frame are inferred (down selects it)", c)
	}
	if err := s.canAsk(c.String()); err != nil {
		return nil, err
	}
	in := &s.program.inferring
	if b := in.at(s.position.pos); b != nil {
		return b, nil
	}
	b, err := nav.NewInferred(s.base(true), s.cfg.Neural, s.cfg.Progress, s.program.recorded(), s.position.pos, len(in.branches)+1)
	if err != nil {
		return nil, err
	}
	in.branches = append(in.branches, b)
	return b, nil
}

// atEdge reports whether the state before the position was not recorded.
func (ps *position) atEdge() bool {
	r := ps.program.recorded()
	if r == nil {
		return false
	}
	if ps.pos.End {
		return ps.program.holeAt(ps.program.states().Len())
	}
	return ps.program.holeAt(ps.pos.Event)
}

// indexIn returns the index of the shown state in a source of predicted states, 0 at the edge from
// which its states were inferred.
func (ps *position) indexIn(p *nav.Predicted) int {
	if at, ok := p.Edge(); ok && at == ps.pos {
		return 0
	}
	return ps.pos.Event
}
