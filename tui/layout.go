package tui

import (
	tea "charm.land/bubbletea/v2"

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
	candidatesPane
	paneCount
)

// Sizes at which the layout changes, in columns and rows.
const (
	wideColumns     = 100 // from this width, panes are beside the source, not below it
	widestColumns   = 170 // from this width, two columns of panes are beside the source
	timelineRows    = 14  // from this height, there is a timeline
	tallRows        = 12  // from this height, panes beside the source are above each other
	leastPaneRows   = 3   // a title and two rows
	leastSourceRows = 5
	sightRows       = 7 // of the source, while another pane needs room
	leastBesideRows = 7 // of the side-by-side view
)

// shape is what a layout depends on besides the screen's size: the user's choices, and the panes'
// contents.
type shape struct {
	focus paneID
	shelf paneID // the visible one of the panes that share a place
	zoom  bool   // the focused pane fills the screen
	grown int    // columns or rows that the user has added to the source's share
	// beside gives the locals' place the whole width, for the side-by-side view.
	beside bool
	// candidates is how many rows the candidates fill, 0 if they are not shown.
	candidates int
	// over shows the output in place of locals and stack, which are empty at the end of the
	// program, unless they have the focus.
	over bool
	// crashed gives the output, which has the traceback, its rows first.
	crashed bool
	// fills returns how many rows a pane would fill at a width of columns, at most most; nil if
	// that is not known.
	fills func(id paneID, columns, most int) int
	// had is the previous layout. Its panes keep their sizes if these suffice. hadFocus is the pane
	// that had the focus in it.
	had      *layout
	hadFocus paneID
	tour     int // rows of the tour's panel
}

// layout holds the rectangle of each part of the screen; a hidden pane's is empty.
type layout struct {
	header, tour, timeline, footer draw.Rect
	panes                          [paneCount]draw.Rect
	// strip reports that the output pane is a strip, which shows only the last rows.
	strip bool
}

// arrange computes the layout of a screen of w columns and h rows.
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
	l.tour, body = above(body, s.tour)
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

// rest places the panes above the side-by-side view.
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

// wide places three panes above each other beside the source: locals, stack, and one of output,
// history and breakpoints.
func (l *layout) wide(body draw.Rect, s shape) {
	l.panes[sourcePane], body = l.column(body, body.W*3/5, s)
	locals := body.H * 9 / 20
	stack := min(max((body.H-locals)*2/5, leastPaneRows), 8)
	l.stack(body, s, part{localsPane, locals, max(locals/2, leastPaneRows), body.W},
		part{stackPane, stack, leastPaneRows, body.W}, part{s.last(), body.H - locals - stack, leastPaneRows, body.W})
}

// widest places the locals beside the source, and two columns of panes below the locals.
func (l *layout) widest(body draw.Rect, s shape) {
	l.panes[sourcePane], body = l.column(body, body.W/2, s)
	left, right := split(body, body.W/2)
	locals := min(max(s.wanted(localsPane, body.W, body.H), body.H/4), body.H*2/5)
	rows := s.divide(body.H, part{localsPane, locals, max(locals/2, leastPaneRows), body.W}, part{outputPane, body.H - locals, leastPaneRows, right.W})
	l.panes[localsPane], _ = above(body, rows[0])
	_, left = above(left, rows[0])
	_, l.panes[outputPane] = above(right, rows[0])
	last := s.last()
	if last == outputPane {
		last = historyPane
	}
	l.stack(left, s, part{stackPane, left.H / 2, leastPaneRows, left.W}, part{last, left.H - left.H/2, leastPaneRows, left.W})
}

// stack places panes above each other.
func (l *layout) stack(body draw.Rect, s shape, parts ...part) {
	for i, rows := range s.divide(body.H, parts...) {
		l.panes[parts[i].id], body = above(body, rows)
	}
}

// part is a pane that shares a column: its wanted rows, the rows that it keeps if there are not
// enough, and its columns.
type part struct {
	id                   paneID
	fair, least, columns int
}

// divide distributes the rows of a column to its panes. Panes keep the rows that they had before.
// One with more content gets the rows that others do not fill, and at least its fair share. After a
// crash the output comes first.
func (s shape) divide(all int, parts ...part) []int {
	rows, want := make([]int, len(parts)), make([]int, len(parts))
	for i, p := range parts {
		rows[i], want[i] = p.fair, s.wanted(p.id, p.columns, all)
	}
	s.keep(all, parts, rows)
	lacks := func(i int) int { return want[i] - rows[i] }
	take := func(i, j, n int) {
		if n > 0 && i != j {
			rows[i], rows[j] = rows[i]+n, rows[j]-n
		}
	}
	for i := range parts {
		for j, p := range parts {
			least := max(want[j], p.least)
			if s.crashed && parts[i].id == outputPane {
				least = p.least
			}
			take(i, j, min(lacks(i), rows[j]-least))
		}
		for j, p := range parts {
			take(i, j, min(lacks(i), parts[i].fair-rows[i], rows[j]-p.fair))
		}
	}
	return rows
}

