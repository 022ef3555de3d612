package computed

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
)

// course keeps an interpreter at the current state of a history, and follows the history as it grows.
type course struct {
	in *python.Interpreter
	at *dsl.Node // the node that the interpreter has reached; nil before the first

	begun bool // the interpreter was started at the first state

	// ahead or err is the result of the action asked, if it was already computed from at. Then the
	// interpreter is past at.
	asked dsl.Action
	ahead *dsl.Reply
	err   error

	passed int // number of events over which the last computed move passed
}

func (c *course) close() {
	if c != nil {
		c.in.Close()
	}
}

// advance follows the history to a node. It returns false if the interpreter cannot get there.
func (c *course) advance(ctx context.Context, to *dsl.Node) bool {
	var path []*dsl.Node
	for n := to; n != c.at; n = n.Parent() {
		if n == nil {
			return false
		}
		if _, ok := n.Step(); ok {
			path = append(path, n)
		} else if c.at != nil {
			return false
		}
	}
	slices.Reverse(path)
	for _, n := range path {
		step, _ := n.Step()
		switch {
		case c.begun && given(step):
		case step.Edit:
			if !c.edit(step.Reply.Stop) {
				return false
			}
		case !c.follow(ctx, step):
			return false
		}
		c.at = n
	}
	return c.at == to
}

// follow advances the interpreter by a step of the history. It computes the step itself; if the
// state in the history differs, it sets the interpreter to that state.
func (c *course) follow(ctx context.Context, step dsl.Step) bool {
	if c.at != nil && (step.Action.Move.Inverse() || c.moved() && step.Action.String() != c.asked.String()) {
		return false
	}
	action := step.Action
	if c.at == nil {
		action = dsl.Action{Move: dsl.StepInto}
	}
	if !c.moved() {
		_, _ = c.move(ctx, action)
	}
	ahead := c.ahead
	c.ahead, c.err = nil, nil
	if ctx.Err() != nil {
		return false
	}
	shown := step.Reply
	switch {
	case shown.Outcome == dsl.Unknown:
		return false
	case ahead != nil && same(*ahead, shown):
		return true
	case shown.Stop == nil:
		return false
	}
	c.in.Show(shown.Stop, way(action.Move))
	return true
}

// edit sets the interpreter's locals to values that the user changed. It returns false if it cannot.
func (c *course) edit(stop *dsl.Stop) bool {
	if c.at == nil || c.moved() || stop == nil || stop.Event != dsl.Line {
		return false
	}
	c.in.Show(stop, python.Edited)
	return true
}

// way returns how much of the program may have run during a move that was not computed.
func way(m dsl.Move) python.Way {
	switch m {
	case dsl.StepInto:
		return python.OneEvent
	case dsl.StepOver, dsl.StepReturn, dsl.StepBlock:
		return python.SameFrames
	}
	return python.Anywhere
}

// moved reports whether the interpreter has already computed a move that starts at c.at.
func (c *course) moved() bool { return c.ahead != nil || c.err != nil }

var errUncaught = errors.New("an uncaught exception ends the program")

// move computes where an action leads from c.at. If the program's source does not determine it, the
// error is the interpreter's.
func (c *course) move(ctx context.Context, a dsl.Action) (reply dsl.Reply, err error) {
	if c.moved() {
		if a.String() != c.asked.String() {
			return dsl.Reply{}, errElsewhere
		}
		if c.err != nil {
			return dsl.Reply{}, c.err
		}
		return *c.ahead, nil
	}
	c.asked = a
	reply, err = c.run(ctx, a)
	if c.err = err; err == nil {
		c.ahead = &reply
	}
	return reply, err
}

// run advances the interpreter event by event until the action lands.
func (c *course) run(ctx context.Context, a dsl.Action) (dsl.Reply, error) {
	goal := a.Goal(c.in.Moment())
	for c.passed = 0; ; c.passed++ {
		stop, exit, err := c.in.Next(ctx)
		if err != nil {
			return dsl.Reply{}, err
		}
		if reply, err := c.landed(a, goal, stop, exit); reply != nil || err != nil {
			return *cmp.Or(reply, &dsl.Reply{}), err
		}
	}
}

// landed returns the reply if the action lands on the interpreter's latest state or on the program's
// exit, or nil if the action passes over it.
func (c *course) landed(a dsl.Action, goal dsl.Goal, stop *dsl.Stop, exit *dsl.Exit) (*dsl.Reply, error) {
	switch {
	case exit != nil && exit.Exception != nil && a.Move != dsl.StepInto:
		return nil, errUncaught // the move should stop where the exception was raised
	case exit != nil:
		return &dsl.Reply{Outcome: dsl.Ended, Exit: exit}, nil
	case goal.Lands(c.in.Moment()):
		return &dsl.Reply{Outcome: dsl.Landed, Stop: stop}, nil
	}
	return nil, nil
}

// same reports whether two replies contain the same state.
func same(a, b dsl.Reply) bool {
	if a.Outcome != b.Outcome {
		return false
	}
	if a.Stop == nil || b.Stop == nil {
		return a.Stop == b.Stop
	}
	x, y := a.Stop, b.Stop
	return x.Event == y.Event && x.Kind == y.Kind && x.Line == y.Line && x.File == y.File && x.Function == y.Function && len(x.Stack) == len(y.Stack) &&
		(x.Value == nil) == (y.Value == nil) && (x.Value == nil || *x.Value == *y.Value) &&
		slices.EqualFunc(visible(x.Locals), visible(y.Locals), func(a, b dsl.Local) bool { return a.Name == b.Name && a.Value == b.Value })
}

func visible(locals []dsl.Local) []dsl.Local {
	return slices.DeleteFunc(slices.Clone(locals), func(l dsl.Local) bool { return l.Hidden })
}
