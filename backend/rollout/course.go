package rollout

import (
	"regexp"
	"slices"
	"strconv"

	"github.com/npdb/npdb/dsl"
)

// Course is an action on its way from a state.
type Course struct {
	action dsl.Action
	start  *Trail
	open   bool // no call is passed over any more
	inside bool // it begins within a generator or a coroutine, whose yields are passed over
}

// Set begins an action at a trail. The error is a *BackwardError.
func Set(at *Trail, a dsl.Action) (*Course, error) {
	if a.Move.Inverse() {
		return nil, &BackwardError{a}
	}
	c := &Course{action: a, start: at}
	c.inside = at.own.code != nil && at.own.code.Generator && at.own.event != dsl.Return
	return c, nil
}

// Ask is what is asked of a model next.
type Ask struct {
	// Forced: the return of the call that the trail stands at.
	Forced bool
	// Single: one state. Else as many as there are up to where the action lands.
	Single bool
	// From is an earlier place, to be asked from again; nil for where the trail has come to.
	From *Trail
}

// Look describes what to ask with a trail that has come so far, or where the action has landed:
// then reply is set, with the trail at its state, which may be an earlier one.
func (c *Course) Look(at *Trail) (ask Ask, reply *dsl.Reply, landed *Trail) {
	if c.start.mortem { // any move forward from there is the end
		return ask, &dsl.Reply{Outcome: dsl.Ended, Exit: &dsl.Exit{Code: 1, Exception: at.State().Value}}, at
	}
	if at.exited {
		return ask, &dsl.Reply{Outcome: dsl.Ended, Exit: &dsl.Exit{}}, at
	}
	if at != c.start && !c.open && c.lands(at) {
		return ask, &dsl.Reply{Outcome: dsl.Landed, Stop: at.State()}, at
	}
	if at.Over() {
		return c.end(at)
	}
	m := c.action.Move
	if at.own.event == dsl.Call && !c.open && !c.sleeps(at) {
		switch {
		case m == dsl.StepReturn && (at == c.start || c.start.own.event != dsl.Return || at.depth() >= c.start.depth()),
			m == dsl.StepOver && at != c.start && at.depth() > c.start.depth():
			return Ask{Forced: true, Single: true}, nil, nil
		}
	}
	return Ask{Single: !c.open && (m == dsl.StepInto || m == dsl.StepOver)}, nil, nil
}

// sleeps reports whether the generator that the action began in has yielded: it may be
// resumed in any call.
func (c *Course) sleeps(at *Trail) bool {
	return c.inside && !slices.ContainsFunc(at.scopes, func(s scope) bool { return s.id == c.start.own.id })
}

func (c *Course) lands(at *Trail) bool {
	event, depth := at.own.event, at.depth()
	final := event == dsl.Return && at.State().Kind != dsl.Yielded
	own := at.own.id == c.start.own.id
	switch c.action.Move {
	case dsl.StepInto:
		return true
	case dsl.StepOver:
		if c.inside {
			return own && (event == dsl.Line || event == dsl.Exception || final) || final && at.Over()
		}
		return depth <= c.start.depth()
	case dsl.StepReturn:
		if c.start.own.event == dsl.Return {
			return depth < c.start.depth()
		}
		return own && final || final && at.Over()
	case dsl.Breakpoint:
		return event == dsl.Line && slices.Contains(c.action.Lines, dsl.Location{Line: at.own.line})
	}
	return false
}

// exits finds the status in the repr of a SystemExit.
var exits = regexp.MustCompile(`^SystemExit\((.*)\)$`)

// end returns where an action lands that has reached the end: at the innermost exception of those
// that nothing has caught, the first time.
func (c *Course) end(at *Trail) (Ask, *dsl.Reply, *Trail) {
	exit := &dsl.Exit{}
	fatal := at.fatal()
	if fatal == nil {
		return Ask{}, &dsl.Reply{Outcome: dsl.Ended, Exit: exit}, at
	}
	raised := fatal.State()
	if found := exits.FindStringSubmatch(*raised.Value); found != nil {
		if code, err := strconv.Atoi(found[1]); err == nil {
			exit.Code = code & 0xff // what a process can tell
		} else if found[1] != "" && found[1] != "None" {
			exit.Code = 1
		}
		return Ask{}, &dsl.Reply{Outcome: dsl.Ended, Exit: exit}, at
	}
	if inner := fatal.prev; inner != nil && inner.forced && inner.depth() > fatal.depth() && inner.saysNone() && !c.open {
		c.open = true // it comes from a call that was passed over: where in it, is to be seen
		return Ask{From: inner.prev}, nil, nil
	}
	dead := *fatal
	dead.mortem = true
	return Ask{}, &dsl.Reply{Outcome: dsl.Landed, Stop: raised}, &dead
}

// fatal returns the state at which the exception was raised that has left the outermost
// activation; nil where none has.
func (t *Trail) fatal() *Trail {
	if !t.Over() || t.State().Kind != dsl.Unwound {
		return nil
	}
	raised := raisedIn(t)
	for raised != nil {
		deeper := raised.prev
		if deeper == nil || deeper.own.event != dsl.Return || deeper.State().Kind != dsl.Unwound || deeper.depth() != raised.depth()+1 {
			return raised
		}
		inner := raisedIn(deeper)
		if inner == nil {
			return raised
		}
		raised = inner
	}
	return raised
}

// saysNone reports whether a return has the value that an exception has, too.
func (t *Trail) saysNone() bool {
	value := t.State().Value
	return value == nil || *value == "None"
}

// raisedIn returns the latest exception of an activation that has been left.
func raisedIn(left *Trail) *Trail {
	for p := left.prev; p != nil; p = p.prev {
		if p.own.id == left.own.id {
			if p.own.event == dsl.Exception {
				return p
			}
			if p.own.event == dsl.Call {
				return nil
			}
		}
	}
	return nil
}
