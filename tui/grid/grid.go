// Package grid shows an array or a data frame as rows and columns on the whole screen.
package grid

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/dustin/go-humanize/english"

	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/keys"
	"github.com/npdb/npdb/tui/pane"
)

// Grid is the open table.
type Grid struct {
	*pane.Screen
	pane.Scroll
	name   string
	table  session.Grid
	note   string
	widths []int // of the columns; the first is that of the labels
	left   int   // the first visible column
	fits   int   // columns visible at the last Draw

	first, total int               // the rows are those from first on, of so many
	loop         *session.LoopPage // set if the table is that of a loop
}

// New opens a table with the name of its value. note describes missing elements.
func New(s *pane.Screen, name string, table session.Grid, note string) *Grid {
	p := &Grid{Screen: s, name: name}
	p.Take(table, note)
	return p
}

// mostCell limits the width of a column of the table.
const mostCell = 24

// Take replaces the table.
func (p *Grid) Take(table session.Grid, note string) {
	p.table, p.note, p.total = table, note, len(table.Rows)
	p.widths = make([]int, len(table.Columns)+1)
	p.widen()
}

// widen makes the columns as wide as their cells.
func (p *Grid) widen() {
	table := &p.table
	for i, label := range table.Columns {
		p.widths[i+1] = p.Measure.Width(label)
	}
	for i, kind := range table.Kinds {
		p.widths[i+1] = max(p.widths[i+1], p.Measure.Width(kind))
	}
	for _, label := range table.Labels {
		p.widths[0] = max(p.widths[0], p.Measure.Width(label))
	}
	for _, row := range table.Rows {
		for i, cell := range row[:min(len(row), len(table.Columns))] {
			p.widths[i+1] = max(p.widths[i+1], p.Measure.Width(cell))
		}
	}
	for i := range p.widths {
		if len(table.Columns) > 1 || i == 0 {
			p.widths[i] = min(p.widths[i], mostCell)
		}
	}
}

// Key handles a key press. It returns the action that the screen has to do, "" for none.
func (p *Grid) Key(msg tea.KeyPressMsg) (action string) {
	a, ok := p.Keys.Lookup(p.Context(), msg)
	switch {
	case !ok:
	case p.Move(a.Name, p.total):
	case a.Name == "left":
		p.left = max(p.left-1, 0)
	case a.Name == "right":
		p.left = min(p.left+1, max(len(p.table.Columns)-max(p.fits, 1), 0))
	default:
		return a.Name
	}
	return ""
}

// Context returns the context of the keys.
func (p *Grid) Context() keys.Context {
	if p.loop != nil {
		return keys.Iterations
	}
	return keys.Grid
}

// Wheel scrolls by rows.
func (p *Grid) Wheel(rows int) { p.Scroll.Wheel(rows, p.total) }

// heads returns the number of rows above the table's: the titles, and the dtypes or sparklines.
func (p *Grid) heads() int {
	if len(p.table.Kinds) > 0 {
		return 2
	}
	return 1
}

const gap = 2

// Draw draws the table on the whole screen.
func (p *Grid) Draw(a *draw.Area) {
	w, h := a.Size()
	a.Fill(draw.Rect{W: w, H: h}, " ", p.Style(themes.Text))
	heads := p.heads()
	rows := h - 2 - heads
	if rows < 1 {
		return
	}
	p.Fit(p.total, rows)
	p.drawColumns(a.Sub(draw.Rect{Y: 1, W: w, H: h - 2}), heads)
	p.drawTitle(a.Sub(draw.Rect{W: w, H: 1}))
	p.DrawFoot(a, p.Context())
	if sight := p.sight(); sight != "" && p.Flash == "" {
		hints := 20
		if p.loop != nil {
			hints = 56
		}
		sight = p.Measure.Cut(sight, max(w-hints, 0))
		a.Text(w-1-p.Measure.Width(sight), h-1, sight, p.Style(themes.Dim))
	}
}

