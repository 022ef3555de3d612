package dap

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/google/go-dap"

	"github.com/npdb/npdb/session"
)

// evaluate evaluates an expression, or runs a line of the debug console.
func (c *client) evaluate(r *request) (any, error) {
	var in dap.EvaluateArguments
	if err := r.into(&in); err != nil {
		return nil, err
	}
	frame := c.view().Selected
	if in.FrameId > 0 {
		var err error
		if frame, err = c.frame(in.FrameId); err != nil {
			return nil, err
		}
	}
	if in.Context == "repl" || in.Context == "" {
		return c.typed(in, frame)
	}
	if frame < 0 || frame >= len(c.view().Frames) {
		return nil, errors.New("the program has ended: there is no frame here")
	}
	if value, ok := c.handles.edited[place{frame, in.Expression}]; ok {
		return c.valueIn(in.Context, frame, value, in.Expression), nil
	}
	v, err := c.viewOf(frame)
	if err != nil {
		return nil, err
	}
	for _, l := range v.Locals { // those of a library's frame are not recorded, but shown
		if l.Name == in.Expression && !l.Unknown {
			return c.valueIn(in.Context, frame, l.Value, in.Expression), nil
		}
	}
	var a *session.Answer
	if err := c.inFrame(frame, func() error {
		a = c.query(session.Evaluate{Expression: in.Expression, Recorded: true})
		return nil
	}); err != nil {
		return nil, err
	}
	switch {
	case a.Err != nil && a.Err.Kind == session.Refused:
		return nil, fmt.Errorf("%s: npdb runs none of the program's code for this: evaluate it in the debug console", in.Expression)
	case a.Err != nil:
		return nil, a.Err
	}
	return c.valueIn(in.Context, frame, *a.Value, in.Expression), nil
}

// valueIn returns a value as the client sees it in a context. Only some contexts get all of it.
func (c *client) valueIn(context string, frame int, value, expression string) dap.EvaluateResponseBody {
	body := c.evaluated(frame, value, expression)
	if context == "hover" || context == "watch" {
		body.Result = begin(body.Result)
	}
	return body
}

// evaluated returns a value as the client sees it.
func (c *client) evaluated(frame int, value, expression string) dap.EvaluateResponseBody {
	body := dap.EvaluateResponseBody{Result: value, Type: typeOf(value)}
	body.VariablesReference, body.NamedVariables, body.IndexedVariables = c.expandable(frame, value, expression)
	return body
}

// typed runs a line of the debug console: a command of npdb, an expression or a statement.
func (c *client) typed(in dap.EvaluateArguments, frame int) (any, error) {
	if in.FrameId != c.handles.typed { // else a frame that the console has selected stays selected
		if by := c.view().Selected - frame; by != 0 && frame < len(c.view().Frames) {
			if a := c.query(session.SelectFrame{By: by}); a.Err != nil {
				return nil, a.Err
			}
		}
	}
	before := c.i.Position()
	c.handles.stale()
	c.handles.edited = nil // the line may assign too
	c.pausing.Store(false)
	var said []string
	var last *session.Answer
	failed, moved := false, false
	c.i.Line(c.ctx, in.Expression, func(a *session.Answer) {
		c.print(a, true)
		if text, ok := a.Text(session.Said); ok {
			said = append(said, text)
		}
		if failed = a.Err != nil; failed {
			said = append(said, a.Err.Marked())
		}
		if a.Waiting != session.ForCommand {
			said = append(said, a.Prompt)
		}
		moved = moved || a.Visit != 0 && a.Visit != c.visit
		c.seen(a)
		last = a
	})
	c.progressed()
	c.handles.typed = in.FrameId
	text := strings.Join(said, "\n")
	if last == nil {
		return dap.EvaluateResponseBody{}, nil
	}
	if moved || last.Quit || c.i.Position() != before {
		c.after = &after{move{reason: "step"}, last}
		return dap.EvaluateResponseBody{Result: text}, nil
	}
	c.after = &after{}
	if failed {
		return nil, errors.New(strings.TrimPrefix(text, "*** "))
	}
	if len(said) == 1 && !strings.Contains(text, "\n") {
		return c.evaluated(frame, text, in.Expression), nil
	}
	return dap.EvaluateResponseBody{Result: text}, nil
}

