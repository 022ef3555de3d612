package highlight

import (
	"slices"
	"strings"
)

// Names returns the variables that a line names, in order, each once: what it reads
// and what it binds, inside f-strings too. Attributes, the names of arguments
// and built-in functions that are called are none. Whether a name has a value,
// and whether that is worth showing, is for the caller to say.
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
