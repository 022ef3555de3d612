package dsl

import "slices"

// Node is a place in a history: a text of nd/1 up to it. Nodes do not change. A node holds what
// its own step added and shares the rest with its parent, so a step costs only its own text, and
// the text of a branch has that of the place where it branched off as an exact prefix.
type Node struct {
	book   *book
	parent *Node
	step   Step
	marker bool // <|compact_sep|>, and no step
	text   string
	size   int // of the whole text in bytes
	reader reader
}

// Begin returns the text of a program's context, to which the first state is to be appended. The
// error is an *EncodeError.
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

// Mark begins a compacted text, at the node of a context: given states in full follow.
func (n *Node) Mark() *Node {
	m := n.child([]byte(n.book.Name(CompactSep) + n.book.Name(FrameSep)))
	m.marker = true
	return m
}

// open reports whether a given state may come next: the first one, or one at the beginning of a
// compacted text.
func (n *Node) open() bool {
	if n.isContext() || n.marker {
		return true
	}
	for !n.isContext() && !n.marker && n.step.given() && n.step.Reply.Outcome == Landed {
		n = n.parent
	}
	return n.marker
}

// Append returns the text after one more step. The error is an *EncodeError; the node does not
// change.
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

// Step returns the step that the node added. ok is false for a context and for the mark of a
// compacted text.
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

// Prompt returns the prompt for an action: the whole text and the action, which a reply follows.
func (n *Node) Prompt(a Action) (string, error) {
	action, err := n.book.appendAction(nil, a)
	if err != nil {
		return "", err
	}
	return string(append(n.AppendText(make([]byte, 0, n.size+len(action))), action...)), nil
}

// Reply returns the text that answers an action: what a model writes after Prompt, including the
// last <|frame_sep|>.
func (n *Node) Reply(a Action, r Reply) (string, error) {
	s := Step{Action: a, Reply: r}
	var p Parts
	text, _, err := n.write(s, &p)
	if err != nil {
		return "", err
	}
	return string(text[p.Reply.From:p.Reply.To]), nil
}

// Program returns the context.
func (n *Node) Program() *Program { return n.book.program }

// Current returns the current state: nil before the first one and at the end.
func (n *Node) Current() *Stop {
	if n.reader.event == 0 {
		return nil
	}
	return n.reader.top.latest
}

// Trajectory returns the contents of the text.
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
