package openai

// maxEarly bounds how often an incomplete answer is decoded.
const maxEarly = 16

// braces follows the JSON objects of a streaming answer, so that the answer is decoded only
// when a state may be complete and not after each piece.
type braces struct {
	depth        int
	text, escape bool // inside a string; after a backslash in it
	closed       int
}

// feed takes the next piece. It reports whether the outermost object or one of its members
// ended in the piece.
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
