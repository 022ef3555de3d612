package pane

import (
	"fmt"

	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/highlight"
	"github.com/npdb/npdb/tui/keys"
)

// Search is a search in a pane. A nil search finds nothing.
type Search struct {
	Pattern string
	Exact   bool // case-sensitive
	In      keys.Context
	From    int // the cursor's position when the search began
}

// Match is the text that a search found, and its number among the matches.
type Match struct {
	At       int // the text's number, -1 if none matches
	rank, of int // the match's number and the count; of is 0 if they were not counted
	around   string
}

// Words describes the number of the match, and whether the search wrapped around.
func (f Match) Words() string {
	switch {
	case f.At < 0:
		return "not found"
	case f.of == 0:
		return "found" + f.around
	}
	return fmt.Sprintf("match %d of %d%s", f.rank, f.of, f.around)
}

// mostCounted limits the bytes in which matches are counted, so that keys stay fast.
const mostCounted = 32 << 20

// Find returns the nearest matching text from a position in a direction, wrapping around if needed.
// here includes the text at the position itself.
func (q *Search) Find(p Pane, from, direction int, here bool) Match {
	n, text := p.Texts()
	if n == 0 {
		return Match{At: -1}
	}
	from = min(max(from, 0), n-1)
	f := Match{At: -1}
	for i := range n {
		if !here {
			i++
		}
		at := ((from+direction*i)%n + n) % n
		if q.Matches(text(at)) {
			f.At = at
			break
		}
	}
	switch {
	case f.At < 0:
		return f
	case direction > 0 && (f.At < from || f.At == from && !here):
		f.around = ", from the top again"
	case direction < 0 && f.At >= from:
		f.around = ", from the bottom again"
	}
	looked := 0
	for i := range n {
		t := text(i)
		if looked += len(t); looked > mostCounted {
			f.rank, f.of = 0, 0
			break
		}
		if q.Matches(t) {
			f.of++
		}
		if i == f.At {
			f.rank = f.of
		}
	}
	return f
}

// Matches reports whether a text has a match.
func (q *Search) Matches(text string) bool {
	return highlight.Contains(text, q.Pattern, !q.Exact)
}

// Mark marks the matches in a drawn line of a pane. It keeps the rest of the row's style. At is
// the cursor's row, from which the search continues.
func (s *Screen) Mark(in keys.Context, a *draw.Area, text string, scroll int, at bool) {
	q := s.Search
	if q == nil || q.In != in || q.Pattern == "" {
		return
	}
	style := s.Style(themes.Match)
	if at {
		style = s.Style(themes.MatchCurrent)
	}
	for _, r := range highlight.Match(text, q.Pattern, !q.Exact) {
		x := s.Measure.Width(text[:r.Start]) - scroll
		w := s.Measure.Width(text[:r.End]) - scroll - x
		if x < 0 {
			w, x = w+x, 0
		}
		a.Overlay(draw.Rect{X: x, W: w, H: 1}, style)
	}
}

// Marked is a text that was drawn in an area, for marking matches.
type Marked struct {
	Area *draw.Area
	Text string
}
