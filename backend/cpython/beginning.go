package cpython

import (
	"github.com/npdb/npdb/dsl"
)

// beginning is what a text shows before its first action.
type beginning struct {
	given     []dsl.Reply // states, outermost activation first, or an end
	compacted bool        // what led to them is not in the text
}

// beginningOf returns the beginning that ends with a node.
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

// isGiven reports whether a node is of its text's beginning.
func isGiven(n *dsl.Node) bool {
	step, ok := n.Step()
	return !ok || step.Action.Move == 0 && !step.Edit
}

// origin is how a program is run so that it comes to a text's beginning.
type origin struct {
	// first is the state that the program has to begin with; nothing where all that
	// is known is that it comes to the beginning some time.
	first dsl.Reply
	// outer is a state of the function that was called under --entry, nil where the
	// module is run. Of it the arguments are taken.
	outer *dsl.Stop
	// call is the text of a call to make where there is no state of it.
	call string
}

// origin finds how the program is run.
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

// key returns what identifies the origin among those of a context: the texts of two
// beginnings of one run differ, and its recording serves both.
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
