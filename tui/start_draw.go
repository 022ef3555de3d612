package tui

import (
	"slices"

	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/pane"
)

// Columns of the start screen.
const (
	mostOfferName = 28
	leastAbout    = 20
)

func (p *startScreen) draw(m *Model, a *draw.Area) {
	w, h := a.Size()
	if m.config.FirstRun && h > 8 {
		a.Text(1, 1, m.screen.Measure.Cut("Welcome to npdb. "+m.startWords(), w-2), m.screen.Style(themes.Notice))
		a = a.Sub(draw.Rect{Y: 2, W: w, H: h - 2})
		h -= 2
	}
	if n := min(len(p.fault), h/2); n > 0 {
		h -= n + 1
		p.drawFault(m, a.Sub(draw.Rect{Y: h, W: w, H: n + 1}))
	}
	names := 0
	for _, r := range p.rows {
		if r.offer != nil {
			names = max(names, m.screen.Measure.Width(r.offer.Name))
		}
	}
	names = min(names, mostOfferName)
	p.measureRows(m, w, h, names)
	p.Fit(len(p.rows), h)
	if p.Cursor == p.Top && p.Cursor > 0 {
		p.Top-- // its heading
	}
	y := 0
	for row := p.Top; row < len(p.rows) && y < h; row++ {
		p.drawRow(m, a.Sub(draw.Rect{Y: y, W: w, H: p.high[row]}), p.rows[row], names, row == p.Cursor)
		y += p.high[row]
	}
}

// measureRows gives what is said of each program the rows that it needs, where
// there is room for that of all; else each has one.
func (p *startScreen) measureRows(m *Model, w, h, names int) {
	p.high = make([]int, len(p.rows))
	all := 0
	for i, r := range p.rows {
		p.high[i] = max(len(r.about(m, w, names)), 1)
		all += p.high[i]
	}
	if all > h {
		for i := range p.high {
			p.high[i] = 1
		}
	}
}

// aboutColumns are where what is said of a program begins and ends.
func (r *startRow) aboutColumns(m *Model, w, names int) (x, end int) {
	x, end = 3+names+3, w-1
	if r.offer != nil {
		if n := m.screen.Measure.Width(r.offer.Note); n > 0 && end-x-n > leastAbout {
			end -= n + 2
		}
	}
	return x, end
}

// about is what is said of a program, in rows.
func (r *startRow) about(m *Model, w, names int) []string {
	x, end := r.aboutColumns(m, w, names)
	switch {
	case end-x < leastAbout:
		return nil
	case r.kind == pathRow:
		return []string{m.screen.KeyFor("type-path") + " does so from any row"}
	case r.offer == nil:
		return nil
	}
	return slices.Collect(m.screen.Measure.Wrap(r.offer.About, end-x))
}

func (p *startScreen) drawRow(m *Model, a *draw.Area, r startRow, names int, here bool) {
	w, h := a.Size()
	dim := m.screen.Style(themes.Dim)
	switch r.kind {
	case gapRow:
		return
	case headingRow:
		a.Fill(draw.Rect{W: w, H: 1}, "─", m.screen.Style(themes.Rule))
		a.Text(0, 0, m.screen.Measure.Cut(" "+r.heading+" ", w), m.screen.Style(themes.Title))
		return
	}
	style := m.screen.Style(themes.Text)
	if here {
		a.Text(1, 0, pane.GlyphHere, m.screen.Style(themes.Here))
		style = m.screen.Style(themes.Frame)
	}
	x, end := r.aboutColumns(m, w, names)
	name, columns := "type its path …", w-4
	if r.offer != nil {
		name, columns = r.offer.Name, min(names, max(w-4, 1))
		if end < w-1 {
			a.Text(end+2, 0, r.offer.Note, dim)
		}
	}
	n := 3 + a.Text(3, 0, m.screen.Measure.Cut(name, columns), style)
	about := r.about(m, w, names)
	if len(about) > h { // it is cut
		about = []string{r.offer.About}
	}
	x = max(x, n+3)
	for i, row := range about {
		a.Text(x, i, m.screen.Measure.Cut(row, end-x), dim)
	}
	if here {
		a.Overlay(draw.Rect{W: w, H: h}, m.screen.Style(themes.CurrentLine))
	}
}

func (p *startScreen) drawFault(m *Model, a *draw.Area) {
	w, h := a.Size()
	a.Fill(draw.Rect{W: w, H: 1}, "─", m.screen.Style(themes.Rule))
	a.Text(0, 0, m.screen.Measure.Cut(" it cannot be debugged ", w), m.screen.Style(themes.Error))
	for i, line := range p.fault[len(p.fault)-(h-1):] { // the last ones say what it is
		a.Text(1, i+1, m.screen.Measure.Cut(line, w-2), m.screen.Style(themes.Error))
	}
}
