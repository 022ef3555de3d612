package traceback

import (
	"strings"
	"unicode/utf8"
)

// reprState follows strings and brackets through the text of a value, which may come in parts.
type reprState struct {
	quote    rune // the open string's; 0 outside strings
	escaped  bool // the last character was a backslash in a string
	brackets []openBracket
	closed   bool // more brackets were closed than opened
	marked   bool // a mark of shortening stands outside strings
}

// openBracket is a bracket that is not closed yet.
type openBracket struct {
	open   rune
	commas int // directly inside it
}

// scan reads the next part of the value's text.
func (s *reprState) scan(text string) {
	for i, r := range text {
		if s.quote != 0 {
			s.inString(r, text[i:])
			continue
		}
		switch {
		case r == '\'' || r == '"':
			s.quote = r
		case strings.ContainsRune("([{<", r):
			s.brackets = append(s.brackets, openBracket{open: r})
		case strings.ContainsRune(")]}>", r):
			if n := len(s.brackets); n > 0 {
				s.brackets = s.brackets[:n-1]
			} else {
				s.closed = true
			}
		case r == ',' && len(s.brackets) > 0:
			s.brackets[len(s.brackets)-1].commas++
		case r == '…' || r == '.' && strings.HasPrefix(text[i:], "..."):
			s.marked = true
		}
	}
}

// inString reads a character of a string, with which the rest of the text begins.
func (s *reprState) inString(r rune, rest string) {
	switch {
	case s.escaped:
		s.escaped = false
	case r == '\\':
		s.escaped = true
	case r == s.quote:
		s.quote = 0
		if len(rest) > 2 && rest[1] == '+' && digit(rest[2]) {
			s.marked = true // rich: 'abc'+17
		}
	}
}

// inside reports whether a string or bracket is open.
func (s *reprState) inside() bool { return s.quote != 0 || len(s.brackets) > 0 }

// isCut reports whether a value's text is shortened: it has a mark of that outside strings, or a
// string or bracket stays open.
func isCut(text string) bool {
	var state reprState
	state.scan(text)
	return state.marked || state.inside()
}

var nextArgument = newForm(`^, ?(\*{0,2}[\pL_][\pL\pN_]*) ?= ?`)

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
		end := argumentEnd(rest)
		locals = append(locals, Local{strings.TrimLeft(m[1], "*"), rest[:end], isCut(rest[:end])})
		text = rest[end:]
	}
	return locals, true
}

// argumentEnd returns where the next argument begins.
func argumentEnd(text string) int {
	var state reprState
	for from := 0; ; {
		comma := strings.IndexByte(text[from:], ',')
		if comma < 0 {
			return len(text)
		}
		end := from + comma
		state.scan(text[from:end])
		if !state.inside() && nextArgument.MatchString(text[end:min(len(text), end+80)]) {
			return end
		}
		state.scan(",")
		from = end + 1
	}
}

// set adds values to the frame. A name that it has already gets the new value.
func (f *Frame) set(locals ...Local) {
	if f.names == nil {
		f.names = map[string]int{}
	}
	for _, l := range locals {
		if i, known := f.names[l.Name]; known {
			f.Locals[i] = l
			continue
		}
		f.names[l.Name] = len(f.Locals)
		f.Locals = append(f.Locals, l)
	}
}

// openValue is a value of a frame that may go on in the next lines.
type openValue struct {
	local *Local
	lines []string // below the first one
	cut   func(string) bool
}

// open returns the value of a name, which set has added.
func (f *Frame) open(name string, cut func(string) bool) *openValue {
	return &openValue{local: &f.Locals[f.names[name]], cut: cut}
}

// close adds the further lines to the value.
func (v *openValue) close() {
	if v != nil && len(v.lines) > 0 {
		v.local.Repr += "\n" + strings.Join(v.lines, "\n")
		v.local.Cut = v.cut(v.local.Repr)
	}
}

// pytestCut reports whether pytest shortened the value: to 240 characters, with dots in the middle.
func pytestCut(text string) bool {
	return isCut(text) || utf8.RuneCountInString(text) == 240 && strings.Contains(text, "...")
}
