package nav

import (
	"context"
	"slices"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/session/sampled"
	"github.com/npdb/npdb/trace"
)

// Verified returns whether each past leads to the state that it was inferred from. Verifiers are
// tried in their order, until one decides.
type Verified []backend.Verifier

// verify verifies one claim. An error of a verifier leaves the claim undecided.
func (v Verified) verify(ctx context.Context, c backend.Claim) (last backend.Verification) {
	for _, by := range v {
		got, err := by.Verify(ctx, c)
		switch {
		case ctx.Err() != nil:
			return last
		case err != nil:
			got = backend.Verification{Why: err.Error()}
		}
		if last = got; got.Verdict == backend.LeadsHere || got.Verdict == backend.LeadsElsewhere {
			return got
		}
	}
	return last
}

// weigh verifies the candidates of an inverse action that leads from a state, and makes the likeliest
// verified one the answer.
func (s *Predicted) weigh(ctx context.Context, from *prediction, a dsl.Action, got reply) reply {
	if !a.Move.Inverse() || got.err != nil || got.again || from.stop == nil || got.made.Step.Reply.Outcome != dsl.Landed {
		return got
	}
	made := *got.made
	of := made.Candidates
	if of == nil {
		of = &backend.Candidates{Answers: 1, List: []backend.Candidate{sampled.Drawn(made.Step.Reply, made.Confidence)}}
		sampled.Weigh(of)
	}
	got.made = s.chosen(&made, got.node, a, s.judged(ctx, from, a, of), 0)
	return got
}

// judged verifies those candidates that are not verified yet, and sorts them: the ones that lead to
// the state first, then the likelier ones. A replay verifies nothing.
func (s *Predicted) judged(ctx context.Context, from *prediction, a dsl.Action, of *backend.Candidates) *backend.Candidates {
	out := *of
	out.List = slices.Clone(of.List)
	for i, c := range out.List {
		if c.Verification.By == 0 && c.Reply.Outcome == dsl.Landed && s.base.Replaying() == nil {
			out.List[i].Verification = s.Verify.verify(ctx, backend.Claim{Program: from.node.Program(), Past: c.Reply.Stop, Action: a, Now: from.stop})
		}
	}
	slices.SortStableFunc(out.List, func(x, y backend.Candidate) int {
		if d := rank(x.Verification.Verdict) - rank(y.Verification.Verdict); d != 0 {
			return d
		}
		px, py := probability(x), probability(y)
		switch {
		case px > py:
			return -1
		case px < py:
			return 1
		}
		return 0
	})
	return &out
}

// rank orders verdicts, the best first.
func rank(v backend.Verdict) int {
	return [...]int{backend.LeadsHere: 0, backend.Undecided: 1, backend.CannotRun: 2, backend.LeadsElsewhere: 3}[v]
}

func probability(c backend.Candidate) float64 {
	if c.Probability == nil {
		return -1
	}
	return *c.Probability
}

// chosen returns the prediction of candidate i of an answer to an action. The answer itself stays as
// the model gave it if it is that candidate.
func (s *Predicted) chosen(made *backend.Prediction, node *dsl.Node, a dsl.Action, of *backend.Candidates, i int) *backend.Prediction {
	out := *made
	out.Candidates = of
	c := of.List[i]
	if sampled.Same(c.Reply, made.Step.Reply) {
		return &out
	}
	raw, err := node.Reply(a, c.Reply)
	if err != nil {
		return &out // it was decoded from a reply, so this does not happen
	}
	out.Step = dsl.Step{Action: a, Reply: c.Reply}
	out.Raw, out.Wire, out.Thoughts, out.Pieces, out.Checks, out.Sureness = raw, "", "", nil, nil, nil
	out.Confidence = c.Probability
	return &out
}

// Candidates returns the candidates of the inverse move that led to a state, and the index of the one
// that the state is. ok is false if no inverse move led there.
func (s *Predicted) Candidates(at int) (of *backend.Candidates, shown int, ok bool) {
	if at < 0 || at >= len(s.list) || s.list[at].made == nil || s.list[at].made.Candidates == nil {
		return nil, 0, false
	}
	made := s.list[at].made
	shown = slices.IndexFunc(made.Candidates.List, func(c backend.Candidate) bool { return sampled.Same(c.Reply, made.Step.Reply) })
	return made.Candidates, shown, shown >= 0
}

// AskedFrom returns the position from which state at was asked, and the action.
func (s *Predicted) AskedFrom(at int) (before trace.Position, a dsl.Action) {
	step, _ := s.list[at].node.Step()
	return s.positionOf(s.list[at].before), step.Action
}

