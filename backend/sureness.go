package backend

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"sort"

	"github.com/npdb/npdb/dsl"
)

// Evidence names the source of a confidence.
type Evidence string

const (
	// LogProbabilities come from the probabilities of the reply's tokens, as the model reports them.
	LogProbabilities Evidence = "logprobs"
	// Agreement is the share of several sampled answers that agree.
	Agreement Evidence = "samples"
	// OwnWord is the percentage that the model itself states for the whole state.
	OwnWord Evidence = "word"
)

// A part of a prediction whose confidence is below Sure is marked as doubtful. Below Even it is
// more likely wrong than right.
const (
	Sure = 0.9
	Even = 0.5
)

// Sureness holds the confidence in the parts of a predicted state, each from 0 to 1. If By is
// LogProbabilities, it is the probability of the part's text, given all text before it. If By is
// Agreement, it is the share of the sampled answers that contain the same part. OwnWord sets only Whole.
// Nil means unknown: the text does not contain the part, or the probability of a token is missing.
type Sureness struct {
	By Evidence `json:"by"`
	// Of is the number of sampled answers if By is Agreement, the shown answer included.
	Of int `json:"of,omitempty"`
	// the confidence in all parts together; nil if it is in Prediction.Confidence
	Whole    *float64 `json:"whole,omitempty"`
	Event    *float64 `json:"event,omitempty"`
	Line     *float64 `json:"line,omitempty"`
	Function *float64 `json:"function,omitempty"`
	// Locals holds the confidence in each local by name; a local whose confidence is unknown is missing.
	Locals map[string]float64 `json:"locals,omitempty"`
	Value  *float64           `json:"value,omitempty"`
}

// Local returns the confidence in a local, nil if it is unknown.
func (s *Sureness) Local(name string) *float64 {
	if s == nil {
		return nil
	}
	if p, ok := s.Locals[name]; ok {
		return &p
	}
	return nil
}

// Place returns the confidence in where the program is: the lowest among event, line and function. It is
// nil if none is known.
func (s *Sureness) Place() (p *float64) {
	if s == nil {
		return nil
	}
	for _, of := range []*float64{s.Event, s.Line, s.Function} {
		if of != nil && (p == nil || *of < *p) {
			p = of
		}
	}
	return p
}

// Words formats a confidence as short as possible: "84%", or for an agreement "3 of 5".
func (s *Sureness) Words(p float64) string {
	if s.By == Agreement {
		return fmt.Sprintf("%.0f of %d", p*float64(s.Of), s.Of)
	}
	return fmt.Sprintf("%.0f%%", 100*p)
}

// Told formats a confidence with its source: "3 of 5 agree", or "says 80%" for the percentage that the
// model states.
func (s *Sureness) Told(p float64) string {
	switch s.By {
	case Agreement:
		return s.Words(p) + " agree"
	case OwnWord:
		return "says " + s.Words(p)
	}
	return s.Words(p)
}

// Least returns the part with the lowest confidence, in words: "the line", or the name of a local. Among
// equal parts it returns the first of event, line, function, value and the locals by name. p is nil if
// no confidence is known.
func (s *Sureness) Least() (part string, p *float64) {
	if s == nil {
		return "", nil
	}
	take := func(name string, of *float64) {
		if of != nil && (p == nil || *of < *p) {
			part, p = name, of
		}
	}
	take("the event", s.Event)
	take("the line", s.Line)
	take("the function", s.Function)
	take("the value", s.Value)
	for _, name := range slices.Sorted(maps.Keys(s.Locals)) {
		if of := s.Locals[name]; p == nil || of < *p {
			part, p = name, &of
		}
	}
	return part, p
}

// Then returns the confidence in a state that was predicted in two steps, s and next. The
// confidence in the event, the line, the function and each local is the product of both steps'
// confidences. If only one step has a confidence, it is that one.
func (s *Sureness) Then(next *Sureness) *Sureness {
	if s == nil || next == nil {
		return nil
	}
	both := func(a, b *float64) *float64 {
		switch {
		case a == nil:
			return b
		case b == nil:
			return a
		}
		p := *a * *b
		return &p
	}
	out := &Sureness{
		By: next.By, Event: both(s.Event, next.Event), Line: both(s.Line, next.Line),
		Function: both(s.Function, next.Function), Value: next.Value,
	}
	for name, p := range next.Locals {
		out.SetLocal(name, both(s.Local(name), &p))
	}
	return out
}

// SetLocal sets the confidence in a local, unless p is nil.
func (s *Sureness) SetLocal(name string, p *float64) {
	if p == nil {
		return
	}
	if s.Locals == nil {
		s.Locals = map[string]float64{}
	}
	s.Locals[name] = *p
}

// Piece is a token of a reply and the logarithm of its probability, nil if it is unknown.
type Piece struct {
	Text    string
	LogProb *float64
}

// Measure returns the confidence in the parts of a reply. pieces are the reply's tokens; t holds the
// spans of the reply's text that each part occupies. A token counts for every part that it overlaps.
func Measure(pieces []Piece, t dsl.Told) *Sureness {
	ends := make([]int, len(pieces))
	for i, end := 0, 0; i < len(pieces); i++ {
		end += len(pieces[i].Text)
		ends[i] = end
	}
	of := func(spans []dsl.Span) *float64 { return probability(pieces, ends, spans) }
	s := &Sureness{By: LogProbabilities, Event: of(t.Event), Line: of(t.Line), Function: of(t.Function), Value: of(t.Value)}
	for name, spans := range t.Locals {
		s.SetLocal(name, of(spans))
	}
	return s
}

// probability returns the product of the probabilities of the tokens that overlap spans, or nil if one
// of them is unknown. ends holds the offset at which each token ends.
func probability(pieces []Piece, ends []int, spans []dsl.Span) *float64 {
	if len(spans) == 0 {
		return nil
	}
	spans = slices.Clone(spans)
	slices.SortFunc(spans, func(a, b dsl.Span) int { return a.From - b.From })
	var sum float64
	next := 0 // the first token that is not yet counted
	for _, at := range spans {
		i := max(next, sort.SearchInts(ends, at.From+1))
		for ; i < len(pieces) && ends[i]-len(pieces[i].Text) < at.To; i++ {
			if pieces[i].LogProb == nil {
				return nil
			}
			sum += *pieces[i].LogProb
		}
		next = i
	}
	p := min(math.Exp(sum), 1)
	return &p
}
