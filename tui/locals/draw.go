package locals

import (
	"fmt"
	"slices"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/pane"
	"github.com/npdb/npdb/tui/values"
)

// Draw draws the visible names. While a model predicts they are dimmed, and the streamed values
// replace them.
func (p *Pane) Draw(a *draw.Area, focused bool) {
	w, h := a.Size()
	p.shows = p.shows[:0]
	partial := p.streams()
	if partial != nil && !p.stays(partial) {
		p.drawPartial(a, partial)
		return
	}
	n := p.count()
	if n == 0 && p.View != nil {
		a.Text(1, 0, p.Measure.Cut(p.nothing(), max(w-1, 0)), p.Style(themes.Dim))
	}
	names := p.nameColumns()
	h, pinned := p.place(w, h, names)
	p.w, p.h = w, h
	y, row := 0, p.Top
	for ; row < n && y < h; row++ {
		rows := p.drawEntry(a.Sub(draw.Rect{Y: y, W: w, H: h - y}), row, names, min(mostRows(h), h-y-1), focused)
		for y += rows; rows > 0; rows-- {
			p.shows = append(p.shows, row)
		}
	}
	p.Rows = row - p.Top
	if out := p.outcomeRow(); pinned {
		p.drawEntry(a.Sub(draw.Rect{Y: h, W: w, H: 1}), out, names, 0, focused)
		p.shows = append(p.shows[:min(len(p.shows), h)], out)
	}
	if p.Stale() {
		a.Overlay(draw.Rect{W: w, H: h + 1}, p.Style(themes.Dim))
		p.drawStream(a, partial, names)
	}
}

// streams returns the streamed part of the prediction that will replace the state shown. In mode
// both it returns nil, because the prediction has a side of its own.
func (p *Pane) streams() *dsl.Stop {
	if !p.Stale() {
		return nil
	}
	return p.Partial()
}

// stays reports whether the streamed state is in the shown frame.
func (p *Pane) stays(partial *dsl.Stop) bool {
	f, ok := p.Frame()
	return ok && p.View.Selected == p.View.Here && len(partial.Stack) == p.View.Here+1 && partial.Function == f.Function &&
		partial.Event != dsl.Call
}

// drawStream draws streamed values over the dimmed rows: known names in their places, new ones
// below, and then a spinner.
func (p *Pane) drawStream(a *draw.Area, partial *dsl.Stop, widths nameWidths) {
	w, h := a.Size()
	told := map[string]string{}
	if partial != nil {
		for _, l := range partial.Locals {
			told[l.Name] = l.Value
		}
	}
	put := func(y, at int, name, value string) {
		a.Fill(draw.Rect{Y: y, W: w, H: 1}, " ", p.Style(themes.Text))
		a.Text(3, y, p.Measure.Cut(name, max(at-4, 0)), p.Style(themes.LocalName))
		a.Text(at, y, p.Measure.Cut(value, max(w-at-1, 0)), p.Style(themes.Predicted))
	}
	for y, row := range p.shows {
		e, ok := p.entry(row)
		if value, now := told[e.label]; ok && now && e.depth == 0 && e.root.section == names && !e.root.comes && (y == 0 || p.shows[y-1] != row) {
			put(y, p.valueColumn(e, widths, w), e.label, value)
		}
	}
	for i := range p.roots {
		if p.roots[i].section == names {
			delete(told, p.roots[i].local.Name)
		}
	}
	y := len(p.shows)
	if partial != nil {
		for _, l := range partial.Locals {
			if _, fresh := told[l.Name]; fresh && y < h {
				put(y, min(5+max(widths[names], p.Measure.Width(l.Name)), w/2), l.Name, l.Value)
				y++
			}
		}
	}
	if y < h {
		a.Text(3, y, p.Running.Spinner()+" predicting", p.Style(themes.Dim))
	}
}

// place scrolls so that the cursor is visible. The frame's result is always visible, too: if it is
// below the visible rows, it is pinned to the last row of the pane. rows is the number of rows for
// the others.
func (p *Pane) place(w, h int, names nameWidths) (rows int, pinned bool) {
	p.fitWrapped(w, h, names)
	out := p.outcomeRow()
	if out < p.Top || h < 3 || p.inSight(out, w, h, names) {
		return h, false
	}
	h--
	p.fitWrapped(w, h, names)
	return h, true
}

// nothing explains why there are no names.
func (p *Pane) nothing() string {
	hidden := 0
	for _, l := range p.View.Locals {
		if l.Hidden && !l.Unknown {
			hidden++
		}
	}
	switch {
	case p.View.Selected < 0:
		return "the program is over; " + p.KeyFor("step-back") + " goes back into it"
	case hidden > 0:
		return fmt.Sprintf("no locals: %s shows %d hidden names", p.KeyFor("hidden-names"), hidden)
	}
	return "no locals yet"
}

// nameWidths holds the width of the names of each section.
type nameWidths [sections]int

