package backend

import (
	"context"
	"fmt"
	"slices"

	"github.com/npdb/npdb/dsl"
)

// Claim claims that a run of a program passed the state Past on its way to the state Now, so that
// the inverse action Action leads from Now to Past. Both states carry their whole stack. Unknown
// locals of Now are not compared.
type Claim struct {
	Program *dsl.Program
	Past    *dsl.Stop
	Action  dsl.Action
	Now     *dsl.Stop
}

// Verdict is the result of running a past forward.
type Verdict uint8

// Undecided: the means of verification does not determine where the past leads. LeadsHere: it leads
// to the state. LeadsElsewhere: it does not. CannotRun: it cannot be run at all.
const (
	Undecided Verdict = iota
	LeadsHere
	LeadsElsewhere
	CannotRun
)

var verdictNames = [...]string{Undecided: "undecided", LeadsHere: "leads_here", LeadsElsewhere: "leads_elsewhere", CannotRun: "cannot_run"}

func (v Verdict) String() string { return verdictNames[v] }

// MarshalText returns the verdict's name.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText parses the name of a verdict.
func (v *Verdict) UnmarshalText(text []byte) error {
	i := slices.Index(verdictNames[:], string(text))
	if i < 0 {
		return fmt.Errorf("%q is no verdict", text)
	}
	*v = Verdict(i)
	return nil
}

// Means is the way in which a past was verified.
type Means uint8

// ByText: computed from the program's source, nothing was run. ByRun: run by CPython in a sandbox.
// ByModel: predicted forward by the model.
const (
	ByText Means = iota + 1
	ByRun
	ByModel
)

var meansNames = [...]string{ByText: "text", ByRun: "run", ByModel: "model"}

func (m Means) String() string { return meansNames[m] }

// MarshalText returns the name of the means, "" for none.
func (m Means) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText parses the name of a means.
func (m *Means) UnmarshalText(text []byte) error {
	i := slices.Index(meansNames[:], string(text))
	if i < 0 {
		return fmt.Errorf("%q is no means of verification", text)
	}
	*m = Means(i)
	return nil
}

// Verification is the result of verifying a claim.
type Verification struct {
	Verdict Verdict
	By      Means
	// Difference describes in one line how the state that the past leads to differs from Now, for
	// example "x: 2 instead of 3". It is set if the verdict is LeadsElsewhere.
	Difference string
	// Why is the reason for Undecided and CannotRun, one line. By ByModel, it is the reason why neither the
	// text nor a run decides.
	Why string
	// After is the means that did not decide before the model was asked, if By is ByModel.
	After Means
}

// Decided reports whether the text or a run decided where the past leads. A model's prediction decides
// nothing.
func (v Verification) Decided() bool {
	return (v.Verdict == LeadsHere || v.Verdict == LeadsElsewhere) && v.By != ByModel
}

// Verified reports whether the text or a run showed that the past leads to the state.
func (v Verification) Verified() bool { return v.Verdict == LeadsHere && v.Decided() }

// Verifier verifies claims. Its methods may be called from several goroutines.
type Verifier interface {
	// Verify runs the past of a claim forward, within limits that the verifier sets. The error is
	// that of a ctx that has ended, or says that the verifier itself failed; a past that cannot be
	// run is no error.
	Verify(ctx context.Context, c Claim) (Verification, error)
}
