package statetree

import (
	"bytes"
	"fmt"
	"strconv"
)

// These functions write objects that display the content of another object, or display
// their own content as one literal.

// through writes the value of the attribute names[0] in place of the object that has it.
func (s *scribe) through(c *content, kind FormKind, names []handle) {
	if len(names) == 0 {
		return
	}
	value, ok := s.attribute(c, names[0])
	switch {
	case !ok:
	case kind == Inner:
		s.repr(value)
	case kind == Spread:
		s.spread(value)
	default:
		s.view(value, kind)
	}
}

// spread writes a list or a tuple without its brackets.
func (s *scribe) spread(h handle) {
	start := len(s.buf)
	if o, ok := h.object(); ok {
		if c := s.open(o); c != nil {
			defer s.close(c)
			// A tuple of several elements may contain itself. s.repr below detects that.
			if f := &s.t.objects.forms[c.form]; !f.Kind.Paired() && (c.total < 2 || f.Single == "") {
				s.elements(c, f)
				return
			}
		}
	}
	s.repr(h)
	text := bytes.TrimSuffix(s.buf[start:], []byte(",)"))
	if len(text) == len(s.buf)-start && len(text) > 1 {
		text = text[:len(text)-1]
	}
	if len(text) > 0 {
		copy(text, text[1:])
		text = text[:len(text)-1]
	}
	s.chars -= len(s.buf) - start - len(text) // brackets and comma take one byte each
	s.buf = s.buf[:start+len(text)]
}

// view writes the keys, values or items of a dict, in the form of a list.
func (s *scribe) view(h handle, kind FormKind) {
	o, ok := h.object()
	if !ok {
		s.fails = true
		return
	}
	c := s.open(o)
	if c == nil {
		s.write(unknown)
		return
	}
	defer s.close(c)
	if !s.t.objects.forms[c.form].Kind.Paired() {
		s.fails = true
		return
	}
	s.write("[")
	for k := 0; k < len(c.cells); k += 2 {
		if k > 0 {
			s.write(", ")
		}
		switch kind {
		case Keys:
			s.repr(c.cells[k])
		case Values:
			s.repr(c.cells[k+1])
		default:
			s.write("(")
			s.repr(c.cells[k])
			s.write(", ")
			s.repr(c.cells[k+1])
			s.write(")")
		}
	}
	s.rest(c)
	s.write("]")
}

// literal writes a sequence of numbers as a bytes literal.
func (s *scribe) literal(c *content) {
	data := make([]byte, 0, len(c.cells))
	for _, h := range c.cells {
		if h.isObject() {
			s.write(unknown)
			return
		}
		n, err := strconv.ParseUint(s.t.texts.text(h.text()), 10, 8)
		if err != nil {
			s.write(unknown)
			return
		}
		data = append(data, byte(n))
	}
	quote := byte('\'')
	if bytes.IndexByte(data, '\'') >= 0 && bytes.IndexByte(data, '"') < 0 {
		quote = '"'
	}
	text := []byte{'b', quote}
	for _, b := range data {
		switch {
		case b == '\'' || b == '\\': // bytearray always escapes the single quote
			text = append(text, '\\', b)
		case b == '\t':
			text = append(text, `\t`...)
		case b == '\n':
			text = append(text, `\n`...)
		case b == '\r':
			text = append(text, `\r`...)
		case b < ' ' || b >= 0x7f:
			text = fmt.Appendf(text, `\x%02x`, b)
		default:
			text = append(text, b)
		}
	}
	s.write(string(append(text, quote)))
}
