package nav

import (
	"context"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/forward"
	"github.com/npdb/npdb/dsl"
)

// Method verifies the pasts that inverse moves lead to, and searches for more.
type Method struct {
	Verifier backend.Verifier
	Searcher backend.Searcher // nil searches nothing
}

// Verifying selects how pasts are verified.
type Verifying struct {
	// Text verifies by the program's text alone. Run verifies by running the program, what Text leaves
	// undecided; it is nil unless the user has allowed that.
	Text, Run *Method
	Model     bool // the model is asked forward from pasts that neither decides
	Off       bool // nothing is verified, and nothing is searched for
}

// verify verifies a claim by the text or by a run. An error of a verifier leaves the claim undecided.
func (v Verifying) verify(ctx context.Context, c backend.Claim) (last backend.Verification) {
	for _, by := range v.methods() {
		got, err := by.Verifier.Verify(ctx, c)
		switch {
		case ctx.Err() != nil:
			return last
		case err != nil:
			got = backend.Verification{Why: err.Error()}
		}
		if last = got; got.Decided() {
			return got
		}
	}
	return last
}

// methods returns the methods in use, in the order in which they are tried.
func (v Verifying) methods() (list []*Method) {
	for _, m := range []*Method{v.Text, v.Run} {
		if m != nil && !v.Off {
			list = append(list, m)
		}
	}
	return list
}

// searcher returns the searcher in use, nil for none. Running decides more than the text does.
func (v Verifying) searcher() (found backend.Searcher) {
	for _, m := range v.methods() {
		if m.Searcher != nil {
			found = m.Searcher
		}
	}
	return found
}

// undecided reports whether the text or a run may decide what a verification has left open.
func (v Verifying) undecided(of backend.Verification) bool {
	tried := of.By
	if tried == backend.ByModel {
		tried = of.After
	}
	switch {
	case v.Off || of.Decided():
		return false
	case v.Run != nil:
		return tried != backend.ByRun
	}
	return v.Text != nil && tried == 0
}

// asksModel reports whether the model is asked forward for what a verification has left open. A past
// that the text finds to be no state of the program is not.
func (v Verifying) asksModel(of backend.Verification) bool {
	return v.Model && !v.Off && !of.Decided() && of.By != backend.ByModel && (of.Verdict != backend.CannotRun || of.By != backend.ByText)
}

// The limits of asking the model forward from the candidates of one move. Further candidates stay
// undecided.
const (
	mostForward = 8
	forwardTime = 10 * time.Second
)

// forward asks the model forward from those candidates of an inverse action that neither the text nor a
// run decides, the first ones first.
func (s *Predicted) forward(ctx context.Context, from *prediction, a dsl.Action, list []backend.Candidate) {
	ctx, giveUp := s.cancellable(ctx)
	defer giveUp()
	ctx, cancel := context.WithTimeout(ctx, forwardTime)
	defer cancel()
	by := &forward.Verifier{Format: s.Spelling(), Ask: s.askForward}
	asked := 0
	for i, c := range list {
		if asked == mostForward || ctx.Err() != nil {
			return
		}
		if c.Reply.Outcome != dsl.Landed || !s.Verify.asksModel(c.Verification) {
			continue
		}
		asked++
		got, err := by.Verify(ctx, s.claim(from, a, c))
		if err != nil {
			continue // the verification by the text stays
		}
		list[i].Verification = after(c.Verification, got)
	}
}

// after returns got, a model's verdict on a past that neither the source nor a run could decide. It
// adds the reason why they could not, which open states.
func after(open, got backend.Verification) backend.Verification {
	got.After = open.By
	switch {
	case got.Verdict != backend.Undecided:
		got.Why = open.Why
	case open.Why != "":
		got.Why = open.Why + "; " + got.Why
	}
	return got
}

// claim returns the claim that a candidate of an inverse action leads to the state it was inferred from.
func (s *Predicted) claim(from *prediction, a dsl.Action, c backend.Candidate) backend.Claim {
	past := *c.Reply.Stop
	past.Locals = stillUnknown(from.stop, &past)
	return backend.Claim{Program: from.node.Program(), Past: &past, Action: a, Now: from.stop}
}

// askForward asks the model one question about a past. It is one answer, and no state of the session.
func (s *Predicted) askForward(ctx context.Context, at *dsl.Node, a dsl.Action) (*backend.Prediction, error) {
	r := s.put(ctx, backend.Question{At: at, Action: a, Answers: 1, Alone: true}, nil)
	s.base.Accounts.add(s.Neural, r)
	return r.made, r.err
}
