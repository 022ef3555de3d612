package eval

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/computed"
	"github.com/npdb/npdb/backend/cpython"
	"github.com/npdb/npdb/backend/forward"
	"github.com/npdb/npdb/dsl"
)

// verifying verifies pasts by all means of the debugger, so that their verdicts can be compared.
type verifying struct{ text, run, model backend.Verifier } // run is nil if nothing is run

// newVerifying returns the configured verifiers. The error is the reason why nothing can be run.
func (r *runner) newVerifying() (*verifying, error) {
	v := &verifying{text: computed.NewVerifier(r.Python), model: &forward.Verifier{Format: r.Format, Ask: r.askForward}}
	switch {
	case r.Verify == VerifyText:
		return v, nil
	case r.Verify != VerifyRun || r.Contained == nil:
		return nil, fmt.Errorf("--verify %q: use %s or %s", r.Verify, VerifyText, VerifyRun)
	}
	run, err := cpython.NewVerifier(r.Contained)
	if err != nil {
		return nil, fmt.Errorf("pasts cannot be run here: %w. --verify %s verifies them by the program's text alone", err, VerifyText)
	}
	v.run = run
	return v, nil
}

// askForward asks the model where an action leads from a past, for forward.Verifier.
func (r *runner) askForward(ctx context.Context, at *dsl.Node, a dsl.Action) (*backend.Prediction, error) {
	got, err := r.ask(ctx, at, a, 0)
	switch {
	case err != nil:
		return nil, err
	case got.fate == declined:
		got.step.Reply.Outcome = dsl.Unknown
	case got.fate != answered:
		return nil, &backend.Error{Kind: backend.NoState}
	}
	return &backend.Prediction{Step: got.step, NoLocals: got.noLocals}, nil
}

// verify verifies a claim like the debugger: by the source, or else by a run, or else by the model. It
// counts the verdicts of the source, and the model's where the source does not decide, beside those of
// the run. exact reports whether the past is the real one. If a verifier fails, the claim is undecided.
// The error is that of ctx, or the reason why the model cannot be asked.
func (v *verifying) verify(ctx context.Context, c backend.Claim, exact bool, counts *verdictCounts) (backend.Verification, error) {
	text, err := v.text.Verify(ctx, c)
	if ctx.Err() != nil {
		return text, ctx.Err()
	}
	if err != nil {
		text = backend.Verification{By: backend.ByText, Why: err.Error()}
	}
	made, run := text, backend.Verification{}
	if v.run != nil {
		run, err = v.run.Verify(ctx, c)
		if ctx.Err() != nil {
			return run, ctx.Err()
		}
		if err != nil {
			run = backend.Verification{By: backend.ByRun, Why: err.Error()}
		}
		counts.add(text, run, exact)
		if !text.Decided() {
			made = run
		}
	}
	if text.Decided() || text.Verdict == backend.CannotRun {
		return made, nil
	}
	model, err := v.model.Verify(ctx, c)
	if err != nil {
		return made, err
	}
	if v.run != nil {
		counts.add(model, run, exact)
	}
	if !made.Decided() {
		made = model
	}
	return made, nil
}

// VerdictCount counts the pasts with one verdict of the source, or of the model, by what a run decides.
type VerdictCount struct {
	By      backend.Means   `json:"by"`
	Verdict backend.Verdict `json:"verdict"`
	// Here and Elsewhere count the pasts that, when run, lead to the state or elsewhere. Open counts
	// those that a run does not decide. Exact counts the real pasts among all of them.
	Here      int `json:"run_leads_here"`
	Elsewhere int `json:"run_leads_elsewhere"`
	Open      int `json:"run_undecided"`
	Exact     int `json:"exact"`
}

// verdictCounts counts verdicts.
type verdictCounts struct {
	of map[verdictKey]*VerdictCount
}

type verdictKey struct {
	by      backend.Means
	verdict backend.Verdict
}

func (n *verdictCounts) at(by backend.Means, verdict backend.Verdict) *VerdictCount {
	if n.of == nil {
		n.of = map[verdictKey]*VerdictCount{}
	}
	k := verdictKey{by, verdict}
	if n.of[k] == nil {
		n.of[k] = &VerdictCount{By: by, Verdict: verdict}
	}
	return n.of[k]
}

func (n *verdictCounts) add(got, run backend.Verification, exact bool) {
	c := n.at(got.By, got.Verdict)
	switch run.Verdict {
	case backend.LeadsHere:
		c.Here++
	case backend.LeadsElsewhere:
		c.Elsewhere++
	default:
		c.Open++
	}
	if exact {
		c.Exact++
	}
}

func (n *verdictCounts) merge(o verdictCounts) {
	for k, c := range o.of {
		sum := n.at(k.by, k.verdict)
		sum.Here, sum.Elsewhere, sum.Open, sum.Exact = sum.Here+c.Here, sum.Elsewhere+c.Elsewhere, sum.Open+c.Open, sum.Exact+c.Exact
	}
}

// list returns the counts, with those of the source first.
func (n *verdictCounts) list() (list []VerdictCount) {
	for _, c := range n.of {
		list = append(list, *c)
	}
	slices.SortFunc(list, func(a, b VerdictCount) int {
		return cmp.Or(cmp.Compare(a.By, b.By), cmp.Compare(a.Verdict, b.Verdict))
	})
	return list
}