// Take returns the position of another candidate of the inverse move that led to state at. The
// states that were reached from the one before stay.
func (s *Predicted) Take(at, candidate int) (trace.Landing, error) {
	p := s.list[at]
	step, _ := p.node.Step()
	parent := p.node.Parent()
	made := s.chosen(p.made, parent, step.Action, p.made.Candidates, candidate)
	made.Kept = true // no request is made for it
	for i, q := range s.list {
		if q.before == p.before && q.made != nil && q.made.Step.Action.String() == step.Action.String() && sampled.Same(q.made.Step.Reply, made.Step.Reply) {
			s.list[i].made = made
			return s.landing(i, step.Action), nil
		}
	}
	from := s.positionOf(p.before)
	return s.reach(from, step.Action, reply{node: parent, made: made})
}

// Draw asks the model for more candidates of the inverse move that led to state at. It returns how
// many of them are new.
func (s *Predicted) Draw(ctx context.Context, at, more int) (fresh int, err error) {
	p := &s.list[at]
	step, _ := p.node.Step()
	parent := p.node.Parent()
	old := p.made.Candidates
	temperature, seed := 1.0, int64(old.Answers)
	s.drawn, s.answers = backend.Options{Temperature: &temperature, Seed: &seed}, more
	defer func() { s.drawn, s.answers = backend.Options{}, 0 }()
	var got reply
	if s.base.Replaying() != nil {
		got = s.replayed(parent, step.Action)
	} else {
		got = s.ask(ctx, parent, step.Action)
	}
	if got.err != nil {
		return 0, s.failed(got.err)
	}
	drawn := got.made.Candidates
	if drawn == nil {
		drawn = &backend.Candidates{Answers: 1, List: []backend.Candidate{sampled.Drawn(got.made.Step.Reply, got.made.Confidence)}}
	}
	judged := drawn // a journal holds the merged candidates
	if s.base.Replaying() == nil {
		merged := *old
		merged.Answers += drawn.Answers
		merged.List = slices.Clone(old.List)
		for _, c := range drawn.List {
			merged.List = sampled.Merge(merged.List, c)
		}
		sampled.Weigh(&merged)
		judged = s.judged(ctx, &s.list[p.before], step.Action, &merged)
	}
	fresh = len(judged.List) - len(old.List)
	got.made.Candidates = judged
	s.journal(parent, got.made)
	made := *p.made
	made.Candidates = judged
	p.made = &made
	return fresh, nil
}

// journal writes a prediction to the journal. node is the text that was asked.
func (q *asker) journal(node *dsl.Node, made *backend.Prediction) {
	q.base.Reply(journal.Reply{
		Raw: made.Written(), Confidence: made.Confidence, Sureness: made.Sureness, NoLocals: made.NoLocals,
		Computed: made.Computed, Checks: made.Checks, Model: q.Called(""), Candidates: journalled(node, made),
	})
}

// journalled returns the candidates of a prediction for the journal.
func journalled(node *dsl.Node, made *backend.Prediction) *journal.Candidates {
	if made.Candidates == nil {
		return nil
	}
	out := &journal.Candidates{Answers: made.Candidates.Answers, Search: made.Candidates.Search}
	for _, c := range made.Candidates.List {
		raw, err := node.Reply(made.Step.Action, c.Reply)
		if err != nil {
			continue // it was decoded from a reply, so this does not happen
		}
		v := c.Verification
		out.List = append(out.List, journal.Candidate{
			Reply: raw, Drawn: c.Drawn, Probability: c.Probability, Told: c.Told, Verdict: v.Verdict, By: v.By, Difference: v.Difference, Why: v.Why,
		})
	}
	return out
}

// candidatesOf reads the candidates of a journal's reply. node is the text that was asked.
func candidatesOf(r *journal.Candidates, node *dsl.Node, a dsl.Action) (*backend.Candidates, error) {
	if r == nil {
		return nil, nil
	}
	out := &backend.Candidates{Answers: r.Answers, Search: r.Search}
	for _, c := range r.List {
		step, err := readReply(node, a, c.Reply)
		if err != nil {
			return nil, err
		}
		out.List = append(out.List, backend.Candidate{
			Reply: step.Reply, Drawn: c.Drawn, Probability: c.Probability, Told: c.Told,
			Verification: backend.Verification{Verdict: c.Verdict, By: c.By, Difference: c.Difference, Why: c.Why},
		})
	}
	return out, nil
}
