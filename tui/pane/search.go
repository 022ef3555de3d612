package pane

import (
	"fmt"

	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/highlight"
	"github.com/npdb/npdb/tui/keys"
)

// Search is what is looked for in a pane. A nil search finds nothing.
type Search struct {
	Pattern string
	Exact   bool // capitals are told apart
	In      keys.Context
	From    int // where the cursor was
}

// Match is the text that a search came to: its place among those that match.
type Match struct {
	At       int // the text's number, -1 if none matches
	rank, of int // of is 0 where they are too many to count
	around   string
}

// Words say which match it is, and that it was found beyond an end.
func (f Match) Words() string {
	switch {
	case f.At < 0:
		return "not found"
	case f.of == 0:
		return "found" + f.around
	}
	return fmt.Sprintf("match %d of %d%s", f.rank, f.of, f.around)
}

// mostCounted is how many bytes of text are looked through to count matches, so
// that a key is answered at once.
const mostCounted = 32 << 20

// Find returns the nearest text with a match, around the end if need be.
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

// Mark shows the matches in a line that is drawn in an area of a pane, whose row has
// the look it is to have but for them: what marks a row would else take the background
// that a match's letters need. At is the row of the cursor: the search goes on from it.
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

// Marked is a text that is drawn in an area, for a search to mark matches in.
type Marked struct {
	Area *draw.Area
	Text string
}
