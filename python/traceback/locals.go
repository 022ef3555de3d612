package traceback

import (
	"strings"
	"unicode/utf8"
)

// reprState is the state of a scan for strings and brackets in a repr. The repr can be scanned in
// parts.
type reprState struct {
	quote    rune // quote of the open string; 0 outside strings
	escaped  bool // the last character was a backslash in a string
	brackets []openBracket
	closed   bool // more brackets were closed than opened
	marked   bool // a mark of shortening, such as …, outside strings
}

// openBracket is a bracket that is not closed yet.
type openBracket struct {
	open   rune
	commas int // number of commas directly inside it
}

// scan scans the next part of a repr.
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

// inString scans a character of a string. rest is the text from that character on.
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

// inside reports whether a string or a bracket is open.
func (s *reprState) inside() bool { return s.quote != 0 || len(s.brackets) > 0 }

// isCut reports whether a repr is shortened: it contains a mark of shortening outside strings, or a
// string or bracket in it is not closed.
func isCut(text string) bool {
	var state reprState
	state.scan(text)
	return state.marked || state.inside()
}

var nextArgument = newForm(`^, ?(\*{0,2}[\pL_][\pL\pN_]*) ?= ?`)

// arguments parses "a = 1, b = 'x'", as pytest and IPython print the arguments of a call. ok is
// false for any other text.
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

// argumentEnd returns the index at which the next argument begins.
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

// set adds values to the frame. A name that exists already gets the new value.
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

// openValue is a value of a frame that may continue on the next lines.
type openValue struct {
	local *Local
	lines []string // after the first one
	cut   func(string) bool
}

// open returns the value of a name, so that further lines can be added. set has added the name.
func (f *Frame) open(name string, cut func(string) bool) *openValue {
	return &openValue{local: &f.Locals[f.names[name]], cut: cut}
}

// close appends the further lines to the value.
func (v *openValue) close() {
	if v != nil && len(v.lines) > 0 {
		v.local.Repr += "\n" + strings.Join(v.lines, "\n")
		v.local.Cut = v.cut(v.local.Repr)
	}
}

// pytestCut reports whether pytest shortened a value: to 240 characters, with "..." in the middle.
func pytestCut(text string) bool {
	return isCut(text) || utf8.RuneCountInString(text) == 240 && strings.Contains(text, "...")
}
