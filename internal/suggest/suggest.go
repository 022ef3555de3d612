// Package suggest finds the name that a mistyped one is likely to stand for.
package suggest

import (
	"fmt"
	"strings"
)

// Nearest returns the known name that word is likely to stand for, "" if none is
// near: a third of its letters may be wrong. Case makes no difference.
func Nearest(word string, known []string) string {
	word = strings.ToLower(word)
	best, least := "", (len(word)+2)/3+1
	for _, k := range known {
		if d := edits(word, strings.ToLower(k)); d < least {
			best, least = k, d
		}
	}
	return best
}

// Quote returns word in quotation marks, and a question after it if a known name
// is near: `"nrod": did you mean "nord"?`.
func Quote(word string, known []string) string {
	if near := Nearest(word, known); near != "" {
		return fmt.Sprintf("%q: did you mean %q?", word, near)
	}
	return fmt.Sprintf("%q", word)
}

// edits is the Levenshtein distance of two names, in bytes.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			substituted := diagonal
			if a[i] != b[j] {
				substituted++
			}
			diagonal = row[j+1]
			row[j+1] = min(substituted, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
