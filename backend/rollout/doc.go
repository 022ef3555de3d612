// Package rollout predicts npdb's actions with the Code World Model, which continues traces (package
// dsl/cwm). The model knows only one action: the next state. A Trail is the trace so far, together with
// the same states in nd/1. A Course decides what to request next, and uses dsl.Goal at each state of the
// trail to find where the action lands.
//
// A trace identifies a line only by its source text. If several lines have the same text, the
// possible control flow (python.Flow) decides; if that is ambiguous too, Trail.Doubt reports it. A
// trace shows no locals at returns and exceptions, and does not distinguish a returned None from an
// exception that leaves the function: both are derived from the earlier states.
//
// An event is forced if the prompt already contains it, and the model only completes its frame. npdb
// forces the return event after a call to skip the states inside of the call.
package rollout

import "github.com/npdb/npdb/dsl"

// BackwardError reports a backward action, which traces cannot express.
type BackwardError struct{ Action dsl.Action }

func (e *BackwardError) Error() string {
	return "the Code World Model goes forwards alone: it cannot say where " + e.Action.String() + " leads"
}
