package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/draw"
	"github.com/npdb/npdb/tui/keys"
)

// Glyphs of the timeline, from what matters most. The first place at which
// prediction and CPython part has one of its own, which shows also where one is
// there or others lie in the same cell.
const (
	markHere       = "█"
	markException  = "!"
	markFirst      = "▼"
	markParted     = "≠"
	markBreakpoint = "●"
	markShown      = "·"
)

// legend says in help what the marks mean.
var legend = []keys.Binding{
	mark(markHere, "The place that is shown."),
	mark(markFirst, "Where prediction and CPython first parted. At the place itself it is in reverse."),
	mark(markParted, "Where they parted again, or the model gave no answer."),
	mark(markException, "An exception."),
	mark(markBreakpoint, "A breakpoint's line."),
	mark(markShown, "What was shown already."),
}

func mark(glyph, meaning string) keys.Binding {
	return keys.Binding{Action: keys.Action{Group: "Marks of the timeline", Help: meaning}, Keys: []string{glyph}}
}

// depthBars show how deep the stack is, where nothing else is to show.
var depthBars = []string{"▁", "▂", "▃", "▄", "▅"}

// percentColumns is the room behind the timeline for the place in percent.
const percentColumns = 6

// drawTimeline is one row that stands for the whole recording: where the shown
// state lies, exceptions, breakpoints and how deep calls went.
func (m *Model) drawTimeline(a *draw.Area) {
	w, _ := a.Size()
	if w <= percentColumns+2 || m.view == nil || len(m.timeline) == 0 {
		return
	}
	p := m.view.Place
	bar := w - percentColumns
	deepest := 1
	for _, s := range m.timeline {
		deepest = max(deepest, s.Depth)
	}
	here := bar - 1
	if p.Events > 1 && !p.End {
		here = p.Event * (bar - 1) / (p.Events - 1)
	}
	for x := range bar {
		s, begins := m.cellSpan(x, bar)
		glyph, style := m.timelineMark(s, begins)
		switch {
		case x == here && begins && s.FirstParted:
			style = m.style(themes.TimelineHere)
			style.Attr |= draw.Reverse
		case x == here:
			glyph, style = markHere, m.style(themes.TimelineHere)
			style.Attr &^= draw.Reverse // a block is full already
		case glyph == "":
			glyph, style = depthBars[s.Depth*(len(depthBars)-1)/deepest], m.style(themes.TimelineCall)
		}
		a.Text(x, 0, glyph, style)
	}
	percent := 100
	if p.Events > 1 && !p.End {
		percent = p.Event * 100 / (p.Events - 1)
	}
	a.Text(bar, 0, fmt.Sprintf("%5d%%", percent), m.style(themes.Dim))
}

// timelineMark is the mark of a stretch, "" where there is none to show.
func (m *Model) timelineMark(s session.Span, begins bool) (glyph string, style draw.Style) {
	switch {
	case !begins:
		return "", draw.Style{}
	case s.FirstParted:
		style = m.style(themes.Differs)
		style.Attr = style.Attr&^draw.Reverse | draw.Bold // reverse is for the place
		return markFirst, style
	case s.Parted:
		return markParted, m.style(themes.Differs)
	case s.Exception:
		return markException, m.style(themes.TimelineException)
	case s.Breakpoint:
		return markBreakpoint, m.style(themes.TimelineBreakpoint)
	case s.Shown && m.view.Mode != session.Predicted:
		return markShown, m.style(themes.TimelineShown)
	}
	return "", draw.Style{}
}

// cellSpan is all that a column of the bar stands for. begins is false where it goes
// on with the column before: a long stretch has one mark.
func (m *Model) cellSpan(x, bar int) (s session.Span, begins bool) {
	first, last := m.spanAt(x, bar), len(m.timeline)-1
	if x < bar-1 {
		last = max(m.spanAt(x+1, bar)-1, first)
	}
	s = m.timeline[first]
	for _, more := range m.timeline[first+1 : last+1] {
		s.Last = more.Last
		s.Exception = s.Exception || more.Exception
		s.Breakpoint = s.Breakpoint || more.Breakpoint
		s.Shown = s.Shown || more.Shown
		s.Parted = s.Parted || more.Parted
		s.FirstParted = s.FirstParted || more.FirstParted
	}
	return s, x == 0 || m.spanAt(x-1, bar) != first
}

// spanAt is the stretch that a column of the bar begins with.
func (m *Model) spanAt(x, bar int) int {
	return min(x*len(m.timeline)/bar, len(m.timeline)-1)
}

// clickTimeline goes to where a column of the timeline stands for.
func (m *Model) clickTimeline(x int) tea.Cmd {
	bar := m.w - percentColumns
	if len(m.timeline) == 0 || x >= bar || bar <= 0 {
		return nil
	}
	return m.goTo(m.timeline[m.spanAt(x, bar)].First)
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
