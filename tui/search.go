package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/tui/pane"
)

// searched returns the pane that is searched.
func (m *Model) searched() pane.Pane { return m.pane(m.paneOf(m.screen.Search.In)) }

// searchFor searches for a pattern while it is typed, from where the search began.
func (m *Model) searchFor(pattern string) {
	if m.screen.Search == nil {
		p := m.pane(m.shape.focus)
		m.screen.Search = &pane.Search{In: p.Context(), From: p.At()}
	}
	q := m.screen.Search
	q.Pattern = pattern
	p := m.searched()
	if pattern == "" {
		p.GoTo(q.From)
		return
	}
	f := q.Find(p, q.From, +1, true)
	m.screen.Flash = f.Words()
	if f.At < 0 {
		f.At = q.From
	}
	p.GoTo(f.At)
}

// acceptSearch stays at the current match and expands what hides it.
func (m *Model) acceptSearch() {
	if m.screen.Search == nil || m.screen.Search.Pattern == "" {
		return
	}
	m.searchFor(m.screen.Search.Pattern) // to show the number of the match again
	m.openMatch()
}

// openMatch expands the node that contains the current match.
func (m *Model) openMatch() {
	if p, ok := m.searched().(pane.Opener); ok {
		p.OpenMatch(m.screen.Search)
	}
}

// searchNext goes to the next match in a direction.
func (m *Model) searchNext(direction int) tea.Cmd {
	q := m.screen.Search
	if q == nil || q.Pattern == "" {
		m.screen.Flash = "Nothing is searched for: " + m.screen.KeyFor("search") + " searches."
		return nil
	}
	p := m.searched()
	f := q.Find(p, p.At(), direction, false)
	if f.At < 0 {
		m.screen.Flash = fmt.Sprintf("%q is not here.", q.Pattern)
		return nil
	}
	p.GoTo(f.At)
	m.screen.Flash = f.Words()
	m.openMatch()
	return nil
}

// leaveSearch goes back to where the search began.
func (m *Model) leaveSearch() {
	if m.screen.Search != nil {
		m.searched().GoTo(m.screen.Search.From)
		m.screen.Search = nil
	}
}

// searchCase toggles case sensitivity.
func (m *Model) searchCase() {
	if m.screen.Search != nil {
		m.screen.Search.Exact = !m.screen.Search.Exact
		m.searchFor(m.screen.Search.Pattern)
	}
}
