package session

import (
	"context"
	"errors"
	"strconv"

	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace/query"
	"github.com/npdb/npdb/trace/statetree"
)

// Change is a change of the value of an expression.
type Change struct {
	Event int // the first event at which the expression has the new value
	// By is the frame whose line made the change. By.Event is the event at which that line begins,
	// -1 if no line ran before.
	By statetree.StackFrame
	// Set is the frame whose line set the attribute or element, if that happened before By's line
	// assigned the object to the name in the expression. SetAt is the event after that line. Set is
	// nil if By's line set the value, or if the line is unknown.
	Set      *statetree.StackFrame
	SetAt    int
	Old, New query.Reading
}

// follower finds the values and changes of an expression over time.
type follower interface {
	// last returns the latest change at or before an event.
	last(event int) (Change, bool)
	// at returns the value at an event.
	at(event int) query.Reading
	// until returns the last event at which the expression can have a value.
	until() int
	// scope returns " in f" if the names are locals of function f, else "".
	scope() string
	// among describes which events were searched, "" if all were.
	among() string
}

// follow returns a follower for an expression in the selected frame, and that frame.
func (vs *values) follow(ctx context.Context, expr string) (f follower, frame statetree.StackFrame, err error) {
	if frame, err = vs.position.recordedFrame(); err != nil {
		return nil, frame, err
	}
	if err := vs.checkExpression(ctx, expr); err != nil {
		return nil, frame, errorf(BadArgument, "Cannot follow %s: %s", expr, err)
	}
	p := vs.program.past()
	if p == nil {
		f, err = vs.followPredicted(frame, expr)
		return f, frame, err
	}
	followed, err := p.Follow(expr, nav.Scope(p, frame), vs.position.here())
	var refused *python.RefusedError
	switch {
	case errors.As(err, &refused):
		return nil, frame, errorf(Refused, "Cannot follow %s: %s. What can be followed is a name, an attribute, an element, len(…) and what operators make of them", expr, refused.Reason)
	case err != nil:
		return nil, frame, errorf(BadArgument, "Cannot follow %s: %s", expr, err)
	}
	return &recordedFollower{Followed: followed, values: vs, frame: frame}, frame, nil
}

// recordedFollower finds the changes of an expression in a recording.
type recordedFollower struct {
	*query.Followed
	values *values
	frame  statetree.StackFrame // the selected frame
}

func (f *recordedFollower) stop() bool { return f.values.program.mustEnd() }

func (f *recordedFollower) last(event int) (Change, bool) {
	c, ok := f.Last(event, f.stop)
	change := f.values.program.changeOf(c)
	if !ok {
		return change, false
	}
	if at, ok := f.Set(c, f.stop); ok {
		if by := f.values.program.past().By(at); by.Event >= 0 {
			change.SetAt, change.Set = at, &by
		}
	}
	return change, true
}

func (f *recordedFollower) at(event int) query.Reading { return f.At(event) }

// own reports whether the names are locals of the selected frame, and so end with it.
func (f *recordedFollower) own() bool {
	act, local := f.Local()
	return local && act == f.frame.Activation
}

// until returns the last event of the selected frame if the names are its own, else the last event
// that may be shown.
func (f *recordedFollower) until() int {
	furthest := f.values.program.recorded().Furthest()
	if f.own() {
		if _, last := f.values.program.past().Tree().Lifetime(f.frame.Activation); last >= 0 {
			return min(last, furthest)
		}
	}
	return furthest
}

func (f *recordedFollower) scope() string {
	if !f.own() {
		return ""
	}
	return " in " + f.frame.Function
}

func (f *recordedFollower) among() string { return "" }

// valueText formats a value, cut to room characters.
func valueText(r query.Reading, room int) string {
	switch {
	case r.Unknown != "":
		return "not known (" + shorten(r.Unknown, room) + ")"
	case !r.OK:
		return "no value"
	}
	return shorten(r.Text, room)
}

const (
	valueAlone   = 200 // characters of a value that is shown alone
	valueChanged = 60  // characters of the old and of the new value of a change
)

// changedTexts formats the old and the new value of a change. Both are cut to room characters so
// that the first difference is visible.
func changedTexts(c Change, room int) (old, now string) {
	if !c.Old.OK || !c.New.OK {
		return valueText(c.Old, room), valueText(c.New, room)
	}
	return shortenBoth(c.Old.Text, c.New.Text, room)
}

// changeText formats a change: the expression, the old and the new value.
func changeText(expr string, c Change) string {
	room := valueChanged
	if !c.Old.OK || !c.New.OK {
		room = valueAlone
	}
	old, now := changedTexts(c, room)
	text := expr + ": " + old + " -> " + now
	if c.Old.OK && c.New.OK && c.Old.Text == c.New.Text && !c.Old.Same(c.New) {
		text += ", another object that looks the same"
	}
	return text
}

// placeLine formats the location of a frame: "prog.py:12 in f".
func placeLine(f statetree.StackFrame) string {
	if f.Line <= 0 {
		return "an unknown line"
	}
	text := escape.Line(f.File) + ":" + strconv.Itoa(f.Line)
	if f.Function != "<module>" {
		text += " in " + f.Function
	}
	return text
}

// predictedFollower finds the changes of a name in the predicted states that led to the position.
type predictedFollower struct {
	states     nav.States
	activation uint32
	name       string
	chain      []int // the states that led to the position, the latest first
}

// followPredicted returns a follower for predicted states. They contain the values of names only,
// so other expressions are an error.
func (vs *values) followPredicted(frame statetree.StackFrame, expr string) (follower, error) {
	if !python.IsName(expr) {
		return nil, errorf(Refused, "Cannot follow %s: a model tells the values of names as texts, so only a name can be followed in neural mode", expr)
	}
	p := vs.program.states().(interface {
		CameBy(i int) (before int, inverse bool)
	})
	f := &predictedFollower{states: vs.program.states(), activation: frame.Activation, name: expr}
	for at := vs.position.here(); at >= 0; {
		before, inverse := p.CameBy(at)
		f.chain = append(f.chain, at)
		if inverse {
			break // an inferred state is earlier than the state it was inferred from
		}
		at = before
	}
	return f, nil
}

func (f *predictedFollower) at(event int) query.Reading {
	text, ok := lookup(f.states.LocalsOf(f.activation, event), f.name)
	return query.Reading{Text: text, OK: ok}
}

func (f *predictedFollower) last(event int) (Change, bool) {
	for i, at := range f.chain {
		if at > event {
			continue
		}
		var old query.Reading
		by := statetree.StackFrame{Event: -1}
		if i+1 < len(f.chain) {
			before := f.chain[i+1]
			old = f.at(before)
			if stack := f.states.Stack(before); len(stack) > 0 {
				by = stack[len(stack)-1]
			}
		}
		if now := f.at(at); now != old {
			return Change{Event: at, By: by, Old: old, New: now}, true
		}
	}
	return Change{}, false
}

func (f *predictedFollower) until() int { return f.chain[0] }

func (f *predictedFollower) scope() string { return "" }

func (f *predictedFollower) among() string {
	return "\n(among the states that the model was asked for, one after another to this one; what lies between was not predicted)"
}
