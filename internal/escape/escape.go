// Package escape writes text that a program or a model made so that it cannot steer a
// terminal.
package escape

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text makes text of a program safe for a terminal: control characters other
// than newline and tab, characters that steer the direction or are invisible
// (Unicode Cc, Cf, Zl, Zp, Co, Cs) and bytes that are no UTF-8 are written \xNN,
// \uNNNN or \UNNNNNNNN. The joiners of scripts and emoji (U+200C, U+200D) stay.
func Text(s string) string {
	clean := true
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if Hostile(r, n) {
			clean = false
			break
		}
		i += n
	}
	if clean {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case !Hostile(r, n):
			b.WriteString(s[i : i+n])
		case r == utf8.RuneError && n == 1:
			b.WriteString(Rune(rune(s[i])))
		default:
			b.WriteString(Rune(r))
		}
		i += n
	}
	return b.String()
}

// Line returns Text for what has to stay on its line, such as a path: line ends
// and tabs are written \x0a and \x09.
func Line(s string) string {
	return strings.NewReplacer("\n", `\x0a`, "\t", `\x09`).Replace(Text(s))
}

// Rune writes one character, or one byte that is no UTF-8, as Text
// writes those that are not safe: \xNN, \uNNNN or \UNNNNNNNN.
func Rune(r rune) string {
	switch {
	case r < 0x100:
		return fmt.Sprintf(`\x%02x`, r)
	case r < 0x10000:
		return fmt.Sprintf(`\u%04x`, r)
	}
	return fmt.Sprintf(`\U%08x`, r)
}

// Hostile reports whether Text rewrites the character r, which took size
// bytes (1 with utf8.RuneError: a byte that is no UTF-8). It is the one rule for
// what may reach a terminal; the screen asks it too.
func Hostile(r rune, size int) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r < 0x20 || r == 0x7f:
		return true
	case r < 0x7f:
		return false
	case r == utf8.RuneError && size == 1:
		return true
	case r == 0x200c || r == 0x200d:
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co, unicode.Cs)
}
