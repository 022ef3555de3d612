package highlight

import (
	"slices"
	"strings"
)

// Names returns the variables on a line, in order, each once: those that it reads and those that
// it binds, also in f-strings. It leaves out attributes, names of arguments and called built-in
// functions.
func Names(line []Token) []string {
	var names []string
	for i, t := range line {
		switch t.Kind {
		case Name:
		case Builtin:
			if t.Text != "self" && t.Text != "cls" && called(line[i+1:]) {
				continue
			}
		default:
			continue
		}
		if !slices.Contains(names, t.Text) {
			names = append(names, t.Text)
		}
	}
	return names
}

// called reports whether what follows a name is a call's arguments.
func called(rest []Token) bool {
	for _, t := range rest {
		if text := strings.TrimSpace(t.Text); text != "" {
			return t.Kind == Punctuation && text[0] == '('
		}
	}
	return false
}
