package traceback

import (
	"bytes"
	"strings"
)

// richValues parses a box of values, in which the names are right-aligned.
type richValues struct {
	column int // column of " = "
	locals []Local
	text   []byte    // repr of the last value so far
	state  reprState // state after scanning text
	cut    bool      // rich shortened a string, or wrapped the value in the middle of an element
}

// line parses one line of the box.
func (v *richValues) line(text string) {
	text = strings.TrimRight(text, " ")
	if m := richValue.FindStringSubmatch(text); m != nil {
		column := len([]rune(m[1])) + len([]rune(m[2]))
		if v.column < 0 {
			v.column = column
		}
		if column == v.column {
			v.end()
			v.locals = append(v.locals, Local{Name: m[2]})
			v.add(m[3])
			return
		}
	}
	if rest := strings.TrimLeft(richGuide.ReplaceAllString(strings.TrimLeft(text, " "), ""), " │"); len(v.locals) > 0 && rest != "" {
		v.join(rest)
	}
}

// add appends text to the last value.
func (v *richValues) add(text string) {
	v.text = append(v.text, text...)
	v.state.scan(text)
	if strings.HasSuffix(text, "…") {
		v.state.quote, v.cut = 0, true
	}
}

// join appends a further line to the last value. Between elements rich wraps where the repr has a
// blank or nothing; after the last element it adds a comma.
func (v *richValues) join(rest string) {
	closes := strings.ContainsRune(")]}", rune(rest[0]))
	comma := bytes.HasSuffix(v.text, []byte(","))
	switch opens := len(v.text) == 0 || bytes.ContainsAny(v.text[len(v.text)-1:], "([{"); {
	case v.state.quote == 0 && comma && closes && !v.oneTuple():
		v.text = v.text[:len(v.text)-1]
	case v.state.quote == 0 && (closes || opens):
	default:
		v.cut = v.cut || v.state.quote != 0 || !comma
		v.text = append(v.text, ' ')
	}
	v.add(rest)
}

// oneTuple reports whether the innermost open bracket belongs to a tuple with one element, whose
// comma must stay.
func (v *richValues) oneTuple() bool {
	n := len(v.state.brackets)
	return n > 0 && v.state.brackets[n-1] == openBracket{'(', 1}
}

// end completes the last value.
func (v *richValues) end() {
	if n := len(v.locals); n > 0 {
		v.locals[n-1].Repr = string(v.text)
		v.locals[n-1].Cut = v.cut || v.state.marked || v.state.inside()
	}
	v.text, v.state, v.cut = nil, reprState{}, false
}

// finish returns the values of the box.
func (v *richValues) finish() []Local {
	v.end()
	return v.locals
}
