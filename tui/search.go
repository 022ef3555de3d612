package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/draw"
	"github.com/npdb/npdb/tui/highlight"
)

// search is what is looked for in a pane. A nil search finds nothing.
type search struct {
	pattern string
	exact   bool // capitals are told apart
	in      paneID
	from    int // where the cursor was
}

// searcher is a pane that can be searched: texts by number, and its cursor.
type searcher interface {
	texts(m *Model) (n int, text func(i int) string)
	at() int
	goTo(i int)
}

var (
	_ searcher = (*source)(nil)
	_ searcher = (*output)(nil)
)

// searched is the pane that the search is in: the focused one if it can be
// searched, else the source.
func (m *Model) searched() (paneID, searcher) {
	if s, ok := m.panes[m.shape.focus].(searcher); ok {
		return m.shape.focus, s
	}
	return sourcePane, m.source
}

// searchFor looks for a pattern from where the search began, as it is typed.
func (m *Model) searchFor(pattern string) {
	if m.search == nil {
		id, s := m.searched()
		m.search = &search{in: id, from: s.at()}
	}
	m.search.pattern = pattern
	s := m.panes[m.search.in].(searcher)
	if pattern == "" {
		s.goTo(m.search.from)
	} else if !m.search.find(m, s, m.search.from, +1, true) {
		s.goTo(m.search.from)
		m.flash = "not found"
	}
}

// acceptSearch stays at the match that is shown, and opens what hides it.
func (m *Model) acceptSearch() {
	if m.search != nil && m.search.pattern != "" && m.search.in == localsPane {
		m.panes[localsPane].(*locals).reveal(m, m.search)
	}
}

// searchNext goes to the next match in a direction.
func (m *Model) searchNext(direction int) tea.Cmd {
	if m.search == nil || m.search.pattern == "" {
		m.flash = "Nothing is searched for: " + m.keyFor("search") + " searches."
		return nil
	}
	s := m.panes[m.search.in].(searcher)
	if !m.search.find(m, s, s.at(), direction, false) {
		m.flash = fmt.Sprintf("%q is not here.", m.search.pattern)
		return nil
	}
	m.acceptSearch()
	return nil
}

// find goes to the nearest text with a match, around the end if need be.
func (q *search) find(m *Model, s searcher, from, direction int, here bool) bool {
	n, text := s.texts(m)
	for i := range n {
		if !here {
			i++
		}
		at := ((from+direction*i)%n + n) % n
		if len(highlight.Match(text(at), q.pattern, !q.exact)) > 0 {
			s.goTo(at)
			return true
		}
	}
	return false
}

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

// mark shows the matches in a line that is drawn in an area.
func (q *search) mark(m *Model, a *draw.Area, text string, scroll int) {
	if q == nil || q.pattern == "" {
		return
	}
	for _, r := range highlight.Match(text, q.pattern, !q.exact) {
		x := m.measure.Width(text[:r.Start]) - scroll
		w := m.measure.Width(text[:r.End]) - scroll - x
		if x < 0 {
			w, x = w+x, 0
		}
		a.Overlay(draw.Rect{X: x, W: w, H: 1}, m.style(themes.Match))
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

func (p *output) texts(*Model) (int, func(int) string) {
	return len(p.lines), func(i int) string { return p.lines[i].text }
}

func (p *output) at() int { return p.cursor }
