package values

import (
	"strings"
	"unicode/utf8"
)

// literalKind says whether a text is a literal of characters or bytes: what of it
// is missing is then counted as len does in Python.
type literalKind uint8

const (
	noLiteral literalKind = iota
	textLiteral
	bytesLiteral
)

// literal returns what the text is. One of which a part was not stored is none: what is
// missing of it was counted by the characters of its text.
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

// missing describes how much is missing behind a beginning of the text.
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

// count returns how many characters or bytes a beginning of the text stands for, those
// in front of a literal aside.
func (n *Node) count(text string) int {
	switch n.literal() {
	case bytesLiteral:
		return max(letters(text)-len("b'"), 0)
	case textLiteral:
		return max(letters(text)-len("'"), 0)
	}
	return utf8.RuneCountInString(text)
}

// letters returns how many characters there are in a literal: an escape is one.
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
