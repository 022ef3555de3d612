package python

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// decodeRune is like utf8.DecodeRuneInString, but also decodes surrogates.
func decodeRune(s pyStr) (r rune, size int) {
	r, size = utf8.DecodeRuneInString(string(s))
	if r == utf8.RuneError && size == 1 && len(s) >= 3 && s[0] == 0xed && s[1]&0xe0 == 0xa0 && s[2]&0xc0 == 0x80 {
		return 0xd000 | rune(s[1]&0x3f)<<6 | rune(s[2]&0x3f), 3
	}
	return r, size
}

// appendRune is like utf8.AppendRune, but also encodes surrogates.
func appendRune(dst []byte, r rune) []byte {
	if r >= 0xd800 && r <= 0xdfff {
		return append(dst, 0xed, 0x80|byte(r>>6&0x3f), 0x80|byte(r&0x3f))
	}
	return utf8.AppendRune(dst, r)
}

// length returns len(s), the number of code points.
func (s pyStr) length() int {
	n := 0
	for i := range len(s) {
		if s[i]&0xc0 != 0x80 {
			n++
		}
	}
	return n
}

func (s pyStr) ascii() bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// runes returns the code points of s.
func (s pyStr) runes() []rune {
	out := make([]rune, 0, len(s))
	for len(s) > 0 {
		r, size := decodeRune(s)
		out = append(out, r)
		s = s[size:]
	}
	return out
}

func strOf(runes []rune) pyStr {
	out := make([]byte, 0, len(runes))
	for _, r := range runes {
		out = appendRune(out, r)
	}
	return pyStr(out)
}

// at returns s[i] for a valid index.
func (s pyStr) at(i int) pyStr {
	if s.ascii() {
		return s[i : i+1]
	}
	return strOf(s.runes()[i : i+1])
}

// mapRunes replaces each code point by the result of f.
func (s pyStr) mapRunes(f func(r rune) string) pyStr {
	var b strings.Builder
	for len(s) > 0 {
		r, size := decodeRune(s)
		b.WriteString(f(r))
		s = s[size:]
	}
	return pyStr(b.String())
}

// all reports whether s is not empty and f is true for all of its code points.
func (s pyStr) all(f func(r rune) bool) bool {
	if s == "" {
		return false
	}
	for len(s) > 0 {
		r, size := decodeRune(s)
		if !f(r) {
			return false
		}
		s = s[size:]
	}
	return true
}

// isSpace implements str.isspace for one code point: Unicode's white space by bidirectional class
// or category (CPython, Tools/unicode/makeunicodedata.py).
func isSpace(r rune) bool {
	return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f
}

// isLineEnd reports whether str.splitlines splits at this character. (It treats \r\n as one line
// end.)
func isLineEnd(r rune) bool {
	switch r {
	case '\n', '\r', '\v', '\f', 0x1c, 0x1d, 0x1e, 0x85, 0x2028, 0x2029:
		return true
	}
	return false
}

// isPrintable implements str.isprintable for one code point.
func isPrintable(r rune) bool {
	if r < 0x7f {
		return r >= ' '
	}
	return unicode.IsPrint(r)
}

// upperRune returns the upper case of a code point. It knows Unicode's full mappings to several
// code points for characters that are in use, and uses the simple mapping for all others.
func upperRune(r rune) string {
	switch r {
	case 'ß':
		return "SS"
	case 'ŉ':
		return "ʼN"
	case 'ǰ':
		return "J̌"
	case 'ﬀ':
		return "FF"
	case 'ﬁ':
		return "FI"
	case 'ﬂ':
		return "FL"
	case 'ﬃ':
		return "FFI"
	case 'ﬄ':
		return "FFL"
	case 'ﬅ', 'ﬆ':
		return "ST"
	}
	return string(appendRune(nil, unicode.ToUpper(r)))
}

func lowerRune(r rune) string {
	if r == 'İ' {
		return "i̇"
	}
	return string(appendRune(nil, unicode.ToLower(r)))
}

func titleRune(r rune) string {
	switch r {
	case 'ß':
		return "Ss"
	case 'ŉ', 'ǰ':
		return upperRune(r)
	case 'ﬀ', 'ﬁ', 'ﬂ', 'ﬃ', 'ﬄ', 'ﬅ', 'ﬆ':
		upper := upperRune(r)
		return upper[:1] + strings.ToLower(upper[1:])
	}
	return string(appendRune(nil, unicode.ToTitle(r)))
}

func isCased(r rune) bool {
	return unicode.IsUpper(r) || unicode.IsLower(r) || unicode.IsTitle(r) || unicode.Is(unicode.Other_Lowercase, r) || unicode.Is(unicode.Other_Uppercase, r)
}

// lower returns s.lower(). A capital sigma at the end of a word becomes ς.
func (s pyStr) lower() pyStr {
	if !strings.ContainsRune(string(s), 'Σ') {
		return s.mapRunes(lowerRune)
	}
	runes := s.runes()
	var b strings.Builder
	for i, r := range runes {
		if r == 'Σ' && finalSigma(runes, i) {
			b.WriteRune('ς')
			continue
		}
		b.WriteString(lowerRune(r))
	}
	return pyStr(b.String())
}

// finalSigma evaluates Unicode's condition Final_Sigma.
func finalSigma(runes []rune, i int) bool {
	ignorable := func(r rune) bool {
		return unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk) || strings.ContainsRune("'.:·’‘․:", r)
	}
	before, after := i-1, i+1
	for before >= 0 && ignorable(runes[before]) {
		before--
	}
	for after < len(runes) && ignorable(runes[after]) {
		after++
	}
	return before >= 0 && isCased(runes[before]) && (after == len(runes) || !isCased(runes[after]))
}
