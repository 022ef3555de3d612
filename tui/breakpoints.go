package tui

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/keys"
)

// breakpoints lists the breakpoints.
type breakpoints struct {
	scroll
	leaving []int // the numbers of those that are being deleted
}

func newBreakpoints() *breakpoints { return &breakpoints{} }

func (p *breakpoints) context() keys.Context { return keys.Breakpoints }

func (p *breakpoints) title(m *Model) (name, more string) {
	if m.view != nil && len(m.view.Breakpoints) > 0 {
		more = fmt.Sprint(len(m.view.Breakpoints))
	}
	return "breakpoints", more
}

func (p *breakpoints) stopped(*Model) {}

func (p *breakpoints) sight(m *Model) (shown, news string) {
	if m.view != nil {
		shown = p.shown(len(m.view.Breakpoints))
	}
	return shown, ""
}

func (p *breakpoints) draw(m *Model, a *draw.Area, focused bool) {
	w, h := a.Size()
	if m.view == nil {
		return
	}
	n := len(m.view.Breakpoints)
	if n == 0 {
		a.Text(1, 0, m.measure.Cut("none: "+m.keyFor("toggle-breakpoint")+" in the source sets one", max(w-2, 0)), m.style(themes.Dim))
	}
	c := m.breakpointColumns(w)
	if focused && n > 0 {
		h -= m.drawCondition(a, m.view.Breakpoints[min(max(p.cursor, 0), n-1)], c)
	}
	p.fit(n, h)
	for row := p.top; row < min(n, p.top+h); row++ {
		line := a.Sub(draw.Rect{Y: row - p.top, W: w, H: 1})
		spans := m.breakpointSpans(m.view.Breakpoints[row], c)
		line.Spans(1, 0, spans, 0)
		if focused && row == p.cursor {
			line.Overlay(draw.Rect{W: w, H: 1}, m.style(themes.Selection))
		}
		m.searchIn(breakpointsPane).mark(m, line.Sub(draw.Rect{X: 1, W: max(w-1, 0), H: 1}), spansText(spans), 0, row == p.cursor)
	}
}

// breakpointColumns are how wide the columns of the list are.
type breakpointColumns struct{ number, place, all int }

// breakpointColumns are those in a pane of w columns.
func (m *Model) breakpointColumns(w int) breakpointColumns {
	c := breakpointColumns{all: max(w-1, 0)}
	for _, b := range m.view.Breakpoints {
		c.number = max(c.number, len(fmt.Sprint(b.Number)))
		c.place = max(c.place, m.measure.Width(subjectOf(b)))
	}
	const leastPlace = 12
	c.place = min(c.place, max(w/3, leastPlace))
	return c
}

// breakpointSpans is what a row of the list says, in its columns: first what
// makes the breakpoint stop, and last, as far as there is room, what its line
// says, which the source shows too. A condition is cut before the rest is.
func (m *Model) breakpointSpans(b session.Breakpoint, c breakpointColumns) []draw.Span {
	glyph, role := breakpointGlyph(b)
	dim := m.style(themes.Dim)
	counts := breakpointCounts(b)
	columns := c.place
	if !b.OnLine() { // no line's text comes behind it
		const least = 10 // for a condition
		room := c.all - m.measure.Width(glyph) - c.number - 3 - m.measure.Width(counts)
		if b.Condition != "" {
			room -= least
		}
		columns = max(columns, room)
	}
	place := m.cutSubject(b, columns)
	pad := strings.Repeat(" ", max(c.place-m.measure.Width(place), 0))
	spans := []draw.Span{
		{Text: glyph, Style: m.style(role)},
		{Text: fmt.Sprintf(" %*d  %s%s", c.number, b.Number, place, pad), Style: m.style(themes.Text)},
	}
	free := c.all - m.spansWidth(spans)
	if b.Condition != "" {
		const gap, least = 2, 8
		room := max(free-gap-m.measure.Width(counts), least)
		condition := m.measure.Cut("if "+b.Condition, room)
		spans = append(spans, draw.Span{Text: "  ", Style: dim}, draw.Span{Text: condition, Style: m.style(themes.BreakpointConditional)})
	}
	spans = append(spans, draw.Span{Text: counts, Style: dim})
	const gap, leastText = 2, 8
	if m.spansWidth(spans)+gap+leastText <= c.all {
		spans = append(spans, draw.Span{Text: "  " + strings.TrimSpace(b.Anchor.Text), Style: dim})
	}
	return m.measure.CutSpans(spans, c.all)
}

// breakpointText is all that a row says where nothing is cut, for a search.
func breakpointText(b session.Breakpoint) string {
	text := fmt.Sprintf("%d  %s", b.Number, subjectOf(b))
	if b.Condition != "" {
		text += "  if " + b.Condition
	}
	return text + breakpointCounts(b) + "  " + strings.TrimSpace(b.Anchor.Text)
}

func breakpointGlyph(b session.Breakpoint) (string, themes.Role) {
	switch {
	case !b.Enabled:
		return glyphDisabled, themes.BreakpointDisabled
	case b.Condition != "" || b.Ignore > 0:
		return glyphConditional, themes.BreakpointConditional
	}
	return glyphBreakpoint, themes.Breakpoint
}

