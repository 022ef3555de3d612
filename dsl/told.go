package dsl

// Told says where in the text of a reply its parts stand: what decided them, without what
// follows from the reply's form. A part may stand in several places, in their order; one
// that the text does not tell, for it follows from what was before, has none.
type Told struct {
	Event    []Span // of an end, of the start and of what is unknown, that it is that
	Function []Span // on top of the stack
	// Line is up to what ends its number: "12" is not "1" and more.
	Line   []Span
	Locals map[string][]Span // names and values; of one that is unchanged, that it is said to be
	Value  []Span            // what is returned, yielded or raised; of an end, how it ends
}

// local takes down where a local is told of.
func (t *Told) local(name string, at Span) {
	if t.Locals == nil {
		t.Locals = map[string][]Span{}
	}
	t.Locals[name] = append(t.Locals[name], at)
}

// Told returns where the parts of the reply stand in the text that was fed, as far as it has
// come. It changes with what is fed.
func (d *Decoder) Told() Told { return d.told }

// since returns what was read from a place of the scanner's text on.
func (d *Decoder) since(from int) Span { return Span{from - d.offset, d.s.pos - d.offset} }

// toldValue notes that the value ends here.
func (d *Decoder) toldValue() { d.told.Value = []Span{d.since(d.part)} }
