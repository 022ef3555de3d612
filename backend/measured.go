package backend

import (
	"fmt"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/npdb/npdb/dsl"
)

// Measured is how often a model's states were true where it was measured: what npdb eval
// states counted, as npdb eval card --figures writes it.
type Measured struct {
	Digest string        `json:"digest"` // of the model's file, SHA-256 in hex
	Sets   []MeasuredSet `json:"sets"`   // the first is the one that a short word is of
}

// MeasuredSet is what was counted on one set of programs.
type MeasuredSet struct {
	Name     string                   `json:"name"`     // "CruxEval"
	Programs int                      `json:"programs"` // how many there were
	Moves    map[string]MeasuredShare `json:"moves"`    // by a move's name in nd/1
}

// MeasuredShare is how many of N answers were wholly true.
type MeasuredShare struct {
	N    int `json:"n"`
	Same int `json:"same"`
}

// Percent is the share, to so many digits after the point: "84.7%".
func (s MeasuredShare) Percent(digits int) string {
	return fmt.Sprintf("%.*f%%", digits, 100*float64(s.Same)/float64(s.N))
}

// Short is of a move on the first set, "step_over 85% right"; "" where it was not measured.
func (m *Measured) Short(move dsl.Move) string {
	if m == nil || len(m.Sets) == 0 {
		return ""
	}
	share := m.Sets[0].Moves[move.String()]
	if share.N == 0 {
		return ""
	}
	return fmt.Sprintf("%v %s right", move, share.Percent(0))
}

// Long is of a move on all sets: "step_over is right in 84.6% of 2,791 (CruxEval), 85.5% of
// 2,775 (held out)"; "" where it was not measured.
func (m *Measured) Long(move dsl.Move) string {
	if m == nil {
		return ""
	}
	var shares []string
	for _, set := range m.Sets {
		if s := set.Moves[move.String()]; s.N > 0 {
			shares = append(shares, fmt.Sprintf("%s of %s (%s)", s.Percent(1), humanize.Comma(int64(s.N)), set.Name))
		}
	}
	if shares == nil {
		return ""
	}
	return fmt.Sprintf("%v is right in %s", move, strings.Join(shares, ", "))
}
