package dsl

// Span is a range of bytes: From is the first one, To is after the last one.
type Span struct{ From, To int }

// Parts locates the parts of the text that a step adds (Node.Added).
type Parts struct {
	// Reply is the answer to the action: what a model writes, including the last <|frame_sep|>. It
	// is empty for a given state and an edit.
	Reply Span
	// Worked are, in order, the parts of a state that do not follow from its form and the text
	// before it: values written out, new names with theirs, what is returned or raised, numbers of
	// lines; for an end, the exit.
	Worked []Span
}

// AppendParts does what Append does, and also returns the byte ranges of the parts of the added
// text.
func (n *Node) AppendParts(s Step) (*Node, Parts, error) {
	var p Parts
	m, err := n.append(s, &p)
	return m, p, err
}

func (p *Parts) reply(from, to int) {
	if p != nil {
		p.Reply = Span{from, to}
	}
}

func (p *Parts) worked(from, to int) {
	if p != nil {
		p.Worked = append(p.Worked, Span{from, to})
	}
}
