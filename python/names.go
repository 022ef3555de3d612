package python

import (
	"strings"
	"unicode"
)

// IsName reports whether text is a Python name other than None, True and False.
func IsName(text string) bool {
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

// IsVariable reports whether text can name a variable: it is a name and not a keyword.
func IsVariable(text string) bool { return IsName(text) && !isKeyword(text) }

// IsDottedName reports whether text consists of names joined by dots.
func IsDottedName(text string) bool {
	for part := range strings.SplitSeq(text, ".") {
		if !IsName(part) {
			return false
		}
	}
	return true
}
