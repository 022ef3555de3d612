package session

import (
	"fmt"
	"slices"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace/provenance"
)

// Hop is one step of the chain that Provenance finds.
type Hop struct {
	provenance.Hop
	Visit    int       // number of the visit of the state before the statement, 0 for none
	Inferred *Inferred // nil if the states of the hop were recorded or asked for before
}

// Inferred describes the states that a model inferred backwards to find a hop.
type Inferred struct {
	Steps int // how many backward moves there were
	// Probability is the product of the probabilities of the states; nil if one of them has none.
	Probability *float64
	// Verification is that of the state that is verified least.
	Verification backend.Verification

	states []int // their numbers, the latest first
}

// add adds a state that was inferred from the one before.
func (f *Inferred) add(e nav.Earlier) {
	c := e.Candidate
	switch {
	case f.Steps == 0:
		f.Probability, f.Verification = c.Probability, c.Verification
	case f.Probability == nil || c.Probability == nil:
		f.Probability = nil
	default:
		p := *f.Probability * *c.Probability
		f.Probability = &p
	}
	if strength(c.Verification) < strength(f.Verification) {
		f.Verification = c.Verification
	}
	f.Steps++
	f.states = append(f.states, e.State)
}

// strength orders verifications by how much they prove.
func strength(v backend.Verification) int {
	switch {
	case v.Verified():
		return 2
	case v.Verdict == backend.LeadsHere && v.By == backend.ByModel:
		return 1
	}
	return 0
}

// text describes the inferred states in one line.
func (f *Inferred) text() string {
	text := "inferred by " + plural(f.Steps, "backward move", "backward moves")
	if f.Probability != nil {
		text += fmt.Sprintf(", probability %.2f", *f.Probability)
	}
	return text + ", " + VerdictText(f.Verification)
}

// folds adds a hop to the one before if it repeats that, and reports whether it did.
func (h *Hop) folds(next *Hop) bool {
	if !h.Folds(&next.Hop) || (h.Inferred == nil) != (next.Inferred == nil) {
		return false
	}
	h.Times++
	if f, more := h.Inferred, next.Inferred; f != nil {
		steps, states := f.Steps+more.Steps, slices.Concat(f.states, more.states)
		f.add(nav.Earlier{Candidate: backend.Candidate{Probability: more.Probability, Verification: more.Verification}})
		f.Steps, f.states = steps, states
	}
	return true
}
