package session

import (
	"context"
	"errors"
	"fmt"

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
		s.draft.notice("The question was given up.")
		return nil
	case l.Boundary == trace.AtStart:
		s.draft.notice("The model infers that no state that %s looks for comes before this one.", moveWord(c.Move))
		return nil
	}
	s.arrive(l, &a)
	s.tellBranch()
	return nil
}

// tellBranch tells the user how to see the other candidates, and how to return.
func (s *Session) tellBranch() {
	others := ""
	if of := s.candidatesHere(); of > 1 {
		others = fmt.Sprintf("%s lists %d pasts, ", s.draft.key("candidates"), of)
	}
	edge := s.visits.recorded(s.visits.current())
	s.draft.notice("Inferred, not recorded: %s%s returns to the recording.", others, s.draft.key("goto "+VisitName(edge.Number)))
}

// candidatesHere returns the number of candidates of the move that led to the shown state.
func (s *Session) candidatesHere() int {
	if p, ok := s.program.source().(*nav.Predicted); ok {
		if of, _, ok := p.Candidates(s.position.pos.Event); ok {
			return len(of.List)
		}
	}
	return 0
}

// branchHere returns the branch of inferred states that begins at the position. It is an error if the
// recording has the state before it, or if no model can be asked.
func (s *Session) branchHere(c Infer) (*nav.Predicted, error) {
	switch {
	case s.Mode() == Both:
		return nil, errorf(Refused, "%s: only in real mode are states inferred across a hole (mode real)", c)
	case !s.position.atEdge():
		return nil, errorf(Refused, "%s: the recording has what came before this state, %s shows it; %s asks the model there", c, s.draft.key(moveWord(c.Move)), s.draft.key("peek "+moveWord(c.Move)))
	case s.position.selected != 0 && c.Move != dsl.InvStepInto:
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

// inferOffer returns the offer to infer what the last command did not find, "" if it was no step or
// if there is no model.
func (s *Session) inferOffer() string {
	step, ok := s.visits.lastMove.command.(Step)
	if !ok || !step.Move.Inverse() || s.cfg.Neural == nil || s.Withheld() != "" || s.Mode() != Real {
		return ""
	}
	return fmt.Sprintf("; %s asks the model what came before", s.draft.key(Infer{Move: step.Move}.String()))
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

// answering returns the source that the last question went to: that of neural mode, or the branch of
// inferred states. In other modes it returns an error that names what needs it.
func (s *Session) answering(what string) (*nav.Predicted, error) {
	if _, ok := s.visits.lastMove.command.(Infer); ok && s.visits.lastMove.from == s.position.pos {
		if b := s.program.inferring.at(s.position.pos); b != nil {
			return b, nil
		}
	}
	return s.program.predicted(what)
}

// recorded returns the visit of the recording from which a visit was inferred, or the visit itself if
// it is no inferred one.
func (vs *visits) recorded(v *Visit) *Visit {
	for v.Inferred > 0 {
		v = vs.tree.Visit(v.Parent)
	}
	return v
}

// toRecording goes from an inferred state to the edge from which it was inferred.
func (s *Session) toRecording() {
	if s.position.pos.Inferred > 0 {
		s.stand(s.visits.recorded(s.visits.current()))
	}
}

// fromRecording runs a command that needs the recording, from the edge if an inferred state is shown.
// If it fails, that state is shown still.
func (s *Session) fromRecording(run func() error) error {
	here := s.visits.current()
	if s.position.pos.Inferred == 0 {
		return run()
	}
	s.toRecording()
	err := run()
	if err != nil {
		s.stand(here)
	}
	return err
}

// settleInferences compares what was inferred in earlier runs with the truth, if the position is where
// it was inferred and the recording has what came before.
func (s *Session) settleInferences() {
	in, r := &s.program.inferring, s.program.recorded()
	if r == nil || len(in.open) == 0 || s.Mode() != Real || s.position.pos.Event < 0 && !s.position.pos.End {
		return
	}
	var open []nav.Inference
	for _, i := range in.open {
		settled := false
		if i.IsAt(r, s.position.pos) {
			if w, err := s.modelAside(); err == nil {
				settled = w.Settle(s.position.pos, i)
			}
		}
		if !settled {
			open = append(open, i)
		}
	}
	in.open = open
}
