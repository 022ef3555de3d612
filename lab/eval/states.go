package eval

import (
	"context"
	"strings"
	"sync"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/session/compare"
	"github.com/npdb/npdb/session/score"
)

// States is the result of one predictor in the task states.
type States struct {
	Name     string           `json:"name"` // name of the model or baseline
	Counts   Counts           `json:"counts"`
	Score    score.Score      `json:"score"`
	Types    map[string]Share `json:"types"`              // values, by the type of the true value
	Locals   map[string]Share `json:"locals"`             // whole states, by the true number of locals
	Events   map[string]Share `json:"events"`             // whole states, by the true event
	Computed map[string]Share `json:"computed,omitempty"` // of Events, those that npdb computed
	// Checked counts the states that were compared with the program's source, under "right" and "wrong".
	// N counts all of them, Same those with a part that contradicts the source.
	Checked  map[string]Share `json:"checked,omitempty"`
	Sets     map[string]Share `json:"sets,omitempty"` // whole states, by set and action
	Rollouts []Rollout        `json:"rollouts,omitempty"`
}

// Rollout is the result of a free rollout: step_into is repeated, and each request continues from the
// model's own answer. Right is the number of right states before the first wrong one. Of is the number
// of states that could have been right; it equals Right if none was wrong.
type Rollout struct {
	Right int `json:"right"`
	Of    int `json:"of"`
}

// MeasureStates measures how well predictors predict next states.
func MeasureStates(ctx context.Context, c Config, s *Source) (*Result, error) {
	r, err := newRunner(c)
	if err != nil {
		return nil, err
	}
	out := r.result(TaskStates)
	out.Settings.States = r.States
	err = measure(ctx, r, out, s.Len(), func(ctx context.Context, i int) (measured, error) {
		return r.statesOf(ctx, s, i)
	}, func(_ int, m *measured) {
		out.Items = append(out.Items, m.items...)
		out.record(&m.mistakes)
		if out.States == nil {
			out.States = make([]States, len(m.states))
		}
		for k := range out.States {
			out.States[k].merge(&m.states[k])
		}
	})
	return out, err
}

// result returns an empty result for a task.
func (r *runner) result(task string) *Result {
	m := r.Predictor.Model()
	return &Result{Version: version, Task: task, Model: m.Name, Place: m.Place, Digest: r.Digest, Settings: Settings{Samples: r.Samples, Temperature: r.Temperature}}
}

// measured is the result for one program or walk.
type measured struct {
	states   []States
	items    []Item
	mistakes mistakes
}

// statesOf asks the questions about one program or walk: first the model, concurrently, then the
// baselines.
func (r *runner) statesOf(ctx context.Context, s *Source, i int) (m measured, err error) {
	var p plan
	var name string
	if i < len(s.Programs) {
		name = s.Programs[i].Name
		p, err = r.planProgram(ctx, &s.Programs[i])
	} else {
		w := s.Walks[i-len(s.Programs)]
		name = w.Name
		p, err = r.planWalk(w)
	}
	if err != nil {
		return m, &Skipped{name, err.Error()}
	}
	model := States{Name: r.Predictor.Model().Name}
	answers, err := r.askAll(ctx, p.questions)
	if err != nil {
		return m, err
	}
	for k, q := range p.questions {
		if right, judged := model.addOf(p.set, q, answers[k]); judged {
			m.items = append(m.items, item(name, q.action.Move.String(), q.place, right))
			if !right {
				m.mistakes.state(Mistake{By: model.Name, Program: name, Measure: q.action.Move.String()}, q, answers[k])
			}
		}
	}
	roll, wrong, err := r.roll(ctx, r.ask, p, &model)
	if err != nil {
		return m, err
	}
	m.mistakes.rollout(model.Name, name, wrong)
	if roll.Of > 0 {
		m.items = append(m.items, Item{Program: name, Measure: MeasureRollout, Right: float64(roll.Right), Of: 1})
	}
	m.states = append(m.states, model)
	for _, b := range r.Baselines {
		states, err := r.baselineOf(ctx, b, name, p, &m)
		if err != nil {
			return m, err
		}
		m.states = append(m.states, states)
	}
	return m, nil
}

