package backend

import (
	"context"
	"fmt"
	"slices"

	"github.com/npdb/npdb/dsl"
)

// Claim claims that a run of a program passed the state Past on its way to the state Now, so that the
// inverse action Action leads from Now to Past. Both states contain the whole call stack. A verifier
// does not compare locals of Now that are unknown.
type Claim struct {
	Program *dsl.Program
	Past    *dsl.Stop
	Action  dsl.Action
	Now     *dsl.Stop
}

// Verdict is the result of following the program from a past.
type Verdict uint8

// Undecided: the verifier cannot determine where the past leads. LeadsHere: it leads to the claimed
// state. LeadsElsewhere: it does not. CannotRun: the program cannot be in such a state.
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

// ByText: computed from the program's source, without running it. ByRun: run by CPython in a sandbox.
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
	// Difference describes in one line how the state to which the past leads differs from Now, for
	// example "x: 2 instead of 3". It is set if Verdict is LeadsElsewhere.
	Difference string
	// Why is the reason for Undecided or CannotRun, in one line. If By is ByModel, it is the reason why
	// neither the source nor a run decides.
	Why string
	// After is set if By is ByModel: the means that was tried before and could not decide.
	After Means
}

// Decided reports whether the program's source or a run decided where the past leads. A model's
// prediction never decides.
func (v Verification) Decided() bool {
	return (v.Verdict == LeadsHere || v.Verdict == LeadsElsewhere) && v.By != ByModel
}

// Verified reports whether the program's source or a run proved that the past leads to the claimed
// state.
func (v Verification) Verified() bool { return v.Verdict == LeadsHere && v.Decided() }

// Verifier verifies claims. Its methods may be called from several goroutines.
type Verifier interface {
	// Verify follows the program from the past of a claim, within the verifier's own limits. It returns
	// an error if ctx has ended or the verifier itself failed. A past that cannot be run is a verdict,
	// no error.
	Verify(ctx context.Context, c Claim) (Verification, error)
}
