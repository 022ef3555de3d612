package dsl

import "slices"

// Node is a place in a history: a text of nd/1 up to it. Nodes are never
// changed. A node owns what its own step added and shares the rest with its
// parent, so a step costs the step, and the text of a branch has that of the
// place it left as a prefix, byte for byte.
type Node struct {
	book   *book
	parent *Node
	step   Step
	marker bool // <|compact_sep|>, and no step
	text   string
	size   int // of the whole text in bytes
	reader reader
}

// Begin returns the text of a program's context. The first state is to be appended
// to it. The error is an *EncodeError.
func (f *Format) Begin(p *Program) (*Node, error) {
	b := newBook(f, p)
	text, err := b.appendContext(nil)
	if err != nil {
		return nil, err
	}
	return &Node{book: b, text: string(text), size: len(text)}, nil
}

func (n *Node) isContext() bool { return n.parent == nil }

func (n *Node) child(text []byte) *Node {
	return &Node{book: n.book, parent: n, text: string(text), size: n.size + len(text), reader: n.reader}
}

// Mark begins a compacted text, at the node of a context: given states follow, in full.
func (n *Node) Mark() *Node {
	m := n.child([]byte(n.book.Name(CompactSep) + n.book.Name(FrameSep)))
	m.marker = true
	return m
}

// open reports whether a state that no action led to may come next: it is the
// first, or one of those that a compacted text begins with.
func (n *Node) open() bool {
	if n.isContext() || n.marker {
		return true
	}
	for !n.isContext() && !n.marker && n.step.given() && n.step.Reply.Outcome == Landed {
		n = n.parent
	}
	return n.marker
}

// Append returns the text after one more step. The error is an *EncodeError, and
// the node is as it was.
func (n *Node) Append(s Step) (*Node, error) { return n.append(s, nil) }

func (n *Node) append(s Step, p *Parts) (*Node, error) {
	text, after, err := n.write(s, p)
	if err != nil {
		return nil, err
	}
	m := n.child(text)
	m.step, m.reader = s, after
	return m, nil
}

// Parent returns the text before the node's step, nil for a context.
func (n *Node) Parent() *Node { return n.parent }

// Step returns what the node added to its parent's text. ok is false for a context
// and the mark of a compacted text, which add none.
func (n *Node) Step() (s Step, ok bool) { return n.step, n.parent != nil && !n.marker }

// Added returns what the node's own step added to the text.
func (n *Node) Added() string { return n.text }

// Len returns the length of the whole text in bytes.
func (n *Node) Len() int { return n.size }

// Text returns the whole text.
func (n *Node) Text() string { return string(n.AppendText(nil)) }

// AppendText appends the whole text to dst.
func (n *Node) AppendText(dst []byte) []byte {
	start := len(dst)
	dst = slices.Grow(dst, n.size)[:start+n.size]
	for ; n != nil; n = n.parent {
		copy(dst[start+n.size-len(n.text):], n.text)
	}
	return dst
}

// Prompt returns the text that asks a model what an action leads to: the whole text
// and the action. What follows it is a reply.
func (n *Node) Prompt(a Action) (string, error) {
	action, err := n.book.appendAction(nil, a)
	if err != nil {
		return "", err
	}
	return string(append(n.AppendText(make([]byte, 0, n.size+len(action))), action...)), nil
}

// Reply returns the text that answers an action: what a model is to write after
// Prompt, its last <|frame_sep|> included.
func (n *Node) Reply(a Action, r Reply) (string, error) {
	s := Step{Action: a, Reply: r}
	var p Parts
	text, _, err := n.write(s, &p)
	if err != nil {
		return "", err
	}
	return string(text[p.Reply.From:p.Reply.To]), nil
}

// Program returns the text's context.
func (n *Node) Program() *Program { return n.book.program }

// Current returns the state the text stands at: nil before the first one and at the
// end.
func (n *Node) Current() *Stop {
	if n.reader.event == 0 {
		return nil
	}
	return n.reader.top.latest
}

// Trajectory lists what the text tells.
func (n *Node) Trajectory() Trajectory {
	t := Trajectory{Program: n.book.program}
	for ; n.parent != nil; n = n.parent {
		if n.marker {
			t.Compacted = true
		} else {
			t.Steps = append(t.Steps, n.step)
		}
	}
	slices.Reverse(t.Steps)
	return t
}

// Encode writes a trajectory. The error is an *EncodeError.
func (f *Format) Encode(t Trajectory) (*Node, error) {
	n, err := f.Begin(t.Program)
	if err != nil {
		return nil, err
	}
	if t.Compacted {
		n = n.Mark()
	}
	for _, s := range t.Steps {
		if n, err = n.Append(s); err != nil {
			return nil, err
		}
	}
	return n, nil
}
