// Package draw represents the screen as cells: a Canvas, and Areas that limit drawing to a
// rectangle. Text is measured as a terminal does.
//
// The text may come from any program or model. Control characters are escaped as by escape.Text. So
// a rendered canvas contains only printable text, newlines and SGR sequences (colors and
// attributes), and each of its rows is exactly as wide as the canvas.
//
// A frame of 200 columns and 60 rows should appear within a few milliseconds after a key press.
// BenchmarkFrame compares this package with lipgloss and with a cell buffer of ultraviolet. Both
// take more than ten times as long, which is why panes use this package.
package draw

import "strings"

// Canvas is a screen of cells. Do not use it concurrently.
type Canvas struct {
	w, h    int
	measure Measure
	base    Style
	cells   []cell // w*h
	styles  []Style
	ids     map[styleKey]uint32
	changes map[uint64]string // SGR sequences by key old<<32 | new, the ids of two styles
	size    int               // bytes of the last output of Render
}

// cell is one column of a row. A piece of several columns is stored in its first cell; the other
// cells that it covers have width 0.
type cell struct {
	text  string
	style uint32
	width uint8
	joins bool
}

// NewCanvas returns an empty canvas of w columns and h rows for a terminal that counts
// columns by measure.
func NewCanvas(w, h int, measure Measure) *Canvas {
	c := &Canvas{}
	c.Clear(w, h, measure, Style{})
	return c
}

// maxStyles limits the number of styles that a canvas stores from frame to frame. Above it, Clear
// discards all of them.
const maxStyles = 1024

// Clear empties the canvas. It sets the size, the measure, and the base style, which is below
// everything that is drawn from now on. It keeps the memory for the next frame.
func (c *Canvas) Clear(w, h int, measure Measure, base Style) {
	c.w, c.h, c.measure, c.base = max(w, 0), max(h, 0), measure, base
	if c.ids == nil || len(c.styles) > maxStyles {
		c.styles = []Style{{}}
		c.ids = map[styleKey]uint32{{}: 0}
		c.changes = map[uint64]string{}
	}
	if n := c.w * c.h; cap(c.cells) < n {
		c.cells = make([]cell, n)
	} else {
		c.cells = c.cells[:n]
	}
	blank := cell{text: " ", style: c.id(base), width: 1}
	for i := range c.cells {
		c.cells[i] = blank
	}
}

// Sub returns the area of the canvas at r. Parts of r outside the canvas are cut off.
func (c *Canvas) Sub(r Rect) *Area {
	return &Area{canvas: c, rect: r, clip: r.Intersect(Rect{0, 0, c.w, c.h}), base: c.base}
}

// id returns the number of a style on this canvas.
func (c *Canvas) id(s Style) uint32 {
	key := s.key()
	id, ok := c.ids[key]
	if !ok {
		id = uint32(len(c.styles))
		c.styles = append(c.styles, Style{plainColor(s.Fg), plainColor(s.Bg), s.Attr})
		c.ids[key] = id
	}
	return id
}

// put draws a piece at a position with enough room for it. If the piece covers only part of another
// piece, the rest of that one becomes blank.
func (c *Canvas) put(x, y int, p piece, style uint32) {
	row := c.cells[y*c.w : (y+1)*c.w]
	if row[x].width == 0 {
		for i := x - 1; ; i-- {
			head := row[i].width != 0
			c.blank(&row[i])
			if head {
				break
			}
		}
	}
	for i := x + p.width; i < c.w && row[i].width == 0; i++ {
		c.blank(&row[i])
	}
	row[x] = cell{p.text, style, uint8(p.width), p.joins}
	for i := 1; i < p.width; i++ {
		row[x+i] = cell{style: style}
	}
}

func (c *Canvas) blank(at *cell) { *at = cell{text: " ", style: at.style, width: 1} }

// Render returns the canvas as text: its rows, each exactly as wide as the canvas, joined by "\n".
// At the end of the text the style is the default. SGR sequences are the only escape sequences in
// it.
func (c *Canvas) Render() string {
	var b strings.Builder
	b.Grow(c.size + c.size/8 + len(c.cells))
	for y := range c.h {
		if y > 0 {
			b.WriteByte('\n')
		}
		c.renderRow(&b, c.cells[y*c.w:(y+1)*c.w])
	}
	c.size = b.Len()
	return b.String()
}

func (c *Canvas) renderRow(b *strings.Builder, row []cell) {
	var pen uint32
	var left *cell
	for i := range row {
		at := &row[i]
		if at.width == 0 {
			continue
		}
		if at.style != pen {
			b.WriteString(c.change(pen, at.style))
			pen = at.style
		}
		// The terminal may join two texts that were drawn side by side into one character,
		// which would shorten the row.
		if at.joins && left != nil && left.joins && merges(left.text, at.text) {
			b.WriteString(spaces[:at.width])
			left = nil
			continue
		}
		b.WriteString(at.text)
		left = at
	}
	if pen != 0 {
		b.WriteString(c.change(pen, 0))
	}
}

func (c *Canvas) change(from, to uint32) string {
	key := uint64(from)<<32 | uint64(to)
	seq, ok := c.changes[key]
	if !ok {
		seq = sgr(c.styles[from], c.styles[to])
		c.changes[key] = seq
	}
	return seq
}
