package policy

import (
	"errors"
	"math/rand/v2"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/cwm"
	"github.com/npdb/npdb/lab/dataset/recorder"
)

// unrecorded is the horizon of a step to a state of the function main, which is added to the program and
// is not in the recording.
const unrecorded = -1

// trace is a text in the Code World Model's format that is being written.
type trace struct {
	*scene
	Trajectory
	w     *cwm.Writer
	call  string // the call that the added function main makes; "" if there is no main
	bytes []byte
	most  int
}

// writeCWM writes a walk in the Code World Model's format, which shows every state, except for those
// inside of calls that are passed over. It returns nil if the format cannot express the walk: if the
// plan begins in the middle, goes backwards, or asks by a breakpoint, or if there is an edit. The
// actions are step_into and, from a call to its return, step_return.
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
	case errors.As(err, &unsayable): // the format cannot express a state of this program
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

// over returns the probability that a call is passed over: the share of step_over among all step_over
// and step_into actions of the program.
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
	// The format cannot express main, for example because the program contains a function main.
	if unsayable := (*cwm.UnsayableError)(nil); t.call != "" && errors.As(err, &unsayable) {
		t.call = ""
		t.w, t.bytes, err = cwm.Begin(t.program, "", first)
	}
	return err
}

// walk writes the states of a plan, starting with the first one.
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

// pass writes the states that follow event i, and returns the event of the last one. Without over, that
// is the next event. With over, pass omits the states inside of calls. After a call it writes the
// return. After another event it writes all events up to the next one that is not deeper, but only the
// call and the return of each function called on the way.
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

// returns finds the event at which the call at event i returns, or yields if the call resumes a
// generator. ok is false if event i is not a call, or if its return was not recorded.
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

// end writes the end of the program, if the last event is the return of the outermost function. If the
// function main is added, that must be the function that main calls.
func (t *trace) end() error {
	last, first := t.tree.At(t.len()-1), t.tree.At(0)
	if last.Event != dsl.Return || last.Depth > 0 {
		return nil
	}
	if t.call != "" {
		name, _, _ := strings.Cut(t.call, "(")
		if last.Activation != first.Activation || t.tree.Code(first.Code).Name != strings.TrimSpace(name) {
			return nil // for example, the call of a class runs its __init__
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

// leaving returns the states in which the added function main ends. It ends like the function that it
// called: with the same value or the same exception. ok is false if no event shows which exception was
// raised.
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

// event writes the state at event to, to which the move m led from event from.
func (t *trace) event(from, to int, m dsl.Move) error {
	stop, err := t.stop(to)
	if err != nil {
		return err
	}
	if t.call != "" {
		stop.Depth++ // the frame of the added function main is below
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
