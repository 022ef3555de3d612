package tui

import (
	"fmt"

	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/values"
)

// mostNameColumns are the columns that names have at most.
const mostNameColumns = 18

func (p *locals) draw(m *Model, a *draw.Area, focused bool) {
	w, h := a.Size()
	if m.besides() {
		p.drawBeside(m, a, focused)
		return
	}
	p.shows = p.shows[:0]
	if partial := m.partial(); partial != nil {
		p.drawPartial(m, a, partial)
		return
	}
	n := p.count()
	if n == 0 && m.view != nil {
		a.Text(1, 0, m.measure.Cut(p.nothing(m), max(w-1, 0)), m.style(themes.Dim))
	}
	names := p.nameColumns(m)
	h, pinned := p.place(m, w, h, names)
	y, row := 0, p.top
	for ; row < n && y < h; row++ {
		rows := p.drawEntry(m, a.Sub(draw.Rect{Y: y, W: w, H: h - y}), row, names, min(mostRows(h), h-y-1), focused)
		for y += rows; rows > 0; rows-- {
			p.shows = append(p.shows, row)
		}
	}
	p.rows = row - p.top
	if out := p.outcomeRow(); pinned {
		p.drawEntry(m, a.Sub(draw.Rect{Y: h, W: w, H: 1}), out, names, 0, focused)
		p.shows = append(p.shows[:min(len(p.shows), h)], out)
	}
}

// place scrolls to where the cursor is. What comes out of the frame shows even if
// it is below the rows that do: it then has the last row of the pane, which pinned
// says, and the others the h above it.
func (p *locals) place(m *Model, w, h, names int) (rows int, pinned bool) {
	scroll := func(h int) {
		if p.wraps {
			p.fitWrapped(m, w, h, names)
		} else {
			p.fit(p.count(), h)
		}
	}
	scroll(h)
	out := p.outcomeRow()
	if out < p.top || h < 3 || p.inSight(m, out, w, h, names) {
		return h, false
	}
	h--
	scroll(h)
	return h, true
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

func (p *locals) nameColumns(m *Model) int {
	most := 1
	for i := range p.roots {
		if r := &p.roots[i]; !r.comes {
			most = max(most, m.measure.Width(r.local.Name))
		}
	}
	return min(most, mostNameColumns)
}

// valueColumn is where an entry's value begins.
func (p *locals) valueColumn(m *Model, e entry, names, w int) int {
	x := 3 + 2*e.depth
	if e.depth == 0 {
		if e.root.comes {
			names = max(names, m.measure.Width(e.label))
		}
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

// marked is a text that is drawn in an area, for a search to mark matches in.
type marked struct {
	area *draw.Area
	text string
}

// drawEntry draws a row, and below it as many rows as a wrapped value takes, and
// returns how many these are together.
func (p *locals) drawEntry(m *Model, a *draw.Area, row, names, most int, focused bool) int {
	e, ok := p.entry(row)
	if !ok {
		return 1
	}
	w, _ := a.Size()
	if e.before != nil || e.fresh {
		a.Text(0, 0, "▌", m.style(themes.Changed))
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
	label := a.Sub(draw.Rect{X: x + 2, W: max(at-x-3, 0), H: 1})
	label.Text(0, 0, m.measure.Cut(e.label, max(at-x-3, 0)), m.labelStyle(e))
	texts := []marked{{label, e.label}}
	rows := p.wrapped(m, e, names, w, most)
	if rows == nil || e.before != nil {
		room := max(w-at-1, 0)
		spans := m.measure.CutSpans(m.valueSpans(e, room), room)
		cell := a.Sub(draw.Rect{X: at, W: room, H: 1})
		cell.Spans(0, 0, spans, 0)
		texts = append(texts, marked{cell, spansText(spans)})
	}
	for i, spans := range rows {
		cell := a.Sub(draw.Rect{X: p.wrapColumn(e), Y: 1 + i, W: max(w-p.wrapColumn(e)-1, 0), H: 1})
		cell.Spans(0, 0, spans, 0)
		texts = append(texts, marked{cell, spansText(spans)})
	}
	if focused && row == p.cursor {
		a.Overlay(draw.Rect{W: w, H: 1 + len(rows)}, m.style(themes.Selection))
	}
	for _, t := range texts {
		m.searchIn(localsPane).mark(m, t.area, t.text, 0, row == p.cursor)
	}
	return 1 + len(rows)
}

func (m *Model) labelStyle(e entry) draw.Style {
	switch {
	case e.root.local.Hidden || e.note:
		return m.style(themes.Dim)
	case !e.root.comes || e.depth > 0:
		return m.style(themes.LocalName)
	case e.label == "raises":
		return m.style(themes.Error)
	}
	return m.style(themes.Here)
}

// valueStyle is that of what has not changed in a value, at any depth.
func (m *Model) valueStyle() draw.Style {
	if m.view.Mode == session.Predicted {
		return m.origin(m.view.Origin)
	}
	return m.style(themes.Text)
}

// changedStyle is that of what has changed in a value of a style: what a model made
// up looks so all the same.
func (m *Model) changedStyle(value draw.Style) draw.Style {
	return m.style(themes.Changed).Over(value)
}

// valueSpans are a value in one row, and what it was if it has changed.
func (m *Model) valueSpans(e entry, room int) []draw.Span {
	style := m.valueStyle()
	switch {
	case e.before != nil:
		return m.changedSpans(e.root.changes.of(e.before, e.node), style, room)
	case e.fresh:
		style = m.changedStyle(style)
	}
	return []draw.Span{{Text: e.node.Summary(max(room, 1), m.measure), Style: style}}
}
