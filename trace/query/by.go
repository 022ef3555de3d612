package query

import (
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace/statetree"
)

// By returns the frame whose line ran between the event before one and that event: what
// changed as of the event, this line changed. Its Event is the line's own, and -1
// where nothing ran before, or nothing is recorded of it.
func (p *Past) By(event int) statetree.StackFrame {
	if event <= 0 || p.tree.At(event).AfterGap {
		return statetree.StackFrame{Event: -1}
	}
	stack := p.tree.Stack(event - 1)
	top := len(stack) - 1
	if r := p.tree.At(event - 1); r.Event == dsl.Return && top > 0 {
		top-- // the rest of the caller's line
	}
	return stack[top]
}
