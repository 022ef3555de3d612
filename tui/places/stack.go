// Package places shows where a program is and was: the stack, the history, and the timeline of the
// whole recording.
package places

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/dustin/go-humanize/english"

	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/keys"
	"github.com/npdb/npdb/tui/pane"
)

// Stack lists the activations, the newest first.
type Stack struct{ pane.List }

// NewStack returns an empty list.
func NewStack(s *pane.Screen) *Stack {
	return &Stack{pane.List{Screen: s, In: keys.Stack, Len: func(v *session.View) int { return len(v.Frames) }}}
}

// Title returns the pane's name and the number of frames.
func (p *Stack) Title() (name, more string) {
	if p.View != nil && len(p.View.Frames) > 0 {
		more = english.Plural(len(p.View.Frames), "frame", "")
	}
	return "stack", more
}

// index returns the index in View.Frames of a row.
func (p *Stack) index(row int) int { return len(p.View.Frames) - 1 - row }

// Stopped moves the cursor to the selected frame.
func (p *Stack) Stopped() { p.Cursor, p.Top = p.index(p.View.Selected), 0 }

// Draw draws the visible rows.
func (p *Stack) Draw(a *draw.Area, focused bool) {
	w, h := a.Size()
	if p.View == nil {
		return
	}
	places := p.placeColumn(w)
	p.DrawRows(a, h, focused, 3, func(line *draw.Area, row int) string {
		i := p.index(row)
		return p.drawFrame(line, p.View.Frames[i], i == p.View.Selected, places)
	})
	if p.Stale() {
		a.Overlay(draw.Rect{W: w, H: h}, p.Style(themes.Dim))
	}
}

// placeColumn returns the column of the frames' places, after their names. It changes in steps, so
// that a slightly longer name does not move it.
func (p *Stack) placeColumn(w int) int {
	const least, step, gap = 12, 4, 2
	functions, names, places := 0, 0, 0
	var last session.ViewFrame
	for _, f := range p.View.Frames {
		if f.Function != last.Function || f.Class != last.Class { // a recursion has many equal frames
			functions, names = max(functions, p.Measure.Width(f.Function)), max(names, p.Measure.Width(frameName(f)))
			places, last = max(places, p.Measure.Width(framePlace(f))), f
		}
	}
	stepped := func(columns int) int { return max((columns+gap+step-1)/step*step, least) }
	room := w - 3 - places
	switch {
	case stepped(names) <= room:
		return stepped(names)
	case names+gap <= room:
		return names + gap
	}
	// A class gets the room that the functions and the places leave.
	return max(min(stepped(functions), (w-3)/2), min(room, names+gap), 1)
}

// drawFrame draws the row of a frame, and returns its text from column 3 on. A library's long path
// is cut at its beginning.
func (p *Stack) drawFrame(a *draw.Area, f session.ViewFrame, selected bool, column int) string {
	const left, gap = 3, 2
	w, _ := a.Size()
	name := p.Style(themes.Text)
	if selected {
		a.Text(1, 0, pane.GlyphFrame, p.Style(themes.Frame))
		name = p.Style(themes.Frame)
	}
	dim := p.Style(themes.Dim)
	function := p.Measure.Cut(f.Function, max(column-gap, 1))
	class := p.classIn(f, column-gap-p.Measure.Width(function))
	space := max(column-p.Measure.Width(function+class), gap)
	room := w - left - p.Measure.Width(function+class) - space
	spans := []draw.Span{
		{Text: function, Style: name},
		{Text: class + strings.Repeat(" ", space), Style: dim},
		{Text: p.Measure.CutFront(framePlace(f), room), Style: dim},
	}
	if told := p.told(f, w-left-p.Measure.SpansWidth(spans)-gap); told != "" {
		spans = append(spans, draw.Span{Text: "  ", Style: dim}, draw.Span{Text: told, Style: p.Style(themes.InlineValue)})
	}
	spans = p.Measure.CutSpans(spans, max(w-left, 1))
	a.Spans(left, 0, spans, 0)
	return draw.SpansText(spans)
}

// frameName returns a frame's function, and its class if it is a method: "expr [Parser]".
func frameName(f session.ViewFrame) string {
	if f.Class == "" {
		return f.Function
	}
	return f.Function + " [" + f.Class + "]"
}

// classIn returns the part of the class that fits after the function, "" if that would be too
// short.
func (p *Stack) classIn(f session.ViewFrame, room int) string {
	const brackets, least = 3, 3
	if f.Class == "" || room-brackets < min(p.Measure.Width(f.Class), least) {
		return ""
	}
	return " [" + p.Measure.Cut(f.Class, room-brackets) + "]"
}

// told returns what distinguishes a frame from others of its function: a name and its value, or
// the part of the value from the first difference on.
func (p *Stack) told(f session.ViewFrame, room int) string {
	const least = 6 // less text would not distinguish frames
	l := f.Tells
	if l == nil {
		return ""
	}
	text := l.Name + "=" + l.Value
	if room < min(p.Measure.Width(text), least) {
		return ""
	}
	if p.Measure.Width(text) <= room || f.TellsFrom == 0 {
		return p.Measure.Cut(text, room)
	}
	rest := l.Value[f.TellsFrom:]
	part, _, more := strings.Cut(rest, ",")
	need := p.Measure.Width(part)
	if more {
		need++ // for an ellipsis
	}
	name := l.Name + "=" + pane.GlyphEllipsis
	if room-p.Measure.Width(name) < need {
		name = pane.GlyphEllipsis // the difference is more important than the name
	}
	return name + p.Measure.Cut(rest, max(room-p.Measure.Width(name), 1))
}

// framePlace returns the file and line of a frame.
func framePlace(f session.ViewFrame) string {
	if f.Line > 0 {
		return fmt.Sprintf("%s:%d", f.Frame.File, f.Line)
	}
	return f.Frame.File + ":?" // the prediction has no line
}

// frameText returns the uncut text of a row, for a search.
func frameText(f session.ViewFrame) string {
	text := frameName(f) + "  " + framePlace(f)
	if l := f.Tells; l != nil {
		text += "  " + l.Name + "=" + l.Value
	}
	return text
}

// Act does an action on the row at the cursor.
func (p *Stack) Act(action string) (tea.Cmd, bool) {
	if p.View == nil {
		return nil, false
	}
	n := len(p.View.Frames)
	switch action {
	case "select-frame":
		if p.Cursor >= n {
			return nil, true
		}
		return p.Orders.SelectFrame(p.index(p.Cursor)), true
	case "copy":
		if p.Cursor >= n {
			return nil, true
		}
		f := p.View.Frames[p.index(p.Cursor)]
		return p.Copy(fmt.Sprintf("%s:%d", f.Path, f.Line)), true
	}
	return nil, p.Move(action, n)
}

// Click selects the clicked frame.
func (p *Stack) Click(_, y int) tea.Cmd {
	if row := p.Top + y; row < len(p.View.Frames) {
		p.Cursor = row
		return p.Orders.SelectFrame(p.index(row))
	}
	return nil
}

// Texts returns the texts of the rows for a search.
func (p *Stack) Texts() (int, func(int) string) {
	return p.Count(), func(row int) string { return frameText(p.View.Frames[p.index(row)]) }
}
