package traceback

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// reprState follows strings and brackets through the text of a value.
type reprState struct {
	quote  rune // the open string's; 0 outside strings
	depth  int  // of brackets
	marked bool // a mark of shortening stands outside strings
}

// scanRepr reads a value's text. stop may end it early; it gets each position outside strings and
// brackets.
func scanRepr(text string, stop func(i int) bool) (state reprState, end int) {
	escaped := false
	for i, r := range text {
		switch {
		case escaped:
			escaped = false
		case state.quote != 0:
			switch r {
			case '\\':
				escaped = true
			case state.quote:
				state.quote = 0
				rest := text[i+1:]
				if len(rest) > 1 && rest[0] == '+' && digit(rest[1]) {
					state.marked = true // rich: 'abc'+17
				}
			}
		case r == '\'' || r == '"':
			state.quote = r
		case strings.ContainsRune("([{<", r):
			state.depth++
		case strings.ContainsRune(")]}>", r):
			state.depth--
		case r == '…' || r == '.' && strings.HasPrefix(text[i:], "..."):
			state.marked = true
		}
		if state.quote == 0 && state.depth <= 0 && stop != nil && stop(i) {
			return state, i
		}
	}
	return state, len(text)
}

// isCut reports whether a value's text is shortened: it has a mark of that outside strings, or a
// string or bracket stays open.
func isCut(text string) bool {
	state, _ := scanRepr(text, nil)
	return state.marked || state.quote != 0 || state.depth > 0
}

var nextArgument = regexp.MustCompile(`^, ?(\*{0,2}[\pL_][\pL\pN_]*) ?= ?`)

// arguments reads "a = 1, b = 'x'", as pytest and IPython print the arguments of a call. ok is false
// if the text is something else.
func arguments(text string) (locals []Local, ok bool) {
	text = ", " + text
	for text != "" {
		m := nextArgument.FindStringSubmatch(text)
		if m == nil {
			return nil, false
		}
		rest := text[len(m[0]):]
		_, end := scanRepr(rest, func(i int) bool { return rest[i] == ',' && nextArgument.MatchString(rest[i:min(len(rest), i+80)]) })
		locals = append(locals, Local{strings.TrimLeft(m[1], "*"), rest[:end], isCut(rest[:end])})
		text = rest[end:]
	}
	return locals, true
}

// set adds values to the frame. A name that it has already gets the new value.
func (f *Frame) set(locals ...Local) {
	for _, l := range locals {
		known := false
		for i := range f.Locals {
			if f.Locals[i].Name == l.Name {
				f.Locals[i], known = l, true
			}
		}
		if !known {
			f.Locals = append(f.Locals, l)
		}
	}
}

// pytestCut reports whether pytest shortened the value: to 240 characters, with dots in the middle.
func pytestCut(text string) bool {
	return isCut(text) || utf8.RuneCountInString(text) == 240 && strings.Contains(text, "...")
}
