package openai

// maxEarly bounds how often an answer is read before it is whole.
const maxEarly = 16

// braces follows the JSON objects of an answer that streams, so that it is read only where a
// state may have become whole, and not anew with each piece of it.
type braces struct {
	depth        int
	text, escape bool // within a string, and behind its backslash
	closed       int
}

// feed takes the next piece, and reports whether an object has closed in it that is the
// outermost, or a member of that.
func (b *braces) feed(piece string) (closed bool) {
	for i := range len(piece) {
		switch c := piece[i]; {
		case b.escape:
			b.escape = false
		case b.text && c == '\\':
			b.escape = true
		case c == '"' && b.depth > 0:
			b.text = !b.text
		case b.text:
		case c == '{':
			b.depth++
		case c == '}' && b.depth > 0:
			b.depth--
			closed = closed || b.depth <= 1
		}
	}
	if closed {
		b.closed++
	}
	return closed && b.closed <= maxEarly
}
