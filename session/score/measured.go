package score

import (
	"fmt"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
)

// Measured returns the published tally of a move on a set of programs.
func Measured(set backend.MeasuredSet, move dsl.Move) Tally {
	s := set.Moves[move.String()]
	return Tally{N: s.N, Same: s.Same}
}

// MeasuredShort returns the published accuracy of a move on the first set: "step_over 85% right".
// It returns "" if that was not measured.
func MeasuredShort(m *backend.Measured, move dsl.Move) string {
	if m == nil || len(m.Sets) == 0 {
		return ""
	}
	t := Measured(m.Sets[0], move)
	if t.N == 0 {
		return ""
	}
	return fmt.Sprintf("%v %s right", move, t.Percent())
}

// MeasuredLong returns the published accuracy of a move on all sets: "step_over is right in 84.6%
// of 2,791 (CruxEval), 85.9% of 8,593 (held out)".
func MeasuredLong(m *backend.Measured, move dsl.Move) string {
	if m == nil {
		return ""
	}
	var shares []string
	for _, set := range m.Sets {
		if t := Measured(set, move); t.N > 0 {
			shares = append(shares, fmt.Sprintf("%s of %s (%s)", t.Tenths(), humanize.Comma(int64(t.N)), set.Name))
		}
	}
	if shares == nil {
		return ""
	}
	return fmt.Sprintf("%v is right in %s", move, strings.Join(shares, ", "))
}
