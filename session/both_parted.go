package session

import (
	"fmt"

	"github.com/npdb/npdb/session/compare"
)

// Divergence is a move that went otherwise than it was predicted.
type Divergence struct {
	File    string          // where it led
	Line    int             // 0 at the end
	Verdict compare.Verdict // the first by which the prediction is wrong
	Moves   int             // that were predicted before
}

// firstDivergence is the first one, nil if there was none.
func (s *bothWalk) firstDivergence() *Divergence {
	if s.parted < 0 {
		return nil
	}
	p := &s.pairs[s.parted]
	v, _ := p.Verdicts.First()
	return &Divergence{File: p.File, Line: p.Line, Verdict: v, Moves: p.move}
}

// sentence is what a person is told of the last comparison.
func (p *pair) sentence() string {
	switch v, parted := p.Verdicts.First(); {
	case p.Failure != "":
		return "no prediction: " + p.Failure
	case !parted:
		return "predicted: the same"
	default:
		text := "predicted otherwise: " + v.String()
		if n := p.Verdicts.Count(); n > 1 {
			text += fmt.Sprintf(" and %d more", n-1)
		}
		return text
	}
}
