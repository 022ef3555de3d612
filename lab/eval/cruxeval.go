package eval

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/compare"
	"github.com/npdb/npdb/session/score"
)

// Judged is the result of predicting the outputs of problems, or their inputs.
type Judged struct {
	Pass1 *float64 `json:"pass@1"`
	Pass5 *float64 `json:"pass@5,omitempty"` // if at least five answers were drawn
	N     int      `json:"n"`                // number of counted problems
	// Declined is the number of problems for which all answers are unknown, or missing for
	// reasons other than the model. They are not counted. Any other answer without a state
	// is wrong.
	Declined int    `json:"declined"`
	Counts   Counts `json:"counts"` // of samples, by outcome
	// Unexecuted is the number of inputs that cannot be executed: they are wrong.
	Unexecuted int     `json:"unexecuted,omitempty"`
	Moves      float64 `json:"moves"` // average number of requests for one answer
	// Calibration compares the confidence, that of all moves multiplied, with correctness.
	Calibration score.Calibration    `json:"calibration"`
	Baselines   map[string]PassShare `json:"baselines,omitempty"`
}

// PassShare is a baseline's pass@1.
type PassShare struct {
	Pass1    *float64 `json:"pass@1"`
	N        int      `json:"n"`
	Declined int      `json:"declined"`
}

// Strategies are the ways to reach an output: request the return at once; stop on lines
// with return and step; or take single steps to the return, into calls or over them. Each
// continues from the answer before.
var Strategies = []string{"step_return", "breakpoint", "into", "over"}

// MeasureCruxEval measures how well a model predicts the outputs and inputs of problems.
func MeasureCruxEval(ctx context.Context, c Config, s *Source) (*Result, error) {
	r, err := newRunner(c)
	if err != nil {
		return nil, err
	}
	outputs, inputs := r.Only != MeasureInput, r.Only != MeasureOutput
	switch {
	case !slices.Contains(Strategies, r.Strategy):
		return nil, fmt.Errorf("there is no strategy %q; there are %s", r.Strategy, strings.Join(Strategies, ", "))
	case r.Only != "" && r.Only != MeasureInput && r.Only != MeasureOutput:
		return nil, fmt.Errorf("%q is neither %s nor %s", r.Only, MeasureOutput, MeasureInput)
	}
	for _, p := range s.Programs {
		if p.Function == "" {
			return nil, errors.New(p.Name + " is no problem: it has no input")
		}
	}
	if len(s.Programs) == 0 {
		return nil, errors.New("there are no problems: JSON Lines with code, input and output are wanted")
	}
	out := r.result(TaskCruxEval)
	out.Settings.Strategy, out.Settings.Locals = r.Strategy, r.Locals
	var output, input sums
	err = measure(ctx, r, out, len(s.Programs), func(ctx context.Context, i int) (predicted, error) {
		return r.predict(ctx, &s.Programs[i], outputs, inputs)
	}, func(i int, m *predicted) {
		name := s.Programs[i].Name
		out.record(&m.mistakes)
		out.Items = append(output.add(name, MeasureOutput, m.output, out.Items), input.add(name, MeasureInput, m.input, nil)...)
	})
	if outputs {
		out.Output = output.judged(r.Samples)
	}
	if inputs {
		out.Input = input.judged(r.Samples)
	}
	return out, err
}

// predicted is the result of one problem, by predictor; "" is the model.
type predicted struct {
	output, input map[string][]attempt
	mistakes      mistakes
}

// record records the wrong answers of the model and of Computing. x says what they are wrong about.
func (m *predicted) record(model string, by map[string][]attempt, x Mistake) {
	for _, who := range []string{"", Computing} {
		for _, a := range by[who] {
			if !a.right && (a.fate == answered || a.fate == invalid) {
				x.By = cmp.Or(who, model)
				m.mistakes.answer(x, a.last)
			}
		}
	}
}

// attempt is one answer to a problem.
type attempt struct {
	fate       fate
	right      bool
	unexecuted bool
	moves      int
	confidence *float64 // of all moves together
	last       fault    // the last question and its answer
}

