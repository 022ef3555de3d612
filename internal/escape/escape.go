// Package escape escapes text from a program or a model, so that the text cannot control a
// terminal.
package escape

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text makes text from a program safe for a terminal. It writes unsafe characters and invalid UTF-8
// as \xNN, \uNNNN or \UNNNNNNNN. Unsafe are control characters other than newline and tab,
// invisible characters, and characters that change the text direction (Unicode Cc, Cf, Zl, Zp, Co,
// Cs). The joiners of scripts and emoji (U+200C, U+200D) are safe.
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

// Line is like Text for a text that must stay on one line, such as a path. It also writes line ends
// and tabs as \x0a and \x09.
func Line(s string) string {
	return strings.NewReplacer("\n", `\x0a`, "\t", `\x09`).Replace(Text(s))
}

// Rune returns the escape sequence of one character, or of one invalid byte of UTF-8: \xNN, \uNNNN
// or \UNNNNNNNN.
func Rune(r rune) string {
	switch {
	case r < 0x100:
		return fmt.Sprintf(`\x%02x`, r)
	case r < 0x10000:
		return fmt.Sprintf(`\u%04x`, r)
	}
	return fmt.Sprintf(`\U%08x`, r)
}

// Hostile reports whether the character r of size bytes is unsafe, so that Text escapes it.
// utf8.RuneError of size 1 is an invalid byte. This function alone decides which characters may
// reach a terminal; the screen uses it too.
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