// after is what a request changed besides its response. Without an answer, only values may have changed.
type after struct {
	move
	answer *session.Answer
}

// settle tells the client what a request changed besides its response: breakpoints, values, the position.
func (c *client) settle() {
	did := c.after
	c.after = nil
	switch {
	case did == nil || c.i == nil:
	case did.answer != nil:
		c.arrived(&did.move, did.answer)
	default:
		c.sync()
		c.handles.stale()
		if c.about.SupportsInvalidatedEvent {
			c.event("invalidated", dap.InvalidatedEventBody{Areas: []dap.InvalidatedAreas{"variables"}})
		}
	}
}

// setVariable assigns to a variable.
func (c *client) setVariable(r *request) (any, error) {
	var in dap.SetVariableArguments
	if err := r.into(&in); err != nil {
		return nil, err
	}
	h, err := c.holder(in.VariablesReference)
	if err != nil {
		return nil, err
	}
	path := h.pathTo(in.Name)
	if path == "" {
		return nil, fmt.Errorf("setVariable: npdb cannot assign to %s", in.Name)
	}
	set, err := c.assign(h.frame, path, in.Value)
	if err != nil {
		return nil, err
	}
	return dap.SetVariableResponseBody{
		Value: set.Result, Type: set.Type, VariablesReference: set.VariablesReference,
		NamedVariables: set.NamedVariables, IndexedVariables: set.IndexedVariables,
	}, nil
}

// setExpression assigns to an expression.
func (c *client) setExpression(r *request) (any, error) {
	var in dap.SetExpressionArguments
	if err := r.into(&in); err != nil {
		return nil, err
	}
	frame := c.view().Selected
	if in.FrameId > 0 {
		var err error
		if frame, err = c.frame(in.FrameId); err != nil {
			return nil, err
		}
	}
	set, err := c.assign(frame, in.Expression, in.Value)
	if err != nil {
		return nil, err
	}
	return dap.SetExpressionResponseBody{
		Value: set.Result, Type: set.Type, VariablesReference: set.VariablesReference,
		NamedVariables: set.NamedVariables, IndexedVariables: set.IndexedVariables,
	}, nil
}

// assign assigns a value to an expression, and returns its new value. It does not run the program again for
// that, which an edit in the past needs: the debug console asks the user first.
func (c *client) assign(frame int, path, value string) (set dap.EvaluateResponseBody, err error) {
	statement := path + " = " + value
	if strings.ContainsAny(statement, "\r\n") {
		return set, errors.New("the value must be one line")
	}
	err = c.inFrame(frame, func() error {
		if a := c.query(session.Execute{Statement: statement, Forced: true}); a.Err != nil {
			if a.Err.Kind == session.Refused && c.i.Mode() == session.Real {
				return fmt.Errorf("%s (type !%s in the debug console to be asked)", a.Err.Message, statement)
			}
			return a.Err
		}
		a := c.query(session.Evaluate{Expression: path})
		if a.Err != nil {
			return a.Err
		}
		c.handles.edit(place{frame, path}, *a.Value)
		set = c.evaluated(frame, *a.Value, path)
		return nil
	})
	if err == nil {
		c.after = &after{}
	}
	c.handles.stale()
	return set, err
}

// completions completes a line of the debug console.
func (c *client) completions(r *request) (any, error) {
	var in dap.CompletionsArguments
	if err := r.into(&in); err != nil {
		return nil, err
	}
	units := utf16.Encode([]rune(in.Text))
	base := 0
	if c.about.ColumnsStartAt1 {
		base = 1
	}
	line := string(utf16.Decode(units[:min(max(in.Column-base, 0), len(units))]))
	from, words := c.i.Complete(c.ctx, line)
	from = min(max(from, 0), len(line))
	start, length := len(utf16.Encode([]rune(line[:from]))), len(utf16.Encode([]rune(line[from:])))
	items := make([]dap.CompletionItem, 0, len(words))
	for _, w := range slices.Compact(words) {
		items = append(items, dap.CompletionItem{Label: w, Start: start + base, Length: length})
	}
	return dap.CompletionsResponseBody{Targets: items}, nil
}