// drawColumns draws the labels and as many columns as fit.
func (p *Grid) drawColumns(a *draw.Area, heads int) {
	w, _ := a.Size()
	for y := range p.Rows {
		i, ok := p.row(y)
		if ok && i < len(p.table.Labels) {
			a.Text(1, heads+y, p.Measure.Cut(p.table.Labels[i], p.widths[0]), p.Style(themes.LineNumber))
		}
		if ok && p.loop != nil && p.loop.Rows[i].Here {
			a.Text(0, heads+y, pane.GlyphHere, p.Style(themes.Here))
		}
		if !ok && p.Top+y < p.total {
			a.Text(1, heads+y, pane.GlyphEllipsis, p.Style(themes.Dim))
		}
	}
	x := 1
	if p.widths[0] > 0 {
		x += p.widths[0] + gap
	}
	p.fits = 0
	for column := p.left; column < len(p.table.Columns) && x < w; column++ {
		width := p.widths[column+1]
		if x+width > w && p.fits > 0 {
			a.Text(w-1, 0, pane.GlyphEllipsis, p.Style(themes.Dim))
			break
		}
		p.put(a, x, 0, width, column, p.table.Columns[column], themes.LocalName)
		if column < len(p.table.Kinds) {
			p.put(a, x, 1, width, column, p.table.Kinds[column], themes.Dim)
		}
		for y := range p.Rows {
			if i, ok := p.row(y); ok && column < len(p.table.Rows[i]) {
				p.put(a, x, heads+y, width, column, p.table.Rows[i][column], themes.Text)
			}
		}
		x += width + gap
		p.fits++
	}
	if row := p.Cursor - p.Top; row >= 0 && row < p.Rows && p.total > 0 {
		a.Overlay(draw.Rect{Y: heads + row, W: w, H: 1}, p.Style(themes.Selection))
	}
}

// row returns the index of the visible row y, if it is loaded.
func (p *Grid) row(y int) (i int, ok bool) {
	i = p.Top + y - p.first
	return i, i >= 0 && i < len(p.table.Rows)
}

// put draws a cell, with numbers aligned to the right.
func (p *Grid) put(a *draw.Area, x, y, width, column int, text string, role themes.Role) {
	w, _ := a.Size()
	text = p.Measure.Cut(text, min(width, w-x))
	right := len(p.table.Columns) > 1 && !strings.HasPrefix(text, "'")
	if p.loop != nil {
		right = column < eventColumns || column-eventColumns < len(p.loop.Columns) && p.loop.Columns[column-eventColumns].Numeric
	}
	if right {
		x += max(width-p.Measure.Width(text), 0)
	}
	a.Text(x, y, text, p.Style(role))
}

// drawTitle draws the first row: the name, shape and dtype, and the note about missing elements.
func (p *Grid) drawTitle(a *draw.Area) {
	w, _ := a.Size()
	rule, word := p.FocusStyles()
	a.Fill(draw.Rect{W: w, H: 1}, "─", rule)
	about := strings.Join(strings.Fields(p.table.Shape+" "+p.table.Kind), " ")
	line := []draw.Span{{Text: " ", Style: rule}, {Text: p.name, Style: word}, {Text: " ", Style: p.Style(themes.Text)}}
	if about != "" {
		line = append(line, draw.Span{Text: about + " ", Style: p.Style(themes.Text)})
	}
	if p.note != "" {
		line = append(line, draw.Span{Text: p.note + " ", Style: p.Style(themes.Notice)})
	}
	a.Spans(0, 0, p.Measure.CutSpans(line, w-1), 0)
}

// sight returns which rows and columns are visible.
func (p *Grid) sight() string {
	var parts []string
	if rows := p.Shown(p.total); rows != "" {
		parts = append(parts, "rows "+rows)
	}
	if n := len(p.table.Columns); p.fits < n && p.fits > 0 {
		parts = append(parts, fmt.Sprintf("columns %d–%d of %d", p.left+1, p.left+p.fits, n))
	}
	return strings.Join(parts, ", ")
}

// Missing describes which part of a value in the program's memory a table holds, "" if it holds
// all.
func Missing(g session.Grid) string {
	var rows, columns, n int
	var parts []string
	lengths := strings.Split(strings.Trim(g.Shape, "(,)"), ", ")
	for i, text := range lengths {
		if _, err := fmt.Sscan(text, &n); err != nil {
			return ""
		}
		if i == len(lengths)-1 && len(lengths) > 1 {
			columns = n
		} else {
			rows = max(rows, 1) * n
		}
	}
	if len(g.Rows) < rows {
		parts = append(parts, fmt.Sprintf("the first %s of %d", english.Plural(len(g.Rows), "row", ""), rows))
	}
	if len(g.Columns) < columns {
		parts = append(parts, fmt.Sprintf("the first %s of %d", english.Plural(len(g.Columns), "column", ""), columns))
	}
	return strings.Join(parts, ", ")
}
