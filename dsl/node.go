package dsl

import "slices"

// Node is a position in a trajectory, with the nd/1 text up to it. Nodes are immutable. A node
// stores only the text of its own step, and shares the rest with its parent. So a step costs only
// its own text, and the text of a node is a prefix of the text of all its descendants.
type Node struct {
	book   *book
	parent *Node
	step   Step
	marker bool // the node adds <|compact_sep|> instead of a step
	text   string
	size   int // length of the whole text in bytes
	reader reader
}

// Begin returns the node of a program's context. Append the first state to it. The error is an
// *EncodeError.
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

// Mark appends <|compact_sep|> to a context, which begins a compacted text. Append the given states
// to its result.
func (n *Node) Mark() *Node {
	m := n.child([]byte(n.book.Name(CompactSep) + n.book.Name(FrameSep)))
	m.marker = true
	return m
}

// open reports whether a given state can be appended: the first state, or any of the states at the
// beginning of a compacted text.
func (n *Node) open() bool {
	if n.isContext() || n.marker {
		return true
	}
	for !n.isContext() && !n.marker && n.step.given() && n.step.Reply.Outcome == Landed {
		n = n.parent
	}
	return n.marker
}

// Append returns the node after one more step. n does not change. The error is an *EncodeError.
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

// Parent returns the node before this node's step, or nil for a context.
func (n *Node) Parent() *Node { return n.parent }

// Step returns the step that the node added. ok is false for the node of a context and for one that
// Mark returned.
func (n *Node) Step() (s Step, ok bool) { return n.step, n.parent != nil && !n.marker }

// Added returns the text that the node's step added.
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

// Prompt returns the prompt for an action: the whole text and the action. The model continues with
// the reply.
func (n *Node) Prompt(a Action) (string, error) {
	action, err := n.book.appendAction(nil, a)
	if err != nil {
		return "", err
	}
	return string(append(n.AppendText(make([]byte, 0, n.size+len(action))), action...)), nil
}

// Reply returns the text of a reply to an action, as a model should write it after Prompt,
// including the last <|frame_sep|>.
func (n *Node) Reply(a Action, r Reply) (string, error) {
	s := Step{Action: a, Reply: r}
	var p Parts
	text, _, err := n.write(s, &p)
	if err != nil {
		return "", err
	}
	return string(text[p.Reply.From:p.Reply.To]), nil
}

// Program returns the program whose source is the context.
func (n *Node) Program() *Program { return n.book.program }

// Current returns the current state. It is nil before the first state and at the end of the
// program.
func (n *Node) Current() *Stop {
	if n.reader.event == 0 {
		return nil
	}
	return n.reader.top.latest
}

// Trajectory returns the program and all steps up to this node.
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
