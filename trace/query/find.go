package query

import (
	"context"
	"errors"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
)

// Find returns the first line event after from at which an expression is true in the top frame
// or, if limit is before from, the last such event before from. It does not check the event
// limit itself. An event at which the expression raises an exception does not count. otherwise,
// if not nil, decides where the expression cannot be evaluated from the recording. When stop
// returns true, the search ends, and event is the last one that was checked.
func (p *Past) Find(ctx context.Context, expr string, from, limit int, otherwise func(event int) bool, stop func() bool) (event int, found bool, err error) {
	c, err := p.Condition(expr)
	var refused *python.RefusedError
	if err != nil && !errors.As(err, &refused) {
		return from, false, err
	}
	step := 1
	if limit < from {
		step = -1
	}
	var scope Scope
	last := ^uint32(0)
	for at := from + step; at != limit && (at < limit) == (step > 0); at += step {
		r := p.tree.At(at)
		if r.Activation != last {
			scope, last = p.ScopeOf(r.Activation), r.Activation
		}
		if r.Event == dsl.Line && p.holds(ctx, c, scope, at, otherwise) {
			return at, true, nil
		}
		if stop() {
			return at, false, nil
		}
	}
	return limit, false, nil
}

// holds reports whether a condition is true at an event. If the recording does not decide it (c is
// nil, or a value is unknown), holds returns the result of the function otherwise, or false if that
// is nil.
func (p *Past) holds(ctx context.Context, c *python.Condition, s Scope, event int, otherwise func(event int) bool) bool {
	if c != nil {
		holds, err := c.Truth(ctx, p.lookup(s, event))
		var raised *python.EvalError
		if err == nil || errors.As(err, &raised) {
			return holds
		}
	}
	return otherwise != nil && otherwise(event)
}
