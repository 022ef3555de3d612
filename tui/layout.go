package tui

import (
	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/tui/keys"
	"github.com/npdb/npdb/tui/pane"
)

// paneID names a pane.
type paneID int

const (
	sourcePane paneID = iota
	localsPane
	stackPane
	outputPane
	historyPane
	breakpointsPane
	paneCount
)

// Sizes at which the layout changes, in columns and rows.
const (
	wideColumns     = 100 // panes beside the source, else below it
	widestColumns   = 170 // two columns of panes beside it
	timelineRows    = 14  // with a timeline
	tallRows        = 12  // panes above each other beside the source
	leastPaneRows   = 3   // a title and two rows
	leastSourceRows = 5
	leastBesideRows = 7 // the locals with two sides
)

// shape is what the user made of the layout.
type shape struct {
	focus paneID
	shelf paneID // which of the panes that share a place shows
	zoom  bool   // the focused pane has all of the room
	grown int    // columns or rows that the source has more than its share
	// beside has the locals across the whole width, for two sides of them.
	beside bool
	// over has the output in the place of locals and stack, which have nothing where
	// the program has ended, unless they have the focus.
	over bool
}

// layout is where everything is. A pane that does not show has an empty
// rectangle.
type layout struct {
	header, timeline, footer draw.Rect
	panes                    [paneCount]draw.Rect
}

// arrange lays a screen of w columns and h rows out.
func arrange(w, h int, s shape) layout {
	var l layout
	if w <= 0 || h <= 0 {
		return l
	}
	body := draw.Rect{W: w, H: h}
	if h >= 3 {
		l.header = draw.Rect{W: w, H: 1}
		body.Y, body.H = 1, h-1
	}
	if h >= 2 {
		body.H--
		l.footer = draw.Rect{Y: body.Y + body.H, W: w, H: 1}
	}
	if h >= timelineRows {
		body.H--
		l.timeline = draw.Rect{Y: body.Y + body.H, W: w, H: 1}
	}
	if s.beside && !s.zoom && body.H >= leastSourceRows+leastBesideRows {
		rows := min(max(body.H*2/5, leastBesideRows), 16)
		var below draw.Rect
		body, below = above(body, body.H-rows)
		l.panes[localsPane] = below
		l.rest(body, s)
		return l
	}
	switch {
	case s.zoom:
		l.panes[s.focus] = body
	case w >= widestColumns && body.H >= tallRows:
		l.widest(body, s)
	case w >= wideColumns && body.H >= tallRows:
		l.wide(body, s)
	default:
		l.narrow(body, s)
	}
	return l
}

// rest lays out what is above the two sides of the locals.
func (l *layout) rest(body draw.Rect, s shape) {
	shelf := s.shelf
	if shelf == localsPane || shelf == sourcePane {
		shelf = stackPane
	}
	switch {
	case body.W >= wideColumns && body.H >= tallRows && shelf == stackPane:
		l.panes[sourcePane], body = l.column(body, body.W*3/5, s)
		l.panes[stackPane], l.panes[outputPane] = above(body, body.H/2)
	case body.W >= wideColumns:
		l.panes[sourcePane], l.panes[shelf] = l.column(body, body.W*3/5, s)
	case s.focus == sourcePane || s.focus == localsPane:
		l.panes[sourcePane] = body
	default:
		l.panes[shelf] = body
	}
}

// narrow has the source above, and one other pane below it.
func (l *layout) narrow(body draw.Rect, s shape) {
	rows := body.H*3/5 + s.grown
	rows = min(max(rows, leastSourceRows), body.H-leastPaneRows)
	if rows < leastSourceRows {
		shown := s.focus
		l.panes[shown] = body
		return
	}
	l.panes[sourcePane], body = above(body, rows)
	shelf := s.shelf
	if shelf == sourcePane {
		shelf = localsPane
	}
	if s.over && s.focus == sourcePane && (shelf == localsPane || shelf == stackPane) {
		shelf = outputPane
	}
	// Two panes fit beside each other before they do above each other.
	const twoColumns = 76
	if body.W >= twoColumns && (shelf == localsPane || shelf == stackPane) {
		l.panes[localsPane], l.panes[stackPane] = split(body, body.W*3/5)
		return
	}
	l.panes[shelf] = body
}

// wide has the others beside the source; the last three share a place.
func (l *layout) wide(body draw.Rect, s shape) {
	l.panes[sourcePane], body = l.column(body, body.W*3/5, s)
	rows := body.H * 9 / 20
	l.panes[localsPane], body = above(body, rows)
	l.panes[stackPane], body = above(body, min(max(body.H*2/5, leastPaneRows), 8))
	l.panes[s.last()] = body
}

// widest has two columns beside the source.
func (l *layout) widest(body draw.Rect, s shape) {
	l.panes[sourcePane], body = l.column(body, body.W/2, s)
	left, right := split(body, body.W/2)
	l.panes[localsPane], l.panes[stackPane] = above(left, left.H*2/3)
	last := s.last()
	if last == outputPane {
		last = historyPane
	}
	l.panes[outputPane], l.panes[last] = above(right, right.H*2/3)
}

// last is the pane in the place that output, history and breakpoints share.
func (s shape) last() paneID {
	if s.shelf == historyPane || s.shelf == breakpointsPane {
		return s.shelf
	}
	return outputPane
}

// column cuts the source's columns off.
func (*layout) column(body draw.Rect, columns int, s shape) (source, rest draw.Rect) {
	const least = 24 // columns either side keeps
	return split(body, min(max(columns+s.grown, least), body.W-least))
}

// split cuts columns off a rectangle; one more parts it from the rest.
func split(r draw.Rect, columns int) (left, right draw.Rect) {
	left, right = r, r
	left.W = columns
	right.X, right.W = r.X+columns+1, r.W-columns-1
	return left, right
}

// above cuts rows off a rectangle.
func above(r draw.Rect, rows int) (top, rest draw.Rect) {
	top, rest = r, r
	top.H = min(rows, r.H)
	rest.Y, rest.H = r.Y+top.H, r.H-top.H
	return top, rest
}

// at is the pane at a place of the screen; ok is false where there is none.
func (l *layout) at(x, y int) (id paneID, ok bool) {
	for id, r := range l.panes {
		if r.Contains(x, y) {
			return paneID(id), true
		}
	}
	return 0, false
}

// pane is the one that shows in a place: the two sides stand in that of the locals.
func (m *Model) pane(id paneID) pane.Pane {
	if id == localsPane && m.besides() {
		return m.beside
	}
	return m.panes[id]
}

// besides reports whether the locals show both sides.
func (m *Model) besides() bool {
	return m.screen.View != nil && m.screen.View.Beside != nil && m.shape.beside
}

// paneOf is the pane with a context, that of the source for any other.
func (m *Model) paneOf(c keys.Context) paneID {
	for id, p := range m.panes {
		if p.Context() == c {
			return paneID(id)
		}
	}
	return sourcePane
}

// atStart reports whether the start screen shows.
func (m *Model) atStart() bool { return m.start != nil && m.start.Shown }

// context is where keys go to when nothing is typed.
func (m *Model) context() keys.Context {
	if m.atStart() {
		return keys.Start
	}
	return m.pane(m.shape.focus).Context()
}
