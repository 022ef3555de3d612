package session

import (
	"strings"
	"unicode/utf8"

	"github.com/npdb/npdb/internal/plainfile"
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

// anchorAt takes the anchor of a line (from 1) of a file's lines.
func anchorAt(lines []string, line int) Anchor {
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
		score := a.neighbours(anchorAt(lines, n))
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

// sourceLines splits a source file as Python does: lines end at \n, \r\n or \r.
func sourceLines(text string) []string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	text = strings.ReplaceAll(text, "\r", "\n")
	text = strings.TrimSuffix(text, "\n")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// readSource reads a source file's lines from disk. Bytes that are no UTF-8 are
// taken for Latin-1, the encoding that such a file is most likely to declare.
func readSource(path string) ([]string, error) {
	raw, err := plainfile.ReadSource(path)
	if err != nil {
		return nil, err
	}
	if utf8.Valid(raw) {
		return sourceLines(string(raw)), nil
	}
	runes := make([]rune, len(raw))
	for i, c := range raw {
		runes[i] = rune(c)
	}
	return sourceLines(string(runes)), nil
}
