package eval

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/npdb/npdb/backend/pasts"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/compare"
	"github.com/npdb/npdb/session/score"
)

// Judged is the result of predicting the outputs, or the inputs, of a benchmark's problems.
type Judged struct {
	Pass1 *float64 `json:"pass@1"`
	Pass5 *float64 `json:"pass@5,omitempty"` // only with at least five answers to each problem
	N     int      `json:"n"`                // number of counted problems
	// Declined is the number of problems for which all answers were "unknown", or missing because the
	// server failed. N does not count them. Any other answer without a state is wrong.
	Declined int    `json:"declined"`
	Counts   Counts `json:"counts"` // number of samples by outcome
	// Unexecuted is the number of predicted inputs that cannot be executed. They count as
	// wrong.
	Unexecuted int     `json:"unexecuted,omitempty"`
	Moves      float64 `json:"moves"` // average number of requests for one answer
	// Calibration compares the confidence in an answer with its correctness. The confidence is the
	// product of the confidences of all moves.
	Calibration score.Calibration    `json:"calibration"`
	Baselines   map[string]PassShare `json:"baselines,omitempty"`
}

// PassShare is the pass@1 of a baseline over N problems, of which it declined to answer some.
type PassShare struct {
	Pass1    *float64 `json:"pass@1"`
	N        int      `json:"n"`
	Declined int      `json:"declined"`
}

// Strategies lists the ways to get from a call to an output: request the return at once; stop at lines
// with a return statement, then step; or take single steps, into calls or over them. Each request
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
	if err := r.checkVerify(); err != nil {
		return nil, err
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
	if r.Verify != VerifyOff {
		out.Settings.Verify, out.Settings.Runs = r.Verify, r.Runs
	}
	var output, input sums
	err = measure(ctx, r, out, len(s.Programs), func(ctx context.Context, i int) (predicted, error) {
		return r.predict(ctx, &s.Programs[i], outputs, inputs)
	}, func(i int, m *predicted) {
		name := s.Programs[i].Name
		out.record(&m.mistakes)
		out.search(m)
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

// predicted holds the answers to one problem by predictor. The model's name here is "".
type predicted struct {
	output, input map[string][]attempt
	mistakes      mistakes
	searched      searched
	own           []string // the problem's own arguments
}

// record adds the wrong answers of the model and of Computing to the mistakes. x holds the fields that
// these mistakes have in common.
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

// attempt is one attempt to predict an output or an input.
type attempt struct {
	fate       fate
	right      bool
	unexecuted bool
	moves      int
	confidence *float64 // product of the confidences of all moves; nil if one is missing
	last       fault    // the last question, and its answer
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
	if inputs && r.Verify != VerifyOff {
		if f, ok := signature(p.Text.Files[0].Lines, p.Function); ok {
			m.own, _ = pasts.Arguments(f, call.Locals)
		}
		m.searched, err = r.search(ctx, p, given, want, m.input[""])
	}
	return m, err
}

// ends holds the state at a problem's call, and the one at its return (given).
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

// output moves from the call to the function's return by the strategy, and compares the returned value
// with the expected one.
func (r *runner) output(ctx context.Context, ask asker, p *Program, at *dsl.Node, want string, sample int) (a attempt, err error) {
	lines := p.returns()
	for a.moves < r.Steps {
		now := at.Current()
		if now == nil {
			break // the program has ended without a return
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

// toward returns the next move of the strategy. lines holds the lines with a return statement.
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

// sure multiplies the confidence by that of one more move. If one of the confidences is
// missing, the product is missing too.
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

// inputs asks for the call, backwards from its return. The benchmark provides the returned value. The
// locals at the return often still contain the arguments, so they are shown only if the configuration
// says so. The baseline Oracle answers with the benchmark's own input.
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

// sums adds up the results of several problems.
type sums struct {
	out        Judged
	pass       [2]float64 // sums of pass@1 and of pass@5
	moves, all int
	score      score.Score
	baselines  map[string]*sums
}

// add adds the attempts at a problem to the sums, and appends the model's result to items.
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

// judged computes the result from the sums.
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
