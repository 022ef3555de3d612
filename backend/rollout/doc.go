// Package rollout answers npdb's actions with traces of the Code World Model (package
// dsl/cwm). That model knows a single action: the next state. A Trail is the trace so far,
// together with the same states in nd/1. A Course says what to ask for next and where an
// action has landed, by asking dsl.Goal at each state of the trail.
//
// A trace identifies a line only by its text. If several lines have the same text, the
// possible control flow (python.Flow) decides; a remaining doubt is reported. A trace shows
// no locals at returns and exceptions, and does not distinguish a returned None from an
// exception that leaves the function: both follow from the earlier states.
package rollout

import "github.com/npdb/npdb/dsl"

// BackwardError is a backward action. Traces cannot express it.
type BackwardError struct{ Action dsl.Action }

func (e *BackwardError) Error() string {
	return "the Code World Model goes forwards alone: it cannot say where " + e.Action.String() + " leads"
}
