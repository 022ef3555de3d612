package candidates

import (
	"fmt"
	"slices"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/pane"
	"github.com/npdb/npdb/tui/values"
)

// Sizes of the table, in columns and rows.
const (
	leastColumn = 26 // columns of a candidate
	mostColumn  = 64
	cellLeft    = 3 // columns of a candidate before its value: the rule, the mark and a space
	headRows    = 2 // a candidate's number and odds, and its verdict
	mostDetail  = 4 // rows of the text below the table, if there is no room for more
)

// columns are the visible candidates and where they are drawn.
type columns struct {
	x, w int   // where the first one begins, and the width of each
	at   []int // their indexes
}

// under returns the candidate at a column of the pane.
func (c columns) under(x int) (candidate int, ok bool) {
	if c.w == 0 || x < c.x || (x-c.x)/c.w >= len(c.at) {
		return 0, false
	}
	return c.at[(x-c.x)/c.w], true
}

// Draw draws the head of each visible candidate, the visible rows, and below them the selected
// candidate's verification in full.
func (p *Pane) Draw(a *draw.Area, focused bool) {
	w, h := a.Size()
	of := p.of()
	if of == nil {
		return
	}
	rows := p.rows()
	p.selected = min(p.selected, len(of.List)-1)
	p.columns = p.lay(w, len(of.List))
	below := max(min(p.detailRows(w), h-headRows-1), 0)
	room := max(h-headRows-below, 0)
	p.Fit(len(rows), room)
	for i, at := range p.columns.at {
		column := a.Sub(draw.Rect{X: p.columns.x + i*p.columns.w, W: p.columns.w, H: headRows + min(room, len(rows))})
		p.drawHead(column, at, focused)
	}
	for i := p.Top; i < min(len(rows), p.Top+room); i++ {
		p.drawRow(a.Sub(draw.Rect{Y: headRows + i - p.Top, W: w, H: 1}), i, focused)
	}
	p.drawDetail(a, headRows+min(len(rows), room))
	if p.Stale() {
		a.Overlay(draw.Rect{W: w, H: h}, p.Style(themes.Dim))
	}
}

// drawDetail draws the selected candidate's verification in full from a row on, below a rule if there
// is room for both.
func (p *Pane) drawDetail(a *draw.Area, y int) {
	w, h := a.Size()
	if h-y > p.detailRows(w) {
		a.Fill(draw.Rect{Y: y, W: w, H: 1}, "─", p.Style(themes.Rule))
		for i := range p.columns.at {
			a.Text(p.columns.x+i*p.columns.w, y, "┴", p.Style(themes.Rule))
		}
		y++
	}
	for text := range p.Measure.Wrap(detail(p.of(), p.selected), max(w-2, 1)) {
		if y < h {
			a.Text(1, y, text, p.Style(themes.Text))
		}
		y++
	}
}

// detailRows returns how many rows the text below the table needs: as many as the longest one, so
// that another selected candidate moves nothing.
func (p *Pane) detailRows(w int) int {
	of, most := p.of(), 1
	for i := range of.List {
		rows := 0
		for range p.Measure.Wrap(detail(of, i), max(w-2, 1)) {
			rows++
		}
		most = max(most, rows)
	}
	return min(most, mostDetail)
}

// lay chooses the columns of n candidates: the selected one and its neighbors, and the shown one.
func (p *Pane) lay(w, n int) columns {
	labels := 1
	for _, r := range p.rows() {
		labels = max(labels, min(p.Measure.Width(r.label), pane.MostNameColumns))
	}
	c := columns{x: labels + 2}
	count := min(max((w-c.x)/leastColumn, 1), n)
	c.w = min((w-c.x)/count, mostColumn)
	shown := p.View.Candidate
	p.first = window(p.first, p.selected, count, n)
	if count > 1 && (shown < p.first || shown >= p.first+count) {
		p.first = window(p.first, p.selected, count-1, n)
		c.at = append(c.at, shown)
		count--
	}
	for i := range count {
		if at := p.first + i; at < n && !slices.Contains(c.at, at) {
			c.at = append(c.at, at)
		}
	}
	slices.Sort(c.at)
	return c
}

// window returns the first of count items of n, moved as little as needed for one of them.
func window(first, item, count, n int) int {
	first = min(max(first, item-count+1), item)
	return min(max(first, 0), max(n-count, 0))
}

