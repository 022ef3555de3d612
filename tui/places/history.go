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

// History lists the states that were shown, the latest one last.
type History struct{ pane.List }

// NewHistory returns an empty list.
func NewHistory(s *pane.Screen) *History {
	return &History{pane.List{Screen: s, In: keys.History, Len: func(v *session.View) int { return len(v.History) }}}
}

// Title returns the pane's name, and the number of the shown state among all.
func (p *History) Title() (name, more string) {
	if p.View != nil {
		more = fmt.Sprintf("%d of %d", p.View.Shown+1, len(p.View.History))
	}
	return "history", more
}

// Stopped moves the cursor to the state that is shown.
func (p *History) Stopped() { p.Cursor = p.View.Shown }

// Draw draws the visible rows.
func (p *History) Draw(a *draw.Area, focused bool) {
	w, h := a.Size()
	p.DrawRows(a, h, focused, 3, func(line *draw.Area, i int) string {
		if i == p.View.Shown {
			line.Text(1, 0, pane.GlyphHere, p.Style(themes.Here))
		}
		spans := p.visitSpans(p.View.History[i])
		line.Spans(3, 0, p.Measure.CutSpans(spans, max(w-3, 0)), 0)
		return draw.SpansText(spans)
	})
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

// Click shows the clicked state.
func (p *History) Click(_, y int) tea.Cmd {
	if row := p.Top + y; row < len(p.View.History) {
		p.Cursor = row
		return p.Orders.Visit(row)
	}
	return nil
}

// Texts returns the texts of the rows for a search.
func (p *History) Texts() (int, func(int) string) {
	return p.Count(), func(i int) string { return draw.SpansText(p.visitSpans(p.View.History[i])) }
}
