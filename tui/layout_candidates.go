package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/tui/keys"
)

// candidatesChoice selects when the candidates of a backward move are visible.
type candidatesChoice uint8

// several: the list is visible if there are at least two candidates. never: it is not visible. always:
// it is visible even for one candidate; this ends at the next state without candidates.
const (
	several candidatesChoice = iota
	never
	always
)

// fitCandidates computes the rows of the candidates. If they are not shown any more, they lose the
// focus.
func (m *Model) fitCandidates() {
	m.shape.candidates = 0
	v := m.screen.View
	if v != nil && v.Candidates == nil && m.choice == always {
		m.choice = several
	}
	shown := v != nil && v.Candidates != nil && (len(v.Candidates.List) > 1 && m.choice == several || m.choice == always)
	if shown && !m.besides() {
		m.shape.candidates = 1 + m.candidates.Fills(m.w, m.h)
		return
	}
	if m.shape.focus == candidatesPane {
		m.shape.focus, m.screen.Focused = sourcePane, keys.Source
	}
}

// withCandidates places the candidates over the bottom of a layout, across the whole width. The
// other panes keep their places: those that would have too few rows left are hidden. If that would
// hide the focused pane, it hides the candidates instead.
func (l layout) withCandidates(s shape) layout {
	below := l.footer.Y
	if l.timeline.H > 0 {
		below = l.timeline.Y
	}
	body := draw.Rect{Y: l.header.H, W: l.footer.W, H: below - l.header.H}
	switch {
	case s.candidates == 0 || s.zoom:
		return l
	case body.H < leastSourceRows+leastBesideRows && s.focus != candidatesPane:
		return l
	case body.H < leastSourceRows+leastBesideRows:
		l.panes = [paneCount]draw.Rect{candidatesPane: body}
		return l
	}
	rows := min(max(s.candidates, leastBesideRows), max(body.H*2/5, leastBesideRows))
	at := body.Y + body.H - rows
	for changed := true; changed; {
		changed = false
		for id, r := range l.panes {
			if paneID(id) != sourcePane && r.Y < at && at < r.Y+r.H && at-r.Y < leastPaneRows && r.Y >= body.Y+leastSourceRows {
				at, changed = r.Y, true
			}
		}
	}
	if r := l.panes[s.focus]; s.focus != candidatesPane && r.Y >= at {
		return l
	}
	for id := range l.panes {
		if r := &l.panes[id]; r.Y >= at {
			*r = draw.Rect{}
		} else {
			r.H = min(r.H, at-r.Y)
		}
	}
	l.strip = l.strip && !l.panes[outputPane].Empty()
	l.panes[candidatesPane] = draw.Rect{Y: at, W: body.W, H: body.Y + body.H - at}
	return l
}

// showCandidates opens the candidates of a backward move, and focuses them if focus is set. Without
// focus it closes them if they are open.
func (m *Model) showCandidates(focus bool) tea.Cmd {
	v := m.screen.View
	switch {
	case v == nil:
		return nil
	case v.Candidates == nil:
		m.screen.Flash = fmt.Sprintf("This state has no candidates: a backward move that asks the model has them (%s, %s or %s).",
			m.screen.KeyFor("step-back"), m.screen.KeyFor("next-back"), m.screen.KeyFor("return-back"))
		return nil
	case !focus && !m.layout.panes[candidatesPane].Empty():
		m.choice = never
		return m.relayout()
	}
	if m.choice = several; len(v.Candidates.List) == 1 {
		m.choice = always
	}
	m.shape.beside = false
	if cmd := m.relayout(); !focus && !m.layout.panes[candidatesPane].Empty() {
		return cmd
	}
	return m.focus(candidatesPane)
}

// candidateHints returns the keys while the candidates are visible.
func (m *Model) candidateHints(columns int) []keys.Hint {
	return m.hintsOf(columns, []hinted{
		{"candidate", []string{"previous-candidate", "next-candidate"}},
		{"5 more", []string{"more-candidates"}},
		{"close", []string{"candidates"}},
		{"step", []string{"step"}},
		{"next", []string{"next"}},
		{"back", []string{"step-back", "next-back"}},
		{"command", []string{"command-line"}},
		{"quit", []string{"quit"}},
		{"help", []string{"help"}},
	})
}

// headerCandidate describes the shown candidate for the header: " · 1 of 6, leads here".
func (m *Model) headerCandidate() string {
	of := m.screen.View.Candidates
	if of == nil {
		return ""
	}
	v := of.List[m.screen.View.Candidate].Verification
	_, words, _ := m.screen.Verdict(v)
	switch {
	case len(of.List) == 1 && v.By == 0:
		return ""
	case len(of.List) == 1:
		return " · " + words
	}
	return fmt.Sprintf(" · %d of %d, %s", m.screen.View.Candidate+1, len(of.List), words)
}
