package nav

import (
	"context"
	"errors"
	"slices"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/session/sampled"
	"github.com/npdb/npdb/trace"
)

// weigh verifies the candidates of an inverse action that leads from a state, and makes the likeliest
// verified one the answer.
func (s *Predicted) weigh(ctx context.Context, from *prediction, a dsl.Action, got reply) reply {
	if got.err != nil && a.Move == dsl.InvStepReturn && from.stop != nil {
		return s.foundAlone(ctx, from, a, got)
	}
	if !a.Move.Inverse() || got.err != nil || got.again || from.stop == nil || got.made.Step.Reply.Outcome != dsl.Landed {
		return got
	}
	made := *got.made
	of := made.Candidates
	if of == nil {
		of = &backend.Candidates{Answers: 1, List: []backend.Candidate{sampled.Drawn(made.Step.Reply, made.Confidence)}}
		sampled.Weigh(of)
	}
	if a.Move == dsl.InvStepReturn {
		of = s.searched(ctx, from, of)
	}
	got.made = s.chosen(&made, got.node, a, s.judged(ctx, from, a, of), 0)
	return got
}

// foundAlone returns the calls that a search finds where the model gave no usable answer. If it finds
// none, the model's error stays.
func (s *Predicted) foundAlone(ctx context.Context, from *prediction, a dsl.Action, got reply) reply {
	var failed *backend.Error
	if !errors.As(got.err, &failed) || !failed.Answered() {
		return got
	}
	of := s.judged(ctx, from, a, s.searched(ctx, from, &backend.Candidates{Answers: 1}))
	if len(of.List) == 0 || !of.List[0].Verification.Verified() {
		return got
	}
	step := dsl.Step{Action: a, Reply: of.List[0].Reply}
	raw, err := from.node.Reply(a, step.Reply)
	if err != nil {
		return got
	}
	return reply{node: from.node, made: &backend.Prediction{Step: step, Raw: raw, Candidates: of}, discarded: got.discarded}
}

// judged verifies those candidates that are not verified yet, and sorts them: the ones that lead to
// the state first, then the likelier ones. It drops those that only a search proposed and that lead
// elsewhere. For what stays open it asks the model forward. A replay verifies nothing.
func (s *Predicted) judged(ctx context.Context, from *prediction, a dsl.Action, of *backend.Candidates) *backend.Candidates {
	out := *of
	out.List = slices.Clone(of.List)
	for i, c := range out.List {
		if c.Reply.Outcome != dsl.Landed || s.base.Replaying() != nil {
			continue
		}
		if s.reverified(from, c) && c.Verification.By != backend.ByModel {
			c.Verification = backend.Verification{}
		}
		if s.Verify.undecided(c.Verification) {
			out.List[i].Verification = again(c.Verification, s.Verify.verify(ctx, s.claim(from, a, c)))
		}
	}
	out.List = slices.DeleteFunc(out.List, func(c backend.Candidate) bool {
		return c.Drawn == 0 && c.Verification.Decided() && !c.Verification.Verified()
	})
	sampled.Order(out.List)
	if s.base.Replaying() == nil {
		s.forward(ctx, from, a, out.List)
		sampled.Order(out.List)
	}
	return &out
}

// again returns the verification of a candidate that was verified before. If the text or a run does not
// decide it now either, what the model predicted stays.
func again(was, now backend.Verification) backend.Verification {
	if now.Decided() || was.By != backend.ByModel {
		return now
	}
	was.Why, was.After = now.Why, now.By
	return was
}

