package values

import "strings"

// IsTable reports whether a text may be that of a data frame: rows of a table, and not a Python
// literal.
func IsTable(text string) bool {
	return strings.Contains(text, "\n") && !strings.ContainsAny(text[:1], "'\"[({<") && Parse(text).Len() == 0
}
