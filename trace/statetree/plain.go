package statetree

import (
	"strings"
)

// plain reports whether the tracer renders a container by CPython's repr alone. most is the
// number of elements shown. They must be atoms, their strings together must be short enough,
// and they must be all elements, unless it is a list or a tuple. See plain in
// trace/tracer/render.py.
func (s *scribe) plain(c *content, f *Form, most int) bool {
	if most < c.total && f.Kind != Sequence {
		return false
	}
	total, strs := 0, false
	for _, h := range c.cells[:most*f.Kind.Width()] {
		if h.isObject() {
			return false
		}
		text := s.t.texts.text(h.text())
		quoted, n := quotedLength(text)
		if !quoted && !isNumberOrName(text) {
			return false
		}
		strs = strs || quoted
		total += n
	}
	return !strs || total < s.t.limits.chars
}

// quotedLength reports whether a text is the repr of a str or bytes, and returns the
// length of that str or bytes.
func quotedLength(repr string) (quoted bool, n int) {
	body := strings.TrimPrefix(repr, "b")
	if len(body) < 2 || body[0] != '\'' && body[0] != '"' || body[len(body)-1] != body[0] {
		return false, 0
	}
	body = body[1 : len(body)-1]
	for len(body) > 0 {
		skip := 1
		if body[0] == '\\' && len(body) > 1 {
			switch body[1] {
			case 'x':
				skip = 4
			case 'u':
				skip = 6
			case 'U':
				skip = 10
			default:
				skip = 2
			}
		} else {
			for skip < len(body) && body[skip]&0xc0 == 0x80 {
				skip++
			}
		}
		body = body[min(skip, len(body)):]
		n++
	}
	return true, n
}

// isNumberOrName reports whether a text is the repr of an int, a float, a complex, a
// range or one of the constants.
func isNumberOrName(text string) bool {
	switch text {
	case "None", "True", "False", "Ellipsis", "NotImplemented", "inf", "-inf", "nan", "infj", "nanj":
		return true
	case "":
		return false
	}
	switch {
	case strings.HasPrefix(text, "range("):
		return true
	case text[0] == '(':
		return strings.HasSuffix(text, "j)") && !strings.Contains(text, ",") // otherwise it is a tuple
	}
	digits := strings.TrimPrefix(text, "-")
	// A number that is too long is displayed in hexadecimal, which repr never does.
	return digits != "" && (digits[0] >= '0' && digits[0] <= '9' || strings.HasSuffix(digits, "j")) && !strings.HasPrefix(digits, "0x")
}
