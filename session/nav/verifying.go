package nav

import (
	"context"

	"github.com/npdb/npdb/backend"
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
	Off       bool // nothing is verified, and nothing is searched for
}

// verify verifies a claim. An error of a verifier leaves the claim undecided.
func (v Verifying) verify(ctx context.Context, c backend.Claim) (last backend.Verification) {
	for _, by := range v.methods() {
		got, err := by.Verifier.Verify(ctx, c)
		switch {
		case ctx.Err() != nil:
			return last
		case err != nil:
			got = backend.Verification{Why: err.Error()}
		}
		if last = got; got.Verdict == backend.LeadsHere || got.Verdict == backend.LeadsElsewhere {
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

// undecided reports whether another method may decide what a verification has left open.
func (v Verifying) undecided(of backend.Verification) bool {
	switch {
	case v.Off || of.Verdict == backend.LeadsHere || of.Verdict == backend.LeadsElsewhere:
		return false
	case v.Run != nil:
		return of.By != backend.ByRun
	}
	return v.Text != nil && of.By == 0
}
