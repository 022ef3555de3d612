package query

import (
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace/statetree"
)

// By returns the frame whose line made the changes that an event shows: the line that ran
// between the previous event and this one. The frame's Event is the event of that line, or -1
// if no line ran before or it was not recorded.
func (p *Past) By(event int) statetree.StackFrame {
	if event <= 0 || p.tree.At(event).AfterGap {
		return statetree.StackFrame{Event: -1}
	}
	stack := p.tree.Stack(event - 1)
	top := len(stack) - 1
	if r := p.tree.At(event - 1); r.Event == dsl.Return && top > 0 {
		top-- // the caller's line continued
	}
	return stack[top]
}