func (r *runner) predict(ctx context.Context, p *Program, outputs, inputs bool) (m predicted, err error) {
	call, err := p.firstCall()
	want, given := p.Output, (*dsl.Stop)(nil)
	if inputs || err != nil || want == "" {
		truth, e := r.truth(ctx, p)
		if e != nil {
			return m, p.skip(e)
		}
		call, given = truth.call, truth.given
		if want == "" {
			want = *given.Value
		}
	}
	model := r.Predictor.Model().Name
	if outputs {
		if m.output, err = r.outputs(ctx, p, call, want); err != nil {
			return m, err
		}
		m.record(model, m.output, Mistake{Program: p.Name, Measure: MeasureOutput, Value: want})
	}
	if inputs {
		if m.input, err = r.inputs(ctx, p, call, given, want); err != nil {
			return m, err
		}
		m.record(model, m.input, Mistake{Program: p.Name, Measure: MeasureInput, Value: p.Input})
	}
	return m, nil
}

// ends are the states at which a problem's call begins and ends.
type ends struct{ call, given *dsl.Stop }

func (r *runner) truth(ctx context.Context, p *Program) (e ends, err error) {
	w, err := r.record(ctx, p.Text, p.Call())
	if err != nil {
		return e, err
	}
	defer w.Close()
	if e.call, err = w.Stop(0); err != nil {
		return e, err
	}
	if e.given, err = w.Stop(w.Len() - 1); err != nil {
		return e, err
	}
	if !isCall(e.call) || !isReturn(e.given) {
		return e, errors.New("the call does not return")
	}
	return e, nil
}

func (r *runner) outputs(ctx context.Context, p *Program, call *dsl.Stop, want string) (map[string][]attempt, error) {
	at, err := r.called(p.Text, call)
	if err != nil {
		return nil, p.skip(err)
	}
	by := map[string][]attempt{}
	for sample := range r.Samples {
		a, err := r.output(ctx, r.ask, p, at, want, sample)
		if err != nil {
			return nil, err
		}
		by[""] = append(by[""], a)
	}
	for _, b := range r.Baselines {
		ask, end := r.baseline(b)
		a, err := r.output(ctx, ask, p, at, want, 0)
		end()
		if err != nil {
			return nil, err
		}
		by[b] = []attempt{a}
	}
	return by, nil
}

// output goes to the function's return with the strategy.
func (r *runner) output(ctx context.Context, ask asker, p *Program, at *dsl.Node, want string, sample int) (a attempt, err error) {
	lines := p.returns()
	for a.moves < r.Steps {
		now := at.Current()
		if now == nil {
			break // the program ended before
		}
		if isReturn(now) {
			a.fate, a.right = answered, equal(ctx, *now.Value, want)
			return a, nil
		}
		q := question{at: at, action: r.toward(now, lines)}
		got, err := ask(ctx, at, q.action, sample)
		a.moves++
		a.last = fault{q, got}
		if err != nil || got.fate != answered {
			a.fate = got.fate
			return a, err
		}
		a.sure(got.confidence)
		if at, err = at.Append(got.step); err != nil {
			break
		}
	}
	a.fate = invalid // no return was reached
	return a, nil
}

// toward returns the next move of the strategy.
func (r *runner) toward(now *dsl.Stop, lines []dsl.Location) dsl.Action {
	switch r.Strategy {
	case "into":
		return dsl.Action{Move: dsl.StepInto}
	case "over":
		return dsl.Action{Move: dsl.StepOver}
	case "breakpoint":
		if slices.Contains(lines, dsl.Location{Line: now.Line}) && now.Event == dsl.Line {
			return dsl.Action{Move: dsl.StepOver}
		}
		if len(lines) > 0 {
			return dsl.Action{Move: dsl.Breakpoint, Lines: lines}
		}
	}
	return dsl.Action{Move: dsl.StepReturn}
}

// sure multiplies the confidences of the moves. If one of them is missing, the product is
// missing.
func (a *attempt) sure(c *float64) {
	switch {
	case c == nil:
		a.confidence = nil
	case a.moves == 1:
		one := *c
		a.confidence = &one
	case a.confidence != nil:
		*a.confidence *= *c
	}
}

