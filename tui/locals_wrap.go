package tui

import (
	"strings"

	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/themes"
)

// mostWrapped is how many rows of a wrapped value show, unless the pane is so high
// that they are less than half of it.
const mostWrapped = 12

// wrapColumn is where the rows of a wrapped value begin: below its name.
func (p *locals) wrapColumn(e entry) int { return 5 + 2*e.depth }

// wrapsBelow reports whether a value is shown in rows below its name: where it does not
// fit beside it.
func (p *locals) wrapsBelow(m *Model, e entry, names, w int) bool {
	if !p.wraps || e.open != nil {
		return false
	}
	_, fits := e.node.Line(max(w-p.valueColumn(m, e, names, w)-1, 1), m.measure)
	return !fits || strings.ContainsRune(e.node.Text, '\n')
}

// wrappedRow is a row of a wrapped value: which bytes of its text.
type wrappedRow struct{ start, end int }

// mostRows is how many rows of a wrapped value show in a pane of h rows.
func mostRows(h int) int { return max(min(mostWrapped, h-1), h/2) }

// wrappedRows are the rows below a name, in a pane of w columns, and whether they
// are the whole value.
func (p *locals) wrappedRows(m *Model, e entry, names, w, most int) (rows []wrappedRow, whole bool) {
	if !p.wrapsBelow(m, e, names, w) {
		return nil, true
	}
	text, at := e.node.Text, 0
	for row := range m.measure.Wrap(text, p.wrapRoom(e, w)) {
		if len(rows) == most {
			return rows, false
		}
		at += strings.Index(text[at:], row) // behind the end of the line before
		rows = append(rows, wrappedRow{at, at + len(row)})
		at += len(row)
	}
	return rows, true
}

func (p *locals) wrapRoom(e entry, w int) int { return max(w-p.wrapColumn(e)-1, 1) }

// wrapped are the rows below a name as they look. If they are not the whole value,
// the last one says how much is missing. Without room for any there are none.
func (p *locals) wrapped(m *Model, e entry, names, w, most int) (lines [][]draw.Span) {
	rows, whole := p.wrappedRows(m, e, names, w, most)
	if len(rows) == 0 {
		return nil
	}
	text := []draw.Span{{Text: e.node.Text, Style: m.valueStyle()}}
	switch {
	case e.before != nil:
		text = m.markedSpans(e.node.Text, e.root.changes.of(e.before, e.node).diff(), text[0].Style)
	case e.fresh:
		text[0].Style = m.changedStyle(text[0].Style)
	}
	for i, r := range rows {
		if whole || i < len(rows)-1 {
			lines = append(lines, cutBytes(text, r.start, r.end))
			continue
		}
		_, missing := e.node.Beginning(r.start)
		row := e.node.Text[r.start:r.end]
		if room := p.wrapRoom(e, w) - m.measure.Width(missing); m.measure.Width(row) > room {
			row = strings.TrimSuffix(m.measure.Cut(row, max(room, 0)+1), glyphEllipsis)
		}
		shown, missing := e.node.Beginning(r.start + len(row))
		lines = append(lines, append(cutBytes(text, r.start, shown), draw.Span{Text: missing, Style: m.style(themes.Dim)}))
	}
	return lines
}

// cutBytes are the bytes of a line from start to end.
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

// height is how many rows an entry takes.
func (p *locals) height(m *Model, row, names, w, h int) int {
	e, ok := p.entry(row)
	if !ok {
		return 1
	}
	rows, _ := p.wrappedRows(m, e, names, w, mostRows(h))
	return 1 + len(rows)
}

// fitWrapped scrolls so that all of the cursor's entry shows, and no row stays empty
// that an entry could have.
func (p *locals) fitWrapped(m *Model, w, h, names int) {
	n := p.count()
	p.cursor = min(max(p.cursor, 0), max(n-1, 0))
	p.top = min(max(p.top, p.firstAbove(m, p.cursor, w, h, names)), p.cursor)
	p.top = max(min(p.top, p.firstAbove(m, n-1, w, h, names)), 0)
}

// firstAbove is the first of the rows that show when a certain one is the last.
func (p *locals) firstAbove(m *Model, last, w, h, names int) int {
	used := 0
	for row := last; row >= 0; row-- {
		if used += p.height(m, row, names, w, h); used > h {
			return min(row+1, last)
		}
	}
	return 0
}

// inSight reports whether a row shows.
func (p *locals) inSight(m *Model, row, w, h, names int) bool {
	if !p.wraps {
		return row >= p.top && row < p.top+h
	}
	return row >= p.top && p.firstAbove(m, row, w, h, names) <= p.top
}
