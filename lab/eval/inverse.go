package eval

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/cpython"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/compare"
	"github.com/npdb/npdb/session/sampled"
	"github.com/npdb/npdb/session/score"
	"github.com/npdb/npdb/trace/statetree"
)

// Inverse is the result of predicting the pasts of states. Several pasts can lead to the same state, so
// each candidate is verified as in the debugger.
type Inverse struct {
	Moves []Pasts `json:"moves"` // by inverse action
	// Leads and Exact are calibrations of the probability that npdb shows for a candidate. Leads
	// compares it with whether the candidate leads to the state, for candidates for which that is
	// decided. Exact compares it with whether the candidate is the real past. Forward is the calibration
	// of the confidence in the forward step from the same states.
	Leads   score.Calibration `json:"leads"`
	Exact   score.Calibration `json:"exact"`
	Forward score.Calibration `json:"forward"`
	// Verdicts compares verdicts with those of a run: the verdicts from the source, and the model's
	// where the source does not decide. It is empty if nothing was run.
	Verdicts []VerdictCount `json:"verdicts,omitempty"`
}

// Pasts contains the results for one inverse action. Each mean is over states.
type Pasts struct {
	Action  string `json:"action"`
	N       int    `json:"n"`       // number of states
	Answers int    `json:"answers"` // including those that are not a state
	Counts  Counts `json:"counts"`
	// Consistency1 is the mean share of answers that lead to the state. Consistency5 is the mean
	// probability that at least one of five does.
	Consistency1 *float64 `json:"consistency@1"`
	Consistency5 *float64 `json:"consistency@5,omitempty"`
	Exact        *float64 `json:"exact"`    // mean share of answers that are the real past
	First        *float64 `json:"first"`    // share of states whose first candidate in the debugger is the real past
	Distinct     *float64 `json:"distinct"` // mean number of candidates: different states
	Coverage     *float64 `json:"coverage"` // mean number of candidates that lead to the state
	Undecided    int      `json:"undecided"`

	sums [6]float64 // sums of the six means above, in their order
}

// undone lists the inverse actions that are measured: from a state to the one before it, and from a
// return to its call.
var undone = []dsl.Move{dsl.InvStepInto, dsl.InvStepReturn}

// MeasureInverse measures how well a model predicts the pasts of the first states of problems' calls,
// and of the calls' returns. The pasts are verified by computing states from the source, with VerifyRun
// also by running the program in a containment.
func MeasureInverse(ctx context.Context, c Config, s *Source) (*Result, error) {
	c.Verify = cmp.Or(c.Verify, VerifyText)
	r, err := newRunner(c)
	if err != nil {
		return nil, err
	}
	if len(s.Walks) > 0 || slices.ContainsFunc(s.Programs, func(p Program) bool { return p.Function == "" }) {
		return nil, errors.New("pasts are drawn of problems' calls: JSON Lines with code and input are wanted")
	}
	v, err := r.newVerifying()
	if err != nil {
		return nil, err
	}
	out := r.result(TaskInverse)
	out.Settings.States, out.Settings.Verify = r.States, r.Verify
	out.Inverse = &Inverse{Moves: make([]Pasts, len(undone))}
	var leads, exact, forward score.Score
	var verdicts verdictCounts
	err = measure(ctx, r, out, len(s.Programs), func(ctx context.Context, i int) (drawn, error) {
		return (&drawing{runner: r, verifying: v, program: &s.Programs[i]}).draw(ctx)
	}, func(_ int, m *drawn) {
		out.Items = append(out.Items, m.items...)
		for k := range m.pasts {
			out.Inverse.Moves[k].merge(&m.pasts[k])
		}
		leads.Merge(&m.leads)
		exact.Merge(&m.exact)
		forward.Merge(&m.forward)
		verdicts.merge(m.verdicts)
	})
	for k := range out.Inverse.Moves {
		out.Inverse.Moves[k].mean(undone[k], r.Samples)
	}
	out.Inverse.Leads, out.Inverse.Exact, out.Inverse.Forward = leads.Calibration(true), exact.Calibration(true), forward.Calibration(false)
	out.Inverse.Verdicts = verdicts.list()
	return out, err
}

