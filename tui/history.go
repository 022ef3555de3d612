package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/keys"
)

// history shows the states that were shown, the latest at the end.
type history struct{ scroll }

func newHistory() *history { return &history{} }

func (p *history) context() keys.Context { return keys.History }

func (p *history) title(m *Model) (name, more string) {
	if m.view != nil {
		more = fmt.Sprintf("%d of %d", m.view.Shown+1, len(m.view.History))
	}
	return "history", more
}

func (p *history) sight(m *Model) (shown, news string) {
	if m.view != nil {
		shown = p.shown(len(m.view.History))
	}
	return shown, ""
}

func (p *history) stopped(m *Model) { p.cursor = m.view.Shown }

func (p *history) draw(m *Model, a *draw.Area, focused bool) {
	w, h := a.Size()
	if m.view == nil {
		return
	}
	n := len(m.view.History)
	p.fit(n, h)
	for row := p.top; row < min(n, p.top+h); row++ {
		line := a.Sub(draw.Rect{Y: row - p.top, W: w, H: 1})
		if row == m.view.Shown {
			line.Text(1, 0, glyphHere, m.style(themes.Here))
		}
		spans := m.visitSpans(m.view.History[row])
		line.Spans(3, 0, m.measure.CutSpans(spans, max(w-3, 0)), 0)
		if focused && row == p.cursor {
			line.Overlay(draw.Rect{W: w, H: 1}, m.style(themes.Selection))
		}
		m.searchIn(historyPane).mark(m, line.Sub(draw.Rect{X: 3, W: max(w-3, 0), H: 1}), spansText(spans), 0, row == p.cursor)
	}
}

// visitSpans is what a row of the history says.
func (m *Model) visitSpans(v session.Visit) []draw.Span {
	dim := m.style(themes.Dim)
	where := "the end"
	if v.Kind != 0 {
		where = fmt.Sprintf("%s:%d", v.Function, v.Line)
		if v.Kind != dsl.Line {
			where = v.Kind.String() + " " + where
		}
	}
	spans := []draw.Span{{Text: where, Style: m.origin(v.Origin)}}
	if v.Origin != dsl.Real {
		spans = append(spans, draw.Span{Text: "  " + v.Origin.String(), Style: dim})
	}
	if v.Command != "" {
		spans = append(spans, draw.Span{Text: "  " + v.Command, Style: dim})
	}
	return spans
}

func (p *history) act(m *Model, action string) (tea.Cmd, bool) {
	if m.view == nil {
		return nil, false
	}
	if action == "show-state" {
		return m.visit(p.cursor), true
	}
	return nil, p.move(action, len(m.view.History))
}

func (p *history) click(m *Model, _, y int) tea.Cmd {
	if row := p.top + y; row < len(m.view.History) {
		p.cursor = row
		return m.visit(row)
	}
	return nil
}

func (p *history) wheel(m *Model, rows int) {
	if m.view != nil {
		p.scroll.wheel(rows, len(m.view.History))
	}
}
