package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/highlight"
)

// search is what is looked for in a pane. A nil search finds nothing.
type search struct {
	pattern string
	exact   bool // capitals are told apart
	in      paneID
	from    int // where the cursor was
}

// searcher is a pane that can be searched, as each of them can: texts by number,
// and its cursor.
type searcher interface {
	texts(m *Model) (n int, text func(i int) string)
	at() int
	goTo(i int)
}

var (
	_ searcher = (*source)(nil)
	_ searcher = (*output)(nil)
	_ searcher = (*stack)(nil)
	_ searcher = (*history)(nil)
	_ searcher = (*breakpoints)(nil)
)

// searched is the pane that a search is in which begins now.
func (m *Model) searched() (paneID, searcher) {
	return m.shape.focus, m.panes[m.shape.focus].(searcher)
}

// searchIn is what is looked for in a pane.
func (m *Model) searchIn(id paneID) *search {
	if m.search == nil || m.search.in != id {
		return nil
	}
	return m.search
}

// searchFor looks for a pattern from where the search began, as it is typed.
func (m *Model) searchFor(pattern string) {
	if m.search == nil {
		id, s := m.searched()
		m.search = &search{in: id, from: s.at()}
	}
	q := m.search
	q.pattern = pattern
	s := m.panes[q.in].(searcher)
	if pattern == "" {
		s.goTo(q.from)
		return
	}
	f := q.find(m, s, q.from, +1, true)
	m.flash = f.words()
	if f.at < 0 {
		f.at = q.from
	}
	s.goTo(f.at)
}

// acceptSearch stays at the match that is shown, and opens what hides it.
func (m *Model) acceptSearch() {
	if m.search == nil || m.search.pattern == "" {
		return
	}
	m.searchFor(m.search.pattern) // for the words about it
	m.openMatch()
}

// openMatch opens what hides the match that is shown.
func (m *Model) openMatch() {
	if m.search.in != localsPane {
		return
	}
	if p := m.panes[localsPane].(*locals); m.besides() {
		p.besideOpenMatch(m, m.search)
	} else {
		p.reveal(m, m.search)
	}
}

// searchNext goes to the next match in a direction.
func (m *Model) searchNext(direction int) tea.Cmd {
	q := m.search
	if q == nil || q.pattern == "" {
		m.flash = "Nothing is searched for: " + m.keyFor("search") + " searches."
		return nil
	}
	s := m.panes[q.in].(searcher)
	f := q.find(m, s, s.at(), direction, false)
	if f.at < 0 {
		m.flash = fmt.Sprintf("%q is not here.", q.pattern)
		return nil
	}
	s.goTo(f.at)
	m.flash = f.words()
	m.openMatch()
	return nil
}

// match is the text that a search came to: its place among those that match.
type match struct {
	at       int // the text's number, -1 if none matches
	rank, of int // of is 0 where they are too many to count
	around   string
}

// words say which match it is, and that it was found beyond an end.
func (f match) words() string {
	switch {
	case f.at < 0:
		return "not found"
	case f.of == 0:
		return "found" + f.around
	}
	return fmt.Sprintf("match %d of %d%s", f.rank, f.of, f.around)
}

// mostCounted is how many bytes of text are looked through to count matches, so
// that a key is answered at once.
const mostCounted = 32 << 20

// find is the nearest text with a match, around the end if need be.
func (q *search) find(m *Model, s searcher, from, direction int, here bool) match {
	n, text := s.texts(m)
	if n == 0 {
		return match{at: -1}
	}
	from = min(max(from, 0), n-1)
	f := match{at: -1}
	for i := range n {
		if !here {
			i++
		}
		at := ((from+direction*i)%n + n) % n
		if q.matches(text(at)) {
			f.at = at
			break
		}
	}
	switch {
	case f.at < 0:
		return f
	case direction > 0 && (f.at < from || f.at == from && !here):
		f.around = ", from the top again"
	case direction < 0 && f.at >= from:
		f.around = ", from the bottom again"
	}
	looked := 0
	for i := range n {
		t := text(i)
		if looked += len(t); looked > mostCounted {
			f.rank, f.of = 0, 0
			break
		}
		if q.matches(t) {
			f.of++
		}
		if i == f.at {
			f.rank = f.of
		}
	}
	return f
}

// matches reports whether a text has a match.
func (q *search) matches(text string) bool { return highlight.Contains(text, q.pattern, !q.exact) }

// leaveSearch goes back to where the search began.
func (m *Model) leaveSearch() {
	if m.search != nil {
		m.panes[m.search.in].(searcher).goTo(m.search.from)
		m.search = nil
	}
}

func (m *Model) searchCase() {
	if m.search != nil {
		m.search.exact = !m.search.exact
		m.searchFor(m.search.pattern)
	}
}

// mark shows the matches in a line that is drawn in an area, whose row has the look
// it is to have but for them: what marks a row would else take the background that
// a match's letters need. At is the row of the cursor: the search goes on from it.
func (q *search) mark(m *Model, a *draw.Area, text string, scroll int, at bool) {
	if q == nil || q.pattern == "" {
		return
	}
	style := m.style(themes.Match)
	if at {
		style = m.style(themes.MatchCurrent)
	}
	for _, r := range highlight.Match(text, q.pattern, !q.exact) {
		x := m.measure.Width(text[:r.Start]) - scroll
		w := m.measure.Width(text[:r.End]) - scroll - x
		if x < 0 {
			w, x = w+x, 0
		}
		a.Overlay(draw.Rect{X: x, W: w, H: 1}, style)
	}
}

func (p *source) texts(m *Model) (int, func(int) string) {
	doc := p.document(m)
	if doc == nil {
		return 0, nil
	}
	return len(doc.lines), func(i int) string { return doc.lines[i] }
}

func (p *source) at() int { return p.cursor }

func (p *source) goTo(i int) {
	p.cursor = i
	p.reveal()
}

// spansText is the text of a row that is made of pieces.
func spansText(spans []draw.Span) string {
	var b strings.Builder
	for _, s := range spans {
		b.WriteString(s.Text)
	}
	return b.String()
}

func (p *output) texts(*Model) (int, func(int) string) {
	return len(p.lines), func(i int) string { return p.lines[i].text }
}

func (p *output) at() int { return p.cursor }

func (p *stack) texts(m *Model) (int, func(int) string) {
	if m.view == nil {
		return 0, nil
	}
	return len(m.view.Frames), func(row int) string { return frameText(m.view.Frames[p.frame(m, row)]) }
}

func (p *history) texts(m *Model) (int, func(int) string) {
	if m.view == nil {
		return 0, nil
	}
	return len(m.view.History), func(i int) string { return spansText(m.visitSpans(m.view.History[i])) }
}

func (p *breakpoints) texts(m *Model) (int, func(int) string) {
	if m.view == nil {
		return 0, nil
	}
	return len(m.view.Breakpoints), func(i int) string { return breakpointText(m.view.Breakpoints[i]) }
}
