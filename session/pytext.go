package session

import (
	"strconv"
	"strings"
	"unicode"
)

// isIdentifier reports whether text is a Python name and no keyword constant.
func isIdentifier(text string) bool {
	if text == "" || text == "None" || text == "True" || text == "False" {
		return false
	}
	for i, r := range text {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return true
}

// dottedName reports whether text is names joined by dots.
func dottedName(text string) bool {
	for part := range strings.SplitSeq(text, ".") {
		if !isIdentifier(part) {
			return false
		}
	}
	return true
}

func isNumber(text string) bool {
	_, err := strconv.Atoi(text)
	return err == nil
}

// unquote reads a Python string literal as repr writes it; ok is false for any
// other text, such as two literals with a comma between.
func unquote(lit string) (text string, ok bool) {
	if len(lit) < 2 || lit[0] != '\'' && lit[0] != '"' || lit[len(lit)-1] != lit[0] {
		return "", false
	}
	quote, rest := lit[0], lit[1:len(lit)-1]
	var b strings.Builder
	for rest != "" {
		if rest[0] == quote {
			return "", false
		}
		// strconv knows every escape that repr writes, and \' in single quotes.
		r, _, tail, err := strconv.UnquoteChar(rest, quote)
		if err != nil {
			if rest[0] != '\\' || len(rest) < 2 {
				return "", false
			}
			// The other quote, or a lone surrogate: kept as written.
			b.WriteString(rest[:2])
			rest = rest[2:]
			continue
		}
		b.WriteRune(r) // repr's \x80 to \xff are characters, not bytes
		rest = tail
	}
	return b.String(), true
}

// trimLineEnd drops one \n or \r\n from the end.
func trimLineEnd(text string) string {
	return strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
}
