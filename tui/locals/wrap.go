package locals

import (
	"strings"

	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/pane"
)

// mostWrapped limits the rows of a wrapped value. In a tall pane the limit is half of its rows
// instead.
const mostWrapped = 12

// wrapColumn returns the column of a wrapped value's rows, below its name.
func (p *Pane) wrapColumn(e entry) int { return 5 + 2*e.depth }

// wrapsBelow reports whether a value is wrapped below its name because it does not fit beside it.
// An exception always is.
func (p *Pane) wrapsBelow(e entry, names nameWidths, w int) bool {
	if !p.wraps && !e.raised() || e.open != nil || e.node == nil {
		return false
	}
	_, fits := e.node.Line(max(w-p.valueColumn(e, names, w)-1, 1), p.Measure)
	return !fits || strings.ContainsRune(e.node.Text, '\n')
}

// wrappedRow is a row of a wrapped value: a range of bytes of its text.
type wrappedRow struct{ start, end int }

// mostRows returns how many rows of a wrapped value show in a pane of h rows.
func mostRows(h int) int { return max(min(mostWrapped, h-1), h/2) }

// wrappedRows returns the rows below a name, in a pane of w columns, and whether they
// are the whole value.
func (p *Pane) wrappedRows(e entry, names nameWidths, w, most int) (rows []wrappedRow, whole bool) {
	if !p.wrapsBelow(e, names, w) {
		return nil, true
	}
	text, at := e.node.Text, 0
	for row := range p.Measure.Wrap(text, p.wrapRoom(e, w)) {
		if len(rows) == most {
			return rows, false
		}
		at += strings.Index(text[at:], row) // skips the end of the line before
		rows = append(rows, wrappedRow{at, at + len(row)})
		at += len(row)
	}
	return rows, true
}

func (p *Pane) wrapRoom(e entry, w int) int { return max(w-p.wrapColumn(e)-1, 1) }

// wrapped formats the rows below a name. If they are not the whole value, the last one says how
// much is missing. Without room there are none.
func (p *Pane) wrapped(e entry, names nameWidths, w, most int) (lines [][]draw.Span) {
	rows, whole := p.wrappedRows(e, names, w, most)
	if len(rows) == 0 {
		return nil
	}
	text := []draw.Span{{Text: e.node.Text, Style: p.valueStyle(e)}}
	switch {
	case e.before != nil:
		text = p.markedSpans(e.node.Text, e.root.changes.Of(e.before, e.node).Diff(), text[0].Style)
	case e.fresh:
		text[0].Style = p.changedStyle(text[0].Style)
	}
	for i, r := range rows {
		if whole || i < len(rows)-1 {
			lines = append(lines, cutBytes(text, r.start, r.end))
			continue
		}
		_, missing := e.node.Beginning(r.start)
		row := e.node.Text[r.start:r.end]
		if room := p.wrapRoom(e, w) - p.Measure.Width(missing); p.Measure.Width(row) > room {
			row = strings.TrimSuffix(p.Measure.Cut(row, max(room, 0)+1), pane.GlyphEllipsis)
		}
		shown, missing := e.node.Beginning(r.start + len(row))
		lines = append(lines, append(cutBytes(text, r.start, shown), draw.Span{Text: missing, Style: p.Style(themes.Dim)}))
	}
	return lines
}

// cutBytes returns the bytes of a line from start to end.
func cutBytes(line []draw.Span, start, end int) []draw.Span {
	var cut []draw.Span
	for _, s := range line {
		n := len(s.Text)
		if a, b := min(max(start, 0), n), min(max(end, 0), n); a < b {
			cut = append(cut, draw.Span{Text: s.Text[a:b], Style: s.Style})
		}
		start, end = start-n, end-n
	}
	return cut
}

// height returns how many rows an entry takes.
func (p *Pane) height(row int, names nameWidths, w, h int) int {
	e, ok := p.entry(row)
	if !ok {
		return 1
	}
	rows, _ := p.wrappedRows(e, names, w, mostRows(h))
	return 1 + len(rows)
}

// fitWrapped scrolls so that the cursor's entry is visible as a whole, and no row stays empty.
func (p *Pane) fitWrapped(w, h int, names nameWidths) {
	n := p.count()
	p.Cursor = min(max(p.Cursor, 0), max(n-1, 0))
	p.Top = min(max(p.Top, p.firstAbove(p.Cursor, w, h, names)), p.Cursor)
	p.Top = max(min(p.Top, p.firstAbove(n-1, w, h, names)), 0)
}

// wheelWrapped scrolls by rows, and moves the cursor only as far as it must.
func (p *Pane) wheelWrapped(by, w, h int, names nameWidths) {
	p.Top = max(min(p.Top+by, p.firstAbove(p.count()-1, w, h, names)), 0)
	p.Cursor = max(p.Cursor, p.Top)
	for p.Cursor > p.Top && p.firstAbove(p.Cursor, w, h, names) > p.Top {
		p.Cursor--
	}
}

// firstAbove returns the first visible row if a certain row is the last one.
func (p *Pane) firstAbove(last, w, h int, names nameWidths) int {
	used := 0
	for row := last; row >= 0; row-- {
		if used += p.height(row, names, w, h); used > h {
			return min(row+1, last)
		}
	}
	return 0
}

// inSight reports whether a row is visible.
func (p *Pane) inSight(row, w, h int, names nameWidths) bool {
	if !p.wraps {
		return row >= p.Top && row < p.Top+h
	}
	return row >= p.Top && p.firstAbove(row, w, h, names) <= p.Top
}
