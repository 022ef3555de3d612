package chat

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/npdb/npdb/dsl"
)

// Error is an answer that is no state: what is wrong with it, in words that the model
// that gave it can use, too.
type Error struct{ Message string }

func (e *Error) Error() string { return e.Message }

func wrong(format string, a ...any) error { return &Error{fmt.Sprintf(format, a...)} }

// Decode reads what a model answers to Messages. Beside the object it may hold thoughts in
// <think> marks before it, a fence around it, and words. The error is an *Error.
func Decode(at *dsl.Node, a dsl.Action, text string) (dsl.Step, error) {
	return decode(at, dsl.Step{Action: a}, text)
}

func decode(at *dsl.Node, s dsl.Step, text string) (dsl.Step, error) {
	var w answer
	if err := object(text, &w); err != nil {
		return dsl.Step{}, err
	}
	switch w.Outcome {
	case dsl.Ended.String():
		if w.ExitCode == nil {
			return dsl.Step{}, wrong("an end has an exit_code")
		}
		s.Reply = dsl.Reply{Outcome: dsl.Ended, Exit: &dsl.Exit{Code: *w.ExitCode, Exception: w.Value}}
	case dsl.AtStart.String():
		s.Reply = dsl.Reply{Outcome: dsl.AtStart}
	case dsl.Unknown.String():
		s.Reply = dsl.Reply{Outcome: dsl.Unknown}
	case dsl.Landed.String():
		return w.step(at, s)
	default:
		return dsl.Step{}, wrong(`the outcome is "state", "end", "start" or "unknown", not %q`, w.Outcome)
	}
	if _, err := at.Append(s); err != nil {
		return dsl.Step{}, &Error{err.Error()}
	}
	return s, nil
}

var events = map[string]dsl.Event{
	dsl.Call.String(): dsl.Call, dsl.Line.String(): dsl.Line, dsl.Return.String(): dsl.Return, dsl.Exception.String(): dsl.Exception,
}

var kinds = map[string]dsl.ReturnKind{
	dsl.Returned.String(): dsl.Returned, dsl.Yielded.String(): dsl.Yielded, dsl.Unwound.String(): dsl.Unwound,
}

// step is the step to the state that an answer tells.
func (w *answer) step(at *dsl.Node, s dsl.Step) (dsl.Step, error) {
	var d dsl.Draft
	if w.Event != nil {
		d.Event = events[*w.Event]
	}
	switch {
	case d.Event == 0:
		return dsl.Step{}, wrong(`a state has an event: "call", "line", "return" or "exception"`)
	case w.Line == nil:
		return dsl.Step{}, wrong("a state has a line")
	case d.Event == dsl.Return && w.Kind == nil:
		return dsl.Step{}, wrong(`a return has a kind: "return", "yield" or "unwind"`)
	}
	d.At = w.Line.Location
	if d.Event == dsl.Return {
		if d.Kind = kinds[*w.Kind]; d.Kind == dsl.NoReturn {
			return dsl.Step{}, wrong(`the kind of a return is "return", "yield" or "unwind", not %q`, *w.Kind)
		}
	}
	valued := d.Event == dsl.Exception || d.Kind == dsl.Returned || d.Kind == dsl.Yielded
	switch {
	case valued && w.Value == nil:
		return dsl.Step{}, wrong("a %s has a value, the repr() of it as a string", d.Event)
	case valued:
		d.Value = w.Value
	}
	if w.Function != nil {
		d.Function = *w.Function
	}
	for _, f := range w.Stack {
		drafted := dsl.DraftFrame{Function: f.Function}
		if f.Line != nil {
			drafted.At = f.Line.Location
		}
		d.Stack = append(d.Stack, drafted)
	}
	var known []dsl.Local
	if d.Stack == nil {
		known = at.Expect(s, d.Event).Known
	}
	var err error
	if d.Locals, err = w.all(known); err != nil {
		return dsl.Step{}, err
	}
	s, err = at.Compose(s, d)
	if err != nil {
		return dsl.Step{}, &Error{err.Error()}
	}
	return s, nil
}

// all are the locals of a state whose frame was shown before with those that are known.
func (w *answer) all(known []dsl.Local) ([]dsl.Local, error) {
	values := map[string]string{}
	var order []string
	for _, l := range known {
		values[l.Name] = l.Value
		order = append(order, l.Name)
	}
	told := map[string]bool{}
	for _, l := range w.Locals {
		if told[l.Name] {
			return nil, wrong("the local %q comes twice", l.Name)
		}
		told[l.Name] = true
		if _, ok := values[l.Name]; !ok {
			order = append(order, l.Name)
		}
		values[l.Name] = l.Value
	}
	if w.Names != nil {
		order = *w.Names
	}
	var locals []dsl.Local
	listed := map[string]bool{}
	for _, name := range order {
		value, ok := values[name]
		switch {
		case !ok:
			return nil, wrong("the name %q is new here: its value is missing from locals", name)
		case listed[name]:
			return nil, wrong("the name %q comes twice", name)
		}
		listed[name] = true
		locals = append(locals, dsl.Local{Name: name, Value: value})
	}
	for _, l := range w.Locals {
		if !listed[l.Name] {
			return nil, wrong("the local %q has a value, and is not among the names", l.Name)
		}
	}
	return locals, nil
}

// object reads the first JSON object of a text, thoughts before it left out.
func object(text string, into any) error {
	if i := strings.LastIndex(text, "</think>"); i >= 0 {
		text = text[i:]
	}
	i := strings.IndexByte(text, '{')
	if i < 0 {
		return wrong("there is no JSON object in the answer")
	}
	if err := json.NewDecoder(strings.NewReader(text[i:])).Decode(into); err != nil {
		return wrong("the JSON object of the answer cannot be read: %v", err)
	}
	return nil
}

// DecodeValues reads what a model answers to Values: the first state with all its values.
// The error is an *Error.
func DecodeValues(context *dsl.Node, first *dsl.Stop, missing []int, text string) (*dsl.Stop, error) {
	var w struct {
		Values []local `json:"values"`
	}
	if err := object(text, &w); err != nil {
		return nil, err
	}
	values := map[string]string{}
	for _, v := range w.Values {
		values[v.Name] = v.Value
	}
	whole := *first
	whole.Locals = append([]dsl.Local(nil), first.Locals...)
	for _, i := range missing {
		value, ok := values[whole.Locals[i].Name]
		if !ok {
			return nil, wrong("the value of %q is missing", whole.Locals[i].Name)
		}
		whole.Locals[i].Value = value
	}
	if _, err := context.Append(dsl.Step{Reply: dsl.Reply{Outcome: dsl.Landed, Stop: &whole}}); err != nil {
		return nil, &Error{err.Error()}
	}
	return &whole, nil
}
