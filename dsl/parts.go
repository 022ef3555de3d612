package dsl

// Span is a range of bytes: From is the first one, To the first one behind it.
type Span struct{ From, To int }

// Parts say what is where in the text that a step adds (Node.Added).
type Parts struct {
	// Reply is what answers the action: what a model is to write, the last
	// <|frame_sep|> included. It is empty where nobody is asked: of a given state and
	// of an edit.
	Reply Span
	// Worked are, in order, the parts of a state that do not follow from its form and
	// the text before it: values written out, new names with theirs, what is returned
	// or raised, numbers of lines; and of an end, how it ends.
	Worked []Span
}

// AppendParts returns Append, and says what is where in the text that it adds.
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