// drawn holds the results of all predictions for one problem.
type drawn struct {
	pasts                 []Pasts // one for each action in undone
	leads, exact, forward score.Score
	verdicts              verdictCounts
	items                 []Item
}

// drawing predicts the pasts of the states of one problem.
type drawing struct {
	*runner
	*verifying
	program *Program
	run     *cpython.Whole
	drawn
}

// draw samples and verifies the pasts of the problem's states. Each prompt begins at a state,
// without the states before it.
func (d *drawing) draw(ctx context.Context) (drawn, error) {
	d.pasts = make([]Pasts, len(undone))
	p := d.program
	var err error
	if d.run, err = d.record(ctx, p.Text, p.Call()); err != nil {
		return d.drawn, p.skip(err)
	}
	defer d.run.Close()
	first, err := d.run.Stop(0)
	if err != nil || !isCall(first) {
		return d.drawn, p.skip(errors.New("its first state is no call"))
	}
	last := d.run.Len() - 1
	for event := 1; event <= min(d.States, last); event++ {
		at, err := d.beginning(d.run, p.Text, event)
		if err != nil {
			continue // no text can express this state
		}
		if err := d.drawFrom(ctx, event, at, 0); err != nil {
			return d.drawn, err
		}
		if err := d.forwards(ctx, event, at); err != nil {
			return d.drawn, err
		}
	}
	stop, err := d.run.Stop(last)
	if err != nil || !isReturn(stop) {
		return d.drawn, nil
	}
	at, err := d.beginning(d.run, p.Text, last)
	if err != nil {
		return d.drawn, nil
	}
	return d.drawn, d.drawFrom(ctx, last, at, 1)
}

// truth returns the true reply to an action at an event, and the number of events that the action
// passes. The error is a *Skipped.
func (d *drawing) truth(event int, a dsl.Action) (dsl.Reply, int, error) {
	_, reply, horizon, err := d.run.Move(statetree.Spot{Event: event}, a)
	if err != nil {
		err = d.program.skip(err)
	}
	return reply, horizon, err
}

// forwards asks for the forward step from a state, because the confidence in it is compared with that in
// pasts.
func (d *drawing) forwards(ctx context.Context, event int, at *dsl.Node) error {
	into := dsl.Action{Move: dsl.StepInto}
	truth, horizon, err := d.truth(event, into)
	if err != nil {
		return err
	}
	got, err := d.ask(ctx, at, into, 0)
	if err == nil && got.fate == answered {
		d.forward.Add(into.Move, got.beside(truth), horizon, got.confidence)
	}
	return err
}

// drawFrom samples candidates for the action undone[k] from an event, and verifies them.
func (d *drawing) drawFrom(ctx context.Context, event int, at *dsl.Node, k int) error {
	a := dsl.Action{Move: undone[k]}
	truth, horizon, err := d.truth(event, a)
	if err != nil {
		return err
	}
	now, err := d.run.Stop(event)
	if err != nil {
		return d.program.skip(err)
	}
	var answers backend.Samples
	for sample := range d.Samples {
		got, err := d.ask(ctx, at, a, sample)
		if err != nil {
			return err
		}
		d.pasts[k].Counts.add(got.fate)
		switch got.fate {
		case answered:
			answers.Replies = append(answers.Replies, got.step.Reply)
			answers.Confidences = append(answers.Confidences, got.confidence)
		case invalid:
			answers.Invalid++
		}
	}
	of := sampled.Candidates(answers)
	pasts := make([]past, len(of.List))
	for i := range of.List {
		c := &of.List[i]
		exact := sampled.Same(c.Reply, truth)
		if c.Reply.Outcome == dsl.Landed {
			claim := backend.Claim{Program: d.program.Text, Past: c.Reply.Stop, Action: a, Now: now}
			if c.Verification, err = d.verify(ctx, claim, exact, &d.verdicts); err != nil {
				return err
			}
		}
		pasts[i] = past{*c, exact}
		d.judge(a, pasts[i], truth, horizon)
	}
	if leads, judged := d.pasts[k].add(pasts, of); judged > 0 {
		d.items = append(d.items, Item{
			Program: d.program.Name, Measure: measureConsistency + a.Move.String(), At: event, Right: float64(leads), Of: judged,
		})
	}
	return nil
}

