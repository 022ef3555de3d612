package session

import (
	"fmt"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
)

// inferring holds the branches of states that a model inferred before the edges of a recording's holes.
// While such a state is shown, the session moves as in neural mode, and aside holds the source of the
// recorded states.
type inferring struct {
	branches []*nav.Predicted
	shown    int             // number of the branch that is walked, from 1; 0 for none
	aside    nav.Source      // the source of the recorded states, while a branch is walked
	rec      Recording       // the recording, while a branch is walked
	open     []nav.Inference // of earlier runs, not compared with the truth yet
}

// begin removes the branches at the start of a run, and keeps their inferred states in open until the
// run records what really happened.
func (in *inferring) begin() {
	for _, b := range in.branches {
		in.open = append(in.open, b.Inferences()...)
	}
	in.branches = nil
}

// at returns the branch that begins at a position of the recording, nil if there is none.
func (in *inferring) at(p trace.Position) *nav.Predicted {
	for _, b := range in.branches {
		if edge, _ := b.Edge(); edge == p {
			return b
		}
	}
	return nil
}

// settle compares states that were inferred in earlier runs with the recording, if they were inferred
// from this position and this run recorded what came before it. aside returns the source that makes the
// comparison.
func (in *inferring) settle(r *nav.Recorded, at trace.Position, aside func() (*nav.Both, error)) {
	if at.Event < 0 && !at.End {
		return
	}
	var open []nav.Inference
	for _, i := range in.open {
		settled := false
		if i.IsAt(r, at) {
			if w, err := aside(); err == nil {
				settled = w.Settle(at, i)
			}
		}
		if !settled {
			open = append(open, i)
		}
	}
	in.open = open
}

// recording returns the recording of the run, nil if nothing runs. The caller holds mu.
func (pr *program) recording() Recording {
	if pr.inferring.shown > 0 {
		return pr.inferring.rec
	}
	return pr.rec
}

// walkAt makes the session move over the source that has a position's state: the recording, or a branch
// of inferred states.
func (pr *program) walkAt(p trace.Position) {
	in := &pr.inferring
	if p.Inferred == in.shown {
		return
	}
	pr.mu.Lock()
	defer pr.mu.Unlock()
	if in.shown == 0 {
		in.aside, in.rec, pr.rec = pr.nav.Source, pr.rec, nil
	}
	if in.shown = p.Inferred; in.shown > 0 {
		pr.nav.Source = in.branches[in.shown-1]
		return
	}
	pr.nav.Source, pr.rec = in.aside, in.rec
	in.aside, in.rec = nil, nil
}

// sourceOf returns the source that has the state at a position.
func (pr *program) sourceOf(p trace.Position) nav.Source {
	if p.Run != pr.shown {
		r := pr.runs[p.Run]
		if p.Inferred > 0 {
			return r.inferring.branches[p.Inferred-1]
		}
		return r.source
	}
	switch in := &pr.inferring; {
	case p.Inferred == in.shown:
		return pr.source()
	case p.Inferred > 0:
		return in.branches[p.Inferred-1]
	default:
		return in.aside
	}
}

// recorded returns the visit of the recording from which a visit was inferred, or the visit itself if
// it is not an inferred one.
func (vs *visits) recorded(v *Visit) *Visit {
	for v.Inferred > 0 {
		v = vs.tree.Visit(v.Parent)
	}
	return v
}

// toRecording goes from an inferred state to the edge from which it was inferred.
func (vs *visits) toRecording() {
	if vs.position.pos.Inferred > 0 {
		vs.stand(vs.recorded(vs.current()))
	}
}

// fromRecording runs a command that needs the recording, from the edge if an inferred state is shown.
// If it fails, that state is shown still.
func (vs *visits) fromRecording(run func() error) error {
	here := vs.current()
	if vs.position.pos.Inferred == 0 {
		return run()
	}
	vs.toRecording()
	err := run()
	if err != nil {
		vs.stand(here)
	}
	return err
}

// LastBack returns the last command's move if that was a step back, else a single step back.
func (vs *visits) LastBack() dsl.Move {
	switch c := vs.lastMove.command.(type) {
	case Step:
		if c.Move.Inverse() {
			return c.Move
		}
	case Infer:
		return c.Move
	}
	return dsl.InvStepInto
}

// inferOffer returns the offer to infer what the last command did not find, "" if it was not a step back
// or if there is no model.
func (vs *visits) inferOffer() string {
	step, ok := vs.lastMove.command.(Step)
	if !ok || !step.Move.Inverse() || vs.cfg.Neural == nil || vs.program.Mode() != Real {
		return ""
	}
	return fmt.Sprintf("; %s asks the model what came before", vs.journaling.draft.key("infer"))
}

// branchNotice describes how to see the other candidates of an inferred state, and how to return.
func (vs *visits) branchNotice() string {
	key, others := vs.journaling.draft.key, ""
	if p, ok := vs.program.source().(*nav.Predicted); ok {
		if of, _, ok := p.Candidates(vs.position.pos.Event); ok && len(of.List) > 1 {
			others = fmt.Sprintf("%s lists %d pasts, ", key("candidates"), len(of.List))
		}
	}
	edge := vs.recorded(vs.current())
	return fmt.Sprintf("Inferred, not recorded: %s%s returns to the recording.", others, key("goto "+VisitName(edge.Number)))
}

// answering returns the source that the last question went to: that of neural mode, or the branch of
// inferred states. In other modes it returns an error that names what needs it.
func (vs *visits) answering(what string) (*nav.Predicted, error) {
	if _, ok := vs.lastMove.command.(Infer); ok && vs.lastMove.from == vs.position.pos {
		if b := vs.program.inferring.at(vs.position.pos); b != nil {
			return b, nil
		}
	}
	return vs.program.predicted(what)
}
