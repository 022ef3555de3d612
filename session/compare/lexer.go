package compare

import "strings"

// tokenKind is the kind of a token in the text of a value. Most tokens are Python's. A repr may
// contain anything, so any other byte becomes a token of kind mark. The lexer of package python
// cannot be used here, because it stops at text that is not Python.
type tokenKind uint8

const (
	end     tokenKind = iota
	mark              // a single byte of any other text
	word              // a Python name, or part of one
	number            // a token that begins with a digit
	literal           // a string or bytes literal with its quotes
	note              // npdb's note about omitted text: "… +12 items"
)

type token struct {
	kind       tokenKind
	start, end int
}

// lexer splits text into tokens, from pos on. It reads each byte once.
type lexer struct {
	text     string
	pos      int
	unclosed [2]bool // no further quote of this kind follows (0 for ', 1 for ")
}

func (l *lexer) next() token {
	text, i := l.text, l.pos
	if i >= len(text) {
		return token{end, i, i}
	}
	t := token{start: i}
	switch c := text[i]; {
	case c == '\'' || c == '"':
		t.kind, t.end = literal, l.quoted(i)
	case c == 'b' && i+1 < len(text) && (text[i+1] == '\'' || text[i+1] == '"'):
		t.kind, t.end = literal, l.quoted(i+1)
	case '0' <= c && c <= '9':
		t.kind, t.end = number, numberEnd(text, i)
	case wordByte(c):
		t.kind, t.end = note, i+noteLen(text[i:])
		if t.end == i {
			t.kind, t.end = word, wordEnd(text, i)
		}
	}
	if t.end <= i {
		t.kind, t.end = mark, i+1
	}
	l.pos = t.end
	return t
}

func (l *lexer) in(t token) string { return l.text[t.start:t.end] }

// quoted returns the end of the literal whose opening quote is at i, or 0 if no quote closes it.
func (l *lexer) quoted(i int) int {
	quote, which := l.text[i], 0
	if quote == '"' {
		which = 1
	}
	if l.unclosed[which] {
		return 0
	}
	for i++; i < len(l.text); i++ {
		switch l.text[i] {
		case quote:
			return i + 1
		case '\\':
			i++
		}
	}
	l.unclosed[which] = true
	return 0
}

// numberEnd returns the end of the number that begins at i. Digits, letters (0x, e, j), points and
// the sign of an exponent belong to it.
func numberEnd(text string, i int) int {
	hexadecimal := strings.HasPrefix(text[i:], "0x")
	for ; i < len(text); i++ {
		c := text[i]
		switch {
		case '0' <= c && c <= '9', 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', c == '.', c == '_':
		case (c == '-' || c == '+') && text[i-1] == 'e' && !hexadecimal:
		default:
			return i
		}
	}
	return i
}

func wordByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c >= 0x80
}

func wordEnd(text string, i int) int {
	for i++; i < len(text) && wordByte(text[i]); i++ {
		if text[i] == ellipsis[0] && noteLen(text[i:]) > 0 {
			return i
		}
	}
	return i
}

const ellipsis = "…"

// units lists the words that npdb uses in notes about omitted parts of a value
// (trace/tracer/render.py).
var units = []string{"chars", "items", "attributes"}

// noteLen returns the length of the note about omitted text at the beginning of text, 0 if there is
// none. Examples: "… +1,234 chars not stored", "… nested deeper".
func noteLen(text string) int {
	rest, ok := strings.CutPrefix(text, ellipsis+" ")
	if !ok {
		return 0
	}
	const deeper = "nested deeper"
	if strings.HasPrefix(rest, deeper) {
		return len(ellipsis) + 1 + len(deeper)
	}
	if !strings.HasPrefix(rest, "+") {
		return 0
	}
	i := 1
	for i < len(rest) && ('0' <= rest[i] && rest[i] <= '9' || rest[i] == ',') {
		i++
	}
	if i == 1 || i == len(rest) || rest[i] != ' ' {
		return 0
	}
	i++
	for _, unit := range units {
		if strings.HasPrefix(rest[i:], unit) {
			i += len(unit)
			if strings.HasPrefix(rest[i:], " not stored") {
				i += len(" not stored")
			}
			return len(text) - len(rest) + i
		}
	}
	return 0
}

// cutEnd splits a text that ends in a note about missing characters into the shown text and the
// note.
func cutEnd(text string) (shown, missing string) {
	const longest = 64
	from := max(len(text)-longest, 0)
	at := strings.LastIndex(text[from:], ellipsis+" +")
	if at < 0 {
		return text, ""
	}
	at += from
	if noteLen(text[at:]) != len(text)-at || !strings.Contains(text[at:], "chars") {
		return text, ""
	}
	return text[:at], text[at:]
}
