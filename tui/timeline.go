package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/draw"
)

// Glyphs of the timeline, from what matters most.
const (
	markHere       = "█"
	markException  = "!"
	markParted     = "≠"
	markBreakpoint = "●"
	markShown      = "·"
)

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
		i := m.spanAt(x, bar)
		s := m.timeline[i]
		glyph, role := depthBars[s.Depth*(len(depthBars)-1)/deepest], themes.TimelineCall
		switch begins := x == 0 || m.spanAt(x-1, bar) != i; {
		case x == here:
			glyph, role = markHere, themes.TimelineHere
		case !begins: // a long stretch has one mark
		case s.Parted:
			glyph, role = markParted, themes.Differs
		case s.Exception:
			glyph, role = markException, themes.TimelineException
		case s.Breakpoint:
			glyph, role = markBreakpoint, themes.TimelineBreakpoint
		case s.Shown && m.view.Mode != session.Predicted:
			glyph, role = markShown, themes.TimelineShown
		}
		a.Text(x, 0, glyph, m.style(role))
	}
	percent := 100
	if p.Events > 1 && !p.End {
		percent = p.Event * 100 / (p.Events - 1)
	}
	a.Text(bar, 0, fmt.Sprintf("%5d%%", percent), m.style(themes.Dim))
}

// spanAt is the stretch that a column of the bar stands for.
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
