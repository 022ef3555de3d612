package session

import (
	"strconv"
	"strings"
)

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
