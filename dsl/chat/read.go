package chat

import (
	"errors"
	"fmt"
	"slices"

	"github.com/npdb/npdb/dsl"
)

// Error reports an invalid answer. The message is also sent to the model, as a correction.
type Error struct {
	Message string
	Outside bool // the answer names a line that the program does not have
}

func (e *Error) Error() string { return e.Message }

func wrong(format string, a ...any) error { return &Error{Message: fmt.Sprintf(format, a...)} }

// refused converts an encoding error to an Error. Its message does not mention nd/1, which a chat
// model does not know.
func refused(err error) error {
	var cannot *dsl.EncodeError
	if errors.As(err, &cannot) {
		return &Error{Message: cannot.Message, Outside: dsl.Outside(err)}
	}
	return &Error{Message: err.Error(), Outside: dsl.Outside(err)}
}

// Decode parses a model's answer to Messages. The JSON object may be preceded by thoughts that end
// with </think>, and surrounded by a code fence and other words. Decode accepts deviations with one
// obvious meaning, such as a number as a value, or locals as one object. The error is an *Error.
func Decode(at *dsl.Node, a dsl.Action, text string) (dsl.Step, error) {
	return decode(at, dsl.Step{Action: a}, text)
}

func decode(at *dsl.Node, s dsl.Step, text string) (dsl.Step, error) {
	fields, _, err := object(text, "outcome")
	if err != nil {
		return dsl.Step{}, err
	}
	r := &reading{fields: fields, several: len(at.Program().Files) > 1}
	outcome := ""
	if named := r.text("outcome"); named != nil {
		outcome = *named
	}
	switch outcome {
	case dsl.Ended.String():
		s.Reply = dsl.Reply{Outcome: dsl.Ended, Exit: r.exit()}
	case dsl.AtStart.String():
		s.Reply = dsl.Reply{Outcome: dsl.AtStart}
	case dsl.Unknown.String():
		s.Reply = dsl.Reply{Outcome: dsl.Unknown}
	case dsl.Landed.String():
		return r.step(at, s)
	default:
		r.wrong(`"outcome" is to be "state", "end", "start" or "unknown", not %s`, shown(fields["outcome"]))
	}
	if r.err != nil {
		return dsl.Step{}, r.err
	}
	if _, err := at.Append(s); err != nil {
		return dsl.Step{}, refused(err)
	}
	return s, nil
}

// exit returns the program's exit in an answer with the outcome "end".
func (r *reading) exit() *dsl.Exit {
	code := r.number("exit_code")
	if code == nil {
		r.wrong(`an end is to have an "exit_code": 0, or 1 after an exception that nobody caught`)
		return nil
	}
	return &dsl.Exit{Code: *code, Exception: r.value()}
}

// value returns the repr of the value that is returned, yielded or raised, or nil if the field is
// missing.
func (r *reading) value() *string {
	raw := r.has("value")
	if raw == nil {
		return nil
	}
	text := r.written(raw, `"value"`)
	return &text
}

var events = map[string]dsl.Event{
	dsl.Call.String(): dsl.Call, dsl.Line.String(): dsl.Line, dsl.Return.String(): dsl.Return, dsl.Exception.String(): dsl.Exception,
}

var kinds = map[string]dsl.ReturnKind{
	dsl.Returned.String(): dsl.Returned, dsl.Yielded.String(): dsl.Yielded, dsl.Unwound.String(): dsl.Unwound,
}