// baselineOf asks a baseline the questions of a plan and returns the result. It adds wrong answers of
// Computing to m.
func (r *runner) baselineOf(ctx context.Context, name, program string, p plan, m *measured) (States, error) {
	states := States{Name: name}
	ask, end := r.baseline(name)
	defer end()
	for _, q := range p.questions {
		got, err := ask(ctx, q.at, q.action, 0)
		if err != nil {
			return states, err
		}
		if right, judged := states.addOf(p.set, q, got); judged && !right && name == Computing {
			m.mistakes.state(Mistake{By: name, Program: program, Measure: q.action.Move.String()}, q, got)
		}
	}
	_, wrong, err := r.roll(ctx, ask, p, &states)
	if name == Computing {
		m.mistakes.rollout(name, program, wrong)
	}
	return states, err
}

func item(program, measure string, at int, right bool) Item {
	x := Item{Program: program, Measure: measure, At: at, Of: 1}
	if right {
		x.Right = 1
	}
	return x
}

// askAll asks the model questions, as many at the same time as the configuration allows.
func (r *runner) askAll(ctx context.Context, questions []question) ([]answer, error) {
	answers := make([]answer, len(questions))
	if r.Parallel == 1 { // in order, so that each prompt begins with the text of the one before
		for i, q := range questions {
			var err error
			if answers[i], err = r.ask(ctx, q.at, q.action, 0); err != nil {
				return nil, err
			}
		}
		return answers, nil
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var all sync.WaitGroup
	for i, q := range questions {
		all.Go(func() {
			var err error
			if answers[i], err = r.ask(ctx, q.at, q.action, 0); err != nil {
				cancel(err)
			}
		})
	}
	all.Wait()
	return answers, context.Cause(ctx)
}

// roll runs a free rollout and adds it to s, unless the plan has no start or the first reply is missing.
func (r *runner) roll(ctx context.Context, ask asker, p plan, s *States) (roll Rollout, wrong *fault, err error) {
	if p.start == nil {
		return Rollout{}, nil, nil
	}
	roll, wrong, err = r.rollout(ctx, ask, p)
	if err == nil && roll.Of > 0 {
		s.Rollouts = append(s.Rollouts, roll)
	}
	return roll, wrong, err
}

// fault is a question with its answer: the first wrong one of a free rollout, or the last one of an
// attempt at a problem.
type fault struct {
	question
	got answer
}

// rollout runs a free rollout: it repeats step_into, each time from the answer before, until an answer
// is wrong.
func (r *runner) rollout(ctx context.Context, ask asker, p plan) (roll Rollout, wrong *fault, err error) {
	roll.Of = len(p.onward)
	at, into := p.start, dsl.Action{Move: dsl.StepInto}
	for i, truth := range p.onward {
		got, err := ask(ctx, at, into, 0)
		if err != nil {
			return roll, nil, err
		}
		wrong := &fault{question{at: at, action: into, truth: truth, place: i}, got}
		switch got.fate {
		case answered:
		case invalid:
			return roll, wrong, nil
		default: // without an answer the rollout cannot continue
			roll.Of = i
			return roll, nil, nil
		}
		if verdicts := got.beside(truth); verdicts.Count() > 0 {
			return roll, wrong, nil
		}
		roll.Right++
		if at, err = at.Append(got.step); err != nil {
			roll.Of = roll.Right
			return roll, nil, nil
		}
	}
	return roll, nil, nil
}

// add adds an answer to the counts. judged is false if the answer counts neither as right nor as wrong.
func (s *States) add(q question, got answer) (right, judged bool) {
	s.Counts.add(got.fate)
	var verdicts compare.Verdicts
	switch got.fate {
	case answered:
		verdicts = got.beside(q.truth)
	case invalid:
		verdicts = compare.Verdicts{{Field: compare.Outcome, Kind: compare.Missing, Real: q.truth.Outcome.String()}}
	default:
		return false, false
	}
	s.Score.Add(q.action.Move, verdicts, q.horizon, got.confidence)
	for i := range verdicts {
		v := &verdicts[i]
		if v.Kind == compare.Extra || v.Kind == compare.Incomparable {
			continue
		}
		if v.Field == compare.Local || v.Field == compare.Value {
			count(&s.Types, typeOf(v, q.truth.Stop), v.Kind == compare.Same)
		}
	}
	right, judged = verdicts.Count() == 0, verdicts.Count() > 0 || verdicts.Same()
	if judged {
		count(&s.Events, EventOf(q.truth), right)
		if got.computed {
			count(&s.Computed, EventOf(q.truth), right)
		}
		if got.checked {
			_, contradict := got.checks.Count()
			count(&s.Checked, map[bool]string{true: "right", false: "wrong"}[right], contradict > 0)
		}
	}
	if stop := q.truth.Stop; stop != nil && judged {
		n := 0
		for _, l := range stop.Locals {
			if !l.Hidden {
				n++
			}
		}
		count(&s.Locals, score.BucketOf(n).String(), right)
	}
	return right, judged
}

// EventOf returns the name of the true event or, if there is no state, of the outcome.
func EventOf(truth dsl.Reply) string {
	if truth.Stop == nil {
		return truth.Outcome.String()
	}
	return truth.Stop.Event.String()
}

// addOf adds an answer to the counts, also to those of the walk's set if there is one.
func (s *States) addOf(set string, q question, got answer) (right, judged bool) {
	if right, judged = s.add(q, got); judged && set != "" {
		count(&s.Sets, set+" "+q.action.Move.String(), right)
	}
	return right, judged
}

func count(shares *map[string]Share, name string, right bool) {
	if *shares == nil {
		*shares = map[string]Share{}
	}
	s := (*shares)[name]
	s.add(right)
	(*shares)[name] = s
}

// typeOf returns the type of a true value, or "other" if the text does not show the type.
func typeOf(v *compare.Verdict, at *dsl.Stop) string {
	if v.Field == compare.Value && at != nil && at.Event == dsl.Exception {
		return "exception"
	}
	d := python.ReadDatum(v.Real)
	if !d.Literal() {
		return "other"
	}
	_, name, _ := strings.Cut(d.Whatis(), "'")
	name, _, _ = strings.Cut(name, "'")
	return name
}

func (s *States) merge(o *States) {
	s.Name = o.Name
	s.Counts.merge(o.Counts)
	s.Score.Merge(&o.Score)
	s.Rollouts = append(s.Rollouts, o.Rollouts...)
	mergeShares(&s.Types, o.Types)
	mergeShares(&s.Locals, o.Locals)
	mergeShares(&s.Sets, o.Sets)
	mergeShares(&s.Events, o.Events)
	mergeShares(&s.Computed, o.Computed)
	mergeShares(&s.Checked, o.Checked)
}

func mergeShares(into *map[string]Share, more map[string]Share) {
	if *into == nil {
		*into = map[string]Share{}
	}
	for name, s := range more {
		sum := (*into)[name]
		(*into)[name] = Share{sum.N + s.N, sum.Same + s.Same}
	}
}

// Survival returns, for each number of steps, the estimated share of free rollouts that reach it without
// an error. It is the estimator of Kaplan and Meier (1958): a rollout whose program ends without an
// error is censored there. The list ends where no rollout continues.
func (s *States) Survival() []float64 {
	var shares []float64
	alive := 1.0
	for k := 1; ; k++ {
		risked, faults := 0, 0
		for _, r := range s.Rollouts {
			if r.Right >= k-1 && r.Of >= k {
				risked++
				if r.Right < k {
					faults++
				}
			}
		}
		if risked == 0 {
			return shares
		}
		alive *= 1 - float64(faults)/float64(risked)
		shares = append(shares, alive)
	}
}

// Mean returns the mean number of right states of free rollouts before the first error, and
// the number of rollouts without an error.
func (s *States) Mean() (mean float64, clean int) {
	sum := 0
	for _, r := range s.Rollouts {
		sum += r.Right
		if r.Right == r.Of {
			clean++
		}
	}
	return float64(sum) / float64(max(len(s.Rollouts), 1)), clean
}
