package session

import (
	"context"
	"fmt"
	"slices"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace/query"
	"github.com/npdb/npdb/trace/statetree"
)

// loopSource gives access to the events of an activation, and to its values as of an event.
type loopSource interface {
	query.Course
	// names returns the names that have a value at an event, without those that are hidden by default.
	names(event int) []string
	// value returns the value of a name, or of an attribute of a name.
	value(name string, event int) query.Reading
	// sample returns a text that differs if the value is another one. number reports that it is the
	// text of a value that may be a number.
	sample(name string, event int) (text string, number, ok bool)
	// touched reports whether the object that a name has at an event changed after from.
	touched(name string, from, event int) bool
	// holds reports whether a condition is true at an event.
	holds(ctx context.Context, condition string, event int) (bool, error)
}

// recordedLoop is the source for an activation of the recording.
type recordedLoop struct {
	query.Course
	past  *query.Past
	scope query.Scope
	paths map[string]python.Path
}

func recordedLoopOf(p *query.Past, act uint32) *recordedLoop {
	return &recordedLoop{p.CourseOf(act), p, p.ScopeOf(act), map[string]python.Path{}}
}

func (l *recordedLoop) names(event int) []string {
	return visibleNames(l.past.Tree().LocalsOf(l.scope.Activation, event))
}

func visibleNames(locals []dsl.Local) []string {
	var names []string
	for _, local := range locals {
		if !local.Hidden && !local.Unknown {
			names = append(names, local.Name)
		}
	}
	return names
}

// resolve returns the value of a name, or of an attribute of a name.
func (l *recordedLoop) resolve(name string, event int) (statetree.Value, bool) {
	path, known := l.paths[name]
	if !known {
		if c, err := l.past.Condition(name); err == nil {
			path, _ = c.Path()
		}
		l.paths[name] = path
	}
	return l.past.Resolve(path, l.scope, event)
}

func (l *recordedLoop) value(name string, event int) query.Reading {
	v, ok := l.resolve(name, event)
	if !ok {
		return query.Reading{}
	}
	return query.Reading{Text: l.past.Tree().Text(v, event), OK: true}
}

func (l *recordedLoop) sample(name string, event int) (text string, number, ok bool) {
	v, ok := l.resolve(name, event)
	if o, object := v.Object(); ok && object {
		return fmt.Sprint("object ", o), false, true
	} else if !ok {
		return "", false, false
	}
	return l.past.Tree().Text(v, event), true, true
}

func (l *recordedLoop) touched(name string, from, event int) bool {
	v, ok := l.resolve(name, event)
	return ok && l.past.Touched(v, from, event)
}

func (l *recordedLoop) holds(ctx context.Context, condition string, event int) (bool, error) {
	c, err := l.past.Condition(condition)
	if err != nil {
		return false, err
	}
	return l.past.TruthIn(ctx, c, l.scope, event)
}

// predictedLoop is the source for an activation of predicted states: of those that were asked for, one
// after another, up to the shown one. An event is a state's place among them.
type predictedLoop struct {
	states     nav.States
	activation uint32
	chain      []int // the states, the earliest first
}

// own returns a state if it is one of the activation.
func (l *predictedLoop) own(event int) (r statetree.Record, ok bool) {
	r = l.states.At(l.chain[event])
	return r, r.Activation == l.activation
}

// step returns the activation's next event in a direction, or -1.
func (l *predictedLoop) step(event, by int) int {
	for event += by; 0 <= event && event < len(l.chain); event += by {
		r, own := l.own(event)
		if own && (r.Event == dsl.Line || r.Event == dsl.Exception || by > 0 && r.Event == dsl.Return && r.Kind != dsl.Yielded) {
			return event
		}
	}
	return -1
}

// On returns the line events on the lines from first to last.
func (l *predictedLoop) On(first, last int) []statetree.LineEvent {
	var events []statetree.LineEvent
	for event := range l.chain {
		if r, own := l.own(event); own && r.Event == dsl.Line && first <= r.Line && r.Line <= last {
			e := statetree.LineEvent{Event: event, Before: l.step(event, -1)}
			if e.Before >= 0 {
				e.BeforeLine = l.Line(e.Before)
			}
			events = append(events, e)
		}
	}
	return events
}

// LastOn returns the last line event on the lines from first to last that is not after event, or
// -1.
func (l *predictedLoop) LastOn(event, first, last int) int {
	for _, e := range slices.Backward(l.On(first, last)) {
		if e.Event <= event {
			return e.Event
		}
	}
	return -1
}

// After returns the next event, or -1.
func (l *predictedLoop) After(event int) int { return l.step(event, +1) }

// Line returns the line of an event.
func (l *predictedLoop) Line(event int) int { return l.states.At(l.chain[event]).Line }

// Raised reports whether an event is an exception.
func (l *predictedLoop) Raised(event int) bool {
	return l.states.At(l.chain[event]).Event == dsl.Exception
}

// Over reports whether an event is the last return.
func (l *predictedLoop) Over(event int) bool {
	r, _ := l.own(event)
	return r.Event == dsl.Return && r.Kind != dsl.Yielded
}

func (l *predictedLoop) locals(event int) []dsl.Local {
	return l.states.LocalsOf(l.activation, l.chain[event])
}

// Changed reports whether a name changed before an event.
func (l *predictedLoop) Changed(event int) bool {
	before := l.step(event, -1)
	return before >= 0 && !slices.Equal(l.locals(before), l.locals(event))
}

// Holed reports whether a hole lies between two events.
func (*predictedLoop) Holed(int, int) bool { return false }

func (l *predictedLoop) names(event int) []string { return visibleNames(l.locals(event)) }

func (l *predictedLoop) value(name string, event int) query.Reading {
	text, ok := lookup(l.locals(event), name)
	return query.Reading{Text: text, OK: ok}
}

func (l *predictedLoop) sample(name string, event int) (text string, number, ok bool) {
	r := l.value(name, event)
	return r.Text, true, r.OK
}

func (*predictedLoop) touched(string, int, int) bool { return false }

func (l *predictedLoop) holds(ctx context.Context, condition string, event int) (bool, error) {
	stack := l.states.Stack(l.chain[event])
	i := slices.IndexFunc(stack, func(f statetree.StackFrame) bool { return f.Activation == l.activation })
	if i < 0 {
		return false, nil
	}
	return python.Truth(ctx, condition, nav.Names(l.states, nil, stack, i, l.chain[event], condition))
}
