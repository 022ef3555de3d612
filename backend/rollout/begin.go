package rollout

import (
	"slices"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/cwm"
	"github.com/npdb/npdb/python"
)

// Begin returns the trail for a history. It appends each state that a trace can express. After an
// edit, or a jump to other activations, the trace starts again from the latest states of the
// activations on the stack, and Trail.Lost reports true. The error is a *cwm.UnsayableError or a
// *dsl.EncodeError.
func Begin(at *dsl.Node) (*Trail, error) {
	p := at.Program()
	s := &subject{program: p, lines: map[string][]int{}}
	if len(p.Files) == 1 {
		text := strings.Join(p.Files[0].Lines, "\n") + "\n"
		s.flow, s.blocks = python.ReadFlow([]byte(text)), python.BlocksOf(text)
		for i, line := range p.Files[0].Lines {
			s.lines[line] = append(s.lines[line], i+1)
		}
	} else {
		return nil, &cwm.UnsayableError{What: "a program of several files"}
	}
	var t *Trail
	var latest []*dsl.Stop // the latest known state of each activation on the stack
	var from *dsl.Stop
	for _, step := range at.Trajectory().Steps {
		stop := step.Reply.Stop
		if stop == nil {
			continue
		}
		latest = recall(latest, stop)
		var next *Trail
		switch {
		case t == nil:
			next, _ = start(s, stop)
		case step.Action.Move.Inverse():
			next = t.back(stop)
		case !step.Edit && step.Action.Move != 0:
			next = t.follow(step)
		}
		if next == nil {
			var err error
			if next, err = anew(s, latest); err != nil {
				return nil, err
			}
		}
		if m := step.Action.Move; from != nil && m != 0 && m.Dies(from, stop) {
			dead := *next
			dead.mortem = true
			next = &dead
		}
		t, from = next, stop
	}
	if t == nil {
		return nil, &cwm.UnsayableError{What: "a program without a state"}
	}
	return t, nil
}

// recall returns the latest known state of each activation on the stack of stop, nil where it is
// unknown. latest holds those before stop. If a frame below the top has another function or line than in
// latest, another activation is there, so the states from that frame up are unknown.
func recall(latest []*dsl.Stop, stop *dsl.Stop) []*dsl.Stop {
	now := make([]*dsl.Stop, len(stop.Stack))
	for i := range stop.Depth {
		if i >= len(latest) || latest[i] == nil || latest[i].Function != stop.Stack[i].Function || latest[i].Line != stop.Stack[i].Line {
			break
		}
		now[i] = latest[i]
	}
	now[stop.Depth] = stop
	return now
}

// follow returns the trail after a step of the history, or nil if a trace cannot express the step.
func (t *Trail) follow(step dsl.Step) *Trail {
	stop := *step.Reply.Stop
	stop.Activations, stop.Whole = nil, false
	forced := t.own.event == dsl.Call && !t.Over() && stop.Event == dsl.Return && stop.Depth == t.depth() && step.Action.Move != dsl.StepInto
	next, err := t.append(&stop, forced)
	if err != nil {
		return nil
	}
	next.lost = next.lost || step.Action.Move != dsl.StepInto && !forced
	return next
}

// back returns the trail up to an earlier state that equals stop, or nil if there is none.
func (t *Trail) back(stop *dsl.Stop) *Trail {
	for p := t; p != nil; p = p.prev {
		was := p.State()
		if was.Event == stop.Event && was.Line == stop.Line && was.Depth == stop.Depth && was.Function == stop.Function && slices.Equal(was.Locals, stop.Locals) {
			return p
		}
	}
	return nil
}

// anew returns a new trail for the activations on the stack, outermost first. For each activation it
// contains the call with the known parameters, and the latest state.
func anew(s *subject, latest []*dsl.Stop) (*Trail, error) {
	var t *Trail
	var err error
	top := latest[len(latest)-1]
	take := func(stop *dsl.Stop) {
		stop.Stack = append([]dsl.Frame(nil), stop.Stack[:stop.Depth+1]...)
		stop.Stack[stop.Depth] = dsl.Frame{Function: stop.Function, File: stop.File, Line: stop.Line}
		stop.Activations, stop.Whole = nil, false
		if t == nil {
			t, err = start(s, stop)
		} else {
			t, err = t.append(stop, false)
		}
	}
	for depth, frame := range top.Stack {
		var known dsl.Stop
		if latest[depth] != nil {
			known = *latest[depth]
		} else {
			known.State = dsl.State{Event: dsl.Line, File: frame.File, Line: frame.Line, Function: frame.Function}
			if lines := s.program.Files[0].Lines; frame.Line >= 1 && frame.Line <= len(lines) {
				known.Source = lines[frame.Line-1]
			}
		}
		known.Depth, known.Stack = depth, top.Stack
		if known.Function != "<module>" && known.Event != dsl.Call {
			take(s.call(&known))
		}
		if err == nil && known.Line > 0 && (t != nil || known.Event == dsl.Line || known.Event == dsl.Call) {
			if known.Event == dsl.Return && depth < top.Depth {
				known.Event, known.Kind, known.Value = dsl.Line, dsl.NoReturn, nil
			}
			take(&known)
		}
		if err != nil {
			return nil, err
		}
	}
	if t == nil {
		return nil, &cwm.UnsayableError{What: "a trace that begins with the end of a program"}
	}
	t.lost = true
	return t, nil
}

// call returns the call event of the activation of a state.
func (s *subject) call(of *dsl.Stop) *dsl.Stop {
	call := *of
	call.Event, call.Kind, call.Value, call.Locals = dsl.Call, dsl.NoReturn, nil, nil
	if c := s.code(of); c != nil {
		call.Line = c.Line
		for _, l := range of.Locals {
			for _, p := range c.Params {
				if p == l.Name {
					call.Locals = append(call.Locals, l)
				}
			}
		}
	}
	if lines := s.program.Files[0].Lines; call.Line >= 1 && call.Line <= len(lines) {
		call.Source = lines[call.Line-1]
	}
	return &call
}
