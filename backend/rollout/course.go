package rollout

import (
	"regexp"
	"slices"
	"strconv"

	"github.com/npdb/npdb/dsl"
)

// Course decides what to request from the model, state by state, until an action lands.
type Course struct {
	action dsl.Action
	goal   dsl.Goal
	start  *Trail
	open   bool // calls are now entered instead of skipped
}

// Set begins an action at the end of a trail. The error is a *BackwardError.
func Set(at *Trail, a dsl.Action) (*Course, error) {
	if a.Move.Inverse() {
		return nil, &BackwardError{a}
	}
	return &Course{action: a, goal: a.Goal(at.moment()), start: at}, nil
}

// Ask describes the next request to the model.
type Ask struct {
	// Forced requests the return of the call at the end of the trail, without the states in
	// between.
	Forced bool
	// Single requests only one state, instead of all states until the action lands.
	Single bool
	// From is an earlier trail from which to continue; nil for the current one.
	From *Trail
}

// Look returns the next request after the trail has grown to at. If the action has landed, reply is
// set instead, and landed is the trail up to the state of the reply, which may be earlier than at.
func (c *Course) Look(at *Trail) (ask Ask, reply *dsl.Reply, landed *Trail) {
	if c.start.mortem { // the exception has ended the program: any forward move leads to the end
		return ask, &dsl.Reply{Outcome: dsl.Ended, Exit: &dsl.Exit{Code: 1, Exception: at.State().Value}}, at
	}
	if at.exited {
		return ask, &dsl.Reply{Outcome: dsl.Ended, Exit: &dsl.Exit{}}, at
	}
	if at != c.start && !c.open && c.goal.Lands(at.moment()) {
		return ask, &dsl.Reply{Outcome: dsl.Landed, Stop: at.State()}, at
	}
	if at.Over() {
		return c.end(at)
	}
	if at.own.event == dsl.Call && !c.open && c.passes(at) {
		return Ask{Forced: true, Single: true}, nil, nil
	}
	m := c.action.Move
	return Ask{Single: !c.open && (m == dsl.StepInto || m == dsl.StepOver)}, nil, nil
}

// passes reports whether the call at the end of a trail can be skipped because the action cannot land
// inside of it. If the action began in a generator that is now suspended at a yield, no call can be
// skipped: it may resume the generator.
func (c *Course) passes(at *Trail) bool {
	switch c.action.Move {
	case dsl.StepOver, dsl.StepReturn, dsl.StepBlock:
		if at.depth() <= c.goal.Depth {
			return false
		}
	default:
		return false
	}
	own := c.goal.Own
	sleeps := own >= 0 && !slices.ContainsFunc(at.scopes, func(s scope) bool { return s.id == own })
	return !sleeps && (!c.goal.Places || at.own.id != own)
}

// moment returns the last event in the form that the table of moves (dsl.Goal) needs.
func (t *Trail) moment() dsl.Moment {
	stop, own := t.State(), t.own
	outermost := own
	if !t.Over() {
		outermost = t.scopes[0]
	}
	return dsl.Moment{
		Event: own.event, Kind: stop.Kind, Resumed: own.resumed, Suspends: own.code != nil && own.code.Generator,
		Depth: stop.Depth, Activation: own.id, Outermost: outermost.id, At: dsl.Location{Line: own.line}, Straight: own.straight,
	}
}

// exits matches the repr of a SystemExit, with its exit status.
var exits = regexp.MustCompile(`^SystemExit\((.*)\)$`)

// end returns the result of an action that reached the end of the program. If an uncaught exception
// ended the program, the result is the innermost event of this exception. Only the next action leads to
// the end.
func (c *Course) end(at *Trail) (Ask, *dsl.Reply, *Trail) {
	exit := &dsl.Exit{}
	fatal := at.fatal()
	if fatal == nil {
		return Ask{}, &dsl.Reply{Outcome: dsl.Ended, Exit: exit}, at
	}
	raised := fatal.State()
	if found := exits.FindStringSubmatch(*raised.Value); found != nil {
		if code, err := strconv.Atoi(found[1]); err == nil {
			exit.Code = code & 0xff // exit statuses have eight bits
		} else if found[1] != "" && found[1] != "None" {
			exit.Code = 1
		}
		return Ask{}, &dsl.Reply{Outcome: dsl.Ended, Exit: exit}, at
	}
	if inner := fatal.prev; inner != nil && inner.forced && inner.depth() > fatal.depth() && inner.saysNone() && !c.open {
		c.open = true // the exception was raised in a skipped call: request its states to find the line
		return Ask{From: inner.prev}, nil, nil
	}
	dead := *fatal
	dead.mortem = true
	return Ask{}, &dsl.Reply{Outcome: dsl.Landed, Stop: raised}, &dead
}

// fatal returns the trail up to the state at which the uncaught exception was raised, or nil if
// there is none.
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

// saysNone reports whether a return has the value None or no value. In a trace this is also true for the
// return of a function that an exception leaves.
func (t *Trail) saysNone() bool {
	value := t.State().Value
	return value == nil || *value == "None"
}

// raisedIn returns the trail up to the latest exception in the activation that returns at the end of
// left, or nil if there is none.
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
