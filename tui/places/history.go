package places

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/keys"
	"github.com/npdb/npdb/tui/pane"
)

// History lists the states that were shown, the latest one last, or the hops of a value's origin.
type History struct {
	pane.List
	origins *origins // nil while the history is listed
}

// NewHistory returns an empty list.
func NewHistory(s *pane.Screen) *History {
	p := &History{}
	p.List = pane.List{Screen: s, In: keys.History, Len: func(v *session.View) int {
		if p.origins != nil {
			return len(p.origins.hops)
		}
		return len(v.History)
	}}
	return p
}

// Title returns the pane's name, and the number of the shown state among all, or how to close the
// list of hops.
func (p *History) Title() (name, more string) {
	if p.origins != nil {
		return "origin of " + escape.Line(p.origins.of), p.KeyFor("cancel") + " closes"
	}
	if p.View != nil {
		more = fmt.Sprintf("%d of %d", p.View.Shown+1, len(p.View.History))
	}
	return "history", more
}

// Stopped moves the cursor to the state that is shown. In the list of hops it stays.
func (p *History) Stopped() {
	if p.origins == nil {
		p.Cursor = p.View.Shown
	}
}

// Draw draws the visible rows.
func (p *History) Draw(a *draw.Area, focused bool) {
	w, h := a.Size()
	p.DrawRows(a, h, focused, 3, func(line *draw.Area, i int) string {
		if p.origins != nil {
			return p.drawHop(line, i)
		}
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
	if p.origins != nil {
		return p.actOnOrigins(action)
	}
	if action == "show-state" {
		return p.Orders.Visit(p.Cursor), true
	}
	return nil, p.Move(action, len(p.View.History))
}

// Click shows the clicked state, or goes to the clicked hop.
func (p *History) Click(_, y int) tea.Cmd {
	row := p.Top + y
	if row >= p.Count() {
		return nil
	}
	p.Cursor = row
	if p.origins != nil {
		return p.goTo(row)
	}
	return p.Orders.Visit(row)
}

// Texts returns the texts of the rows for a search.
func (p *History) Texts() (int, func(int) string) {
	if p.origins != nil {
		return p.Count(), func(i int) string { return draw.SpansText(p.hopSpans(p.origins.hops[i])) }
	}
	return p.Count(), func(i int) string { return draw.SpansText(p.visitSpans(p.View.History[i])) }
}