// inputs goes backwards from the return to the call. The benchmark gives the return value.
// The return's locals, which often still contain the arguments, are only shown if the
// configuration says so. The CPython baseline is the benchmark's own input.
func (r *runner) inputs(ctx context.Context, p *Program, call, given *dsl.Stop, want string) (map[string][]attempt, error) {
	shown := *given
	if !r.Locals {
		shown.Locals = nil
	}
	at, err := r.Format.Encode(dsl.Trajectory{Program: p.Text, Compacted: true, Steps: []dsl.Step{{Reply: dsl.Reply{Outcome: dsl.Landed, Stop: &shown}}}})
	if err != nil {
		return nil, p.skip(err)
	}
	by := map[string][]attempt{}
	for sample := range r.Samples {
		a, err := r.input(ctx, r.ask, p, at, want, sample)
		if err != nil {
			return nil, err
		}
		by[""] = append(by[""], a)
	}
	for _, b := range r.Baselines {
		ask, end := r.baseline(b)
		if b == Oracle {
			ask = func(context.Context, *dsl.Node, dsl.Action, int) (answer, error) {
				return answer{fate: answered, step: dsl.Step{Reply: dsl.Reply{Outcome: dsl.Landed, Stop: call}}}, nil
			}
		}
		a, err := r.input(ctx, ask, p, at, want, 0)
		end()
		if err != nil {
			return nil, err
		}
		by[b] = []attempt{a}
	}
	return by, nil
}

func (r *runner) input(ctx context.Context, ask asker, p *Program, at *dsl.Node, want string, sample int) (attempt, error) {
	a := attempt{moves: 1}
	q := question{at: at, action: dsl.Action{Move: dsl.InvStepReturn}}
	got, err := ask(ctx, at, q.action, sample)
	a.last = fault{q, got}
	if a.fate = got.fate; err != nil || got.fate != answered {
		return a, err
	}
	a.sure(got.confidence)
	stop := got.step.Reply.Stop
	if !isCall(stop) || stop.Function != at.Current().Function {
		a.fate = invalid
		return a, nil
	}
	right, executed, err := r.comesTo(ctx, p.Text, stop, want)
	a.right, a.unexecuted = right, !executed
	return a, err
}

// sums adds the results of problems.
type sums struct {
	out        Judged
	pass       [2]float64 // at 1 and 5
	moves, all int
	score      score.Score
	baselines  map[string]*sums
}

// add counts a problem's answers, and adds the model's to items.
func (s *sums) add(name, measure string, by map[string][]attempt, items []Item) []Item {
	for who, attempts := range by {
		if who != "" {
			if s.baselines == nil {
				s.baselines = map[string]*sums{}
			}
			if s.baselines[who] == nil {
				s.baselines[who] = &sums{}
			}
			s.baselines[who].add(name, measure, map[string][]attempt{"": attempts}, nil)
		}
	}
	attempts, there := by[""]
	if !there {
		return items
	}
	right, apart := 0, 0
	for _, a := range attempts {
		s.out.Counts.add(a.fate)
		s.moves += a.moves
		s.all++
		verdict := compare.Verdict{Field: compare.Outcome, Kind: compare.Differs}
		switch {
		case a.fate == declined || a.fate == failed:
			apart++
			continue
		case a.right:
			right++
			verdict.Kind = compare.Same
		}
		if a.unexecuted {
			s.out.Unexecuted++
		}
		s.score.Add(dsl.StepReturn, compare.Verdicts{verdict}, -1, a.confidence)
	}
	if apart == len(attempts) {
		s.out.Declined++
		return items
	}
	s.out.N++
	for i, k := range []int{1, 5} {
		s.pass[i] += passAt(len(attempts), right, k)
	}
	return append(items, Item{Program: name, Measure: measure, Right: float64(right), Of: len(attempts)})
}

// judged returns the result for the sums.
func (s *sums) judged(samples int) *Judged {
	out := s.out
	out.Pass1 = number(s.pass[0] / float64(out.N))
	if samples >= 5 {
		out.Pass5 = number(s.pass[1] / float64(out.N))
	}
	if s.all > 0 {
		out.Moves = float64(s.moves) / float64(s.all)
	}
	out.Calibration = s.score.Calibration(false)
	for name, b := range s.baselines {
		if out.Baselines == nil {
			out.Baselines = map[string]PassShare{}
		}
		out.Baselines[name] = PassShare{number(b.pass[0] / float64(b.out.N)), b.out.N, b.out.Declined}
	}
	return &out
}
