package places

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/dustin/go-humanize"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/pane"
)

// listed is a list of places that the user can go to. While it is open, it replaces the history.
type listed struct {
	title string
	hops  []session.Hop // the hops by which a value came to an expression
	// claims holds a model's claims about the run.
	claims []session.Claim
	// hits holds events with texts: hits of a logpoint, lines of output, or runs of blocks. It is not nil if
	// there are neither hops nor claims.
	hits []session.Hit
	at   int // the place that the user went to last, -1 for none
}

func (l *listed) count() int { return len(l.hops) + len(l.claims) + len(l.hits) }

// ShowOrigins replaces the history by the hops of an expression's value.
func (p *History) ShowOrigins(of string, hops []session.Hop) {
	p.listed = &listed{title: "origin of " + escape.Line(of), hops: hops, at: -1}
	p.Cursor, p.Top = 0, 0
}

// ShowClaims replaces the history with a model's claims about the run. The cursor is on the first wrong claim, else
// on the first one.
func (p *History) ShowClaims(claims []session.Claim) {
	p.listed = &listed{title: "claims of why", claims: claims, at: -1}
	p.Cursor, p.Top = max(slices.IndexFunc(claims, func(c session.Claim) bool { return c.Verdict == session.ClaimWrong }), 0), 0
}

// ShowHits replaces the history by events with texts. The cursor is on the last one before the shown
// event.
func (p *History) ShowHits(title string, hits []session.Hit) {
	p.listed = &listed{title: escape.Line(title), hits: hits, at: -1}
	p.Cursor, p.Top = 0, 0
	if p.View != nil {
		after := sort.Search(len(hits), func(i int) bool { return hits[i].Event > p.View.Place.Event })
		p.Cursor = max(after-1, 0)
	}
}

// Forget closes the list, because its places are of another session.
func (p *History) Forget() { p.listed = nil }

// goTo goes to the place at a row.
func (p *History) goTo(row int) tea.Cmd {
	if hits := p.listed.hits; hits != nil {
		if hits[row].Event < 0 {
			p.Flash = "No event was recorded before that."
			return nil
		}
		p.listed.at = row
		return p.Orders.GoTo(hits[row].Event)
	}
	if claims := p.listed.claims; claims != nil {
		return p.goToClaim(&claims[row], row)
	}
	h := p.listed.hops[row]
	switch {
	case h.Visit > 0:
		p.listed.at = row
		return p.Orders.Visit(h.Visit)
	case h.By.Event < 0 || p.View.Mode == session.Predicted:
		p.Flash = "No event of this hop was recorded."
		return nil
	}
	p.listed.at = row
	return p.Orders.GoTo(h.By.Event)
}

// goToClaim goes to the state that a claim is about.
func (p *History) goToClaim(c *session.Claim, row int) tea.Cmd {
	switch {
	case c.Visit > 0:
		p.listed.at = row
		return p.Orders.Visit(c.Visit)
	case c.Event < 0 || p.View.Mode == session.Predicted:
		p.Flash = "There is no such event: " + escape.Line(c.Why) + "."
		return nil
	}
	p.listed.at = row
	return p.Orders.GoTo(c.Event)
}

// actOnListed does an action on the place at the cursor.
func (p *History) actOnListed(action string) (tea.Cmd, bool) {
	switch action {
	case "show-state":
		return p.goTo(p.Cursor), true
	case "cancel":
		if p.Running != nil {
			return nil, false
		}
		p.listed = nil
		p.Stopped()
		return nil, true
	}
	return nil, p.Move(action, p.listed.count())
}

// placeSpans formats a row of the list.
func (p *History) placeSpans(row int) []draw.Span {
	if claims := p.listed.claims; claims != nil {
		return p.claimSpans(&claims[row])
	}
	if p.listed.hits == nil {
		return p.hopSpans(p.listed.hops[row])
	}
	h := p.listed.hits[row]
	event := ""
	if h.Event >= 0 {
		event = humanize.Comma(int64(h.Event))
	}
	digits := len(humanize.Comma(int64(p.listed.hits[len(p.listed.hits)-1].Event)))
	return []draw.Span{{Text: fmt.Sprintf("%*s  ", digits, event), Style: p.Style(themes.LineNumber)}, {Text: escape.Line(h.Text), Style: p.Style(themes.Text)}}
}

// claimSpans formats a claim. It strikes a wrong claim through and adds the true value.
func (p *History) claimSpans(c *session.Claim) []draw.Span {
	dim, style, glyph := p.Style(themes.Dim), p.Style(themes.Text), "✓"
	more := ""
	switch c.Verdict {
	case session.ClaimWrong:
		style.Attr |= draw.Strike
		glyph, more = "✗", c.Found
		if c.Why != "" {
			more = strings.TrimPrefix(more+", "+c.Why, ", ")
		}
	case session.ClaimUnchecked:
		glyph, more = "?", "unchecked"
	}
	if c.Origin != dsl.Real && c.Origin != 0 {
		more = strings.TrimPrefix(more+", "+c.Origin.String(), ", ")
	}
	spans := []draw.Span{{Text: glyph + " ", Style: dim}, {Text: escape.Line(c.Text), Style: style}}
	if more != "" {
		spans = append(spans, draw.Span{Text: "  " + escape.Line(more), Style: dim})
	}
	return spans
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

// drawPlace draws a row of the list, and returns its text. It marks the hop that was shown last, or the
// shown event.
func (p *History) drawPlace(line *draw.Area, row int) string {
	w, _ := line.Size()
	here := row == p.listed.at
	if hits := p.listed.hits; hits != nil && p.View != nil {
		here = hits[row].Event == p.View.Place.Event && !p.View.Place.End
	}
	if here {
		line.Text(1, 0, pane.GlyphHere, p.Style(themes.Here))
	}
	spans := p.placeSpans(row)
	line.Spans(3, 0, p.Measure.CutSpans(spans, max(w-3, 0)), 0)
	return draw.SpansText(spans)
}
