package dsl

// Span is a range of bytes: From is the first one, To is after the last one.
type Span struct{ From, To int }

// Parts locates the parts of the text that one step adds (Node.Added).
type Parts struct {
	// Reply is what a model writes in reply to the action, including the last <|frame_sep|>. It is
	// empty for a given state and an edit.
	Reply Span
	// Worked lists, in order, the parts that follow neither from the format nor from the text
	// before: values that are written out, new names with their values, what is returned or raised,
	// line numbers, and for an end the exit.
	Worked []Span
}

// AppendParts is like Append, and also returns where the parts of the added text are.
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