// past is a candidate. exact reports whether it is the real past.
type past struct {
	backend.Candidate
	exact bool
}

// leads reports whether a past leads to the state. The real past does, even if no verification decides
// it.
func (p past) leads() bool { return p.Verification.Verified() || p.exact && !p.Verification.Decided() }

// decided reports whether it is known whether a past leads to the state. An answer without a state
// counts as decided: it does not lead there.
func (p past) decided() bool {
	return p.exact || p.Reply.Outcome != dsl.Landed || p.Verification.Decided()
}

// judge adds the probability of a past to the calibrations.
func (d *drawing) judge(a dsl.Action, p past, truth dsl.Reply, horizon int) {
	d.exact.Add(a.Move, compare.Compare(p.Reply, truth, compare.All()), horizon, p.Probability)
	if !p.decided() {
		return
	}
	kind := compare.Differs
	if p.leads() {
		kind = compare.Same
	}
	d.leads.Add(a.Move, compare.Verdicts{{Field: compare.Outcome, Kind: kind}}, horizon, p.Probability)
}

// add adds the candidates for one state. leads is the number of answers that lead to the state, judged
// the number of answers that count. Answers that are unknown, missing or not requested do not count. A
// state without judged answers is not counted.
func (p *Pasts) add(pasts []past, of *backend.Candidates) (leads, judged int) {
	if judged = of.Answers; judged == 0 {
		return 0, 0
	}
	exact, distinct, covered := 0, 0, 0
	for _, c := range pasts {
		if c.Reply.Outcome == dsl.Landed {
			distinct++
		}
		if c.exact {
			exact += c.Drawn
		}
		if !c.decided() {
			p.Undecided++
		}
		if c.leads() {
			leads += c.Drawn
			covered++
		}
	}
	p.N++
	p.Answers += judged
	at5, first := 0.0, 0.0
	if judged >= 5 {
		at5 = passAt(judged, leads, 5)
	}
	if isFirst(pasts) {
		first = 1
	}
	for i, x := range [...]float64{
		passAt(judged, leads, 1), at5, float64(exact) / float64(judged), first, float64(distinct), float64(covered),
	} {
		p.sums[i] += x
	}
	return leads, judged
}

// isFirst reports whether the debugger shows the real past first.
func isFirst(pasts []past) bool {
	list := make([]backend.Candidate, len(pasts))
	for i, p := range pasts {
		list[i] = p.Candidate
	}
	sampled.Order(list)
	return len(list) > 0 && slices.ContainsFunc(pasts, func(p past) bool { return p.exact && sampled.Same(p.Reply, list[0].Reply) })
}

func (p *Pasts) merge(o *Pasts) {
	p.N += o.N
	p.Answers += o.Answers
	p.Undecided += o.Undecided
	p.Counts.merge(o.Counts)
	for i := range p.sums {
		p.sums[i] += o.sums[i]
	}
}

// mean computes the means from the sums.
func (p *Pasts) mean(m dsl.Move, samples int) {
	p.Action = m.String()
	of := func(i int) *float64 { return number(p.sums[i] / float64(p.N)) }
	p.Consistency1, p.Exact, p.First, p.Distinct, p.Coverage = of(0), of(2), of(3), of(4), of(5)
	if samples >= 5 {
		p.Consistency5 = of(1)
	}
}
