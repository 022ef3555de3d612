package session_test

import (
	"context"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/session"
)

// fakeEvaluator knows names and NAME == NUMBER.
type fakeEvaluator struct{}

func (fakeEvaluator) Eval(_ context.Context, expr string, locals []dsl.Local) (string, error) {
	if strings.Contains(expr, "===") {
		return "", &python.EvalError{Type: "SyntaxError", Message: "invalid syntax"}
	}
	if strings.HasPrefix(expr, "open") {
		return "", &python.RefusedError{Name: "open", Reason: "it has effects"}
	}
	if text, ok := session.Lookup(locals, strings.TrimSuffix(expr, " + 0")); ok {
		return text, nil
	}
	return "", &python.EvalError{Type: "NameError", Message: "name '" + expr + "' was not recorded here"}
}

func (e fakeEvaluator) Pretty(ctx context.Context, expr string, locals []dsl.Local) (string, error) {
	return e.Eval(ctx, expr, locals)
}

func (fakeEvaluator) Whatis(context.Context, string, []dsl.Local) (string, error) {
	return "<class 'int'>", nil
}

func (e fakeEvaluator) Truth(_ context.Context, expr string, locals []dsl.Local) (bool, error) {
	name, want, ok := strings.Cut(expr, " == ")
	text, found := session.Lookup(locals, name)
	if !ok || !found {
		return false, &python.RefusedError{Name: name, Reason: "it was not recorded"}
	}
	return text == want, nil
}

func (fakeEvaluator) Outline(context.Context, []byte, string) (python.Outline, error) {
	return python.Outline{
		Executable: []int{1, 2, 3, 5, 6, 7},
		Functions:  []python.Function{{Name: "f", QualName: "f", Line: 1, BodyLine: 2, EndLine: 3}},
	}, nil
}

func (fakeEvaluator) Close() error { return nil }
