package policy

import (
	"errors"
	"math/rand/v2"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/cwm"
	"github.com/npdb/npdb/lab/dataset/recorder"
)

// unrecorded is the horizon of a step to a state in the function main.
const unrecorded = -1

// trace is a text in the Code World Model's format under construction.
type trace struct {
	*scene
	Trajectory
	w     *cwm.Writer
	call  string // the call in the function main, "" if the module's code is the program
	bytes []byte
	most  int
}

// writeCWM writes a walk in the Code World Model's format: every state, except inside
// calls that are passed over. A plan that begins in the middle, goes backwards, or edits
// has no such text. Actions are step_into, and step_return from a call to its return.
func writeCWM(rng *rand.Rand, s *Settings, r *recorder.Recording, edit *recorder.Edit, plan Plan) (*Trajectory, error) {
	if edit != nil || len(plan.Start) > 0 || plan.Inverse || plan.Ask == AskBreakpoint {
		return nil, nil
	}
	t := &trace{scene: sceneOf(r), call: r.Program.Entry, most: s.Bytes}
	err := t.begin()
	if err == nil && len(t.bytes) > s.Bytes-s.Room {
		return nil, nil
	}
	if err == nil {
		err = t.walk(plan, func() bool { return chance(rng, plan.over(s)) })
	}
	var unsayable *cwm.UnsayableError
	switch {
	case errors.Is(err, errFull):
	case errors.As(err, &unsayable): // the model cannot represent what there is
		return nil, nil
	case err != nil:
		return nil, err
	}
	if len(t.Actions) == 0 {
		return nil, nil
	}
	t.Text = string(t.bytes)
	return &t.Trajectory, nil
}

// over returns the probability that calls are passed over: the share of step_over among
// step_over and step_into.
func (p Plan) over(s *Settings) float64 {
	into, over, all := p.Single/2, p.Single/2, 0.0
	for _, weight := range s.Actions.list() {
		all += weight
	}
	into += (1 - p.Single) * s.Actions.StepInto / all
	over += (1 - p.Single) * s.Actions.StepOver / all
	if into+over == 0 {
		return 0.5
	}
	return over / (into + over)
}

func (t *trace) begin() error {
	first, err := t.stop(0)
	if err != nil {
		return err
	}
	t.w, t.bytes, err = cwm.Begin(t.program, t.call, first)
	if unsayable := (*cwm.UnsayableError)(nil); t.call != "" && errors.As(err, &unsayable) { // for example main()
		t.call = ""
		t.w, t.bytes, err = cwm.Begin(t.program, "", first)
	}
	return err
}

// walk writes the states from the first one on.
func (t *trace) walk(plan Plan, over func() bool) error {
	if t.call != "" {
		if err := t.step(dsl.StepInto, cwm.Main(t.call), unrecorded); err != nil {
			return err
		}
		if err := t.event(-1, 0, dsl.StepInto); err != nil {
			return err
		}
	}
	if plan.Ask == AskReturn {
		if end, ok := t.returns(0); ok {
			return t.event(0, end, dsl.StepReturn)
		}
		return nil
	}
	for i := 0; i+1 < t.len(); {
		next, err := t.pass(i, over())
		if err != nil {
			return err
		}
		i = next
	}
	return t.end()
}

// pass writes what follows an event: the next event, or, if calls are passed over, the
// return of the call at this event, or all calls up to the next state that is not deeper.
func (t *trace) pass(i int, over bool) (next int, err error) {
	if end, ok := t.returns(i); over && ok {
		return end, t.event(i, end, dsl.StepReturn)
	}
	depth := t.tree.At(i).Depth
	for next = i + 1; ; next++ {
		if err := t.event(next-1, next, dsl.StepInto); err != nil {
			return next, err
		}
		if !over || t.tree.At(next).Depth <= depth {
			return next, nil
		}
		if end, ok := t.returns(next); ok {
			if err := t.event(next, end, dsl.StepReturn); err != nil {
				return next, err
			}
			next = end
		}
		if next+1 == t.len() {
			return next, nil
		}
	}
}

// returns returns the event at which the call at an event returns, or the generator that
// it resumes yields. ok is false if the event is not a call, or the return is not a state.
func (t *trace) returns(i int) (end int, ok bool) {
	call := t.tree.At(i)
	for end = i + 1; call.Event == dsl.Call && end < t.len(); end++ {
		switch at := t.tree.At(end); {
		case at.Activation == call.Activation && at.Event == dsl.Return:
			return end, true
		case at.Depth < call.Depth, at.Depth == call.Depth && at.Activation != call.Activation:
			return end, false
		}
	}
	return end, false
}

// end writes how the program ends: the outermost return must be a state, and with a call
// it must belong to the called function.
func (t *trace) end() error {
	last, first := t.tree.At(t.len()-1), t.tree.At(0)
	if last.Event != dsl.Return || last.Depth > 0 {
		return nil
	}
	if t.call != "" {
		name, _, _ := strings.Cut(t.call, "(")
		if last.Activation != first.Activation || t.tree.Code(first.Code).Name != strings.TrimSpace(name) {
			return nil // for example the __init__ of a class
		}
		states, ok := t.leaving()
		if !ok {
			return nil
		}
		for _, s := range states {
			if err := t.step(dsl.StepInto, s, unrecorded); err != nil {
				return err
			}
		}
	}
	return t.append(dsl.Step{Action: dsl.Action{Move: dsl.StepInto}, Reply: dsl.Reply{Outcome: dsl.Ended, Exit: &t.exit}}, 0)
}

// leaving returns the states in which function main is left, in the same way as the
// function that it called. ok is false if no event says what was raised.
func (t *trace) leaving() (states []*dsl.Stop, ok bool) {
	last := t.tree.State(t.len() - 1)
	left := cwm.Main(t.call)
	left.Event, left.Kind, left.Value = dsl.Return, last.Kind, last.Value
	if last.Kind != dsl.Unwound {
		return []*dsl.Stop{left}, true
	}
	fatal := t.tree.FatalException(t.tree.At(0).Activation)
	if fatal < 0 {
		return nil, false
	}
	raised := cwm.Main(t.call)
	raised.Event, raised.Value = dsl.Exception, t.tree.State(fatal).Value
	return []*dsl.Stop{raised, left}, true
}

// event writes the state of an event that a move has reached from another one.
func (t *trace) event(from, to int, m dsl.Move) error {
	stop, err := t.stop(to)
	if err != nil {
		return err
	}
	if t.call != "" {
		stop.Depth++ // function main is below
	}
	return t.step(m, stop, to-from)
}

func (t *trace) step(m dsl.Move, stop *dsl.Stop, passed int) error {
	return t.append(dsl.Step{Action: dsl.Action{Move: m}, Reply: dsl.Reply{Outcome: dsl.Landed, Stop: stop}}, passed)
}

func (t *trace) append(step dsl.Step, passed int) error {
	text, parts, err := t.w.Append(t.bytes, step)
	switch {
	case err != nil:
		return err
	case len(text) > t.most:
		return errFull
	}
	t.bytes = text
	t.Predict = append(t.Predict, Span{parts.Reply.From, parts.Reply.To})
	for _, s := range parts.Worked {
		t.Changed = append(t.Changed, Span{s.From, s.To})
	}
	t.Actions = append(t.Actions, step.Action.String())
	t.Horizons = append(t.Horizons, passed)
	return nil
}
