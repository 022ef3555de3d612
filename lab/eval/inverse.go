package eval

import (
	"context"
	"errors"
	"slices"

	"github.com/npdb/npdb/backend/cpython"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/compare"
	"github.com/npdb/npdb/session/score"
	"github.com/npdb/npdb/trace/statetree"
)

// Inverse is the result of predicting the pasts of states. Several pasts can lead to the
// same state, so each predicted past is executed to check whether it does.
type Inverse struct {
	Moves []Pasts `json:"moves"` // by inverse action
	// Leads and Exact are calibrations of the confidence in a past: against whether it leads
	// to the state, and against whether it is the real past. Forward is the calibration of
	// the forward step from the same states.
	Leads   score.Calibration `json:"leads"`
	Exact   score.Calibration `json:"exact"`
	Forward score.Calibration `json:"forward"`
}

// Pasts contains the results for one inverse action. A candidate is a predicted past of a
// state. Each mean is over states.
type Pasts struct {
	Action     string `json:"action"`
	N          int    `json:"n"`          // number of states
	Candidates int    `json:"candidates"` // including answers that are not a state
	Counts     Counts `json:"counts"`
	// Consistency1 is the mean share of candidates that lead to the state when they are
	// executed. Consistency5 is the mean probability that at least one of five does.
	Consistency1 *float64 `json:"consistency@1"`
	Consistency5 *float64 `json:"consistency@5,omitempty"`
	Exact        *float64 `json:"exact"`    // mean share of candidates that are the real past
	Distinct     *float64 `json:"distinct"` // mean number of different candidates
	Coverage     *float64 `json:"coverage"` // mean number of different ones that lead to the state
	Unexecuted   int      `json:"unexecuted"`

	sums [5]float64 // sums of the five means above, in their order
}

// undone lists the inverse actions that are measured: from a state to the one before it,
// and from a return to its call.
var undone = []dsl.Move{dsl.InvStepInto, dsl.InvStepReturn}

// MeasureInverse measures how well a model predicts the pasts of the first states of
// problems' calls, and of the calls' returns.
func MeasureInverse(ctx context.Context, c Config, s *Source) (*Result, error) {
	r, err := newRunner(c)
	if err != nil {
		return nil, err
	}
	if len(s.Walks) > 0 || slices.ContainsFunc(s.Programs, func(p Program) bool { return p.Function == "" }) {
		return nil, errors.New("pasts are drawn of problems' calls: JSON Lines with code and input are wanted")
	}
	out := r.result(TaskInverse)
	out.Settings.States = r.States
	out.Inverse = &Inverse{Moves: make([]Pasts, len(undone))}
	var leads, exact, forward score.Score
	err = measure(ctx, r, out, len(s.Programs), func(ctx context.Context, i int) (drawn, error) {
		return r.draw(ctx, &s.Programs[i])
	}, func(_ int, m *drawn) {
		out.Items = append(out.Items, m.items...)
		for k := range m.pasts {
			out.Inverse.Moves[k].merge(&m.pasts[k])
		}
		leads.Merge(&m.leads)
		exact.Merge(&m.exact)
		forward.Merge(&m.forward)
	})
	for k := range out.Inverse.Moves {
		out.Inverse.Moves[k].mean(undone[k], r.Samples)
	}
	out.Inverse.Leads, out.Inverse.Exact, out.Inverse.Forward = leads.Calibration(true), exact.Calibration(true), forward.Calibration(false)
	return out, err
}

// drawn is the result for one problem.
type drawn struct {
	pasts                 []Pasts // one for each action in undone
	leads, exact, forward score.Score
	items                 []Item
}

// draw predicts the pasts of a problem's states. Each request begins at a state and shows
// nothing of what came before.
func (r *runner) draw(ctx context.Context, p *Program) (d drawn, err error) {
	d.pasts = make([]Pasts, len(undone))
	w, err := r.record(ctx, p.Text, p.Call())
	if err != nil {
		return d, p.skip(err)
	}
	defer w.Close()
	first, err := w.Stop(0)
	if err != nil || !isCall(first) {
		return d, p.skip(errors.New("its first state is no call"))
	}
	before, err := r.called(p.Text, first)
	if err != nil {
		return d, p.skip(err)
	}
	last := w.Len() - 1
	for event := 1; event <= min(r.States, last); event++ {
		stop, err := w.Stop(event)
		if err != nil {
			return d, p.skip(err)
		}
		if at, err := r.beginning(w, p.Text, event); err == nil { // else no text can express this state
			if err := r.drawAt(ctx, begun{p, w, event, at}, before, stop, &d); err != nil {
				return d, err
			}
		}
		if before, err = before.Append(dsl.Step{Action: dsl.Action{Move: dsl.StepInto}, Reply: dsl.Reply{Outcome: dsl.Landed, Stop: stop}}); err != nil {
			return d, p.skip(err)
		}
	}
	stop, err := w.Stop(last)
	if err != nil || !isReturn(stop) {
		return d, nil
	}
	at, err := r.beginning(w, p.Text, last)
	if err != nil {
		return d, nil
	}
	err = r.drawFrom(ctx, begun{p, w, last, at}, 1, &d, func(c *dsl.Stop) (right, executed bool, err error) {
		if !isCall(c) {
			return false, false, nil
		}
		return r.comesTo(ctx, p.Text, c, *stop.Value)
	})
	return d, err
}

