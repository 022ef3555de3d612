package values

import (
	"strings"
	"unicode/utf8"
)

// literalKind distinguishes literals of strings and bytes, whose missing part is counted as
// Python's len counts.
type literalKind uint8

const (
	noLiteral literalKind = iota
	textLiteral
	bytesLiteral
)

// literal returns the kind of the text. A text that was not stored completely is none: its missing
// part was counted in characters of the text.
func (n *Node) literal() literalKind {
	text := n.Text
	switch {
	case n.Cut != "" || len(text) < 2:
	case text[0] == '\'' || text[0] == '"':
		return textLiteral
	case text[0] == 'b' && (text[1] == '\'' || text[1] == '"'):
		return bytesLiteral
	}
	return noLiteral
}

// missing describes how much is missing after the beginning of the text.
func (n *Node) missing(shown string) string {
	unit := " chars"
	if n.literal() == bytesLiteral {
		unit = " bytes"
	}
	if n.length == 0 {
		n.length = n.count(n.body()) + left(n.Cut)
		if n.literal() != noLiteral {
			n.length-- // the closing quote
		}
	}
	return "… +" + thousands(max(n.length-n.count(shown), 0)) + unit
}

// count returns the number of characters or bytes in the beginning of the text, without the prefix
// of a literal.
func (n *Node) count(text string) int {
	switch n.literal() {
	case bytesLiteral:
		return max(letters(text)-len("b'"), 0)
	case textLiteral:
		return max(letters(text)-len("'"), 0)
	}
	return utf8.RuneCountInString(text)
}

// letters returns the number of characters in a literal: an escape is one.
func letters(text string) int {
	n := 0
	for {
		i := strings.IndexByte(text, '\\')
		if i < 0 {
			return n + utf8.RuneCountInString(text)
		}
		n += utf8.RuneCountInString(text[:i]) + 1
		text = text[min(i+escape(text[i:]), len(text)):]
	}
}
