package tui

import (
	"fmt"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/draw"
	"github.com/npdb/npdb/tui/values"
)

// Columns of the pane.
const (
	mostNameColumns = 18
	leastWas        = 8
)

func (p *locals) draw(m *Model, a *draw.Area, focused bool) {
	w, h := a.Size()
	if m.besides() {
		p.drawBeside(m, a, focused)
		return
	}
	if partial := m.partial(); partial != nil {
		p.drawPartial(m, a, partial)
		return
	}
	n := p.count()
	if n == 0 && m.view != nil {
		a.Text(1, 0, m.measure.Cut(p.nothing(m), max(w-1, 0)), m.style(themes.Dim))
	}
	p.fit(n, h)
	names := p.nameColumns(m)
	y := 0
	for row := p.top; row < n && y < h; row++ {
		e, ok := p.entry(row)
		if !ok {
			break
		}
		rows := p.drawEntry(m, a.Sub(draw.Rect{Y: y, W: w, H: h - y}), e, names)
		if focused && row == p.cursor {
			a.Overlay(draw.Rect{Y: y, W: w, H: rows}, m.style(themes.Selection))
		}
		y += rows
	}
	if p.wraps && p.cursor > p.top && y >= h {
		p.revealWrapped(m, w, h, names)
	}
}

// nothing says why there are no names.
func (p *locals) nothing(m *Model) string {
	hidden := 0
	for _, l := range m.view.Locals {
		if l.Hidden {
			hidden++
		}
	}
	switch {
	case m.view.Selected < 0:
		return "the program is over; " + m.keyFor("step-back") + " goes back into it"
	case hidden > 0:
		return fmt.Sprintf("none but %d hidden: %s shows them", hidden, m.keyFor("hidden-names"))
	}
	return "none yet"
}

// revealWrapped scrolls by entries until the cursor's shows, for the next frame.
func (p *locals) revealWrapped(m *Model, w, h, names int) {
	used := 0
	for row := p.cursor; row >= 0; row-- {
		e, _ := p.entry(row)
		used += p.height(m, w, e, names)
		if used > h {
			p.top = max(p.top, min(row+1, p.cursor))
			return
		}
	}
}

func (p *locals) nameColumns(m *Model) int {
	most := 1
	for i := range p.roots {
		most = max(most, m.measure.Width(p.roots[i].local.Name))
	}
	return min(most, mostNameColumns)
}

// valueColumn is where an entry's value begins.
func (p *locals) valueColumn(m *Model, e entry, names, w int) int {
	x := 3 + 2*e.depth
	if e.depth == 0 {
		return min(x+names+2, w/2)
	}
	if e.label == "" {
		return x
	}
	return min(x+max(p.labelColumns(m, e.among), m.measure.Width(e.label))+2, max(w*2/3, 1))
}

// labelColumns is how wide the labels of a node's children are, so that values
// stand below each other. It looks at the first ones only.
func (p *locals) labelColumns(m *Model, n *values.Node) int {
	const looked = 64
	if most, ok := p.widths[n]; ok {
		return most
	}
	most := 0
	for i := range min(n.Len(), looked) {
		most = max(most, min(m.measure.Width(n.Child(i).Label), mostNameColumns))
	}
	p.widths[n] = most
	return most
}

func (p *locals) height(m *Model, w int, e entry, names int) int {
	if !p.wraps || e.open != nil {
		return 1
	}
	rows := 0
	for range m.measure.Wrap(e.node.Text, max(w-p.valueColumn(m, e, names, w)-1, 1)) {
		if rows++; rows == mostWrapped {
			break
		}
	}
	return max(rows, 1)
}

// mostWrapped is how many rows of a wrapped value show.
const mostWrapped = 12

// drawEntry draws a row, or the rows of a wrapped value, and returns how many.
func (p *locals) drawEntry(m *Model, a *draw.Area, e entry, names int) int {
	w, h := a.Size()
	changed := e.depth == 0 && (e.root.local.Was != nil || e.root.local.New)
	value := m.style(themes.Text)
	if e.depth == 0 && m.view.Mode == session.Predicted {
		value = m.origin(m.view.Origin)
	}
	if changed {
		a.Text(0, 0, "▌", m.style(themes.Changed))
		value = m.style(themes.Changed)
	}
	x := 1 + 2*e.depth
	if e.opens() {
		glyph := "▸"
		if e.open != nil {
			glyph = "▾"
		}
		a.Text(x, 0, glyph, m.style(themes.Dim))
	}
	at := p.valueColumn(m, e, names, w)
	name := m.style(themes.LocalName)
	switch {
	case e.root.local.Hidden || e.note:
		name = m.style(themes.Dim)
	case e.root.comes && e.depth == 0:
		name = m.style(themes.Here)
		if e.label == "raises" {
			name = m.style(themes.Error)
		}
	}
	a.Text(x+2, 0, m.measure.Cut(e.label, max(at-x-3, 0)), name)
	room := max(w-at-1, 0)
	m.searchIn(localsPane).mark(m, a.Sub(draw.Rect{X: x + 2, W: max(at-x-3, 0), H: 1}), e.label, 0, false)
	if p.wraps && e.open == nil {
		return p.drawWrapped(m, a.Sub(draw.Rect{X: at, W: room, H: h}), e.node.Text, value)
	}
	limit := room
	if changed && e.root.local.Was != nil { // which is to be seen too
		was := max(len("  was ")+min(len(*e.root.local.Was), room), leastWas+1)
		limit = max(room-min(was, room/3), room/2)
	}
	text := e.node.Summary(max(limit, 1), m.measure)
	cell := a.Sub(draw.Rect{X: at, W: room, H: 1})
	used := cell.Text(0, 0, text, value)
	m.searchIn(localsPane).mark(m, cell, text, 0, false)
	if changed && e.root.local.Was != nil && room-used > leastWas {
		cell.Spans(used+2, 0, m.was(*e.root.local.Was, e.node.Text, room-used-2), 0)
	}
	return 1
}

func (p *locals) drawWrapped(m *Model, a *draw.Area, text string, style draw.Style) int {
	w, h := a.Size()
	y := 0
	for row := range m.measure.Wrap(text, max(w, 1)) {
		if y == mostWrapped || y == h {
			a.Text(max(w-1, 0), y-1, glyphEllipsis, m.style(themes.Dim))
			break
		}
		a.Text(0, y, row, style)
		y++
	}
	return max(y, 1)
}

// was is the value before: all of it if it fits, else where it was another one.
func (m *Model) was(before, now string, room int) []draw.Span {
	style := m.style(themes.Was)
	spans := []draw.Span{{Text: "was ", Style: style}}
	const label = 4
	if m.measure.Width(before) <= room-label {
		return append(spans, draw.Span{Text: before, Style: style})
	}
	return m.measure.CutSpans(append(spans, m.differing(now, before, style, room-label)...), room)
}