func (p *Pane) nameColumns() nameWidths {
	const mostExpression = 28
	var most nameWidths
	for i := range p.roots {
		if r := &p.roots[i]; !r.comes && r.title == "" {
			limit := pane.MostNameColumns
			if r.section == watches {
				limit = mostExpression
			}
			most[r.section] = max(most[r.section], min(p.Measure.Width(r.local.Name), limit))
		}
	}
	return most
}

// valueColumn returns the column of an entry's value.
func (p *Pane) valueColumn(e entry, names nameWidths, w int) int {
	x := 3 + 2*e.depth
	if e.depth == 0 {
		column := max(names[e.root.section], 1)
		if e.root.comes {
			column = max(column, p.Measure.Width(e.label))
		}
		most := w / 2
		if e.root.section == watches {
			most = w * 2 / 3 // a cut expression could be any
		}
		return min(x+column+2, most)
	}
	if e.label == "" {
		return x
	}
	return min(x+max(p.labelColumns(e.among), p.Measure.Width(e.label))+2, max(w*2/3, 1))
}

// labelColumns returns the width of the labels of a node's children, so that their values are
// aligned. It looks at the first ones only.
func (p *Pane) labelColumns(n *values.Node) int {
	const looked = 64
	if most, ok := p.widths[n]; ok {
		return most
	}
	most := 0
	for i := range min(n.Len(), looked) {
		most = max(most, min(p.Measure.Width(n.Child(i).Label), pane.MostNameColumns))
	}
	p.widths[n] = most
	return most
}

// drawEntry draws a row and the rows of a wrapped value, and returns their number.
func (p *Pane) drawEntry(a *draw.Area, row int, names nameWidths, most int, focused bool) int {
	e, ok := p.entry(row)
	if !ok {
		return 1
	}
	w, _ := a.Size()
	if e.node == nil {
		p.drawTitle(a, e, focused && row == p.Cursor, row)
		return 1
	}
	if e.before != nil || e.fresh {
		a.Text(0, 0, "▌", p.Style(themes.Changed))
	}
	x := 1 + 2*e.depth
	if e.opens() || !e.note && e.node != nil && !e.root.none && values.IsTable(e.node.Text) {
		glyph := "▸"
		if e.open != nil {
			glyph = "▾"
		}
		a.Text(x, 0, glyph, p.Style(themes.Dim))
	}
	at := p.valueColumn(e, names, w)
	if e.depth == 0 && e.root.local.ByAttributes {
		a.Text(at-1, 0, "~", p.Style(themes.Dim))
	}
	label := a.Sub(draw.Rect{X: x + 2, W: max(at-x-3, 0), H: 1})
	label.Text(0, 0, p.Measure.Cut(e.label, max(at-x-3, 0)), p.labelStyle(e))
	texts := []pane.Marked{{Area: label, Text: e.label}}
	rows := p.wrapped(e, names, w, most)
	doubt, value := p.doubt(e), a.Sub(draw.Rect{X: at, W: max(w-at-1, 0), H: 1})
	if rows == nil || e.before != nil {
		room := doubt.Room(max(w-at-1, 0))
		spans := p.Measure.CutSpans(p.valueSpans(e, room), room)
		cell := a.Sub(draw.Rect{X: at, W: room, H: 1})
		doubt.Draw(value, cell.Spans(0, 0, spans, 0))
		texts = append(texts, pane.Marked{Area: cell, Text: draw.SpansText(spans)})
	} else {
		doubt.Alone(value)
	}
	for i, spans := range rows {
		cell := a.Sub(draw.Rect{X: p.wrapColumn(e), Y: 1 + i, W: max(w-p.wrapColumn(e)-1, 0), H: 1})
		doubt.Shade(cell, cell.Spans(0, 0, spans, 0))
		texts = append(texts, pane.Marked{Area: cell, Text: draw.SpansText(spans)})
	}
	if focused && row == p.Cursor {
		a.Overlay(draw.Rect{W: w, H: 1 + len(rows)}, p.Style(themes.Selection))
	}
	for _, t := range texts {
		p.Mark(p.Context(), t.Area, t.Text, 0, row == p.Cursor)
	}
	return 1 + len(rows)
}

// drawTitle draws the title of a section.
func (p *Pane) drawTitle(a *draw.Area, e entry, selected bool, row int) {
	w, _ := a.Size()
	line := a.Sub(draw.Rect{X: 1, W: max(w-2, 0), H: 1})
	text := p.Measure.Cut(e.label, max(w-3, 0))
	used := line.Text(0, 0, text, p.Style(themes.Dim))
	line.Text(used+1, 0, strings.Repeat("╌", max(w-2-used-1, 0)), p.Style(themes.Rule))
	if selected {
		a.Overlay(draw.Rect{W: w, H: 1}, p.Style(themes.Selection))
	}
	p.Mark(p.Context(), line, text, 0, selected)
}

