package tui

import (
	"fmt"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/draw"
	"github.com/npdb/npdb/tui/keys"
)

// breakpoints lists the breakpoints.
type breakpoints struct{ scroll }

func newBreakpoints() *breakpoints { return &breakpoints{} }

func (p *breakpoints) context() keys.Context { return keys.Breakpoints }

func (p *breakpoints) title(m *Model) (name, more string) {
	if m.view != nil && len(m.view.Breakpoints) > 0 {
		more = fmt.Sprint(len(m.view.Breakpoints))
	}
	return "breakpoints", more
}

func (p *breakpoints) stopped(*Model) {}

func (p *breakpoints) draw(m *Model, a *draw.Area, focused bool) {
	w, h := a.Size()
	if m.view == nil {
		return
	}
	n := len(m.view.Breakpoints)
	if n == 0 {
		a.Text(1, 0, m.measure.Cut("none: "+m.keyFor("toggle-breakpoint")+" in the source sets one", max(w-2, 0)), m.style(themes.Dim))
	}
	p.fit(n, h)
	for row := p.top; row < min(n, p.top+h); row++ {
		line := a.Sub(draw.Rect{Y: row - p.top, W: w, H: 1})
		spans := m.breakpointSpans(m.view.Breakpoints[row])
		line.Spans(1, 0, m.measure.CutSpans(spans, max(w-1, 0)), 0)
		m.searchIn(breakpointsPane).mark(m, line.Sub(draw.Rect{X: 1, W: max(w-1, 0), H: 1}), spansText(spans), 0)
		if focused && row == p.cursor {
			line.Overlay(draw.Rect{W: w, H: 1}, m.style(themes.Selection))
		}
	}
}

// breakpointSpans is what a row of the list says.
func (m *Model) breakpointSpans(b session.Breakpoint) []draw.Span {
	glyph, role := glyphBreakpoint, themes.Breakpoint
	switch {
	case !b.Enabled:
		glyph, role = glyphDisabled, themes.BreakpointDisabled
	case b.Condition != "" || b.Ignore > 0:
		glyph, role = glyphConditional, themes.BreakpointConditional
	}
	dim := m.style(themes.Dim)
	spans := []draw.Span{
		{Text: glyph, Style: m.style(role)},
		{Text: fmt.Sprintf(" %d  %s:%d", b.Number, filepath.Base(b.File), b.Line), Style: m.style(themes.Text)},
		{Text: "  " + strings.TrimSpace(b.Anchor.Text), Style: dim},
	}
	if b.Condition != "" {
		spans = append(spans, draw.Span{Text: "  if " + b.Condition, Style: m.style(themes.BreakpointConditional)})
	}
	if b.Ignore > 0 {
		spans = append(spans, draw.Span{Text: fmt.Sprintf("  ignores %d", b.Ignore), Style: dim})
	}
	if b.Temporary {
		spans = append(spans, draw.Span{Text: "  once", Style: dim})
	}
	if b.Hits > 0 {
		spans = append(spans, draw.Span{Text: "  hit " + plural(b.Hits, "time"), Style: dim})
	}
	return spans
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
		return m.run(fmt.Sprintf("clear %d", b.Number)), true
	case "enable-breakpoint":
		if b.Enabled {
			return m.run(fmt.Sprintf("disable %d", b.Number)), true
		}
		return m.run(fmt.Sprintf("enable %d", b.Number)), true
	case "show-breakpoint":
		m.source.show(m, b.File, b.Line)
		return m.focus(sourcePane), true
	case "edit-breakpoint":
		m.line.start(m, keys.CommandLine, strings.TrimRight(fmt.Sprintf("condition %d %s", b.Number, b.Condition), " ")+" ")
		return nil, true
	}
	return nil, false
}

func (p *breakpoints) click(m *Model, _, y int) tea.Cmd {
	if row := p.top + y; row < len(m.view.Breakpoints) {
		p.cursor = row
		m.source.show(m, m.view.Breakpoints[row].File, m.view.Breakpoints[row].Line)
	}
	return nil
}

func (p *breakpoints) wheel(m *Model, rows int) {
	if m.view != nil {
		p.scroll.wheel(rows, len(m.view.Breakpoints))
	}
}
