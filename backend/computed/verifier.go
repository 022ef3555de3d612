package computed

import (
	"context"
	"slices"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/difference"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
)

// Verifier verifies claims by computing states from the program's source. It runs no code of the
// program.
type Verifier struct {
	version python.Version
	texts   texts
}

// NewVerifier returns a verifier of claims about programs of Python version v.
func NewVerifier(v python.Version) *Verifier { return &Verifier{version: v} }

// Verify computes the states after the past of a claim until it finds the claim's state, or until no
// later state can be it. It takes at most two seconds.
func (v *Verifier) Verify(ctx context.Context, c backend.Claim) (backend.Verification, error) {
	if why := v.texts.fault(c); why != "" {
		return backend.Verification{Verdict: backend.CannotRun, By: backend.ByText, Why: why}, nil
	}
	limited, cancel := context.WithTimeout(ctx, timeLimit)
	defer cancel()
	made, err := v.verify(limited, c)
	if ctx.Err() != nil {
		return backend.Verification{}, ctx.Err()
	}
	if err != nil {
		return undecided(err.Error()), nil
	}
	return made, nil
}

func undecided(why string) backend.Verification {
	return backend.Verification{Verdict: backend.Undecided, By: backend.ByText, Why: why}
}

func elsewhere(difference string) backend.Verification {
	return backend.Verification{Verdict: backend.LeadsElsewhere, By: backend.ByText, Difference: difference}
}

var leadsHere = backend.Verification{Verdict: backend.LeadsHere, By: backend.ByText}

// verify verifies a claim whose past is a possible state. The error is the reason why the source does
// not decide.
func (v *Verifier) verify(ctx context.Context, c backend.Claim) (backend.Verification, error) {
	program, err := v.texts.parse(c.Program, v.version)
	if err != nil {
		return backend.Verification{}, err
	}
	if returnsFrom(c) {
		return verifyCall(ctx, program, c)
	}
	h := newHunt(c, program, v.texts.suspends(c.Program, c.Now))
	_, err = python.Run(ctx, program, c.Past, h.visit)
	switch {
	case h.found:
		return leadsHere, nil
	case h.doubt != "":
		return undecided(h.doubt), nil
	case err != nil:
		return backend.Verification{}, err
	}
	return elsewhere(h.difference), nil
}

// returnsFrom reports whether a claim is about the arguments of the call that returns.
func returnsFrom(c backend.Claim) bool {
	return c.Action.Move == dsl.InvStepReturn && c.Past.Event == dsl.Call && c.Now.Event == dsl.Return && c.Now.Kind == dsl.Returned &&
		len(c.Past.Stack) == len(c.Now.Stack)
}

// verifyCall verifies a claim about the arguments of a call that returns, by computing this one call.
func verifyCall(ctx context.Context, p *python.Program, c backend.Claim) (backend.Verification, error) {
	if difference := stacks(c.Past, c.Now); difference != "" {
		return elsewhere(difference), nil
	}
	caller, err := newCaller(p, c.Past)
	if err != nil {
		return backend.Verification{}, err
	}
	end, err := caller.Call(ctx, c.Past.Locals)
	if err != nil {
		return backend.Verification{}, err
	}
	end.Stack = slices.Concat(c.Past.Stack[:len(c.Past.Stack)-1], end.Stack)
	if end.Event == dsl.Exception {
		return elsewhere(difference.Event(&end)), nil
	}
	return conclude(difference.Of(&end, c.Now)), nil
}

// conclude returns the verdict, given how the only possible state differs from the claimed one.
func conclude(r difference.Result) backend.Verification {
	switch {
	case r.Same():
		return leadsHere
	case r.Text != "":
		return elsewhere(r.Text)
	}
	return undecided(r.Why)
}

// stacks describes how the callers differ between two states that should be in the same activation, ""
// if they do not differ.
func stacks(past, now *dsl.Stop) string {
	at := *past
	at.State = now.State
	at.Stack = slices.Clone(past.Stack)
	at.Stack[len(at.Stack)-1] = now.Stack[len(now.Stack)-1]
	at.Function = past.Function
	return difference.Of(&at, now).Text
}
