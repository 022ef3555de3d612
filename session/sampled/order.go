package sampled

import (
	"cmp"
	"math"
	"slices"

	"github.com/npdb/npdb/backend"
)

// Order sorts candidates, the best first: by the verdict, then by the place among the results of a search,
// then by the probability.
func Order(list []backend.Candidate) {
	slices.SortStableFunc(list, func(x, y backend.Candidate) int {
		return cmp.Or(rank(x.Verification)-rank(y.Verification), cmp.Compare(place(x), place(y)), cmp.Compare(probability(y), probability(x)))
	})
}

// rank returns the order of a verification, lower for better. A model's verdict ranks below a past that
// the source or a run confirms, and above a past that they refute.
func rank(v backend.Verification) int {
	byModel := v.By == backend.ByModel
	switch {
	case v.Verified():
		return 0
	case v.Verdict == backend.LeadsHere && byModel:
		return 1
	case v.Verdict == backend.Undecided:
		return 2
	case v.Verdict == backend.CannotRun:
		return 3
	case byModel:
		return 4
	}
	return 5
}

// place returns the order of a candidate: the results of a search come first, in the search's order,
// then the model's other answers. The search uses more evidence than the model's answer alone.
func place(c backend.Candidate) int {
	if c.Found == 0 {
		return math.MaxInt
	}
	return c.Found
}

func probability(c backend.Candidate) float64 {
	if c.Probability == nil {
		return -1
	}
	return *c.Probability
}
