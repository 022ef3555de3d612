package values

import "strings"

// IsTable reports whether a text may be a frame's: rows of a table and not a value that
// reads as Python.
func IsTable(text string) bool {
	return strings.Contains(text, "\n") && !strings.ContainsAny(text[:1], "'\"[({<") && Parse(text).Len() == 0
}