// begun is an event of a program's recording, and a text that begins at this event.
type begun struct {
	program *Program
	run     *cpython.Whole
	event   int
	at      *dsl.Node
}

// truth returns the true reply to an action at the event, and the number of events that the
// action passes. The error is Skipped.
func (b begun) truth(a dsl.Action) (dsl.Reply, int, error) {
	_, reply, horizon, err := b.run.Move(statetree.Spot{Event: b.event}, a)
	if err != nil {
		err = b.program.skip(err)
	}
	return reply, horizon, err
}

// drawAt predicts the pasts of the state at an event, and asks for the forward step from
// there. before is the text of the run up to the event before it.
func (r *runner) drawAt(ctx context.Context, b begun, before *dsl.Node, state *dsl.Stop, d *drawn) error {
	err := r.drawFrom(ctx, b, 0, d, func(c *dsl.Stop) (right, executed bool, err error) {
		return r.leadsTo(ctx, before, c, state)
	})
	if err != nil {
		return err
	}
	into := dsl.Action{Move: dsl.StepInto}
	truth, horizon, err := b.truth(into)
	if err != nil {
		return err
	}
	got, err := r.ask(ctx, b.at, into, 0)
	if err != nil {
		return err
	}
	if got.fate == answered {
		d.forward.Add(into.Move, got.beside(truth), horizon, got.confidence)
	}
	return nil
}

// drawFrom predicts pasts by the action undone[k] from an event, and judges them. leads
// executes a past and reports whether it leads to the state at the event.
func (r *runner) drawFrom(ctx context.Context, b begun, k int, d *drawn, leads func(*dsl.Stop) (right, executed bool, err error)) error {
	a := dsl.Action{Move: undone[k]}
	truth, horizon, err := b.truth(a)
	if err != nil {
		return err
	}
	candidates := make([]candidate, 0, r.Samples)
	known := map[string]candidate{} // each different candidate is executed only once
	for sample := range r.Samples {
		got, err := r.ask(ctx, b.at, a, sample)
		if err != nil {
			return err
		}
		c := candidate{fate: got.fate}
		if got.fate == answered {
			verdicts := got.beside(truth)
			if stop := got.step.Reply.Stop; stop != nil {
				c.text = told(stop)
				if same, ok := known[c.text]; ok {
					c = same
				} else {
					c.exact = verdicts.Same()
					if c.leads, c.executed = c.exact, c.exact; !c.exact {
						if c.leads, c.executed, err = leads(stop); err != nil {
							return err
						}
					}
					known[c.text] = c
				}
			}
			d.exact.Add(a.Move, verdicts, horizon, got.confidence)
			kind := compare.Differs
			if c.leads {
				kind = compare.Same
			}
			d.leads.Add(a.Move, compare.Verdicts{{Field: compare.Outcome, Kind: kind}}, horizon, got.confidence)
		}
		candidates = append(candidates, c)
	}
	if right, judged := d.pasts[k].add(candidates); judged > 0 {
		d.items = append(d.items, Item{Program: b.program.Name, Measure: measureConsistency + a.Move.String(), At: b.event, Right: float64(right), Of: judged})
	}
	return nil
}

// candidate is one predicted past of a state.
type candidate struct {
	fate                   fate
	text                   string // identifies the past; "" if the answer was not a state
	leads, exact, executed bool
}

// add adds the candidates for one state. It returns how many lead to the state, and how
// many were judged. Answers that are unknown, missing or not requested are not judged. A
// state without judged candidates is not counted.
func (p *Pasts) add(candidates []candidate) (leads, judged int) {
	exact := 0
	distinct, covered := map[string]bool{}, map[string]bool{}
	for _, c := range candidates {
		p.Counts.add(c.fate)
		if c.fate != answered && c.fate != invalid {
			continue
		}
		judged++
		if c.text == "" {
			continue
		}
		distinct[c.text] = true
		if !c.executed {
			p.Unexecuted++
		}
		if c.exact {
			exact++
		}
		if c.leads {
			leads++
			covered[c.text] = true
		}
	}
	if judged == 0 {
		return 0, 0
	}
	p.N++
	p.Candidates += judged
	at5 := 0.0
	if judged >= 5 {
		at5 = passAt(judged, leads, 5)
	}
	for i, x := range [...]float64{
		passAt(judged, leads, 1), at5, float64(exact) / float64(judged), float64(len(distinct)), float64(len(covered)),
	} {
		p.sums[i] += x
	}
	return leads, judged
}

func (p *Pasts) merge(o *Pasts) {
	p.N += o.N
	p.Candidates += o.Candidates
	p.Unexecuted += o.Unexecuted
	p.Counts.merge(o.Counts)
	for i := range p.sums {
		p.sums[i] += o.sums[i]
	}
}

// mean computes the means from the sums.
func (p *Pasts) mean(m dsl.Move, samples int) {
	p.Action = m.String()
	of := func(i int) *float64 { return number(p.sums[i] / float64(p.N)) }
	p.Consistency1, p.Exact, p.Distinct, p.Coverage = of(0), of(2), of(3), of(4)
	if samples >= 5 {
		p.Consistency5 = of(1)
	}
}
