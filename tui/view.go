package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/keys"
	"github.com/npdb/npdb/tui/pane"
)

// showStop shows the stop of the view in the panes, and fits the layout to it.
func (m *Model) showStop() tea.Cmd {
	v := m.screen.View
	if both := v.Mode == session.Both; both != m.joined {
		m.joined, m.shape.beside, m.beside.Scored = both, both, false
	}
	switch differs := v.Difference != nil; {
	case differs && !m.differs:
		m.differs, m.opened, m.shape.beside, m.beside.Scored = true, m.shape.beside, true, false
	case !differs && m.differs:
		m.differs, m.shape.beside = false, m.opened
	}
	if v.PostMortem != m.shape.crashed {
		m.had = nil // a crash has another layout
	}
	m.shape.over, m.shape.crashed = v.Place.End || v.PostMortem, v.PostMortem
	cmd := m.fillPanes()
	m.arrange() // the panes may need other sizes now
	return cmd
}

// fillPanes passes the view to the panes.
func (m *Model) fillPanes() tea.Cmd {
	cmd := m.source.Want(m.screen.View)
	for _, p := range m.panes {
		p.Stopped()
	}
	return cmd
}

// View draws the screen.
func (m *Model) View() tea.View {
	if m.changed || !m.dropped {
		m.drawn, m.changed = m.draw(), false
	}
	return m.drawn
}

// draw draws the whole screen.
func (m *Model) draw() tea.View {
	m.canvas.Clear(m.w, m.h, m.screen.Measure, m.screen.Style(themes.Text))
	v := tea.NewView("")
	if r := m.screen.Running; r != nil {
		r.Long = m.busy()
	}
	if m.tooSmall() {
		m.canvas.Sub(draw.Rect{W: m.w, H: m.h}).Text(0, m.h/2, m.screen.Measure.Cut(m.sizeWords(), m.w), m.screen.Style(themes.Notice))
		return m.show(v)
	}
	if m.atStart() {
		m.start.Draw(m.canvas.Sub(draw.Rect{Y: m.layout.header.H, W: m.w, H: max(m.layout.footer.Y-m.layout.header.H, 0)}))
	} else {
		for id, r := range m.layout.panes {
			if !r.Empty() {
				m.drawPane(paneID(id), m.canvas.Sub(r))
			}
		}
		m.timeline.Draw(m.canvas.Sub(m.layout.timeline))
		if m.tour != nil {
			m.tour.Draw(m.canvas.Sub(m.layout.tour), m.screen)
		}
	}
	m.drawHeader(m.canvas.Sub(m.layout.header))
	v.Cursor = m.drawFooter(m.canvas.Sub(m.layout.footer))
	if m.question != nil {
		m.question.draw(m, m.canvas.Sub(draw.Rect{W: m.w, H: m.h}))
	}
	switch all := m.canvas.Sub(draw.Rect{W: m.w, H: m.h}); {
	case m.help != nil:
		v.Cursor = m.help.Draw(all)
	case m.themes != nil:
		v.Cursor = m.themes.Draw(all)
	case m.page != nil:
		m.page.Draw(all)
		v.Cursor = nil
	case m.files != nil:
		v.Cursor = m.files.Draw(all)
	case m.grid != nil:
		m.grid.Draw(all)
		v.Cursor = nil
	}
	return m.show(v)
}

// show completes a view with the drawn canvas and the modes of the terminal.
func (m *Model) show(v tea.View) tea.View {
	v.SetContent(m.canvas.Render())
	v.AltScreen = true
	v.WindowTitle = title("npdb " + m.config.Program)
	if m.mouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	return v
}

// title cleans a text for the terminal's title.
func title(text string) string {
	return strings.Join(strings.Fields(escape.Text(text)), " ")
}

// drawPane draws a pane's title and, below it, the pane.
func (m *Model) drawPane(id paneID, a *draw.Area) {
	w, h := a.Size()
	p := m.pane(id)
	focused := id == m.shape.focus && !m.screen.Typing && m.help == nil && m.files == nil
	rule, word := m.screen.Style(themes.Rule), m.screen.Style(themes.Title)
	if focused {
		rule, word = m.screen.FocusStyles()
	}
	// While a pattern is typed, the row of the match must be visible.
	searched := m.line.Is(keys.Search) && m.screen.Search != nil && m.screen.Search.In == p.Context()
	p.Draw(a.Sub(draw.Rect{Y: 1, W: w, H: h - 1}), focused || searched)
	name, more := p.Title()
	a.Fill(draw.Rect{W: w, H: 1}, "─", rule)
	line := []draw.Span{{Text: " ", Style: rule}, {Text: name, Style: word}, {Text: " ", Style: rule}}
	used := m.drawSight(a, p, w-m.screen.Measure.SpansWidth(line))
	if more != "" {
		line = append(line, draw.Span{Text: more + " ", Style: m.screen.Style(themes.Dim)})
	}
	a.Spans(0, 0, m.screen.Measure.CutSpans(line, w-1-used), 0)
}

// drawSight draws into a pane's title which of its rows are visible and news about the others, and
// returns the columns that it uses. If there is no room for both, it draws only the news.
func (m *Model) drawSight(a *draw.Area, p pane.Pane, room int) int {
	s, ok := p.(pane.Sighted)
	if !ok {
		return 0
	}
	shown, news, role := s.Sight()
	dim, told := m.screen.Style(themes.Dim), m.screen.Style(role)
	all := []draw.Span{{Text: " " + shown, Style: dim}, {Text: ", ", Style: dim}, {Text: news, Style: told}, {Text: " ", Style: dim}}
	short := []draw.Span{{Text: " " + news + " ", Style: told}}
	switch {
	case shown == "" && news == "":
		return 0
	case news == "":
		all = []draw.Span{{Text: " " + shown + " ", Style: dim}}
		short = all
	case shown == "":
		all = short
	}
	const rule = 2 // columns of the rule beside it
	w, _ := a.Size()
	for _, line := range [][]draw.Span{all, short} {
		if width := m.screen.Measure.Width(draw.SpansText(line)); width+rule <= room {
			a.Spans(w-width-1, 0, line, 0)
			return width + 1
		}
	}
	return 0
}
