package pasts

import (
	"slices"
	"strings"

	"github.com/npdb/npdb/python"
)

const (
	mostSplits = 24 // places where a result is split between two parameters
	mostPieces = 16 // pieces that are put around a result
)

// pairs queues candidates in which two arguments belong together: the two halves of the result, or the
// result with a piece at its end, and that piece.
func (s *search) pairs() {
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
	for i := range s.known {
		for j := range s.known {
			if i != j && s.suits(i) && s.suits(j) {
				s.pairOf(i, j, defaults)
			}
		}
	}
}

// suits reports whether a parameter is open and likely has the type of the result, a str or a list.
func (s *search) suits(i int) bool {
	best, ok := s.uses.Params[i].Best()
	return s.known[i] == nil && ok && best == s.wanted.Kind && (best == python.StrKind || best == python.ListKind)
}

func (s *search) pairOf(i, j int, defaults []value) {
	add := func(a, b value, from string) {
		c := candidate{args: slices.Clone(defaults), from: from}
		c.args[i], c.args[j] = a, b
		c.sources = slices.Repeat([]string{from}, 2)
		s.paired = append(s.paired, c)
	}
	if s.wanted.Kind == python.ListKind {
		items := s.wanted.Items
		for k := 1; k < min(len(items), mostSplits); k++ {
			add(list(items[:k]...), list(items[k:]...), fromSplit)
		}
		return
	}
	runes := []rune(s.wanted.Str)
	for k := 1; k < min(len(runes), mostSplits); k++ {
		add(python.PlainStr(string(runes[:k])), python.PlainStr(string(runes[k:])), fromSplit)
	}
	for _, piece := range s.affixes() {
		p := python.PlainStr(piece)
		for _, text := range []string{piece + s.wanted.Str, s.wanted.Str + piece, piece + s.wanted.Str + piece} {
			add(python.PlainStr(text), p, fromAffix)
		}
	}
}

// affixes returns pieces that a function may take off: literals of the code, words and ends of the
// result, and usual ones.
func (s *search) affixes() []string {
	var out []string
	for _, l := range s.uses.Literals {
		if l.Kind == python.StrKind && l.Str != "" && len(l.Str) < longestLiteral && len(out) < mostPieces/2 {
			out = append(out, l.Str)
		}
	}
	out = append(out, "x", "a", "hello", "ab", "-", " ", ".")
	out = append(out, strings.Fields(s.wanted.Str)...)
	if runes := []rune(s.wanted.Str); len(runes) > 0 {
		out = append(out, string(runes[:1]), string(runes[len(runes)-1:]), string(runes[len(runes)/2:]))
	}
	return out[:min(len(out), mostPieces+mostPieces/2)]
}
