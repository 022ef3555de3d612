package nav

import (
	"slices"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
)

// Edit adds a state in which a local of the newest frame has another value, or does not exist if
// value is "". Later moves continue from that state.
func (s *Predicted) Edit(at int, name, value string) (trace.Position, error) {
	stop := *s.list[at].stop
	stop.Locals = slices.Clone(stop.Locals)
	value = s.Redact.Value(name, value)
	i := slices.IndexFunc(stop.Locals, func(l dsl.Local) bool { return l.Name == name })
	switch {
	case value == "" && i < 0: // the name exists only in the module
		return trace.Position{}, errorf(PythonRaised, "NameError: name '%s' is not a local of this frame", name)
	case value == "":
		stop.Locals = slices.Delete(stop.Locals, i, i+1)
	case i >= 0:
		stop.Locals[i] = dsl.Local{Name: name, Value: value}
	default:
		stop.Locals = append(stop.Locals, dsl.Local{Name: name, Value: value})
	}
	return s.amend(at, &stop)
}

// amend appends stop as a state that the user made from state at.
func (s *Predicted) amend(at int, stop *dsl.Stop) (trace.Position, error) {
	stop = s.Redact.Stop(stop)
	node, err := s.list[at].node.Append(dsl.Step{Edit: true, Reply: dsl.Reply{Outcome: dsl.Landed, Stop: stop}})
	if err != nil {
		return trace.Position{}, errorf(Refused, "The edited state cannot be shown to a model: %v", err)
	}
	i := s.add(prediction{node: node, stop: stop, before: at, origin: dsl.Edited})
	return s.positionOf(i), nil
}

// Jump adds a state in which another line of the function runs next; source is the line's text. The
// state begins a new text, because no action leads there.
func (s *Predicted) Jump(at, line int, source string) (trace.Position, error) {
	stop := *s.list[at].stop
	stop.Event, stop.Kind, stop.Value = dsl.Line, dsl.NoReturn, nil
	stop.Line, stop.Source = line, source
	stop.Stack = slices.Clone(stop.Stack)
	stop.Stack[stop.Depth].Line = line
	pos, err := s.amend(at, &stop)
	if err != nil {
		return pos, err
	}
	made := &s.list[pos.Event]
	made.node, err = made.node.Compact()
	return pos, err
}

// Way returns the actions that led to a state, in their order.
func (s *Predicted) Way(to int) []dsl.Action {
	var actions []dsl.Action
	for i := to; s.list[i].before >= 0; i = s.list[i].before {
		if step, ok := s.list[i].node.Step(); ok && step.Action.Move != 0 {
			actions = append(actions, step.Action)
		}
	}
	slices.Reverse(actions)
	return actions
}
