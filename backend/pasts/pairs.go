package pasts

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/npdb/npdb/python"
)

const (
	mostSplits = 24   // positions at which a result is split between two parameters
	mostPieces = 16   // strings that are added around a result
	mostPaired = 2000 // candidates with related arguments
	mainValues = 10   // values of one parameter for which related values are tried
)

// pairs queues candidates with two related arguments: the two halves of the result, a value and a part
// of it, or a text and the separator at which it is split. pools holds the options of each parameter.
func (s *search) pairs(pools [][]option) {
	defaults := make([]value, len(s.known))
	for i, v := range s.known {
		switch {
		case v != nil:
			defaults[i] = *v
		default:
			if usual := natural(s.uses.Params[i]); len(usual) > 0 {
				defaults[i] = usual[0]
			}
		}
	}
	p := &pairing{search: s, defaults: defaults}
	for i := range s.known {
		for j := range s.known {
			if i != j && s.known[i] == nil && s.known[j] == nil {
				p.at, p.place = [2]int{i, j}, map[string]int{}
				p.result()
				p.parts(pools[i])
			}
		}
	}
	slices.SortStableFunc(p.made, func(a, b pair) int { return cmp.Compare(a.place, b.place) })
	for _, made := range p.made[:min(len(p.made), mostPaired)] {
		s.paired = append(s.paired, made.candidate)
	}
}

// pairing collects candidates with related arguments for one pair of parameters at a time.
type pairing struct {
	*search
	defaults []value
	at       [2]int         // the indexes of the two parameters
	place    map[string]int // number of candidates so far for this pair of parameters, by the way they were made
	made     []pair
}

// pair is a candidate. place counts the earlier candidates of the same kind for the same parameters.
type pair struct {
	candidate
	place int
}

func (p *pairing) add(a, b value, from string) {
	c := candidate{args: slices.Clone(p.defaults), from: from}
	c.args[p.at[0]], c.args[p.at[1]] = a, b
	c.sources = slices.Repeat([]string{from}, 2)
	p.made = append(p.made, pair{c, p.place[from]})
	p.place[from]++
}

// kind returns the kind of value that best suits the uses of a parameter, or OtherKind if none does.
func (s *search) kind(i int) python.Kind {
	if best, ok := s.uses.Params[i].Best(); ok {
		return best
	}
	return python.OtherKind
}

// result adds pairs into which the wanted result can be split.
func (p *pairing) result() {
	wanted := p.wanted.Kind
	switch first, second := p.kind(p.at[0]), p.kind(p.at[1]); {
	case wanted == python.ListKind && first == wanted && second == wanted:
		items := p.wanted.Items
		for k := 1; k < min(len(items), mostSplits); k++ {
			p.add(list(items[:k]...), list(items[k:]...), fromSplit)
		}
	case wanted == python.ListKind && first == python.StrKind && second == python.StrKind:
		for _, separator := range slices.Concat(p.affixes(), []string{", ", ";", ":", "/", "|"}) {
			p.add(python.PlainStr(joined(p.wanted.Items, separator)), python.PlainStr(separator), fromAffix)
		}
	case wanted == python.StrKind && first == wanted && second == wanted:
		p.texts()
	}
	if wanted == python.StrKind && p.suits(0, list(p.wanted)) && p.suits(1, p.wanted) {
		for _, separator := range separators(p.wanted.Str) {
			p.add(listOf(strings.Split(p.wanted.Str, separator)), python.PlainStr(separator), fromSplit)
		}
	}
}

// mostMisfit is the largest misfit of a value in a pair.
const mostMisfit = 1.0

// suits reports whether the type of v suits the first (i = 0) or second parameter of the pair.
func (p *pairing) suits(i int, v value) bool {
	return misfit(v, p.uses.Params[p.at[i]], 0) <= mostMisfit
}

// texts adds pairs of texts from which the wanted text can be put together.
func (p *pairing) texts() {
	runes := []rune(p.wanted.Str)
	for k := 1; k < min(len(runes), mostSplits); k++ {
		a, b := string(runes[:k]), string(runes[k:])
		p.add(python.PlainStr(a), python.PlainStr(b), fromSplit)
		p.add(python.PlainStr(reversed(a)), python.PlainStr(b), fromTurned)
	}
	for _, piece := range p.affixes() {
		for _, text := range []string{piece + p.wanted.Str, p.wanted.Str + piece, piece + p.wanted.Str + piece} {
			p.add(python.PlainStr(text), python.PlainStr(piece), fromAffix)
		}
	}
	words := strings.Fields(p.wanted.Str)
	for k := range words[:min(len(words), mostPieces)] {
		rest := slices.Delete(slices.Clone(words), k, k+1)
		p.add(python.PlainStr(strings.Join(rest, " ")), python.PlainStr(words[k]), fromSplit)
		slices.Reverse(rest)
		p.add(python.PlainStr(strings.Join(rest, " ")), python.PlainStr(words[k]), fromTurned)
	}
}

