package dsl

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// escapedDots is the encoding of a value that is really "..". The plain encoding means "unchanged".
const escapedDots = `"\u002e\u002e"`

const hexDigits = "0123456789abcdef"

// appendString writes a JSON string as nd/1 does: UTF-8 as it is, and "<" before "|" escaped, so
// that content never contains the spelling of a token.
func appendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '"' || c == '\\' || c < 0x20 || c == 0x7f:
		case c == '<' && i+1 < len(s) && s[i+1] == '|':
		default:
			continue
		}
		dst = append(dst, s[from:i]...)
		from = i + 1
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, `\n`...)
		case '\r':
			dst = append(dst, `\r`...)
		case '\t':
			dst = append(dst, `\t`...)
		default:
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
	}
	dst = append(dst, s[from:]...)
	return append(dst, '"')
}

// appendValue writes the repr of a value as a JSON string. A value that is really ".." is escaped.
func appendValue(dst []byte, s string) []byte {
	if s == ".." {
		return append(dst, escapedDots...)
	}
	return appendString(dst, s)
}

// unquote parses the contents of a JSON string (RFC 8259) in any valid encoding. bad is the offset
// of the first error, and why its reason; bad is -1 if there is no error.
func unquote(raw []byte) (s string, bad int, why string) {
	if !utf8.Valid(raw) {
		for bad < len(raw) {
			r, n := utf8.DecodeRune(raw[bad:])
			if r == utf8.RuneError && n == 1 {
				break
			}
			bad += n
		}
		return "", bad, "this is not UTF-8"
	}
	var b strings.Builder
	b.Grow(len(raw))
	for i := 0; i < len(raw); {
		if raw[i] != '\\' {
			b.WriteByte(raw[i])
			i++
			continue
		}
		at := i
		r, n := escapeSequence(raw[i:])
		if n == 0 {
			return "", at, "JSON has no such escape"
		}
		i += n
		if utf16.IsSurrogate(r) {
			low, n := escapeSequence(raw[i:])
			r = utf16.DecodeRune(r, low)
			if n != 6 || r == utf8.RuneError {
				return "", at, "half of a surrogate pair stands alone"
			}
			i += n
		}
		b.WriteRune(r)
	}
	return b.String(), -1, ""
}

// escapeSequence parses one escape and returns its length n, or 0 if it is invalid.
func escapeSequence(raw []byte) (r rune, n int) {
	if len(raw) < 2 || raw[0] != '\\' {
		return 0, 0
	}
	switch raw[1] {
	case '"', '\\', '/':
		return rune(raw[1]), 2
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case 'u':
		if len(raw) >= 6 {
			if v, err := strconv.ParseUint(string(raw[2:6]), 16, 16); err == nil {
				return rune(v), 6
			}
		}
	}
	return 0, 0
}
