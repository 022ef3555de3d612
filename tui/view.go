package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/keys"
)

// View draws the screen.
func (m *Model) View() tea.View {
	m.canvas.Clear(m.w, m.h, m.measure, m.style(themes.Text))
	v := tea.NewView("")
	if m.tooSmall() {
		m.canvas.Sub(draw.Rect{W: m.w, H: m.h}).Text(0, m.h/2, m.measure.Cut(m.sizeWords(), m.w), m.style(themes.Notice))
		return m.show(v)
	}
	if m.atStart() {
		m.start.draw(m, m.canvas.Sub(draw.Rect{Y: m.layout.header.H, W: m.w, H: max(m.layout.footer.Y-m.layout.header.H, 0)}))
	} else {
		for id, r := range m.layout.panes {
			if !r.Empty() {
				m.drawPane(paneID(id), m.canvas.Sub(r))
			}
		}
		m.drawTimeline(m.canvas.Sub(m.layout.timeline))
	}
	m.drawHeader(m.canvas.Sub(m.layout.header))
	v.Cursor = m.drawFooter(m.canvas.Sub(m.layout.footer))
	if m.help != nil {
		v.Cursor = m.help.draw(m, m.canvas.Sub(draw.Rect{W: m.w, H: m.h}))
	}
	return m.show(v)
}

// show is the view with what was drawn.
func (m *Model) show(v tea.View) tea.View {
	v.SetContent(m.canvas.Render())
	v.AltScreen = true
	v.WindowTitle = title("npdb " + m.config.Program)
	if m.mouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	return v
}

// title is a text as a terminal's title, which may be a file name of any kind.
func title(text string) string {
	return strings.Join(strings.Fields(escape.Text(text)), " ")
}

// style is how the theme has a role.
func (m *Model) style(r themes.Role) draw.Style { return m.theme.Style(r) }

// drawPane draws a pane's title and, below it, the pane.
func (m *Model) drawPane(id paneID, a *draw.Area) {
	w, h := a.Size()
	p := m.panes[id]
	focused := id == m.shape.focus && !m.line.open && m.help == nil
	rule, word := m.style(themes.Rule), m.style(themes.Title)
	if focused {
		rule, word = m.focusStyles()
	}
	// While a pattern is typed the row of the match is to be seen.
	searched := m.line.open && m.line.of == keys.Search && m.searchIn(id) != nil
	p.draw(m, a.Sub(draw.Rect{Y: 1, W: w, H: h - 1}), focused || searched)
	name, more := p.title(m)
	a.Fill(draw.Rect{W: w, H: 1}, "─", rule)
	line := []draw.Span{{Text: " ", Style: rule}, {Text: name, Style: word}, {Text: " ", Style: rule}}
	used := m.drawSight(a, p, w-m.spansWidth(line))
	if more != "" {
		line = append(line, draw.Span{Text: more + " ", Style: m.style(themes.Dim)})
	}
	a.Spans(0, 0, m.measure.CutSpans(line, w-1-used), 0)
}

// focusStyles are those of the title that has the keyboard: of its line, and of
// the word, which alone is reversed or underlined where the theme has it so. A
// line with either is a bar with a line through it, or two lines.
func (m *Model) focusStyles() (rule, word draw.Style) {
	word = m.style(themes.Focus)
	rule = word
	rule.Attr &^= draw.Reverse | draw.Underline
	return rule, word
}
