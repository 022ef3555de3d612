// Package rollout finds the answers to npdb's actions in traces of the Code World Model's
// (package dsl/cwm), which know one action: the next state. A Trail is a trace so far, beside
// the same states as nd/1 has them. A Course says what to ask for next, and where an action
// has landed: by the table of moves in docs/nd1.md, read off the trail.
//
// A trace names a line by its text alone. Which of several equal ones is meant is found by
// what can follow (python.Flow), and told where a doubt is left. It tells no locals at returns
// and exceptions, and not whether None was returned or an exception left the function: the
// states before say that.
package rollout

import "github.com/npdb/npdb/dsl"

// BackwardError is an action that traces have no words for: they go forwards.
type BackwardError struct{ Action dsl.Action }

func (e *BackwardError) Error() string {
	return "the Code World Model goes forwards alone: it cannot say where " + e.Action.String() + " leads"
}
