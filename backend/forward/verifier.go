// Package forward verifies pasts by asking a model where they lead. Its verdicts are predictions and
// prove nothing. They are meant for pasts that neither the program's source nor a run can decide.
package forward

import (
	"context"
	"errors"
	"slices"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/difference"
	"github.com/npdb/npdb/dsl"
)

// Verifier verifies a claim with one question to a model: does the forward move that undoes the claim's
// inverse move lead from the past to the claim's state?
type Verifier struct {
	Format *dsl.Format // the model's dialect
	// Ask asks the model where an action leads from the last state of a trajectory.
	Ask func(ctx context.Context, at *dsl.Node, a dsl.Action) (*backend.Prediction, error)
}

var _ backend.Verifier = (*Verifier)(nil)

// Verify asks the model and compares its answer with the claim's state. If the model answers with no
// state, the claim is undecided.
func (v *Verifier) Verify(ctx context.Context, c backend.Claim) (backend.Verification, error) {
	a, exact, ok := undoing(c)
	if !ok {
		return undecided("no single move leads back from such a past"), nil
	}
	at, err := v.Format.Encode(dsl.Trajectory{
		Program: c.Program, Compacted: true, Steps: []dsl.Step{{Reply: dsl.Reply{Outcome: dsl.Landed, Stop: c.Past}}},
	})
	if err != nil {
		return undecided("the past cannot be shown to the model: " + err.Error()), nil
	}
	made, err := v.Ask(ctx, at, a)
	var failed *backend.Error
	switch {
	case ctx.Err() != nil:
		return backend.Verification{}, ctx.Err()
	case errors.As(err, &failed):
		return undecided("the model gives no usable answer"), nil
	case err != nil:
		return backend.Verification{}, err
	}
	return judge(made, c.Now, exact), nil
}

func undecided(why string) backend.Verification {
	return backend.Verification{Verdict: backend.Undecided, By: backend.ByModel, Why: why}
}

// undoing returns the forward move that leads from the past of a claim to its state. exact is false if
// the state may also come after the one to which the move leads. ok is false if no move leads there.
func undoing(c backend.Claim) (a dsl.Action, exact, ok bool) {
	past, now := c.Past, c.Now
	called := len(now.Stack) > len(past.Stack) // between the two states a call began
	here := len(now.Stack) == len(past.Stack)
	switch c.Action.Move {
	case dsl.InvStepInto:
		return dsl.Action{Move: dsl.StepInto}, true, true
	case dsl.InvStepBlock:
		if called {
			return dsl.Action{Move: dsl.StepInto}, true, true
		}
	case dsl.InvStepOver:
		if called {
			return dsl.Action{Move: dsl.StepInto}, true, true
		}
		return dsl.Action{Move: dsl.StepOver}, true, true
	case dsl.InvStepReturn:
		if now.Event == dsl.Call && called {
			return dsl.Action{Move: dsl.StepInto}, false, true // it may first enter a call in the arguments
		}
	}
	switch {
	case now.Event == dsl.Return && here:
		return dsl.Action{Move: dsl.StepReturn}, c.Action.Move == dsl.InvStepReturn, true
	case now.Event == dsl.Line:
		file := slices.IndexFunc(c.Program.Files, func(f dsl.SourceFile) bool { return f.Name == now.File })
		return dsl.Action{Move: dsl.Breakpoint, Lines: []dsl.Location{{File: file, Line: now.Line}}}, false, file >= 0
	}
	return a, false, false
}

// judge compares the model's answer with the claimed state.
func judge(made *backend.Prediction, now *dsl.Stop, exact bool) backend.Verification {
	got := backend.Verification{By: backend.ByModel}
	switch reply := made.Step.Reply; {
	case reply.Outcome == dsl.Unknown:
		return undecided("the model does not say where it leads")
	case made.NoLocals:
		return undecided("the model's answers have no locals")
	case reply.Stop == nil:
		got.Difference = "the program ends"
	default:
		r := difference.Of(reply.Stop, now)
		if r.Same() {
			got.Verdict = backend.LeadsHere
			return got
		}
		if r.Text == "" {
			return undecided(r.Why)
		}
		got.Difference = r.Text
	}
	if !exact {
		return undecided("the model predicts another state first: " + got.Difference)
	}
	got.Verdict = backend.LeadsElsewhere
	return got
}
