package python

import (
	"context"
	"fmt"
	"slices"

	"github.com/npdb/npdb/dsl"
)

// Eval, Pretty, Whatis, Truth and Assign evaluate expressions without Python: each name's value is
// known by its repr (docs/expressions.md). Their errors are *RefusedError if the reprs do not
// determine the result or the expression is not supported, *EvalError if the expression raises an
// exception or has a syntax error, *LimitError if the evaluation grows too large or takes too long
// (two seconds, or until the deadline of ctx), and ctx's own error if it is cancelled.

// Names holds the names that an expression can read, with their reprs.
type Names struct {
	List []dsl.Local
	// Unknown explains why a name that is not in the list may have a value that is not known. It
	// returns "" if the name has no value. A nil Unknown means that the list is complete.
	Unknown func(name string) string
}

// Eval returns the repr of expr's value. Only the names in expr are read; a name whose repr is not
// a literal, or whose value is not known, is a *RefusedError.
func Eval(ctx context.Context, expr string, names Names) (string, error) {
	return answer(ctx, expr, names, (*evaluation).repr)
}

// Pretty returns the value of expr as pprint.pformat formats it.
func Pretty(ctx context.Context, expr string, names Names) (string, error) {
	return answer(ctx, expr, names, (*evaluation).pretty)
}

// Whatis returns what pdb's whatis prints for the value of expr: "<class 'int'>",
// "Function <lambda>", "Class builtins.int".
func Whatis(ctx context.Context, expr string, names Names) (string, error) {
	return answer(ctx, expr, names, func(_ *evaluation, v pyValue) string { return whatis(v) })
}

// Truth reports whether the value of expr is true.
func Truth(ctx context.Context, expr string, names Names) (bool, error) {
	text, err := answer(ctx, expr, names, func(ev *evaluation, v pyValue) string { return ev.repr(truth(v)) })
	return text == "True", err
}

// answer evaluates expr and formats its value.
func answer(ctx context.Context, expr string, names Names, write func(*evaluation, pyValue) string) (text string, err error) {
	err = within(ctx, names, func(ev *evaluation) {
		text = write(ev, ev.expression(ev.parse(expr)))
		if len(text) > textLimit {
			panic(tooLarge("a text of more than %d MiB", textLimit>>20))
		}
	})
	if err != nil {
		return "", err
	}
	return text, nil
}

// within calls work with a new evaluation and its limits, and returns the error that work panics
// with.
func within(ctx context.Context, names Names, work func(ev *evaluation)) (err error) {
	if _, ok := ctx.Deadline(); !ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, timeLimit)
		defer cancel()
	}
	if ctx.Err() != nil {
		return givenUp(ctx)
	}
	ev := newEvaluation(ctx)
	ev.changes = true
	ev.recorded = make(map[string]string, len(names.List))
	for _, l := range names.List {
		ev.recorded[l.Name] = l.Value
	}
	ev.unknown = names.Unknown
	defer recoverError(&err)
	work(ev)
	return nil
}

// parse parses an expression that the user typed.
func (ev *evaluation) parse(text string) *node {
	checkLength(text)
	e, err := parseExpression(text)
	if err != nil {
		panic(err)
	}
	return e
}

func checkLength(text string) {
	if len(text) > expressionLimit {
		panic(tooLarge("an expression of %d KiB, more than %d", len(text)>>10, expressionLimit>>10))
	}
}

// expression evaluates e: it checks the rules, parses the reprs of the names that e reads, and
// computes the value.
func (ev *evaluation) expression(e *node) pyValue {
	r := &rules{recorded: ev.recorded, outer: map[string]bool{}}
	r.walk(e, nil)
	ev.values = map[string]pyValue{}
	names := make([]string, 0, len(r.outer))
	for name := range r.outer {
		names = append(names, name)
	}
	slices.Sort(names)
	size := 0
	for _, name := range names {
		text, recorded := ev.recorded[name]
		switch {
		case recorded:
			if size += len(text); size > textLimit {
				panic(&LimitError{Reason: fmt.Sprintf("its values are more than %d MiB of text", textLimit>>20)})
			}
			value, reason := ev.read(text)
			if reason != "" {
				panic(refused(name, shorten(text)+" "+reason))
			}
			ev.values[name] = value
		case ev.unknown != nil && ev.unknown(name) != "":
			panic(refused(name, ev.unknown(name)))
		case otherBuiltins[name]:
			panic(refused(name, "is a builtin that has effects, or needs more than the texts of values"))
		}
	}
	return ev.eval(e, &scope{vars: map[string]pyValue{}})
}

// whatis returns what pdb's whatis prints for a value (Lib/pdb.py, do_whatis).
func whatis(v pyValue) string {
	switch v := v.(type) {
	case *pyLambda:
		return "Function <lambda>"
	case *pyType:
		return "Class builtins." + v.name
	}
	return "<class '" + typeName(v) + "'>"
}
