// Package suggest finds the known name that a user probably meant by a mistyped name.
package suggest

import (
	"fmt"
	"strings"
)

// Nearest returns the known name that is most similar to word, or "" if none is similar enough: one
// wrong letter in a word of three is accepted, two in a word of five. It ignores case.
func Nearest(word string, known []string) string {
	word = strings.ToLower(word)
	best, least := "", (len(word)+1)/3+1
	for _, k := range known {
		if d := edits(word, strings.ToLower(k)); d < least {
			best, least = k, d
		}
	}
	return best
}

// Quote returns word in quotation marks. If a similar name is known, it adds a question: `"nrod":
// did you mean "nord"?`.
func Quote(word string, known []string) string {
	if near := Nearest(word, known); near != "" {
		return fmt.Sprintf("%q: did you mean %q?", word, near)
	}
	return fmt.Sprintf("%q", word)
}

// Ask returns what, followed by a question for the known name that is most similar to word: `there
// is no section "limit": did you mean limits?`. It returns "" if none is similar enough.
func Ask(what, word string, known []string) string {
	if near := Nearest(word, known); near != "" {
		return fmt.Sprintf("%s: did you mean %s?", what, near)
	}
	return ""
}

// edits returns the optimal string alignment distance of two names: the number of bytes that must
// be inserted, removed, replaced, or swapped with the next one to change a into b.
func edits(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			replaced := rows[i-1][j-1]
			if a[i-1] != b[j-1] {
				replaced++
			}
			rows[i][j] = min(replaced, rows[i-1][j]+1, rows[i][j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}
