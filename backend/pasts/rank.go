package pasts

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/npdb/npdb/python"
)

// Part is a part of a score: a property of the candidate and what it contributes.
type Part struct {
	Name  string
	Score float64
}

// Parts are the parts of a score that are not 0.
type Parts []Part

// The properties of a candidate by which it is ranked. Each is 0 or positive, and is summed over the
// parameters that are not known.
const (
	typeMisfit  = iota // the type suits the uses of the parameter less than another one
	itemMisfit         // the types of items, keys and values do so
	emptyText          // ''
	emptyItems         // [] or another empty container
	oneItem            // a container with one item
	oneChar            // a str of one character
	textLength         // how far the length of a str is from a usual one, as a ratio
	itemsLength        // likewise for containers
	mixedItems         // items of several types
	repeats            // share of items or characters that stand in the value before
	oddChars           // share of characters that are neither letters nor digits nor blanks
	newOdd             // those of them that are neither in the result nor in the code
	largeInt           // logarithm of the size of an int
	negative           // a negative int
	rareType           // None, a bool or a float without a reason
	itself             // the result itself
	twice              // one value for two parameters
	unlike             // how little the arguments and the result have in common
	longText           // logarithm of the length of the arguments
	uncovered          // share of the function's lines that do not run, of those that run for some candidate
	late               // logarithm of the number of candidates run before
	mutated            // made by mutation
	newText            // logarithm of the number of characters that are not in the result
	knownCall          // how little it is like other calls of the function
	costly             // the costs of the options that it is made of
	derivedFrom        // an argument is made of the result
	literalFrom        // an argument is a literal of the code
	usualFrom          // an argument is a usual value
	commonFrom         // an argument is another common value
	properties
)

var propertyNames = [properties]string{
	"type", "types of items", "empty text", "empty container", "one item", "one character", "length of text", "length of container",
	"mixed items", "repetition", "punctuation", "new punctuation", "large number", "negative number", "rare type", "result itself",
	"same value twice", "unlike the result", "length", "lines not run", "found late", "mutated", "new characters", "unlike other calls", "cost",
	"made of the result", "literal of the code", "usual value", "common value",
}

// weights are the contributions of one unit of each property.
var weights = [properties]float64{
	typeMisfit: -1, itemMisfit: -0.5, emptyText: -1.5, emptyItems: -1.5, oneItem: -0.7, oneChar: -0.5, textLength: -0.4, itemsLength: -0.4,
	mixedItems: -1, repeats: -0.7, oddChars: -0.3, newOdd: -0.5, largeInt: -0.2, negative: -0.5, rareType: -1.5, itself: 0.3, twice: -1.5,
	unlike: -0.3, longText: -0.2, uncovered: -1, late: -0.2, mutated: -0.3, newText: -0.2, knownCall: -0.5,
}

// The usual lengths of values: medians of arguments that people write in examples and tests.
const (
	usualText  = 9
	usualItems = 4
)

type propertyValues [properties]float64