// searched adds the calls that a search finds for a return, or for an exception, to the candidates.
func (s *Predicted) searched(ctx context.Context, from *prediction, of *backend.Candidates) *backend.Candidates {
	now, searcher := from.stop, s.Verify.searcher()
	if searcher == nil || s.base.Replaying() != nil || now.Value == nil || now.Function == moduleFunction ||
		now.Event != dsl.Exception && (now.Event != dsl.Return || now.Kind != dsl.Returned) {
		return of
	}
	q := backend.CallSearch{Program: from.node.Program(), Now: now, Known: s.knownArguments(from), Samples: of.List}
	q.Seen = append(q.Seen, now.Locals) // most parameters keep their values
	for _, p := range s.list {
		if p.stop != nil && p.stop.Event == dsl.Call && p.stop.Function == now.Function && p.stop.File == now.File {
			q.Seen = append(q.Seen, p.stop.Locals)
		}
	}
	found, err := searcher.Search(ctx, q)
	out := *of
	out.List = slices.Clone(of.List)
	if out.Search = found.Said; err != nil {
		out.Search = "no call was searched for: " + err.Error()
	}
	for i, c := range found.List {
		c.Found = i + 1
		k := slices.IndexFunc(out.List, func(o backend.Candidate) bool { return sampled.Same(o.Reply, c.Reply) })
		if k < 0 {
			out.List = append(out.List, c)
			continue
		}
		out.List[k].Found, out.List[k].Verification = c.Found, c.Verification
	}
	return &out
}

// reverified reports whether a call that a search found must be verified by the whole state. A search
// compares the result alone; the line is compared only if the user gave it.
func (s *Predicted) reverified(from *prediction, c backend.Candidate) bool {
	return c.Found > 0 && (from.before >= 0 || !s.anyExit)
}

// knownArguments returns the arguments that --entry gives to the function that is left at the first
// state, as reprs by parameter.
func (s *Predicted) knownArguments(from *prediction) map[string]string {
	if s.base.Options.Begin == nil || s.base.Options.Entry == "" || from.before >= 0 {
		return nil
	}
	call, err := python.ParseCall(s.base.Options.Entry)
	if err != nil {
		return nil
	}
	f, ok := s.sources[s.fileIndex(from.stop.File)].Function(call.Function)
	if !ok {
		return nil
	}
	locals, missing, err := call.Bind(f)
	if err != nil {
		return nil
	}
	known := map[string]string{}
	for i, l := range locals {
		if !slices.Contains(missing, i) {
			known[l.Name] = l.Value
		}
	}
	return known
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
		return &out // impossible: the candidate was decoded from a reply
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
	return s.reach(trace.Position{Event: p.before}, step.Action, reply{node: parent, made: made})
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
	for _, c := range judged.List {
		if !slices.ContainsFunc(old.List, func(o backend.Candidate) bool { return sampled.Same(o.Reply, c.Reply) }) {
			fresh++
		}
	}
	got.made.Candidates = judged
	s.journal(parent, got.made)
	made := *p.made
	made.Candidates = judged
	p.made = &made
	return fresh, nil
}

// Reverify verifies those candidates of the inverse move that led to state at which the means in use
// before have left undecided.
func (s *Predicted) Reverify(ctx context.Context, at int) {
	p := &s.list[at]
	if p.made == nil || p.made.Candidates == nil || s.base.Replaying() != nil {
		return
	}
	step, _ := p.node.Step()
	made := *p.made
	made.Candidates = s.judged(ctx, &s.list[p.before], step.Action, made.Candidates)
	p.made = &made
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
			continue // impossible: the candidate was decoded from a reply
		}
		v := c.Verification
		out.List = append(out.List, journal.Candidate{
			Reply: raw, Drawn: c.Drawn, Probability: c.Probability, Told: c.Told, Found: c.Found, Verdict: v.Verdict, By: v.By, Difference: v.Difference, Why: v.Why,
			After: v.After,
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
			Reply: step.Reply, Drawn: c.Drawn, Probability: c.Probability, Told: c.Told, Found: c.Found,
			Verification: backend.Verification{Verdict: c.Verdict, By: c.By, Difference: c.Difference, Why: c.Why, After: c.After},
		})
	}
	return out, nil
}
