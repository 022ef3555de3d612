package backend

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"sort"

	"github.com/npdb/npdb/dsl"
)

// Evidence is what tells how sure a model is.
type Evidence string

const (
	// LogProbabilities are those of a reply's tokens, as the model tells them.
	LogProbabilities Evidence = "logprobs"
	// Agreement is how many of several answers to the question say the same.
	Agreement Evidence = "samples"
	// OwnWord is what the model itself says of the whole state.
	OwnWord Evidence = "word"
)

// Sure is from where on a part of a prediction is not pointed out as a doubtful one; below
// Even it is more likely another than the one that was predicted.
const (
	Sure = 0.9
	Even = 0.5
)

// Sureness is how sure a model was of the parts of a state that it predicted, each from 0
// to 1: by log probabilities that of the part's text, given all before it, by agreement the
// share of the answers that say the same, and the model's own word is of the whole. Nil
// stands for what is not known: the text does not tell the part, or its tokens are not all
// told.
type Sureness struct {
	By Evidence `json:"by"`
	// Of is how many answers an agreement is among, the one that is shown included.
	Of int `json:"of,omitempty"`
	// Whole is that of all parts together, nil where the confidence of the prediction is it.
	Whole    *float64 `json:"whole,omitempty"`
	Event    *float64 `json:"event,omitempty"`
	Line     *float64 `json:"line,omitempty"`
	Function *float64 `json:"function,omitempty"`
	// Locals are by name; one that is not in it is not known.
	Locals map[string]float64 `json:"locals,omitempty"`
	Value  *float64           `json:"value,omitempty"`
}

// Local returns that of a local, nil where it is not known.
func (s *Sureness) Local(name string) *float64 {
	if s == nil {
		return nil
	}
	if p, ok := s.Locals[name]; ok {
		return &p
	}
	return nil
}

// Place returns that of where a state is: of the event, the line and the function that of which
// it was the least sure; nil where none is known.
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

// Words returns how sure that is, as short as it can be told: "84%", and of an agreement
// "3 of 5".
func (s *Sureness) Words(p float64) string {
	if s.By == Agreement {
		return fmt.Sprintf("%.0f of %d", p*float64(s.Of), s.Of)
	}
	return fmt.Sprintf("%.0f%%", 100*p)
}

// Told returns the same with what it is: "3 of 5 agree", or of the model's own word "says 80%".
func (s *Sureness) Told(p float64) string {
	switch s.By {
	case Agreement:
		return s.Words(p) + " agree"
	case OwnWord:
		return "says " + s.Words(p)
	}
	return s.Words(p)
}

// Least returns the part that the model was the least sure of, in words: "the line", a local by
// its name. Of several that are as unsure it is the first in their order, locals by name
// and last. Nil where nothing is known.
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

// Then returns how sure a model was of a state that it came to in two steps: of each part in
// both of them. A part that only one of them tells is as sure as it is there.
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

// SetLocal takes down that of a local, if it is known.
func (s *Sureness) SetLocal(name string, p *float64) {
	if p == nil {
		return
	}
	if s.Locals == nil {
		s.Locals = map[string]float64{}
	}
	s.Locals[name] = *p
}

// Piece is a token of a reply and the logarithm of its probability, nil where that is not
// known.
type Piece struct {
	Text    string
	LogProb *float64
}

// Measure returns how sure a model was of the parts of a reply that its tokens spell. A token
// belongs to each part that it has a byte of.
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

// probability returns that of what stands at some places, nil where a token of it has none; ends
// are where the tokens end.
func probability(pieces []Piece, ends []int, spans []dsl.Span) *float64 {
	if len(spans) == 0 {
		return nil
	}
	spans = slices.Clone(spans)
	slices.SortFunc(spans, func(a, b dsl.Span) int { return a.From - b.From })
	var sum float64
	next := 0 // the first token that no place has had
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
