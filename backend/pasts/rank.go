package pasts

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

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
	emptyText          // an argument is ''
	emptyItems         // an argument is [] or another empty container
	emptyItself        // an empty argument is the result itself
	emptyPlain         // an empty argument is not, and the result is a number, a bool or None
	oneItem            // a container with one item
	oneChar            // a str of one character, for a parameter whose name does not ask for one
	textLength         // how far the length of a str is from a usual one, as a ratio
	itemsLength        // likewise for containers
	mixedItems         // items of several types
	repeats            // share of items or characters that occur earlier in the same value
	newMarks           // share of punctuation characters that are neither in the result nor in the code
	negative           // a negative int
	rareType           // None, a bool or a float where the code suggests another type
	itself             // the result itself
	twice              // one value for two parameters
	sameForm           // two arguments are the same text, apart from case and the order of characters
	inside             // a text is a part of another argument
	longText           // logarithm of the length of the arguments
	newText            // logarithm of the number of characters that are not in the result
	derivedFrom        // an argument is made of the result
	literalFrom        // an argument is a literal of the code
	usualFrom          // an argument is a usual value
	usualPlain         // an argument is a usual value, and the result is a number, a bool or None
	splitFrom          // two arguments are the halves of the result
	late               // logarithm of the number of candidates found before
	sampled            // probability that the model gives the candidate
	knownCall          // distance from the most similar other call of the function
	properties
)

var propertyNames = [properties]string{
	"type", "empty text", "empty container", "empty result itself", "empty for a plain result", "one item", "one character",
	"length of text", "length of container", "mixed items", "repetition", "new punctuation", "negative number", "rare type",
	"result itself", "same value twice", "form of another argument", "part of another argument", "length", "new characters",
	"made of the result", "literal of the code", "usual value", "usual value for a plain result", "result split", "found late",
	"sample of the model", "unlike other calls",
}

// weights are the contributions of one unit of each property: the logarithm of the factor by which it
// makes a candidate more likely. A conditional logit model was fitted to the pasts found for 199
// functions whose arguments are known; then its weights were changed in steps where that put more
// likely pasts first, and rounded. The last two weights were chosen by hand, as those functions had no
// samples and no other calls. The lines that a candidate runs, whether it was found by mutation, the
// types of items and the size of numbers made no difference, and are not used.
var weights = [properties]float64{
	typeMisfit: -1.8, emptyText: -0.9, emptyItems: -2.1, emptyItself: 1, emptyPlain: -1.5, oneItem: -1.7, oneChar: -1,
	textLength: -0.3, itemsLength: -0.2, mixedItems: -0.3, repeats: -2, newMarks: -0.5, negative: -1.2, rareType: -0.6,
	itself: -0.3, twice: -0.7, sameForm: -1, inside: 1.6, longText: -0.9, newText: -0.6,
	derivedFrom: -0.4, literalFrom: -1, usualFrom: 0.4, usualPlain: 1.1, splitFrom: 0.6, late: -0.4,
	sampled: 3, knownCall: -2,
}

// The usual lengths of values: medians of arguments that people write in examples and tests.
const (
	usualText  = 9
	usualItems = 4
)

type propertyValues [properties]float64

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

// properties measures a candidate.
func (s *search) properties(c *candidate, place int) (p propertyValues) {
	seen, plain := map[string]bool{}, s.wanted.Kind < python.StrKind
	for i, v := range c.args {
		if s.known[i] != nil {
			continue
		}
		s.ofArgument(&p, v, s.uses.Params[i], s.result.Params[i])
		if c.texts[i] == s.want {
			p[itself]++
			if v.Kind >= python.StrKind && len(v.Items) == 0 && v.Str == "" {
				p[emptyItself]++
			}
		}
		if plain && v.Kind >= python.StrKind && len(v.Items) == 0 && v.Str == "" {
			p[emptyPlain]++
		}
		if seen[c.texts[i]] {
			p[twice]++
		}
		seen[c.texts[i]] = true
	}
	s.related(&p, c.args)
	text := []rune(strings.Join(c.texts, ", "))
	want := []rune(s.want)
	if len(text) <= mostDiffed && len(want) <= mostDiffed {
		p[newText] = math.Log1p(float64(len(text)) * (1 - likeness(text, want)*float64(len(text)+len(want))/float64(2*len(text))))
	}
	p[longText] = math.Log1p(float64(len(text)))
	p[late] = math.Log1p(float64(place))
	p[knownCall] = s.unlikeCalls(c)
	p[sampled] = c.probability
	for _, from := range c.sources {
		switch from {
		case fromNatural:
			p[usualFrom]++
			if plain {
				p[usualPlain]++
			}
		case fromLiteral:
			p[literalFrom]++
		case fromSplit:
			p[splitFrom] = 1
		case fromGiven, fromItself, fromCommon, fromAffix:
		default:
			p[derivedFrom]++
		}
	}
	return p
}

// related compares the texts among the arguments with each other.
func (s *search) related(p *propertyValues, args []value) {
	for i, a := range args {
		for j, b := range args {
			if i == j || s.known[i] != nil || a.Kind != python.StrKind || a.Str == "" {
				continue
			}
			switch {
			case b.Kind == python.StrKind && len(a.Str) < len(b.Str) && strings.Contains(b.Str, a.Str),
				slices.ContainsFunc(b.Items, func(v value) bool { return v.Text() == a.Text() }):
				p[inside]++
			case j > i && len(a.Str) > 1 && len(a.Str) == len(b.Str) && anagram(a.Str) == anagram(b.Str):
				p[sameForm]++
			}
		}
	}
}

// anagram returns the characters of a text in one order and case.
func anagram(s string) string {
	runes := []rune(strings.ToLower(s))
	slices.Sort(runes)
	return string(runes)
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
	p[typeMisfit] += min(3, misfit(v, e, 0))
	best, ok := e.Best()
	switch v.Kind {
	case python.StrKind:
		s.ofText(p, []rune(v.Str), usualLength(name))
	case python.IntKind:
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
	p[textLength] += s.apart(len(runes), usual, python.StrKind)
	seen, repeated, fresh := map[rune]bool{}, 0.0, 0.0
	for _, r := range runes {
		if seen[r] {
			repeated++
		}
		seen[r] = true
		mark := !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != ' '
		if mark && !strings.ContainsRune(s.want, r) && !s.inLiterals(r) {
			fresh++
		}
	}
	n := float64(len(runes))
	if n > 1 {
		p[repeats] += repeated / (n - 1)
	}
	p[newMarks] += fresh / n
}

// apart returns how far a length is from the usual one, or from the length of the result if that is
// nearer.
func (s *search) apart(n int, usual float64, kind python.Kind) float64 {
	d := math.Abs(math.Log(float64(n) / usual))
	of := len(s.wanted.Items)
	if kind == python.StrKind {
		of = utf8.RuneCountInString(s.wanted.Str)
	}
	if of > 0 {
		d = min(d, math.Abs(math.Log(float64(n)/float64(of))))
	}
	return d
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
		p[itemsLength] += s.apart(n, usualItems, python.ListKind)
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
