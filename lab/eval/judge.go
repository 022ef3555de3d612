package eval

import (
	"context"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/session/compare"
)

// equal reports whether two reprs are equal values: they differ only in irrelevant details, or Python's
// == reports that they are equal.
func equal(ctx context.Context, a, b string) bool {
	if compare.Values(a, b, compare.All()).Kind == compare.Same {
		return true
	}
	same, err := python.Truth(ctx, "a == b", python.Names{List: []dsl.Local{{Name: "a", Value: a}, {Name: "b", Value: b}}})
	return err == nil && same
}

// execute runs a function with CPython from its call, and returns the state of its return. It returns
// nil if the text does not determine that state, or if the program cannot be executed.
func (r *runner) execute(ctx context.Context, at *dsl.Node) (*dsl.Stop, error) {
	select {
	case r.runs <- struct{}{}:
		defer func() { <-r.runs }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	got, err := judgeAnswer(r.Oracle.Predict(ctx, backend.Question{At: at, Action: dsl.Action{Move: dsl.StepReturn}}, nil))
	if err != nil || got.fate != answered {
		return nil, err
	}
	return got.step.Reply.Stop, nil
}

// called returns a node that begins with a call.
func (r *runner) called(p *dsl.Program, call *dsl.Stop) (*dsl.Node, error) {
	at, err := r.Format.Begin(p)
	if err != nil {
		return nil, err
	}
	return at.Append(dsl.Step{Reply: dsl.Reply{Outcome: dsl.Landed, Stop: call}})
}

// isCall reports whether a state is the call of the outermost function.
func isCall(s *dsl.Stop) bool { return s != nil && s.Event == dsl.Call && len(s.Stack) == 1 }

// isReturn reports whether a state is a return of the outermost function, with a value.
func isReturn(s *dsl.Stop) bool {
	return s != nil && s.Event == dsl.Return && s.Kind == dsl.Returned && len(s.Stack) == 1 && s.Value != nil
}

// comesTo executes a predicted call with CPython and reports whether it returns value. executed is false
// if the arguments cannot be evaluated, or if the text does not determine the result.
func (r *runner) comesTo(ctx context.Context, p *dsl.Program, call *dsl.Stop, value string) (right, executed bool, err error) {
	at, err := r.called(p, call)
	if err != nil {
		return false, false, nil // no text can express this state
	}
	stop, err := r.execute(ctx, at)
	if err != nil || !isReturn(stop) {
		return false, stop != nil, err
	}
	return equal(ctx, *stop.Value, value), true, nil
}
