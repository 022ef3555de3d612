package dsl

// Told locates the parts of a decoded reply in its text: for each part, the bytes that determine
// it, without the punctuation around them. A part may have several spans; a part that is not
// written has none.
type Told struct {
	Event    []Span // the token of the event, or of an end, start or unknown reply
	Function []Span // the function name of the frame on top of the stack
	// Line includes the character after the number, which decides whether the number is 1 or 12.
	Line   []Span
	Locals map[string][]Span // the spans of each local: its name and value, or its name and ".."
	Value  []Span            // the value returned, yielded or raised; for an end, the exit
}

// local adds the span of a local.
func (t *Told) local(name string, at Span) {
	if t.Locals == nil {
		t.Locals = map[string][]Span{}
	}
	t.Locals[name] = append(t.Locals[name], at)
}

// Told locates the parts of the reply in the text that was fed so far. Feeding more text changes
// the result.
func (d *Decoder) Told() Told { return d.told }

// since returns the span from an offset in the scanner's text to the current position. Both ends
// are counted from the beginning of the reply.
func (d *Decoder) since(from int) Span { return Span{from - d.offset, d.s.pos - d.offset} }
