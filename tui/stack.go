package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/keys"
)

// stack shows the activations, the newest first.
type stack struct{ scroll }

func newStack() *stack { return &stack{} }

func (p *stack) context() keys.Context { return keys.Stack }

func (p *stack) title(m *Model) (name, more string) {
	if m.view != nil && len(m.view.Frames) > 0 {
		more = plural(len(m.view.Frames), "frame")
	}
	return "stack", more
}

// frame is the place in View.Frames of a row.
func (p *stack) frame(m *Model, row int) int { return len(m.view.Frames) - 1 - row }

func (p *stack) sight(m *Model) (shown, news string) {
	if m.view != nil {
		shown = p.shown(len(m.view.Frames))
	}
	return shown, ""
}

func (p *stack) stopped(m *Model) { p.cursor, p.top = p.frame(m, m.view.Selected), 0 }

func (p *stack) draw(m *Model, a *draw.Area, focused bool) {
	w, h := a.Size()
	if m.view == nil {
		return
	}
	n := len(m.view.Frames)
	p.fit(n, h)
	places := m.placeColumn(w)
	for row := p.top; row < min(n, p.top+h); row++ {
		i := p.frame(m, row)
		line := a.Sub(draw.Rect{Y: row - p.top, W: w, H: 1})
		text := p.drawFrame(m, line, m.view.Frames[i], i == m.view.Selected, places)
		if focused && row == p.cursor {
			line.Overlay(draw.Rect{W: w, H: 1}, m.style(themes.Selection))
		}
		m.searchIn(stackPane).mark(m, line.Sub(draw.Rect{X: 3, W: max(w-3, 0), H: 1}), text, 0, row == p.cursor)
	}
}

// placeColumn is where the places of the frames begin, behind their names. It
// moves in steps, so that a call of a slightly longer name leaves it.
func (m *Model) placeColumn(w int) int {
	const least, step, gap = 12, 4, 2
	names, last := 0, ""
	for _, f := range m.view.Frames {
		if f.Function != last { // a recursion has many of one
			names, last = max(names, m.measure.Width(f.Function)), f.Function
		}
	}
	column := max((names+gap+step-1)/step*step, least)
	return min(column, max((w-3)/2, 1))
}

// drawFrame draws the row of a frame, its place from a column on, and returns
// what it reads from column 3 on. Of a library's long path the end is shown.
func (p *stack) drawFrame(m *Model, a *draw.Area, f session.ViewFrame, selected bool, column int) string {
	const left, gap = 3, 2
	w, _ := a.Size()
	name := m.style(themes.Text)
	if selected {
		a.Text(1, 0, glyphFrame, m.style(themes.Frame))
		name = m.style(themes.Frame)
	}
	dim := m.style(themes.Dim)
	function := m.measure.Cut(f.Function, max(column-gap, 1))
	space := max(column-m.measure.Width(function), gap)
	room := w - left - m.measure.Width(function) - space
	spans := []draw.Span{
		{Text: function, Style: name},
		{Text: strings.Repeat(" ", space), Style: dim},
		{Text: m.measure.CutFront(framePlace(f), room), Style: dim},
	}
	const leastTold = 6 // what is cut to less tells nothing apart
	if l := f.Tells; l != nil && m.spansWidth(spans)+gap+min(m.measure.Width(l.Name+"="+l.Value), leastTold) <= w-left {
		value := m.style(themes.InlineValue)
		spans = append(spans, draw.Span{Text: "  ", Style: dim}, draw.Span{Text: l.Name + "=", Style: value}, draw.Span{Text: l.Value, Style: value})
	}
	spans = m.measure.CutSpans(spans, max(w-left, 1))
	a.Spans(left, 0, spans, 0)
	return spansText(spans)
}

// framePlace is the file and line of a frame.
func framePlace(f session.ViewFrame) string {
	if f.Line > 0 {
		return fmt.Sprintf("%s:%d", f.Frame.File, f.Line)
	}
	return f.Frame.File + ":?" // a prediction has not told
}

// frameText is what a row says, where it is not cut.
func frameText(f session.ViewFrame) string {
	text := f.Function + "  " + framePlace(f)
	if l := f.Tells; l != nil {
		text += "  " + l.Name + "=" + l.Value
	}
	return text
}

func (p *stack) act(m *Model, action string) (tea.Cmd, bool) {
	if m.view == nil {
		return nil, false
	}
	n := len(m.view.Frames)
	switch action {
	case "select-frame":
		if p.cursor >= n {
			return nil, true
		}
		return m.selectFrame(p.frame(m, p.cursor)), true
	case "copy":
		if p.cursor >= n {
			return nil, true
		}
		f := m.view.Frames[p.frame(m, p.cursor)]
		return m.copy(fmt.Sprintf("%s:%d", f.Path, f.Line)), true
	}
	return nil, p.move(action, n)
}

func (p *stack) click(m *Model, _, y int) tea.Cmd {
	if row := p.top + y; row < len(m.view.Frames) {
		p.cursor = row
		return m.selectFrame(p.frame(m, row))
	}
	return nil
}

func (p *stack) wheel(m *Model, rows int) {
	if m.view != nil {
		p.scroll.wheel(rows, len(m.view.Frames))
	}
}

// plural is "1 frame" or "3 frames".
func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