func (p *Pane) labelStyle(e entry) draw.Style {
	switch {
	case e.root.local.Hidden || e.note:
		return p.Style(themes.Dim)
	case !e.root.comes || e.depth > 0:
		return p.Style(themes.LocalName)
	case e.label == raises:
		return p.Style(themes.Error)
	}
	return p.Style(themes.Here)
}

// valueStyle returns the style of the unchanged parts of a value. Arguments that the user gave
// differ from those that the model made up.
func (p *Pane) valueStyle(e entry) draw.Style {
	if p.View.Mode == session.Predicted {
		if len(p.View.MadeUp) > 0 && !slices.Contains(p.View.MadeUp, e.root.local.Name) {
			return p.Origin(dsl.Given)
		}
		return p.Origin(p.View.Origin)
	}
	return p.Style(themes.Text)
}

// changedStyle returns the style of the changed parts of a value, given that of the value.
func (p *Pane) changedStyle(value draw.Style) draw.Style {
	return p.Style(themes.Changed).Over(value)
}

// doubt returns the mark for the result of checking an entry's value against the program's source,
// or else the model's confidence in the value. It is drawn beside the value.
func (p *Pane) doubt(e entry) pane.Doubt {
	if e.root.section != names || p.View.Selected != p.View.Here || p.View.Mode != session.Predicted {
		return pane.Doubt{}
	}
	check := p.View.Checks.Local(e.root.local.Name)
	if e.root.comes {
		check = p.View.Checks["value"]
	}
	if d, ok := p.Checked(check); ok && e.depth == 0 {
		return d
	}
	of, part := p.View.Sureness, p.View.Sureness.Local(e.root.local.Name)
	if e.root.comes && of != nil {
		part = of.Value
	}
	d := p.Doubt(of, part)
	if e.depth > 0 {
		d.Number = ""
	}
	return d
}

// valueSpans formats a value in one row, with the old value if it has changed.
func (p *Pane) valueSpans(e entry, room int) []draw.Span {
	style := p.valueStyle(e)
	if l := e.root.local; e.depth == 0 && l.Attributes != "" {
		return p.ownSpans(e, style, room)
	}
	switch {
	case e.before != nil:
		return p.changedSpans(e.root.changes.Of(e.before, e.node), style, room)
	case e.fresh:
		style = p.changedStyle(style)
	case e.root.none:
		return []draw.Span{{Text: p.Measure.Cut(e.node.Text, max(room, 1)), Style: p.Style(themes.Dim)}}
	}
	spans := []draw.Span{{Text: e.node.Summary(max(room, 1), p.Measure), Style: style}}
	if e.depth > 0 {
		return spans
	}
	// After the value, if there is room: the old value, and the origin.
	left := room - p.Measure.SpansWidth(spans)
	if last := e.root.last; last != nil && e.open == nil {
		if old, ok := last.Line(left-gap-len(wasLabel), p.Measure); ok {
			spans = append(spans, draw.Span{Text: strings.Repeat(" ", gap) + wasLabel + old, Style: p.Style(themes.Dim)})
			left = room - p.Measure.SpansWidth(spans)
		}
	}
	if from := e.root.from; from != "" && p.Measure.Width(from)+gap <= left {
		spans = append(spans, draw.Span{Text: strings.Repeat(" ", gap) + from, Style: p.Style(themes.Dim)})
	}
	return spans
}

// ownSpans returns the text of an object's __repr__, followed by the changed attributes.
func (p *Pane) ownSpans(e entry, style draw.Style, room int) []draw.Span {
	const least = 12 // columns for the changes
	if e.fresh {
		style = p.changedStyle(style)
	}
	text := strings.Join(strings.Fields(e.root.local.Value), " ")
	spans := []draw.Span{{Text: p.Measure.Cut(text, max(room, 1)), Style: style}}
	left := room - p.Measure.SpansWidth(spans) - gap
	if e.before == nil || left < least {
		return spans
	}
	spans = append(spans, draw.Span{Text: strings.Repeat(" ", gap)})
	return append(spans, p.changedSpans(e.root.changes.Of(e.before, e.node), style, left)...)
}

// drawPartial draws the streamed locals of a prediction in another frame.
func (p *Pane) drawPartial(a *draw.Area, stop *dsl.Stop) {
	w, h := a.Size()
	style := p.Style(themes.Predicted)
	names := 1
	for _, l := range stop.Locals {
		names = max(names, p.Measure.Width(l.Name))
	}
	names = min(names, pane.MostNameColumns)
	for y, l := range stop.Locals[:min(len(stop.Locals), h)] {
		a.Text(3, y, p.Measure.Cut(l.Name, names), p.Style(themes.LocalName))
		at := min(3+names+2, w/2)
		a.Text(at, y, p.Measure.Cut(l.Value, max(w-at-1, 0)), style)
	}
	if len(stop.Locals) < h {
		a.Text(3, len(stop.Locals), fmt.Sprintf("%s predicting %s", p.Running.Spinner(), stop.Function), p.Style(themes.Dim))
	}
}
