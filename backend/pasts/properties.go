package pasts

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/npdb/npdb/python"
)

// usualText is the usual length of a text: the median length of str arguments in people's examples and
// tests.
const usualText = 9

type propertyValues [properties]float64

// properties computes the properties of a candidate by which it is ranked. place counts the candidates
// found before it.
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
	s.ofLiterals(&p, c.args)
	p[longText] = math.Log1p(float64(utf8.RuneCountInString(strings.Join(c.texts, ", "))))
	p[late] = math.Log1p(float64(place))
	p[knownCall] = s.unlikeCalls(c)
	p[sampled] = c.probability
	for _, from := range c.sources {
		switch from {
		case fromNatural:
			if plain {
				p[usualPlain]++
			}
		case fromSplit, fromTurned:
			p[splitFrom] = 1
		case fromGiven, fromItself, fromCommon, fromLiteral, fromAffix, fromPart, fromRemoved:
		default:
			p[derivedFrom]++
		}
	}
	if c.from == fromMutation || c.from == fromResidual {
		p[changedFrom] = 1
	}
	return p
}

// ofLiterals counts the short str literals of the program that neither the arguments nor the result
// contain.
func (s *search) ofLiterals(p *propertyValues, args []value) {
	all := asText(s.wanted)
	if s.wanted.Kind == python.OtherKind {
		all = s.want
	}
	for _, v := range args {
		all += " " + asText(v)
	}
	for _, l := range s.uses.Literals {
		if l.Kind == python.StrKind && len(l.Str) <= shortLiteral && !strings.Contains(all, l.Str) {
			p[unusedLiteral] = min(mostLiterals, p[unusedLiteral]+1)
		}
	}
}

const (
	shortLiteral = 12
	mostLiterals = 2
)

// related counts the texts that are part of another argument. It skips a text if the names of the
// parameters suggest that the other one should be the shorter text, for example a prefix.
func (s *search) related(p *propertyValues, args []value) {
	for i, a := range args {
		for j, b := range args {
			if i == j || s.known[i] != nil || a.Kind != python.StrKind || a.Str == "" {
				continue
			}
			if b.Kind == python.StrKind && len(a.Str) < len(b.Str) && strings.Contains(b.Str, a.Str) &&
				usualLength(s.result.Params[i]) <= usualLength(s.result.Params[j]) ||
				slices.ContainsFunc(b.Items, func(v value) bool { return v.Text() == a.Text() }) {
				p[inside]++
			}
		}
	}
}

// unlikeCalls returns the distance between a candidate and the most similar other call, at most 1, or 0
// if there are no other calls.
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

// ofArgument adds the properties of one argument to p.
func (s *search) ofArgument(p *propertyValues, v value, e *python.Evidence, name string) {
	p[typeMisfit] += min(3, misfit(v, e, 0))
	switch v.Kind {
	case python.StrKind:
		s.ofText(p, []rune(v.Str), usualLength(name))
	case python.IntKind:
		if !strings.Contains(s.want, v.Text()) {
			p[rareNumber] += rarity(v.Int)
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
	p[textLength] += s.apart(len(runes), usual)
	if seen := slices.Compact(slices.Sorted(slices.Values(runes))); len(runes) > 1 {
		p[repeats] += float64(len(runes)-len(seen)) / float64(len(runes)-1)
	}
}

// usualInts holds the ints that people pass most often to functions in examples and tests. The value is
// the number of occurrences per thousand.
var usualInts = map[int64]float64{
	0: 121, 1: 111, 2: 105, 3: 84, 5: 71, 4: 64, 10: 59, 6: 30, -1: 26, 7: 22, 100: 18, 8: 16, 15: 16, 20: 15, 9: 12, 1000: 11,
	12: 9, 11: 8, 50: 8, -2: 7, 30: 7, 13: 7, 17: 6, 25: 5,
}

// rarity returns the logarithm of the factor by which n is rarer than the most usual number.
func rarity(n int64) float64 {
	if share, ok := usualInts[n]; ok {
		return math.Log(usualInts[0] / share)
	}
	return min(mostRarity, math.Log(usualInts[0]/4)+0.5*math.Log1p(math.Abs(float64(n))/20))
}

const mostRarity = 6

// apart measures how unusual the length n of a text is: the logarithm of its ratio to the usual length,
// or to the length of the wanted text if that is nearer.
func (s *search) apart(n int, usual float64) float64 {
	d := math.Abs(math.Log(float64(n) / usual))
	if of := utf8.RuneCountInString(s.wanted.Str); s.wanted.Kind == python.StrKind && of > 0 {
		d = min(d, math.Abs(math.Log(float64(n)/float64(of))))
	}
	return d
}

func (s *search) ofContainer(p *propertyValues, v value) {
	n := len(v.Items)
	switch n {
	case 0:
		p[emptyItems]++
		return
	case 1:
		p[oneItem]++
	}
	if n > 2 && consecutive(v.Items) {
		p[ascending]++
	}
	if n > 1 && v.Kind != python.DictKind {
		p[repeats] += float64(n-len(distinct(v.Items))) / float64(n-1)
	}
}

// consecutive reports whether each item is an int that is one more than the item before it.
func consecutive(items []value) bool {
	for i, v := range items {
		if v.Kind != python.IntKind || v.Int != items[0].Int+int64(i) {
			return false
		}
	}
	return true
}
