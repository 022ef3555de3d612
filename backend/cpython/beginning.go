package cpython

import (
	"github.com/npdb/npdb/dsl"
)

// beginning holds the states with which a text begins, before its first action.
type beginning struct {
	given     []dsl.Reply // states, outermost activation first, or an end
	compacted bool        // the text omits the steps before these states
}

// beginningOf returns the beginning of a text. n is the last node before the first action.
func beginningOf(n *dsl.Node) beginning {
	var b beginning
	for ; n.Parent() != nil; n = n.Parent() {
		step, ok := n.Step()
		if !ok {
			b.compacted = true
			continue
		}
		b.given = append([]dsl.Reply{step.Reply}, b.given...)
	}
	return b
}

// isGiven reports whether a node belongs to the beginning of its text: neither an action nor an edit led
// to it.
func isGiven(n *dsl.Node) bool {
	step, ok := n.Step()
	return !ok || step.Action.Move == 0 && !step.Edit
}

// origin describes how to run a program so that it reaches the beginning of a text.
type origin struct {
	// first is the state with which the run must begin. It is the zero Reply if the run need only
	// reach the beginning of the text at some point.
	first dsl.Reply
	// outer is a state of the function that is called under --entry. The call's arguments are read from
	// it. It is nil if the module is run.
	outer *dsl.Stop
	// call is the source of the call to make if outer is nil, as for Predictor.Record; "" for none.
	call string
}

// origin returns how to run the program so that it reaches this beginning.
func (b beginning) origin() (origin, error) {
	if len(b.given) == 0 {
		return origin{}, undetermined("the text has no state yet")
	}
	last := b.given[len(b.given)-1]
	switch s := last.Stop; {
	case s == nil && b.compacted:
		return origin{}, undetermined("the text begins with the end: what was run is not in it")
	case s == nil:
		return origin{first: last}, nil
	case s.Stack[0].Function == "<module>":
		return origin{}, nil
	case len(s.Stack) == 1 && s.Event == dsl.Call && !b.compacted:
		return origin{first: last, outer: s}, nil
	}
	for _, shown := range b.given {
		if s := shown.Stop; s != nil && len(s.Stack) == 1 {
			return origin{outer: s}, nil
		}
	}
	return origin{}, undetermined("the text begins in the middle of a call, and does not show with what arguments it began")
}

// key identifies the origin among those of one program. Texts with different beginnings that come from
// the same run have the same key and share its recording.
func (o origin) key() string {
	var key string
	if o.outer != nil {
		key = "call " + o.outer.Function + "\x00" + o.outer.File
		key += "\x00" + string(rune(o.outer.Event)) + string(rune(o.outer.Line))
		for _, l := range visible(o.outer.Locals) {
			key += "\x00" + l.Name + "\x00" + l.Value
		}
	}
	if o.first.Exit != nil {
		key += "end"
	}
	return key
}
