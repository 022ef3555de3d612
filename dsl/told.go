package dsl

// Told locates the parts of a reply in its text: the characters that determine them, without what
// follows from the form. A part may be in several places; one that is implied has none.
type Told struct {
	Event    []Span // of an end, of the start and of what is unknown, that it is that
	Function []Span // on top of the stack
	// Line extends to the character after the number, since "12" is more than "1".
	Line   []Span
	Locals map[string][]Span // names and values; of one that is unchanged, that it is said to be
	Value  []Span            // what is returned, yielded or raised; of an end, how it ends
}

// local records where a local is written.
func (t *Told) local(name string, at Span) {
	if t.Locals == nil {
		t.Locals = map[string][]Span{}
	}
	t.Locals[name] = append(t.Locals[name], at)
}

// Told locates the parts of the reply in the text that was fed so far. It changes when more is
// fed.
func (d *Decoder) Told() Told { return d.told }

// since returns the span from a place of the scanner's text to the current one.
func (d *Decoder) since(from int) Span { return Span{from - d.offset, d.s.pos - d.offset} }
