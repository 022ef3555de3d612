package places

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/keys"
	"github.com/npdb/npdb/tui/pane"
)

// Glyphs of the timeline, the most important first; the last one is one of shownBars. The first
// divergence has a glyph of its own, which has priority in its cell.
const (
	markHere       = "█"
	markException  = "!"
	markHole       = "┊"
	markFirst      = "▼"
	markBreakpoint = pane.GlyphBreakpoint
	markShown      = "▖"
	markGrows      = "·"
)

// Legend explains the marks in the help.
var Legend = []keys.Binding{
	meaning(markHere, "The place that is shown."),
	meaning(markFirst, "First divergence of prediction and CPython, in reverse video where you are."),
	meaning(pane.GlyphDiverged, "Another divergence, or no answer from the model."),
	meaning(markHole, "What ran before this was not recorded (fc, --from, record off); at the end, what ran after it."),
	meaning(markException, "An exception is raised."),
	meaning(markBreakpoint, "A breakpoint's line."),
	meaning(markGrows, "What the move under way has recorded so far: its bars come with the stop."),
	meaning(markShown, "What was shown already, narrower. All bars rise with the depth of the stack."),
}

func meaning(glyph, what string) keys.Binding {
	return keys.Binding{Action: keys.Action{Group: "Marks of the timeline", Help: what}, Keys: []string{glyph}}
}

// depthBars show the depth of the stack in cells without a mark; shownBars are narrower, for cells
// with a visit. (Braille has the same heights, but many fonts lack it.)
var (
	depthBars = []string{"▁", "▂", "▃", "▄", "▅"}
	shownBars = []string{".", ".", "▖", "▖", "▌"}
)

// percentColumns is the room after the timeline for the percentage.
const percentColumns = 6

// Timeline shows the whole recording in one row: the position, exceptions, breakpoints and the
// depth of calls. It grows to the right until the row is full, and is then compressed to half of
// it.
type Timeline struct {
	*pane.Screen
	Spans []session.Span
}

// NewTimeline returns an empty row.
func NewTimeline(s *pane.Screen) *Timeline { return &Timeline{Screen: s} }

// Draw draws the row.
func (t *Timeline) Draw(a *draw.Area) {
	w, _ := a.Size()
	if w <= percentColumns+2 || t.View == nil || len(t.Spans) == 0 {
		return
	}
	place := t.View.Place
	cells, known := t.cells(w - percentColumns)
	deepest := len(depthBars) - 1
	for _, s := range cells {
		for s.Depth > deepest {
			deepest *= 2 // doubles, so that the bars change seldom
		}
	}
	here := len(cells) - 1
	for !place.End && here > 0 && cells[here].First > place.Event {
		here--
	}
	for x, s := range cells {
		glyph, style := t.mark(s)
		switch {
		case x == here && s.FirstDiverged:
			style = t.Style(themes.TimelineHere)
			style.Attr |= draw.Reverse
		case x == here:
			glyph, style = markHere, t.Style(themes.TimelineHere)
			style.Attr &^= draw.Reverse // reversed, the block would look empty
		case x >= known:
			glyph, style = markGrows, t.Style(themes.TimelineCall)
		case glyph == "":
			bars, role := depthBars, themes.TimelineCall
			if s.Shown && t.View.Mode != session.Predicted {
				bars, role = shownBars, themes.TimelineShown
			}
			glyph, style = bars[s.Depth*(len(bars)-1)/deepest], t.Style(role)
		}
		a.Text(x, 0, glyph, style)
	}
	percent := 100
	if events := t.events(); events > 1 && !place.End {
		percent = place.Event * 100 / (events - 1)
	}
	a.Text(w-percentColumns, 0, fmt.Sprintf("%5d%%", percent), t.Style(themes.Dim))
}

// mark returns the mark of a span, "" for none.
func (t *Timeline) mark(s session.Span) (glyph string, style draw.Style) {
	switch {
	case s.FirstDiverged:
		style = t.Style(themes.Differs)
		style.Attr = style.Attr&^draw.Reverse | draw.Bold // reverse video marks the shown place
		return markFirst, style
	case s.Diverged:
		return pane.GlyphDiverged, t.Style(themes.Differs)
	case s.Hole:
		return markHole, t.Style(themes.TimelineHere)
	case s.Exception:
		return markException, t.Style(themes.TimelineException)
	case s.Breakpoint:
		return markBreakpoint, t.Style(themes.TimelineBreakpoint)
	}
	return "", draw.Style{}
}

// events returns the number of events, including those that the running move has recorded.
func (t *Timeline) events() int {
	n := t.View.Place.Events
	if r := t.Running; r != nil && r.Pace != nil && !r.Pace.Unrecorded && t.View.Mode != session.Predicted {
		n = max(n, r.Pace.Events)
	}
	return n
}

// cells joins spans so that they fit into the row. Each cell joins the same number of spans, a
// power of two, so that cells change seldom. The cells from known on stand for events that the
// running move has recorded, of which only the number is known.
func (t *Timeline) cells(columns int) (cells []session.Span, known int) {
	stretch := t.Spans[0].Last - t.Spans[0].First + 1
	all := max(len(t.Spans), (t.events()-1)/stretch+1)
	per := 1
	for (all-1)/per >= columns {
		per *= 2
	}
	cells = make([]session.Span, 0, (all-1)/per+1)
	for i, s := range t.Spans {
		if i%per == 0 {
			cells = append(cells, s)
			continue
		}
		c := &cells[len(cells)-1]
		c.Last = s.Last
		c.Exception = c.Exception || s.Exception
		c.Breakpoint = c.Breakpoint || s.Breakpoint
		c.Hole = c.Hole || s.Hole
		c.Shown = c.Shown || s.Shown
		c.Diverged = c.Diverged || s.Diverged
		c.FirstDiverged = c.FirstDiverged || s.FirstDiverged
	}
	for known = len(cells); len(cells) <= (all-1)/per; {
		cells = append(cells, session.Span{First: len(cells) * per * stretch})
	}
	return cells, known
}

// Click goes to the first event of the clicked cell in a row of w columns, or of the last cell
// after the end.
func (t *Timeline) Click(x, w int) tea.Cmd {
	bar := w - percentColumns
	if len(t.Spans) == 0 || x >= bar || bar <= 0 {
		return nil
	}
	cells, _ := t.cells(bar)
	return t.Orders.GoTo(cells[min(x, len(cells)-1)].First)
}
