package openai

// maxEarly limits how often an incomplete reply is decoded.
const maxEarly = 16

// braces counts the braces of the JSON in a streaming reply, so that the reply is decoded only when
// a state may be complete and not after each piece.
type braces struct {
	depth        int
	text, escape bool // text: inside a JSON string; escape: after a backslash in a string
	closed       int
}

// feed reads the next piece of the reply. It reports whether the outermost object, or an object
// directly in it, ended in this piece.
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
