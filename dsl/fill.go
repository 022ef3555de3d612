package dsl

import (
	"encoding/json"
	"errors"
	"strings"
)

// PromptValue returns the prompt for the missing value of first.Locals[i]: the context, and the
// first state up to the opening quote of that value. The model continues with the value and a
// closing quote. The prompt contains the locals before i, but not those after it.
func (n *Node) PromptValue(first *Stop, i int) (string, error) {
	if !n.isContext() {
		return "", cannotWrite("a first state after another")
	}
	if i < 0 || i >= len(first.Locals) || first.Locals[i].Hidden {
		return "", cannotWrite("a value for a local that the state lacks")
	}
	if _, err := n.book.check(first); err != nil {
		return "", err
	}
	dst := append(n.AppendText(nil), n.book.Name(eventTokens[first.Event])+n.book.Name(StackSep)...)
	dst, err := n.book.appendStack(dst, first.Stack)
	if err != nil {
		return "", err
	}
	if dst, err = appendLocals(dst, first.Locals[:i], nil, nil); err != nil {
		return "", err
	}
	dst = dst[:len(dst)-1] // its closing brace
	if dst[len(dst)-1] != '{' {
		dst = append(dst, ", "...)
	}
	dst = append(appendString(dst, first.Locals[i].Name), `: "`...)
	return string(dst), nil
}

// ValueDecoder parses the text that a model writes after PromptValue, while it streams.
type ValueDecoder struct {
	s     scanner
	value string
	done  bool
}

// DecodeValue returns a decoder for the value that a model writes after PromptValue.
func (f *Format) DecodeValue() *ValueDecoder {
	return &ValueDecoder{s: scanner{Format: f, buf: []byte{'"'}}}
}

// Feed parses more text. done reports whether the value is complete; text after it is ignored. The
// error is a *DecodeError.
func (d *ValueDecoder) Feed(text string) (done bool, err error) {
	if d.done {
		return true, nil
	}
	d.s.buf = append(d.s.buf, text...)
	const want = "a local's value"
	value, raw, err := d.s.str(want)
	switch {
	case errors.Is(err, errMore):
		d.s.pos = 0
		return false, nil
	case err != nil:
		return false, err
	case string(raw) == "..":
		return false, d.s.fault(Impossible, 0, `".." has no earlier value to stand for`)
	}
	d.value, d.done = value, true
	return true, nil
}

// Close marks the end of the text. It returns a *DecodeError if the value is incomplete.
func (d *ValueDecoder) Close() error {
	if d.done {
		return nil
	}
	return d.s.fault(Truncated, len(d.s.buf)-1, "the text ends within a local's value")
}

// Read returns the length of the value's text in bytes, including the closing quote.
func (d *ValueDecoder) Read() int { return d.s.pos - 1 }

// Value returns the parsed value.
func (d *ValueDecoder) Value() string { return d.value }

// ReadValue parses a prompt that PromptValue returned. It returns the node of the context, and the
// first state with the locals up to the one whose value is requested. ok is false for any other
// text.
func (f *Format) ReadValue(text string) (context *Node, first *Stop, ok bool) {
	if !strings.HasSuffix(text, `: "`) {
		return nil, nil, false
	}
	before, state, _ := strings.Cut(text, f.Name(FrameSep))
	_, stack, found := strings.Cut(state, f.Name(StackSep))
	var frames [][2]json.RawMessage
	if !found || json.NewDecoder(strings.NewReader(stack)).Decode(&frames) != nil || len(frames) == 0 {
		return nil, nil, false
	}
	// The prompt ends before the state's line, so take the line of the top frame.
	place := strings.Trim(string(frames[len(frames)-1][1]), `"`) + "|"
	source := ""
	for line := range strings.SplitSeq(strings.TrimPrefix(before, f.Name(ContextStart)), "\n") {
		if strings.HasPrefix(line, place) {
			source = line
		}
	}
	last, asked, err := f.Read(text + `"}` + f.Name(ActionSep) + source + "\n" + f.Name(FrameSep))
	if err != nil || asked != nil || last.Parent() == nil || !last.Parent().isContext() {
		return nil, nil, false
	}
	return last.Parent(), last.Current(), true
}

// ValueText returns the text that a model should write after PromptValue for this value, including
// the closing quote.
func ValueText(value string) string { return string(appendString(nil, value)[1:]) }
