package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/draw"
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

func (p *stack) stopped(m *Model) { p.cursor, p.top = p.frame(m, m.view.Selected), 0 }

func (p *stack) draw(m *Model, a *draw.Area, focused bool) {
	w, h := a.Size()
	if m.view == nil {
		return
	}
	n := len(m.view.Frames)
	p.fit(n, h)
	for row := p.top; row < min(n, p.top+h); row++ {
		i := p.frame(m, row)
		line := a.Sub(draw.Rect{Y: row - p.top, W: w, H: 1})
		p.drawFrame(m, line, m.view.Frames[i], i == m.view.Selected)
		if focused && row == p.cursor {
			line.Overlay(draw.Rect{W: w, H: 1}, m.style(themes.Selection))
		}
	}
}

func (p *stack) drawFrame(m *Model, a *draw.Area, f session.ViewFrame, selected bool) {
	w, _ := a.Size()
	name := m.style(themes.Text)
	if selected {
		a.Text(1, 0, glyphFrame, m.style(themes.Frame))
		name = m.style(themes.Frame)
	}
	place := framePlace(f)
	x := 3 + a.Text(3, 0, m.measure.Cut(f.Function, max(w-4, 1)), name)
	if room := w - x - 2; room > 3 {
		a.Text(x+2, 0, m.measure.Cut(place, room), m.style(themes.Dim))
	}
	m.searchIn(stackPane).mark(m, a.Sub(draw.Rect{X: 3, W: max(w-3, 0), H: 1}), frameText(f), 0)
}

// framePlace is the file and line of a frame.
func framePlace(f session.ViewFrame) string {
	if f.Line > 0 {
		return fmt.Sprintf("%s:%d", f.Frame.File, f.Line)
	}
	return f.Frame.File + ":?" // a prediction has not told
}

// frameText is what a row says, where it is not cut.
func frameText(f session.ViewFrame) string { return f.Function + "  " + framePlace(f) }

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
