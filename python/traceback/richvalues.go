package traceback

import (
	"strings"
)

// richValues reads a box of values, in which the names are aligned at the right.
type richValues struct {
	column int // of " = "
	locals []Local
	folded bool // the value so far was wrapped where no element of a container ends
	cut    int  // the part of the value so far that ends with a string whose end rich cut
}

// line reads one line of the box.
func (v *richValues) line(text string) {
	text = strings.TrimRight(text, " ")
	m := richValue.FindStringSubmatch(text)
	if m != nil {
		column := len([]rune(m[1])) + len([]rune(m[2]))
		if v.column < 0 {
			v.column = column
		}
		if column == v.column {
			v.end()
			v.locals = append(v.locals, Local{Name: m[2], Repr: m[3]})
			return
		}
	}
	if len(v.locals) > 0 {
		v.join(text)
	}
}

// join adds a further line to the last value.
func (v *richValues) join(text string) {
	l := &v.locals[len(v.locals)-1]
	rest := strings.TrimLeft(richGuide.ReplaceAllString(strings.TrimLeft(text, " "), ""), " │")
	if strings.HasSuffix(l.Repr, "…") {
		v.cut = len(l.Repr)
	}
	state, _ := scanRepr(l.Repr[v.cut:], nil)
	switch {
	case rest == "":
	case state.quote == 0 && strings.HasSuffix(l.Repr, ","):
		if strings.ContainsRune(")]}", rune(rest[0])) && !strings.HasSuffix(l.Repr, "(,") && !oneTuple(l.Repr, rest) {
			l.Repr = strings.TrimSuffix(l.Repr, ",") + rest
			return
		}
		l.Repr += " " + rest
	case state.quote == 0 && strings.ContainsAny(l.Repr[len(l.Repr)-min(1, len(l.Repr)):]+rest[:1], "([{)]}"):
		l.Repr += rest
	default:
		l.Repr += " " + rest
		v.folded = true
	}
}

// oneTuple reports whether the closing bracket ends a tuple of one element, which needs its comma.
func oneTuple(repr, rest string) bool {
	if rest[0] != ')' {
		return false
	}
	depth, commas := 0, 0
	for i := len(repr) - 1; i >= 0; i-- {
		switch c := repr[i]; {
		case strings.IndexByte(")]}", c) >= 0:
			depth++
		case c == '(' && depth == 0:
			return commas == 1
		case strings.IndexByte("([{", c) >= 0:
			depth--
		case c == ',' && depth == 0:
			commas++
		}
	}
	return false
}

// end completes the value read so far.
func (v *richValues) end() {
	if len(v.locals) == 0 {
		return
	}
	l := &v.locals[len(v.locals)-1]
	l.Cut = v.folded || v.cut > 0 || isCut(l.Repr)
	v.folded, v.cut = false, 0
}

// finish returns the values of the box.
func (v *richValues) finish() []Local {
	v.end()
	return v.locals
}
