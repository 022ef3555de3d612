package query

import (
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace/statetree"
)

// Course gives access to the events of one activation, in the order in which they happened. Its
// calls, and the events at which a generator suspends or goes on, are left out.
type Course interface {
	// On returns the line events on the lines from first to last, ascending.
	On(first, last int) []statetree.LineEvent
	// LastOn returns the last line event up to an event that is on the lines from first to last, or -1.
	LastOn(event, first, last int) int
	// After returns the event after another one, or -1.
	After(event int) int
	Line(event int) int
	// Raised reports whether an exception is raised or passes at an event.
	Raised(event int) bool
	// Over reports whether an event is the activation's return.
	Over(event int) bool
	// Changed reports whether a name has another value at an event than at the event before.
	Changed(event int) bool
	// Holed reports whether something between two events is not recorded.
	Holed(from, to int) bool
}

// CourseOf returns the course of an activation.
func (p *Past) CourseOf(act uint32) Course {
	return course{p.tree, act, p.tree.Code(p.tree.CodeOf(act)).File}
}

// course is the course of a recorded activation.
type course struct {
	tree *statetree.Tree
	act  uint32
	file int
}

func (c course) lines(first, last int) []dsl.Location {
	at := make([]dsl.Location, 0, last-first+1)
	for line := first; line <= last; line++ {
		at = append(at, dsl.Location{File: c.file, Line: line})
	}
	return at
}

// On returns the line events on the lines from first to last.
func (c course) On(first, last int) []statetree.LineEvent {
	return c.tree.LineEvents(c.act, c.lines(first, last))
}

// mostOthers is the maximum number of events of other activations that LastOn passes over.
const mostOthers = 100_000

// LastOn returns the last line event on the lines up to event, or -1.
func (c course) LastOn(event, first, last int) int {
	at := c.lines(first, last)
	for range mostOthers {
		previous, ok := c.tree.PrevLine(event+1, at)
		if !ok {
			return -1
		}
		if c.tree.At(previous).Activation == c.act {
			return previous
		}
		event = previous - 1
	}
	return -1
}

// After returns the next event, or -1.
func (c course) After(event int) int {
	out := c.tree.Land(event, dsl.Action{Move: dsl.StepOver})
	if out.Boundary != statetree.NoBoundary || c.tree.At(out.Event).Activation != c.act {
		return -1
	}
	return out.Event
}

// Line returns the line of an event.
func (c course) Line(event int) int { return c.tree.At(event).Line }

// Raised reports whether an event is an exception.
func (c course) Raised(event int) bool { return c.tree.At(event).Event == dsl.Exception }

// Over reports whether an event is the last return.
func (c course) Over(event int) bool {
	r := c.tree.At(event)
	return r.Event == dsl.Return && r.Kind != dsl.Yielded
}

// Changed reports whether a name changed before an event.
func (c course) Changed(event int) bool { return len(c.tree.Changed(event)) > 0 }

// Holed reports whether a hole lies between two events.
func (c course) Holed(from, to int) bool {
	edge, ok := c.tree.HoleUpTo(to)
	return ok && edge > from
}