// breakpointCounts is what there is to say of how often a breakpoint stops.
func breakpointCounts(b session.Breakpoint) string {
	var text string
	if b.Ignore > 0 {
		text += fmt.Sprintf("  ignores %d", b.Ignore)
	}
	if b.Temporary {
		text += "  once"
	}
	if b.Hits > 0 {
		text += "  " + plural(b.Hits, "hit")
	}
	return text
}

// drawCondition writes a condition that its row cuts, whole, to the foot of the
// pane, so that the rows stay where they are, and returns the rows it takes.
func (m *Model) drawCondition(a *draw.Area, b session.Breakpoint, c breakpointColumns) int {
	const margin = 3
	w, h := a.Size()
	whole := "if " + b.Condition
	if b.Condition == "" || w <= 2*margin || strings.Contains(spansText(m.breakpointSpans(b, c)), whole) {
		return 0
	}
	var rows []string
	for row := range m.measure.Wrap(whole, w-margin-1) {
		if len(rows) == h/2 {
			if n := len(rows); n > 0 {
				rows[n-1] = m.measure.Cut(rows[n-1]+row, w-margin-1)
			}
			break
		}
		rows = append(rows, row)
	}
	for i, row := range rows {
		a.Text(margin, h-len(rows)+i, row, m.style(themes.BreakpointConditional))
	}
	return len(rows)
}

// placeOf is a file and a line as lists have them.
func placeOf(file string, line int) string { return fmt.Sprintf("%s:%d", filepath.Base(file), line) }

// subjectOf is what a row of the list is about: the place of a breakpoint, what a
// watchpoint watches, the exceptions of a catchpoint.
func subjectOf(b session.Breakpoint) string {
	switch {
	case b.Watch != "":
		return "watch " + b.Subject()
	case b.Catch != "":
		return "catch " + b.Subject()
	}
	return placeOf(b.File, b.Line)
}

// cutSubject is subjectOf in a number of columns.
func (m *Model) cutSubject(b session.Breakpoint, columns int) string {
	if b.OnLine() {
		return m.cutPlace(b.File, b.Line, columns)
	}
	return m.measure.Cut(subjectOf(b), columns)
}

// cutPlace is placeOf in a number of columns: the file's name is cut, never the
// line.
func (m *Model) cutPlace(file string, line, columns int) string {
	place := placeOf(file, line)
	if m.measure.Width(place) <= columns {
		return place
	}
	number := fmt.Sprintf(":%d", line)
	return m.measure.Cut(filepath.Base(file), max(columns-len(number), 1)) + number
}

func (p *breakpoints) act(m *Model, action string) (tea.Cmd, bool) {
	if m.view == nil {
		return nil, false
	}
	list := m.view.Breakpoints
	if p.move(action, len(list)) {
		return nil, true
	}
	if p.cursor >= len(list) {
		return nil, false
	}
	b := list[p.cursor]
	switch action {
	case "delete-breakpoint":
		return p.delete(m), true
	case "enable-breakpoint":
		return m.runFor(func() string { return toggled(m, b.Number) }), true
	case "show-breakpoint":
		if !b.OnLine() {
			m.flash = "It is on no line: it stops wherever " + b.Subject() + map[bool]string{true: " changes.", false: " is raised."}[b.Watch != ""]
			return nil, true
		}
		m.source.show(m, b.File, b.Line)
		return m.focus(sourcePane), true
	case "edit-breakpoint":
		m.line.start(m, keys.CommandLine, strings.TrimRight(fmt.Sprintf("condition %d %s", b.Number, b.Condition), " ")+" ")
		return nil, true
	}
	return nil, false
}

// delete deletes the breakpoint under the cursor. One that is on its way out counts as
// gone, so that the key typed fast deletes one after the other.
func (p *breakpoints) delete(m *Model) tea.Cmd {
	if m.running == nil && len(m.queue) == 0 {
		p.leaving = nil
	}
	var left []int
	for _, b := range m.view.Breakpoints {
		if !slices.Contains(p.leaving, b.Number) {
			left = append(left, b.Number)
		}
	}
	if len(left) == 0 {
		return nil
	}
	number := left[min(p.cursor, len(left)-1)]
	p.leaving = append(p.leaving, number)
	return m.run(fmt.Sprintf("clear %d", number))
}

// toggled enables or disables a breakpoint, whatever it is when the command's turn
// comes.
func toggled(m *Model, number int) string {
	i := slices.IndexFunc(m.view.Breakpoints, func(b session.Breakpoint) bool { return b.Number == number })
	switch {
	case i < 0:
		return ""
	case m.view.Breakpoints[i].Enabled:
		return fmt.Sprintf("disable %d", number)
	}
	return fmt.Sprintf("enable %d", number)
}

func (p *breakpoints) click(m *Model, _, y int) tea.Cmd {
	if row := p.top + y; y < p.rows && row < len(m.view.Breakpoints) {
		p.cursor = row
		if b := m.view.Breakpoints[row]; b.OnLine() {
			m.source.show(m, b.File, b.Line)
		}
	}
	return nil
}

func (p *breakpoints) wheel(m *Model, rows int) {
	if m.view != nil {
		p.scroll.wheel(rows, len(m.view.Breakpoints))
	}
}
