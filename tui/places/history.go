package places

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/keys"
	"github.com/npdb/npdb/tui/pane"
)

// History lists the visits, the latest one last.
type History struct {
	*pane.Screen
	pane.Scroll
}

// NewHistory returns an empty list.
func NewHistory(s *pane.Screen) *History { return &History{Screen: s} }

// Context returns the context of the history.
func (p *History) Context() keys.Context { return keys.History }

// Title returns how many there are.
func (p *History) Title() (name, more string) {
	if p.View != nil {
		more = fmt.Sprintf("%d of %d", p.View.Shown+1, len(p.View.History))
	}
	return "history", more
}

// Sight describes which rows are visible.
func (p *History) Sight() (shown, news string, role themes.Role) {
	if p.View != nil {
		shown = p.Shown(len(p.View.History))
	}
	return shown, "", themes.Changed
}

// Fills returns a row for each state.
func (p *History) Fills(_, most int) int {
	if p.View == nil {
		return 0
	}
	return min(len(p.View.History), most)
}

// Stopped follows what is selected.
func (p *History) Stopped() { p.Cursor = p.View.Shown }

// Draw draws the visible rows.
func (p *History) Draw(a *draw.Area, focused bool) {
	w, h := a.Size()
	if p.View == nil {
		return
	}
	n := len(p.View.History)
	p.Fit(n, h)
	for row := p.Top; row < min(n, p.Top+h); row++ {
		line := a.Sub(draw.Rect{Y: row - p.Top, W: w, H: 1})
		if row == p.View.Shown {
			line.Text(1, 0, pane.GlyphHere, p.Style(themes.Here))
		}
		spans := p.visitSpans(p.View.History[row])
		line.Spans(3, 0, p.Measure.CutSpans(spans, max(w-3, 0)), 0)
		if focused && row == p.Cursor {
			line.Overlay(draw.Rect{W: w, H: 1}, p.Style(themes.Selection))
		}
		p.Mark(p.Context(), line.Sub(draw.Rect{X: 3, W: max(w-3, 0), H: 1}), draw.SpansText(spans), 0, row == p.Cursor)
	}
}

// visitSpans formats a row of the history.
func (p *History) visitSpans(v session.Visit) []draw.Span {
	dim := p.Style(themes.Dim)
	where := "the end"
	if v.Kind != 0 {
		where = fmt.Sprintf("%s:%d", v.Function, v.Line)
		if v.Kind != dsl.Line {
			where = v.Kind.String() + " " + where
		}
	}
	spans := []draw.Span{{Text: where, Style: p.Origin(v.Origin)}}
	if v.Origin != dsl.Real {
		spans = append(spans, draw.Span{Text: "  " + v.Origin.String(), Style: dim})
	}
	if v.Command != "" {
		spans = append(spans, draw.Span{Text: "  " + v.Command, Style: dim})
	}
	return spans
}

// Act does an action on the row at the cursor.
func (p *History) Act(action string) (tea.Cmd, bool) {
	if p.View == nil {
		return nil, false
	}
	if action == "show-state" {
		return p.Orders.Visit(p.Cursor), true
	}
	return nil, p.Move(action, len(p.View.History))
}

// Click shows the clicked visit.
func (p *History) Click(_, y int) tea.Cmd {
	if row := p.Top + y; row < len(p.View.History) {
		p.Cursor = row
		return p.Orders.Visit(row)
	}
	return nil
}

// Wheel scrolls.
func (p *History) Wheel(rows int) {
	if p.View != nil {
		p.Scroll.Wheel(rows, len(p.View.History))
	}
}

// Texts returns the rows.
func (p *History) Texts() (int, func(int) string) {
	if p.View == nil {
		return 0, nil
	}
	return len(p.View.History), func(i int) string { return draw.SpansText(p.visitSpans(p.View.History[i])) }
}
