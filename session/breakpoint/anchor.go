package breakpoint

import (
	"fmt"
	"strings"

	"github.com/npdb/npdb/internal/escape"
)

// Anchor is the text by which a breakpoint finds its line again after its file
// was edited: the line and its neighbours, without surrounding blanks.
type Anchor struct {
	Text   string   `json:"text"`
	Before []string `json:"before,omitempty"` // nearest first
	After  []string `json:"after,omitempty"`  // nearest first
}

// anchorReach is how many neighbours on each side an anchor remembers.
const anchorReach = 3

// AnchorAt takes the anchor of a line (from 1) of a file's lines.
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

// find returns the line (from 1) that the anchor stands for now. Among the lines
// of its text the one with the most equal neighbours wins, then the nearest to
// where it was. A line without any text is not found, nor one of several equal
// lines of which none has a neighbour left.
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

// neighbours counts the neighbours two anchors share; the nearest count most.
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

// Relocate moves breakpoints with their lines in files that were edited, and
// says what it did. lines gives a file's lines as they are now.
func Relocate(list []*Breakpoint, lines func(file string) ([]string, error)) []string {
	var words []string
	for _, b := range list {
		if !b.OnLine() {
			continue
		}
		now, err := lines(b.File)
		if err != nil {
			if b.Enabled {
				b.Enabled = false
				words = append(words, fmt.Sprintf("Breakpoint %d at %s:%d is disabled: %v", b.Number, escape.Line(b.File), b.Line, err))
			}
			continue
		}
		if b.Anchor.Text == "" {
			continue // it never had a line's text to find it by
		}
		at, ok := b.Anchor.find(now, b.Line)
		switch {
		case !ok:
			if b.Enabled {
				b.Enabled = false
				words = append(words, fmt.Sprintf("Breakpoint %d at %s:%d is disabled: its line %q is gone from the edited file",
					b.Number, escape.Line(b.File), b.Line, b.Anchor.Text))
			}
		case at != b.Line:
			words = append(words, fmt.Sprintf("Breakpoint %d moved with its line from %s:%d to line %d", b.Number, escape.Line(b.File), b.Line, at))
			b.Line = at
			b.Anchor = AnchorAt(now, at)
		default:
			b.Anchor = AnchorAt(now, at)
		}
	}
	return words
}