// keep sets rows to the rows that the parts had in the previous layout. It does nothing if more
// than one of them was not in it, or if they do not fit.
func (s shape) keep(all int, parts []part, rows []int) {
	if s.had == nil {
		return
	}
	missing, left := -1, all
	for i, p := range parts {
		had := s.had.panes[p.id]
		switch {
		case had.W == p.columns && had.H > 0:
			left -= had.H
		case missing < 0 && (p.id == outputPane || p.id == historyPane || p.id == breakpointsPane):
			missing = i
		default:
			return
		}
	}
	if missing < 0 && left != 0 || missing >= 0 && left < leastPaneRows {
		return
	}
	for i, p := range parts {
		rows[i] = s.had.panes[p.id].H
	}
	if missing >= 0 {
		rows[missing] = left
	}
}

// wanted returns how many rows a pane would fill, including its title. It counts at most most rows
// of content.
func (s shape) wanted(id paneID, columns, most int) int {
	if s.fills == nil {
		return 0
	}
	return 1 + s.fills(id, columns, most)
}

// last returns the pane in the place that output, history and breakpoints share.
func (s shape) last() paneID {
	if s.shelf == historyPane || s.shelf == breakpointsPane {
		return s.shelf
	}
	return outputPane
}

// column splits an area into the source, whose columns the user may have changed, and the rest.
func (*layout) column(body draw.Rect, columns int, s shape) (source, rest draw.Rect) {
	const least = 24 // columns either side keeps
	return split(body, min(max(columns+s.grown, least), body.W-least))
}

// split splits a rectangle into its first columns and the rest, with a column between them as a
// separator.
func split(r draw.Rect, columns int) (left, right draw.Rect) {
	left, right = r, r
	left.W = columns
	right.X, right.W = r.X+columns+1, r.W-columns-1
	return left, right
}

// above splits a rectangle into its first rows and the rest.
func above(r draw.Rect, rows int) (top, rest draw.Rect) {
	top, rest = r, r
	top.H = min(rows, r.H)
	rest.Y, rest.H = r.Y+top.H, r.H-top.H
	return top, rest
}

// at returns the pane at a cell of the screen; ok is false if there is none.
func (l *layout) at(x, y int) (id paneID, ok bool) {
	for id, r := range l.panes {
		if r.Contains(x, y) {
			return paneID(id), true
		}
	}
	return 0, false
}

// arrange recomputes the layout. The next layout starts from this one, unless this one is zoomed or
// has the side-by-side view.
func (m *Model) arrange() {
	m.fitCandidates()
	s := m.shape
	s.fills, s.had, s.hadFocus, s.tour = m.fills, m.had, m.hadFocus, m.tourRows()
	m.layout = arrange(m.w, m.h, s)
	if !s.zoom && !s.beside {
		had := m.layout
		m.had, m.hadFocus = &had, s.focus
	}
	m.layout = m.layout.withCandidates(s)
	m.output.Brief = m.layout.strip
}

// fills returns how many rows a pane would fill, rounded, so that one more name or line does not
// move the panes each time. Locals and stack count as many rows as they have once filled in the
// current function. The history wants rows only with the focus.
func (m *Model) fills(id paneID, columns, most int) int {
	sized, ok := m.pane(id).(pane.Sized)
	if !ok || columns <= 0 || m.screen.View == nil || id == historyPane && m.shape.focus != id {
		return 0
	}
	rows, step := sized.Fills(columns, most), 2
	switch {
	case id == outputPane && m.shape.crashed:
		return rows
	case id == outputPane || id == historyPane:
		step = 8
	}
	rows = min((rows+step-1)/step*step, most)
	if id != localsPane && id != stackPane {
		return rows
	}
	f, _ := m.screen.Frame()
	if in := f.Path + "\x00" + f.Function; m.filledIn != in {
		m.filledIn, m.filled = in, [paneCount]int{}
	}
	m.filled[id] = max(m.filled[id], rows)
	return min(m.filled[id], most)
}

// pane returns the pane with an id. The side-by-side view replaces that of the locals while it is
// open.
func (m *Model) pane(id paneID) pane.Pane {
	if id == localsPane && m.besides() {
		return m.beside
	}
	return m.panes[id]
}

// besides reports whether the side-by-side view is open.
func (m *Model) besides() bool {
	v := m.screen.View
	return v != nil && m.shape.beside && (v.Beside != nil || v.Difference != nil)
}

// paneOf returns the pane of a context; the source for other contexts.
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

// context returns the context of keys while nothing is typed.
func (m *Model) context() keys.Context {
	if m.atStart() {
		return keys.Start
	}
	return m.pane(m.shape.focus).Context()
}

// relayout fits the layout to the screen, and the timeline to its width.
func (m *Model) relayout() tea.Cmd {
	m.arrange()
	told := m.tellSize()
	if m.screen.View == nil || m.screen.Running != nil || m.columns == m.w || m.w == 0 {
		return told
	}
	return tea.Batch(told, m.work("", m.engine.survey(m.w)))
}

// tellSize sends the size of the output pane to the program.
// While the pane is hidden or only a strip of it is visible, the program keeps the last size.
func (m *Model) tellSize() tea.Cmd {
	r := m.layout.panes[outputPane]
	size := [2]int{r.W - 2, r.H - 1} // within the margins and below the title
	if m.screen.View == nil || m.layout.strip || size[0] < 1 || size[1] < 1 || size == m.terminal {
		return nil
	}
	m.terminal = size
	return func() tea.Msg {
		m.engine.resize(size[0], size[1])
		return nil
	}
}
