package draw

// Area is a rectangle of a canvas to draw in. Coordinates are relative to its upper left corner.
// Drawing does not change cells outside the area, except that the other half of a wide character
// becomes blank if the edge cuts the character.
type Area struct {
	canvas *Canvas
	rect   Rect // on the canvas; may extend beyond it
	clip   Rect // the visible part of rect
	base   Style
}

// Rect returns the position of the area on the canvas.
func (a *Area) Rect() Rect { return a.rect }

// Size returns the area's columns and rows.
func (a *Area) Size() (w, h int) { return a.rect.W, a.rect.H }

// Sub returns the part of the area at r, relative to this area's corner. Parts of r outside the
// area are cut off.
func (a *Area) Sub(r Rect) *Area {
	r.X, r.Y = r.X+a.rect.X, r.Y+a.rect.Y
	return &Area{canvas: a.canvas, rect: r, clip: r.Intersect(a.clip), base: a.base}
}

// SetBase sets the style below everything that is drawn in this area and in subareas created from
// now on.
func (a *Area) SetBase(base Style) { a.base = base.Over(a.canvas.base) }

// Measure returns how the canvas's terminal counts columns.
func (a *Area) Measure() Measure { return a.canvas.measure }

// Text draws a line at column x of row y. It returns the line's width in columns, counted only up
// to the area's edge. A line end is drawn as \n.
func (a *Area) Text(x, y int, line string, style Style) int {
	return a.scan(&scanner{measure: a.canvas.measure, text: line}, x, y, style)
}

// Spans draws a line made of spans at column x of row y, without its first scroll columns. It
// returns the line's width in columns, counted only up to the area's edge. Tab stops are counted
// from the beginning of the whole line.
func (a *Area) Spans(x, y int, line []Span, scroll int) int {
	scroll = max(scroll, 0)
	s := scanner{measure: a.canvas.measure}
	visible := a.Sub(Rect{x, 0, a.rect.W - x, a.rect.H})
	n := 0
	for _, span := range line {
		s.text = span.Text
		n = visible.scan(&s, -scroll, y, span.Style)
	}
	return max(n-scroll, 0)
}

// scan draws the remaining text of s and returns the scanner's column at the end. The scanner's
// column 0 is at column x of the area.
func (a *Area) scan(s *scanner, x, y int, style Style) int {
	x += a.rect.X
	y += a.rect.Y
	right := a.rect.X + a.rect.W
	seen := y >= a.clip.Y && y < a.clip.Y+a.clip.H
	id := a.canvas.id(style.Over(a.base))
	for x+s.col < right {
		at := x + s.col
		p, ok := s.next()
		if !ok {
			break
		}
		if seen {
			a.put(at, y, p, id)
		}
	}
	return max(min(s.col, right-x), 0)
}

// put draws a piece. If the area contains only part of it, put draws blanks there.
func (a *Area) put(x, y int, p piece, id uint32) {
	left, right := a.clip.X, a.clip.X+a.clip.W
	if x >= left && x+p.width <= right {
		a.canvas.put(x, y, p, id)
		return
	}
	for i := max(x, left); i < min(x+p.width, right); i++ {
		a.canvas.put(i, y, piece{text: " ", width: 1}, id)
	}
}

// Fill repeats text, which must be a single character, over the cells of r.
func (a *Area) Fill(r Rect, text string, style Style) {
	s := scanner{measure: a.canvas.measure, text: text}
	p, ok := s.next()
	if !ok {
		return
	}
	inside := a.Sub(r)
	id := a.canvas.id(style.Over(a.base))
	for y := inside.clip.Y; y < inside.clip.Y+inside.clip.H; y++ {
		for x := inside.rect.X; x < inside.clip.X+inside.clip.W; x += p.width {
			inside.put(x, y, p, id)
		}
	}
}

// Overlay changes the style of cells in r that are already drawn. Each cell gets the colors that
// style sets, and the attributes of style in addition to its own. So text in a marked row, a
// selection or a match keeps its colors. A reversed cell loses the attribute faint, because it
// would be hard to read.
func (a *Area) Overlay(r Rect, style Style) {
	clip := a.Sub(r).clip
	c := a.canvas
	last, id := ^uint32(0), uint32(0)
	for y := clip.Y; y < clip.Y+clip.H; y++ {
		for x := clip.X; x < clip.X+clip.W; x++ {
			at := &c.cells[y*c.w+x]
			if at.style != last {
				over := style.Over(c.styles[at.style])
				if style.Attr&Reverse != 0 {
					over.Attr &^= Faint
				}
				last, id = at.style, c.id(over)
			}
			at.style = id
		}
	}
}
