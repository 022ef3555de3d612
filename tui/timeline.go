package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/keys"
)

// Glyphs of the timeline, from what matters most; the last is one of shownBars. The
// first place at which prediction and CPython part has one of its own, which shows
// also where one is there or others lie in the same cell.
const (
	markHere       = "█"
	markException  = "!"
	markHole       = "┊"
	markFirst      = "▼"
	markParted     = "≠"
	markBreakpoint = "●"
	markShown      = "▖"
)

// legend says in help what the marks mean.
var legend = []keys.Binding{
	mark(markHere, "The place that is shown."),
	mark(markFirst, "Where prediction and CPython first parted. At the place itself it is in reverse."),
	mark(markParted, "Where they parted again, or the model gave no answer."),
	mark(markHole, "What ran before this was not recorded (fc, --from, record off); at the end, what ran after it."),
	mark(markException, "An exception is raised."),
	mark(markBreakpoint, "A breakpoint's line."),
	mark(markShown, "What was shown already, narrower. All bars rise with the depth of the stack."),
}

func mark(glyph, meaning string) keys.Binding {
	return keys.Binding{Action: keys.Action{Group: "Marks of the timeline", Help: meaning}, Keys: []string{glyph}}
}

// depthBars show how deep the stack is, where nothing else is to show; shownBars
// nearly as much, narrower, where a state was shown already. (Braille would have the
// same heights, but many fonts lack it, and what stands in is not as wide.)
var (
	depthBars = []string{"▁", "▂", "▃", "▄", "▅"}
	shownBars = []string{".", ".", "▖", "▖", "▌"}
)

// percentColumns is the room behind the timeline for the place in percent.
const percentColumns = 6

// drawTimeline is one row that stands for the whole recording: where the shown
// state lies, exceptions, breakpoints and how deep calls went. It is a tape that
// grows to the right: what is on it stays where it is until the row is full, and
// then takes half of it.
func (m *Model) drawTimeline(a *draw.Area) {
	w, _ := a.Size()
	if w <= percentColumns+2 || m.view == nil || len(m.timeline) == 0 {
		return
	}
	p := m.view.Place
	cells := m.timelineCells(w - percentColumns)
	deepest := len(depthBars) - 1
	for _, s := range cells {
		for s.Depth > deepest {
			deepest *= 2 // as seldom as the length does
		}
	}
	here := len(cells) - 1
	for !p.End && here > 0 && cells[here].First > p.Event {
		here--
	}
	for x, s := range cells {
		glyph, style := m.timelineMark(s)
		switch {
		case x == here && s.FirstParted:
			style = m.style(themes.TimelineHere)
			style.Attr |= draw.Reverse
		case x == here:
			glyph, style = markHere, m.style(themes.TimelineHere)
			style.Attr &^= draw.Reverse // a block is full already
		case glyph == "":
			bars, role := depthBars, themes.TimelineCall
			if s.Shown && m.view.Mode != session.Predicted {
				bars, role = shownBars, themes.TimelineShown
			}
			glyph, style = bars[s.Depth*(len(bars)-1)/deepest], m.style(role)
		}
		a.Text(x, 0, glyph, style)
	}
	percent := 100
	if p.Events > 1 && !p.End {
		percent = p.Event * 100 / (p.Events - 1)
	}
	a.Text(w-percentColumns, 0, fmt.Sprintf("%5d%%", percent), m.style(themes.Dim))
}

// timelineMark is the mark of a stretch, "" where there is none to show.
func (m *Model) timelineMark(s session.Span) (glyph string, style draw.Style) {
	switch {
	case s.FirstParted:
		style = m.style(themes.Differs)
		style.Attr = style.Attr&^draw.Reverse | draw.Bold // reverse is for the place
		return markFirst, style
	case s.Parted:
		return markParted, m.style(themes.Differs)
	case s.Hole:
		return markHole, m.style(themes.TimelineHere)
	case s.Exception:
		return markException, m.style(themes.TimelineException)
	case s.Breakpoint:
		return markBreakpoint, m.style(themes.TimelineBreakpoint)
	}
	return "", draw.Style{}
}

// timelineCells are the stretches as a row has room for them: as many in each cell
// as it takes, a power of two, so that the cells too stay what they are.
func (m *Model) timelineCells(columns int) []session.Span {
	per := 1
	for (len(m.timeline)-1)/per >= columns {
		per *= 2
	}
	cells := make([]session.Span, 0, (len(m.timeline)-1)/per+1)
	for i, s := range m.timeline {
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
		c.Parted = c.Parted || s.Parted
		c.FirstParted = c.FirstParted || s.FirstParted
	}
	return cells
}

// clickTimeline goes to where a column of the timeline stands for: behind its end, to
// that.
func (m *Model) clickTimeline(x int) tea.Cmd {
	bar := m.w - percentColumns
	if len(m.timeline) == 0 || x >= bar || bar <= 0 {
		return nil
	}
	cells := m.timelineCells(bar)
	return m.goTo(cells[min(x, len(cells)-1)].First)
}

// goTo shows an event of the recording; in neural mode a state of the history.
func (m *Model) goTo(event int) tea.Cmd {
	if m.view.Mode != session.Predicted {
		return m.run(fmt.Sprintf("goto %d", event))
	}
	return m.visit(event)
}

// visit shows a state of the history again.
func (m *Model) visit(i int) tea.Cmd {
	return m.runFor(func() string {
		switch by := i - m.view.Shown; {
		case by < 0:
			return fmt.Sprintf("back %d", -by)
		case by > 0:
			return fmt.Sprintf("forth %d", by)
		}
		return ""
	})
}
