package python

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// fault is the kind of error in a token.
type fault uint8

const (
	faultNone fault = iota
	faultCharacter
	faultContinuation
	faultEnd          // the source ends after a backslash
	faultNumber       //
	faultUnterminated // a string
	faultUnclosed     // a bracket
	faultUnmatched
	faultMismatched
	faultField // this and the following ones: in an f-string
	faultBrace
	faultDeep
)

// complaint returns CPython's message for a token's fault.
func (t token) complaint(source string) string {
	text := source[t.pos:t.end]
	switch t.fault {
	case faultCharacter:
		r, _ := utf8.DecodeRuneInString(text[nameLength(text):])
		if isPrintable(r) {
			return fmt.Sprintf("invalid character '%c' (U+%04X)", r, r)
		}
		return fmt.Sprintf("invalid non-printable character U+%04X", r)
	case faultContinuation:
		return "unexpected character after line continuation character"
	case faultEnd:
		return "unexpected EOF while parsing"
	case faultNumber:
		return numberComplaint(text)
	case faultUnterminated:
		return unterminated(source, t)
	case faultUnclosed:
		return fmt.Sprintf("'%c' was never closed", t.open)
	case faultUnmatched:
		return fmt.Sprintf("unmatched '%s'", text)
	case faultMismatched:
		return fmt.Sprintf("closing parenthesis '%s' does not match opening parenthesis '%c'", text, t.open)
	case faultField:
		return "f-string: expecting '}'"
	case faultBrace:
		return "f-string: single '}' is not allowed"
	}
	return "f-string: expressions nested too deeply"
}

// unterminated returns the message for a string without an end. It contains the line at which
// CPython notices the error.
func unterminated(source string, t token) string {
	prefix, line, kind := strings.IndexAny(source[t.pos:t.end], `'"`), int(t.line), ""
	quote := source[int(t.pos)+prefix:]
	if strings.HasPrefix(quote, quote[:1]+quote[:1]+quote[:1]) {
		kind, line = "triple-quoted ", line+strings.Count(strings.TrimSuffix(quote, "\n"), "\n")
	}
	if strings.ContainsAny(source[t.pos:int(t.pos)+prefix], "fF") {
		kind += "f-"
	}
	return fmt.Sprintf("unterminated %sstring literal (detected at line %d)", kind, line)
}

// nameLength returns the length of the identifier at the beginning of text (PEP 3131).
func nameLength(text string) int {
	for i, r := range text {
		if r == '_' || unicode.IsLetter(r) || unicode.Is(unicode.Nl, r) || unicode.Is(unicode.Other_ID_Start, r) {
			continue
		}
		if i > 0 && (unicode.In(r, unicode.Nd, unicode.Mn, unicode.Mc, unicode.Pc) || unicode.Is(unicode.Other_ID_Continue, r)) {
			continue
		}
		return i
	}
	return len(text)
}
