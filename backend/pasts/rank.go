package pasts

import (
	"cmp"
	"context"
	"slices"
)

// Part is one term of a score: a property of the candidate and what it adds to the score.
type Part struct {
	Name  string
	Score float64
}

// Parts lists the terms of a score that are not 0.
type Parts []Part

// Properties of a candidate, by which it is ranked. Each is 0 or positive, and is summed over the
// parameters that are not known.
const (
	typeMisfit    = iota // the type suits the uses of the parameter less well than another type
	emptyText            // an argument is ''
	emptyItems           // an argument is [] or another empty container
	emptyItself          // an empty argument equals the wanted result
	emptyPlain           // an empty argument does not, and the result is a number, a bool or None
	oneItem              // a container with one item
	oneChar              // a str of one character, for a parameter whose name does not suggest one
	textLength           // how far the length of a str is from a usual one, as a ratio
	ascending            // consecutive numbers, as in [1, 2, 3]
	repeats              // share of items or characters that occur earlier in the same value
	rareNumber           // how rarely people write an int that does not occur in the result
	itself               // an argument equals the wanted result
	twice                // two parameters have equal values
	inside               // a text is a part of another argument
	unusedLiteral        // a short text in the code is neither in an argument nor in the result
	longText             // logarithm of the total length of the arguments
	derivedFrom          // an argument is derived from the result
	usualPlain           // an argument is a usual value, and the result is a number, a bool or None
	splitFrom            // two arguments are the halves of the result
	changedFrom          // the candidate is a mutation or a residual (see mutator)
	late                 // logarithm of the number of candidates found before this one
	sampled              // probability that the model assigns to the candidate
	knownCall            // distance to the most similar other call of the function
	properties
)

var propertyNames = [properties]string{
	"type", "empty text", "empty container", "empty result itself", "empty for a plain result", "one item", "one character",
	"length of text", "ascending numbers", "repetition", "rare number", "result itself", "same value twice", "part of another argument",
	"unused text of the code", "length", "made of the result", "usual value for a plain result",
	"result split", "mutation", "found late", "sample of the model", "unlike other calls",
}

// weights holds the score for one unit of each property: the logarithm of the factor by which the
// property makes a candidate more likely.
//
// They maximize a likelihood under a conditional logit model: that of the true arguments, and of those
// that resemble them, among the candidates found for the even half of CruxEval's development problems
// and for 130 examples of MBPP. The last two weights were chosen by hand, as there were no samples and
// no other calls of those functions. Properties that made no difference in cross-validation were
// removed, among them the number of lines that a candidate runs.
var weights = [properties]float64{
	typeMisfit: -1.6, emptyText: -1.3, emptyItems: -2.1, emptyItself: 1.2, emptyPlain: -1.9, oneItem: -1.9, oneChar: -1.5,
	textLength: -0.4, ascending: 1.3, repeats: -1.2, rareNumber: -0.2, itself: -0.5, twice: -0.5, inside: 2,
	unusedLiteral: -0.7, longText: -2, derivedFrom: -0.9, usualPlain: 1.4, splitFrom: 1.8, changedFrom: -1.6, late: -0.6,
	sampled: 3, knownCall: -2,
}

// rank fills Result.Found, the likeliest candidate first.
func (s *search) rank(ctx context.Context) error {
	for i, c := range s.found {
		f := Found{Args: c.texts, From: c.from}
		for j, x := range s.properties(c, i) {
			if part := x * weights[j]; part != 0 {
				f.Parts = append(f.Parts, Part{propertyNames[j], part})
				f.Score += part
			}
		}
		s.result.Found = append(s.result.Found, f)
	}
	slices.SortStableFunc(s.result.Found, func(a, b Found) int { return cmp.Compare(b.Score, a.Score) })
	s.result.Hits = len(s.found)
	if err := s.keep(ctx); err != nil {
		return err
	}
	if len(s.found) == 0 && s.nearest != nil {
		s.result.Nearest = &Near{s.nearest.texts, s.nearest.outcome}
	}
	return nil
}

const defaultKept = 50

// keep truncates Result.Found to the number in Options.Keep. With Question.Alone it runs each of them
// once more, and omits those that now lead elsewhere.
func (s *search) keep(ctx context.Context) error {
	most, all := cmp.Or(s.o.Keep, defaultKept), s.result.Found
	if !s.q.Alone {
		s.result.Found = all[:min(most, len(all))]
		return nil
	}
	s.result.Found = nil
	for _, f := range all {
		if len(s.result.Found) == most {
			break
		}
		outcomes, err := s.q.Run(ctx, [][]string{f.Args})
		if err != nil {
			return err
		}
		if len(outcomes) == 1 && s.leadsHere(&candidate{outcome: outcomes[0]}) {
			s.result.Found = append(s.result.Found, f)
		} else {
			s.result.Hits--
		}
	}
	return nil
}