// rank fills in what was found, the likeliest first.
func (s *search) rank(ctx context.Context) error {
	var likelihoods []float64
	if s.q.Rank != nil && len(s.found) > 0 {
		texts := make([][]string, len(s.found))
		for i, c := range s.found {
			texts[i] = c.texts
		}
		var err error
		if likelihoods, err = s.q.Rank(ctx, texts); err != nil {
			return err
		}
	}
	ran := s.lines()
	for i, c := range s.found {
		f := Found{Args: c.texts, From: c.from}
		if !s.o.NoWeight {
			p := s.properties(c, i, ran)
			for j, x := range p {
				if part := x * weights[j]; part != 0 {
					f.Parts = append(f.Parts, Part{propertyNames[j], part})
					f.Score += part
				}
			}
		}
		if i < len(likelihoods) {
			f.Likelihood = &likelihoods[i]
			f.Score += likelihoods[i]
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

const defaultKept = 100

// keep leaves only the first candidates in the result. With Question.Alone it runs them again, and
// leaves out those that now lead elsewhere.
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

// lines returns the number of lines that some candidate ran.
func (s *search) lines() int {
	ran := map[int]bool{}
	for _, c := range s.found {
		for _, line := range c.outcome.Lines {
			ran[line] = true
		}
	}
	return len(ran)
}

// properties measures a candidate.
func (s *search) properties(c *candidate, place, ran int) (p propertyValues) {
	seen := map[string]bool{}
	for i, v := range c.args {
		if s.known[i] != nil {
			continue
		}
		s.ofArgument(&p, v, s.uses.Params[i], s.result.Params[i])
		if c.texts[i] == s.want {
			p[itself]++
		}
		if seen[c.texts[i]] {
			p[twice]++
		}
		seen[c.texts[i]] = true
	}
	text := []rune(strings.Join(c.texts, ", "))
	want := []rune(s.want)
	p[unlike] = 1 - likeness(text, want)
	if len(text) <= mostDiffed && len(want) <= mostDiffed {
		p[newText] = math.Log1p(float64(len(text)) * (1 - likeness(text, want)*float64(len(text)+len(want))/float64(2*len(text))))
	}
	p[longText] = math.Log1p(float64(len(text)))
	if ran > 0 && c.outcome.Lines != nil {
		run := map[int]bool{}
		for _, line := range c.outcome.Lines {
			run[line] = true
		}
		p[uncovered] = 1 - float64(len(run))/float64(ran)
	}
	p[late] = math.Log1p(float64(place))
	if c.from == fromMutation || c.from == fromResidual {
		p[mutated] = 1
	}
	p[knownCall] = s.unlikeCalls(c)
	p[costly] = c.cost
	for _, from := range c.sources {
		switch from {
		case fromNatural:
			p[usualFrom]++
		case fromCommon:
			p[commonFrom]++
		case fromLiteral:
			p[literalFrom]++
		case fromGiven, fromItself:
		default:
			p[derivedFrom]++
		}
	}
	return p
}

// unlikeCalls returns the distance between a candidate and the most similar other call, at most 1.
func (s *search) unlikeCalls(c *candidate) float64 {
	nearest := 1.0
	for _, call := range s.calls {
		sum := 0.0
		for i, v := range c.args {
			sum += min(1, distance(v, call[i]))
		}
		nearest = min(nearest, sum/float64(max(1, len(c.args))))
	}
	if len(s.calls) == 0 {
		return 0
	}
	return nearest
}

// ofArgument adds the properties of one argument.
func (s *search) ofArgument(p *propertyValues, v value, e *python.Evidence, name string) {
	fit := misfit(v, e, 0)
	p[typeMisfit] += min(3, fit)
	p[itemMisfit] += min(3, misfit(v, e, 2)-fit)
	best, ok := e.Best()
	switch v.Kind {
	case python.StrKind:
		s.ofText(p, []rune(v.Str), usualLength(name))
	case python.IntKind:
		p[largeInt] += math.Log1p(math.Abs(float64(v.Int)))
		if v.Int < 0 {
			p[negative]++
		}
	case python.NoneKind, python.BoolKind, python.FloatKind:
		if !ok || best != v.Kind {
			p[rareType]++
		}
	case python.ListKind, python.TupleKind, python.SetKind, python.DictKind:
		s.ofContainer(p, v)
	}
}

func (s *search) ofText(p *propertyValues, runes []rune, usual float64) {
	switch len(runes) {
	case 0:
		p[emptyText]++
		return
	case 1:
		if usual > 1 {
			p[oneChar]++
		}
	}
	p[textLength] += math.Abs(math.Log(float64(len(runes)) / usual))
	seen, repeated, odd, fresh := map[rune]bool{}, 0.0, 0.0, 0.0
	for _, r := range runes {
		if seen[r] {
			repeated++
		}
		seen[r] = true
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != ' ' {
			odd++
			if !strings.ContainsRune(s.want, r) && !s.inLiterals(r) {
				fresh++
			}
		}
	}
	n := float64(len(runes))
	if n > 1 {
		p[repeats] += repeated / (n - 1)
	}
	p[oddChars] += odd / n
	p[newOdd] += fresh / n
}

func (s *search) inLiterals(r rune) bool {
	return slices.ContainsFunc(s.uses.Literals, func(l value) bool { return strings.ContainsRune(l.Str, r) })
}

func (s *search) ofContainer(p *propertyValues, v value) {
	n := len(v.Items)
	switch n {
	case 0:
		p[emptyItems]++
		return
	case 1:
		p[oneItem]++
	default:
		p[itemsLength] += math.Abs(math.Log(float64(n) / usualItems))
	}
	kinds := map[python.Kind]bool{}
	for _, item := range v.Items {
		kinds[item.Kind] = true
	}
	if len(kinds) > 1 {
		p[mixedItems]++
	}
	if n > 1 && v.Kind != python.DictKind {
		p[repeats] += float64(n-len(distinct(v.Items))) / float64(n-1)
	}
}
