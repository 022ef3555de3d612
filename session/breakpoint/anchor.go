package breakpoint

import (
	"slices"
	"strings"
)

// Anchor is the text by which a breakpoint finds its line again after an edit: the line and its
// neighbours, without leading and trailing blanks.
type Anchor struct {
	Text   string   `json:"text"`
	Before []string `json:"before,omitempty"` // the lines above, nearest first
	After  []string `json:"after,omitempty"`  // the lines below, nearest first
}

// anchorReach is the number of neighbours on each side that an anchor holds.
const anchorReach = 3

// AnchorAt returns the anchor of a line (from 1).
func AnchorAt(lines []string, line int) Anchor {
	at := func(n int) (string, bool) {
		if n < 1 || n > len(lines) {
			return "", false
		}
		return strings.TrimSpace(lines[n-1]), true
	}
	var a Anchor
	a.Text, _ = at(line)
	for d := 1; d <= anchorReach; d++ {
		if t, ok := at(line - d); ok {
			a.Before = append(a.Before, t)
		}
		if t, ok := at(line + d); ok {
			a.After = append(a.After, t)
		}
	}
	return a
}

// find looks for the anchor's line in the current lines of the file and returns its number (from
// 1); was is its old number. Of several lines with the anchor's text it prefers the one with the
// most equal neighbours, then the one nearest to was. An empty line is never found. Of several
// equal lines, none is found if none has an equal neighbour.
func (a Anchor) find(lines []string, was int) (line int, ok bool) {
	if a.Text == "" {
		return 0, false
	}
	bestScore, best, equal := -1, 0, 0
	for n := 1; n <= len(lines); n++ {
		if strings.TrimSpace(lines[n-1]) != a.Text {
			continue
		}
		equal++
		score := a.neighbours(AnchorAt(lines, n))
		if score > bestScore || score == bestScore && abs(n-was) < abs(best-was) {
			bestScore, best = score, n
		}
	}
	return best, bestScore > 0 || equal == 1
}

// neighbours counts the neighbours that two anchors share; nearer neighbours count more.
func (a Anchor) neighbours(b Anchor) int {
	return shared(a.Before, b.Before) + shared(a.After, b.After)
}

func shared(a, b []string) int {
	score := 0
	for i := range min(len(a), len(b)) {
		if a[i] == b[i] {
			score += anchorReach - i
		}
	}
	return score
}

func abs(n int) int { return max(n, -n) }

// edited looks for the line that replaced the anchor's line when its text was edited, and returns
// its number (from 1). Only the executable lines (runs) are considered. The best one has the
// neighbours and text most similar to the anchor's; of equals, the one nearest to the old number
// (was) wins. At least an adjacent neighbour must be unchanged, or some farther neighbour and half
// of the text. A line whose text was a neighbour of the anchor's line is excluded: that neighbour
// merely moved up, because the anchor's line was deleted.
func (a Anchor) edited(lines []string, runs []int, was int) (line int, ok bool) {
	best, bestScore := 0, 0
	for _, n := range runs {
		if n < 1 || n > len(lines) {
			continue
		}
		now := AnchorAt(lines, n)
		if slices.Contains(a.Before, now.Text) || slices.Contains(a.After, now.Text) {
			continue
		}
		near := told(a.Before, now.Before) + told(a.After, now.After)
		alike := similarity(a.Text, now.Text)
		if near < anchorReach && (near == 0 || alike < 50) {
			continue
		}
		score := near*100 + alike*anchorReach
		if score > bestScore || score == bestScore && abs(n-was) < abs(best-was) {
			best, bestScore = n, score
		}
	}
	return best, best > 0
}

// told counts the neighbours that two anchors share, like shared, but ignores blank lines and lines
// of brackets, which occur everywhere.
func told(a, b []string) int {
	score := 0
	for i := range min(len(a), len(b)) {
		if a[i] == b[i] && strings.Trim(a[i], "()[]{},:") != "" {
			score += anchorReach - i
		}
	}
	return score
}

// similarity returns how similar two texts are: the length of their common beginning and end, in
// percent of the longer text.
func similarity(a, b string) int {
	x, y := []rune(a), []rune(b)
	whole := max(len(x), len(y))
	if whole == 0 {
		return 0
	}
	head := 0
	for head < min(len(x), len(y)) && x[head] == y[head] {
		head++
	}
	x, y = x[head:], y[head:]
	slices.Reverse(x)
	slices.Reverse(y)
	tail := 0
	for tail < min(len(x), len(y)) && x[tail] == y[tail] {
		tail++
	}
	return 100 * (head + tail) / whole
}
