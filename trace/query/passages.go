package query

import (
	"math"

	"github.com/npdb/npdb/python"
)

// Passage is one execution of a basic block in an activation.
type Passage struct {
	Block       int // index in python.CodeBlocks.Blocks
	Event, Last int // its first and its last line event
}

// FindPassages returns the executions of a code object's blocks in an activation, in order. It takes time
// linear in the number of their line events.
func FindPassages(c Course, blocks *python.Blocks, code *python.CodeBlocks) (found []Passage) {
	last, line := -1, 0 // the previous line event, and its line
	for _, e := range c.On(code.Line, min(code.Last, math.MaxInt32)) {
		now := c.Line(e.Event)
		own, block, ok := blocks.At(now)
		if !ok || own.Line != code.Line || own.Name != code.Name {
			continue // the line belongs to another code object or to no statement
		}
		goesOn := last >= 0 && e.Before == last && blocks.Straight(line, now) && !c.Holed(last, e.Event)
		if !goesOn {
			found = append(found, Passage{Block: block, Event: e.Event})
		}
		found[len(found)-1].Last = e.Event
		last, line = e.Event, now
	}
	return found
}

// End returns the event that follows a passage in its activation. That event has the values after the
// block. If no such event is known, open is true and End returns the passage's last line event.
func (p Passage) End(c Course) (event int, open bool) {
	if event = c.After(p.Last); event < 0 {
		return p.Last, true
	}
	return event, false
}
