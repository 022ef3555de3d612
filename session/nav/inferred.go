package nav

import (
	"fmt"
	"slices"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/sampled"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

// edge is the true state at which a branch of inferred states begins: the edge of a hole.
type edge struct {
	branch int            // number of the branch, from 1
	at     trace.Position // position in the recording
	truth  dsl.Reply      // the state, not redacted
}

// firstActivation is the number of the first activation that only a branch of inferred states has.
// No recording has as many, so that activations of both can be told apart.
const firstActivation = 1 << 31

// NewInferred returns a source of states that a model infers backwards from the edge of a hole, at
// position at of a recording. branch is the number of the branch.
func NewInferred(
	b *Base, n *Neural, progress func(backend.Update), r *Recorded, at trace.Position, branch int,
) (*Predicted, error) {
	s := NewPredicted(b, n, progress)
	if err := s.load(*b.Options); err != nil {
		return nil, err
	}
	s.Redact.Program(s.program())
	s.tellPlace()
	node, err := s.trueText(r, at, s.predictions)
	if err != nil {
		return nil, errorf(Refused, "The state here cannot be shown to the model: %v", err)
	}
	s.acts = firstActivation
	first := prediction{node: node, before: -1, origin: dsl.Real}
	truth := r.reply(trace.Landing{Position: at})
	if first.exit = truth.Exit; truth.Stop != nil {
		first.stop = s.Redact.Stop(truth.Stop)
	}
	s.add(first)
	s.edge = &edge{branch: branch, at: at, truth: truth}
	return s, nil
}

// Edge returns the position in the recording at which inferred states begin. ok is false in neural
// mode.
func (s *Predicted) Edge() (at trace.Position, ok bool) {
	if s.edge == nil {
		return at, false
	}
	return s.edge.at, true
}

// Root returns the position from which the model is asked for the states before the edge.
func (s *Predicted) Root() trace.Position {
	return trace.Position{End: s.list[0].stop == nil, Inferred: s.edge.branch}
}

// beginsLater reports whether states may come before the first one.
func (s *Predicted) beginsLater() bool { return s.edge != nil || s.base.Options.Begin != nil }

// infers reports whether the states are inferred ones beside a recording.
func (w *Walker) infers() bool {
	p, ok := w.Source.(*Predicted)
	return ok && p.edge != nil
}

// Inference holds the state to which a backward action leads from the edge of a hole, as the model
// inferred it. It can be compared with the truth when a later run records that.
type Inference struct {
	action dsl.Action
	edge   dsl.Reply // the true state at the edge
	reply  reply
}

// Inferences returns the model's first answer to each action at the edge.
func (s *Predicted) Inferences() []Inference {
	var out []Inference
	for _, p := range s.list {
		if p.before != 0 || p.made == nil || !p.made.Step.Action.Move.Inverse() {
			continue
		}
		a := p.made.Step.Action
		if !slices.ContainsFunc(out, func(i Inference) bool { return i.action.String() == a.String() }) {
			r := reply{node: p.node.Parent(), made: p.made, peeked: true} // its warnings were shown
			out = append(out, Inference{action: a, edge: s.edge.truth, reply: r})
		}
	}
	return out
}

// IsAt reports whether an event of a recording has the state from which the inference was made.
func (i *Inference) IsAt(r *Recorded, at trace.Position) bool {
	stop := i.edge.Stop
	if stop == nil || at.End {
		return stop == nil && at.End
	}
	rec := r.rec.Tree().At(at.Event)
	if rec.Event != stop.Event || rec.Line != stop.Line || rec.Depth != stop.Depth {
		return false
	}
	return sampled.Same(i.edge, dsl.Reply{Outcome: dsl.Landed, Stop: r.stopAt(at.Event)})
}

// Settle compares an inference with the truth, if the recording has it. at is the position of the
// state from which the inference was made.
func (s *Both) Settle(at trace.Position, i Inference) (settled bool) {
	r := s.recorded()
	event := r.eventOf(at)
	out := r.rec.Tree().Land(event, i.action)
	if out.Boundary != statetree.NoBoundary {
		return false
	}
	asked, ok := s.spelled(i.action)
	if !ok {
		return false
	}
	stand := s.stand
	defer func() { s.stand = stand }()
	s.stand = s.alongTrail(at)
	l := trace.Landing{Position: trace.Position{Event: out.Event}, Horizon: r.Distance(at, out.Event)}
	s.compare(l, i.action, asked, i.reply)
	p := &s.pairs[len(s.pairs)-1]
	p.Inferred = true
	if of := i.reply.made.Candidates; of != nil {
		p.Candidates = len(of.List)
		truth := s.reply(l)
		p.Candidate = 1 + slices.IndexFunc(of.List, func(c backend.Candidate) bool {
			return sampled.Same(s.Redact.Reply(c.Reply), truth)
		})
	}
	s.fresh = append(s.fresh, *p)
	return true
}

// CandidateSentence names the candidate that is the truth. It returns "" if the prediction had one
// candidate only.
func (p *Pair) CandidateSentence() string {
	switch {
	case p.Candidates < 2:
		return ""
	case p.Candidate == 0:
		return fmt.Sprintf("; none of the %d candidates is the truth", p.Candidates)
	}
	return fmt.Sprintf("; candidate %d of %d is the truth", p.Candidate, p.Candidates)
}
