package places

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/pane"
)

// origins lists the hops by which a value came to an expression. While it is open, it replaces the
// history.
type origins struct {
	of   string
	hops []session.Hop
	at   int // the hop that the user went to last, -1 for none
}

// ShowOrigins replaces the history by the hops of an expression's value.
func (p *History) ShowOrigins(of string, hops []session.Hop) {
	p.origins = &origins{of, hops, -1}
	p.Cursor, p.Top = 0, 0
}

// goTo goes to the event of the hop at a row.
func (p *History) goTo(row int) tea.Cmd {
	h := p.origins.hops[row]
	switch {
	case h.Visit > 0:
		p.origins.at = row
		return p.Orders.Visit(h.Visit)
	case h.By.Event < 0 || p.View.Mode == session.Predicted:
		p.Flash = "No event of this hop was recorded."
		return nil
	}
	p.origins.at = row
	return p.Orders.GoTo(h.By.Event)
}

// actOnOrigins does an action on the hop at the cursor.
func (p *History) actOnOrigins(action string) (tea.Cmd, bool) {
	switch action {
	case "show-state":
		return p.goTo(p.Cursor), true
	case "cancel":
		if p.Running != nil {
			return nil, false
		}
		p.origins = nil
		p.Stopped()
		return nil, true
	}
	return nil, p.Move(action, len(p.origins.hops))
}

// hopSpans formats a hop: what has the value, how it came there, and the line.
func (p *History) hopSpans(h session.Hop) []draw.Span {
	dim := p.Style(themes.Dim)
	value := "?"
	if h.Value.OK {
		value = escape.Line(h.Value.Text)
	}
	const room = 30 // columns of a value
	value = p.Measure.Cut(value, room)
	kind := string(h.Kind)
	if !h.Certain {
		kind = "likely " + kind
	}
	if h.Times > 1 {
		kind += fmt.Sprintf(" ×%d", h.Times)
	}
	spans := []draw.Span{{Text: escape.Line(h.Expression) + " = " + value, Style: p.Style(themes.Text)}, {Text: "  " + kind, Style: dim}}
	if h.By.Event >= 0 {
		spans = append(spans, draw.Span{Text: fmt.Sprintf("  %s:%d", escape.Line(h.By.Function), h.By.Line), Style: dim})
	}
	if h.Note != "" {
		spans = append(spans, draw.Span{Text: "  " + escape.Line(h.Note), Style: dim})
	}
	if f := h.Inferred; f != nil {
		glyph, words, style := p.Verdict(f.Verification)
		spans = append(spans, draw.Span{Text: "  " + glyph + " inferred, " + words, Style: style})
		if f.Probability != nil {
			spans = append(spans, draw.Span{Text: fmt.Sprintf(" %.2f", *f.Probability), Style: dim})
		}
	}
	return spans
}

// drawHop draws a row of the list, and returns its text.
func (p *History) drawHop(line *draw.Area, i int) string {
	w, _ := line.Size()
	if i == p.origins.at {
		line.Text(1, 0, pane.GlyphHere, p.Style(themes.Here))
	}
	spans := p.hopSpans(p.origins.hops[i])
	line.Spans(3, 0, p.Measure.CutSpans(spans, max(w-3, 0)), 0)
	return draw.SpansText(spans)
}
