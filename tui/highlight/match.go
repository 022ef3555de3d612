package highlight

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Range is a part of a text, in bytes: text[Start:End].
type Range struct{ Start, End int }

// Match finds a plain-text pattern in a text: from left to right, without overlaps. ignoreCase
// uses Unicode's simple case folding. An empty pattern has no match.
func Match(text, pattern string, ignoreCase bool) []Range {
	if pattern == "" {
		return nil
	}
	m := newMatcher(text, pattern, ignoreCase)
	var found []Range
	for at := 0; ; {
		start, end := m.next(text, at)
		if start < 0 {
			return found
		}
		found = append(found, Range{start, end})
		at = end
	}
}

// Contains reports whether Match finds something.
func Contains(text, pattern string, ignoreCase bool) bool {
	if pattern == "" {
		return false
	}
	start, _ := newMatcher(text, pattern, ignoreCase).next(text, 0)
	return start >= 0
}

type matcher struct {
	pattern    string
	ignoreCase bool
	// Used only for ignoreCase: the pattern's first character, the rest, and the variants of the
	// first one.
	first, rest, cases string
}

func newMatcher(text, pattern string, ignoreCase bool) *matcher {
	m := &matcher{pattern: pattern, ignoreCase: ignoreCase}
	if ignoreCase {
		first, n := utf8.DecodeRuneInString(pattern)
		m.first, m.rest, m.cases = pattern[:n], pattern[n:], cases(first, text)
	}
	return m
}

// next returns the first match from a position on; start is -1 for none.
func (m *matcher) next(text string, at int) (start, end int) {
	if !m.ignoreCase {
		i := strings.Index(text[at:], m.pattern)
		if i < 0 {
			return -1, 0
		}
		return at + i, at + i + len(m.pattern)
	}
	for at < len(text) {
		i := strings.IndexAny(text[at:], m.cases)
		if i < 0 {
			break
		}
		at += i
		r, size := utf8.DecodeRuneInString(text[at:])
		if r != utf8.RuneError || text[at:at+size] == m.first {
			if length := foldedPrefix(text[at+size:], m.rest); length >= 0 {
				return at, at + size + length
			}
		}
		at += size
	}
	return -1, 0
}

// cases returns the case variants of a character; for an ASCII text only those in ASCII, which is
// faster.
func cases(r rune, text string) string {
	all := string(r)
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		if f < utf8.RuneSelf || strings.ContainsRune(text, f) {
			all += string(f)
		}
	}
	return all
}

// foldedPrefix returns the length in bytes of the pattern at a text's beginning, ignoring case; -1
// if it is not there.
func foldedPrefix(text, pattern string) int {
	at := 0
	for len(pattern) > 0 {
		if at == len(text) {
			return -1
		}
		p, pn := utf8.DecodeRuneInString(pattern)
		t, tn := utf8.DecodeRuneInString(text[at:])
		if fold(p) != fold(t) || p == utf8.RuneError && pattern[:pn] != text[at:at+tn] {
			return -1
		}
		pattern, at = pattern[pn:], at+tn
	}
	return at
}

// fold returns the smallest case variant of a character.
func fold(r rune) rune {
	if r < utf8.RuneSelf {
		if 'a' <= r && r <= 'z' {
			return r - ('a' - 'A')
		}
		return r
	}
	least := r
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		least = min(least, f)
	}
	return least
}