// step returns step s with the answer's state as its reply.
func (r *reading) step(at *dsl.Node, s dsl.Step) (dsl.Step, error) {
	var d dsl.Draft
	if event := r.text("event"); event != nil {
		d.Event = events[*event]
	}
	if d.Event == 0 {
		r.wrong(`a state is to have an "event": "call", "line", "return" or "exception"`)
	}
	if line := r.has("line"); line != nil {
		d.At = r.place(line)
	} else {
		r.wrong(`a state is to have a "line"`)
	}
	d.Kind, d.Value = r.leaving(d.Event)
	if name := r.text("function"); name != nil {
		d.Function = *name
	}
	d.Stack = r.stack("stack")
	var known []dsl.Local
	if d.Stack == nil {
		known = at.Expect(s, d.Event).Known
	}
	d.Locals = r.all(known)
	if r.err != nil {
		return dsl.Step{}, r.err
	}
	s, err := at.Compose(s, d)
	if err != nil {
		return dsl.Step{}, refused(err)
	}
	return s, nil
}

// leaving returns the kind and the value of a return or an exception. For other events it ignores
// these fields.
func (r *reading) leaving(event dsl.Event) (kind dsl.ReturnKind, value *string) {
	if event != dsl.Return && event != dsl.Exception {
		return dsl.NoReturn, nil
	}
	if event == dsl.Return {
		if named := r.text("kind"); named != nil {
			kind = kinds[*named]
		}
		switch kind {
		case dsl.NoReturn:
			r.wrong(`a return is to have a "kind": "return", "yield" or "unwind"`)
			return kind, nil
		case dsl.Unwound:
			return kind, nil
		}
	}
	if value = r.value(); value == nil {
		what := "an exception"
		if event == dsl.Return {
			what = "a " + kind.String()
		}
		r.wrong(`%s is to have a "value", a string with its repr(): of None it is "None"`, what)
	}
	return kind, value
}

// all returns all locals of the answer's state: those in the answer, and the unchanged ones from
// known, the locals in the latest state of the frame.
func (r *reading) all(known []dsl.Local) (locals []dsl.Local) {
	values := map[string]string{}
	var order []string
	for _, l := range known {
		values[l.Name] = l.Value
		order = append(order, l.Name)
	}
	told := r.locals("locals")
	for _, l := range told {
		if _, ok := values[l.Name]; !ok {
			order = append(order, l.Name)
		}
		values[l.Name] = l.Value
	}
	if names := r.names("names"); names != nil {
		order = *names
	}
	listed := map[string]bool{}
	for _, name := range order {
		value, ok := values[name]
		switch {
		case !ok:
			r.wrong(`%q is among the "names" and new here: "locals" is to have its value`, name)
		case listed[name]:
			r.wrong(`%q comes twice in "names"`, name)
		}
		listed[name] = true
		locals = append(locals, dsl.Local{Name: name, Value: value})
	}
	for _, l := range told {
		if !listed[l.Name] {
			r.wrong(`%q has a value in "locals": "names" is to have it too, or to be null`, l.Name)
		}
	}
	return locals
}

// DecodeValues parses a model's answer to Values. It returns the first state with all its values,
// and the spans of each value in the text. The error is an *Error.
func DecodeValues(context *dsl.Node, first *dsl.Stop, missing []int, text string) (*dsl.Stop, map[string][]dsl.Span, error) {
	fields, at, err := object(text, "values")
	if err != nil {
		return nil, nil, err
	}
	r := &reading{fields: fields}
	values := map[string]string{}
	for _, v := range r.locals("values") {
		values[v.Name] = v.Value
	}
	whole := *first
	whole.Locals = append([]dsl.Local(nil), first.Locals...)
	for _, i := range missing {
		value, ok := values[whole.Locals[i].Name]
		if !ok {
			r.wrong("the value of %q is missing", whole.Locals[i].Name)
		}
		whole.Locals[i].Value = value
	}
	if r.err != nil {
		return nil, nil, r.err
	}
	if _, err := context.Append(dsl.Step{Reply: dsl.Reply{Outcome: dsl.Landed, Stop: &whole}}); err != nil {
		return nil, nil, refused(err)
	}
	var told map[string][]dsl.Span
	for _, m := range slices.Backward(members(text, at)) {
		if m.name == "values" {
			told = toldLocals(text, m)
			break
		}
	}
	return &whole, told, nil
}