// parts adds pairs of a value and a part of it, or a number that describes it, such as its length.
func (p *pairing) parts(options []option) {
	values := []value{p.wanted}
	for _, o := range options[:min(len(options), mainValues)] {
		values = append(values, o.value)
	}
	for _, v := range values {
		if !p.suits(0, v) {
			continue
		}
		for _, part := range related(v) {
			if p.suits(1, part) {
				p.add(v, part, fromPart)
			}
		}
	}
	p.removed()
}

// removed adds pairs of the wanted result without one item, and that item.
func (p *pairing) removed() {
	items := itemsOf(p.wanted)
	for k := range items[:min(len(items), mostSplits)] {
		rest := value{Kind: p.wanted.Kind}
		rest.Items = slices.Delete(slices.Clone(p.wanted.Items), min(k, len(p.wanted.Items)), min(k+1, len(p.wanted.Items)))
		switch p.wanted.Kind {
		case python.StrKind:
			runes := []rune(p.wanted.Str)
			rest = python.PlainStr(string(slices.Delete(runes, k, k+1)))
		case python.DictKind:
			rest.Keys = slices.Delete(slices.Clone(items), k, k+1)
		}
		if !p.suits(1, items[k]) {
			continue
		}
		p.add(rest, items[k], fromRemoved)
		for i := range p.known {
			if i != p.at[0] && i != p.at[1] && p.known[i] == nil {
				other := p.defaults[i]
				p.defaults[i] = python.PlainInt(int64(k))
				if p.wanted.Kind == python.DictKind {
					p.defaults[i] = p.wanted.Items[k]
				}
				p.add(rest, items[k], fromRemoved)
				p.defaults[i] = other
			}
		}
	}
}

// related returns parts of a value, and numbers that describe it, such as its length.
func related(v value) (out []value) {
	switch v.Kind {
	case python.StrKind:
		runes := []rune(v.Str)
		n := len(runes)
		if words := strings.Fields(v.Str); len(words) > 1 {
			out = append(out, textsOf(words[:min(len(words), mostPieces)])...)
		}
		out = append(out, distinct(textsOf(characters(v.Str)))...)
		out = out[:min(len(out), 2*mostPieces)]
		for k := 2; k < min(n, 5); k++ {
			out = append(out, textsOf([]string{string(runes[:k]), string(runes[n-k:])})...)
		}
		out = append(out, ints(int64(n), int64(n-1), int64(n+1), int64(n/2))...)
	case python.ListKind, python.TupleKind, python.SetKind:
		n := len(v.Items)
		out = distinct(v.Items)[:min(len(distinct(v.Items)), mostPieces)]
		out = append(out, ints(int64(n), int64(n-1), int64(n/2), 1)...)
		if n > 1 {
			out = append(out, list(v.Items[:1]...), list(v.Items[:2]...), list(v.Items[n-1:]...))
		}
	case python.DictKind:
		n := min(len(v.Keys), mostPieces/2)
		out = slices.Concat(v.Keys[:n], v.Items[:n])
		if n > 0 {
			out = append(out, list(v.Keys[:1]...), list(v.Keys...))
		}
	}
	return out
}

// separators returns substrings that occur several times in a text, those that are not letters first.
func separators(text string) (out []string) {
	runes := []rune(text)
	for n := 1; n <= 4; n++ {
		for i := 0; i+n <= len(runes) && len(out) < 4*mostPieces; i++ {
			if s := string(runes[i : i+n]); !slices.Contains(out, s) && strings.Count(text, s) > 1 {
				out = append(out, s)
			}
		}
	}
	letters := func(s string) float64 {
		n := 0.0
		for _, r := range s {
			if unicode.IsLetter(r) {
				n++
			}
		}
		return n / float64(len([]rune(s)))
	}
	slices.SortStableFunc(out, func(a, b string) int {
		return cmp.Or(cmp.Compare(letters(a), letters(b)), cmp.Compare(strings.Count(text, b)*len(b), strings.Count(text, a)*len(a)))
	})
	return out[:min(len(out), mostPieces)]
}

// affixes returns strings that a function may have removed from its argument: literals of the program,
// words at either end of the result, and common ones.
func (s *search) affixes() []string {
	var out []string
	for _, l := range s.uses.Literals {
		if l.Kind == python.StrKind && l.Str != "" && len(l.Str) < longestLiteral && len(out) < mostPieces/2 {
			out = append(out, l.Str)
		}
	}
	out = append(out, "x", "a", "hello", "ab", "-", " ", ".", ",")
	out = append(out, strings.Fields(s.wanted.Str)...)
	if runes := []rune(s.wanted.Str); len(runes) > 0 {
		out = append(out, string(runes[:1]), string(runes[len(runes)-1:]), string(runes[len(runes)/2:]))
	}
	return out[:min(len(out), mostPieces+mostPieces/2)]
}