// drawHead draws the head of a candidate, and the rule at its left.
func (p *Pane) drawHead(a *draw.Area, at int, focused bool) {
	w, h := a.Size()
	c := p.of().List[at]
	for y := range h {
		a.Text(0, y, "│", p.Style(themes.Rule))
	}
	number := p.Style(themes.Title)
	if at == p.View.Candidate {
		a.Text(1, 0, pane.GlyphHere, p.Style(themes.Here))
		number = p.Style(themes.Here)
	}
	room := max(w-cellLeft-1, 0)
	first := []draw.Span{
		{Text: fmt.Sprintf("%d  ", at+1), Style: number}, {Text: session.OddsText(c, p.of().Answers), Style: p.Style(themes.Dim)},
	}
	a.Spans(cellLeft, 0, p.Measure.CutSpans(first, room), 0)
	glyph, words, style := p.Verdict(c.Verification)
	a.Text(1, 1, glyph, style)
	line := []draw.Span{{Text: words, Style: style}}
	if by := c.Verification.By; by != 0 {
		line = append(line, draw.Span{Text: " · " + by.String(), Style: p.Style(themes.Dim)})
	}
	a.Spans(cellLeft, 1, p.Measure.CutSpans(line, room), 0)
	if focused && at == p.selected {
		a.Overlay(draw.Rect{X: 1, W: w - 1, H: headRows}, p.Style(themes.Selection))
	}
}

// drawRow draws a field of the visible candidates.
func (p *Pane) drawRow(line *draw.Area, i int, focused bool) {
	r := &p.rows()[i]
	label := line.Sub(draw.Rect{X: 1, W: max(p.columns.x-2, 0), H: 1})
	name := p.Measure.Cut(r.label, max(p.columns.x-2, 0))
	style := p.Style(themes.LocalName)
	if i == 0 {
		style = p.Style(themes.Dim)
	}
	label.Text(0, 0, name, style)
	p.Mark(p.Context(), label, name, 0, i == p.Cursor)
	for k, at := range p.columns.at {
		a := line.Sub(draw.Rect{X: p.columns.x + k*p.columns.w, W: p.columns.w, H: 1})
		if r.cells[at].differs {
			a.Text(1, 0, pane.GlyphDiverged, p.Style(themes.Differs))
		}
		room := max(p.columns.w-cellLeft-1, 0)
		cell := a.Sub(draw.Rect{X: cellLeft, W: room, H: 1})
		spans := p.Measure.CutSpans(p.spans(r, at, room), room)
		cell.Spans(0, 0, spans, 0)
		if focused && i == p.Cursor && at == p.selected {
			a.Overlay(draw.Rect{X: 1, W: p.columns.w - 1, H: 1}, p.Style(themes.Selection))
		}
		p.Mark(p.Context(), cell, draw.SpansText(spans), 0, i == p.Cursor)
	}
}

// spans formats a cell. What differs from the shown candidate is marked. The shown candidate's own
// value is cut to what differs in the first visible one that begins alike.
func (p *Pane) spans(r *row, at, room int) []draw.Span {
	c, shown := &r.cells[at], &r.cells[p.View.Candidate]
	style := p.Origin(dsl.Inferred)
	switch {
	case c.node == nil && c.differs:
		return []draw.Span{{Text: c.note, Style: p.Style(themes.Differs)}}
	case c.node == nil:
		return []draw.Span{{Text: c.note, Style: p.Style(themes.Dim)}}
	case c.differs && shown.node == nil:
		return []draw.Span{{Text: c.node.Summary(max(room, 1), p.Measure), Style: p.Style(themes.Differs)}}
	case c.differs:
		return values.Marked(c.compared(shown), false, style, p.Style(themes.Differs), room, p.Measure)
	}
	if p.Measure.Width(c.node.Text) > room {
		for _, other := range p.columns.at {
			o := &r.cells[other]
			if !o.differs || o.node == nil || shown.node == nil {
				continue
			}
			if pieces := o.compared(shown); pieces[0].Kind == values.Same {
				return values.Marked(pieces, true, style, style, room, p.Measure)
			}
		}
	}
	return []draw.Span{{Text: c.node.Summary(max(room, 1), p.Measure), Style: style}}
}

// compared returns the shown candidate's text compared with a cell's.
func (c *cell) compared(shown *cell) []values.Piece {
	if c.diff == nil {
		c.diff = values.Diff(shown.node.Text, c.node.Text)
	}
	return c.diff
}
