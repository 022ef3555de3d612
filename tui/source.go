package tui

import (
	"fmt"
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/highlight"
	"github.com/npdb/npdb/tui/keys"
)

// source shows the file of the selected frame: gutter, text, and at the ends of
// lines what their names hold.
type source struct {
	scroll
	path   string
	left   int  // columns scrolled to the right
	values bool // at the ends of lines
	gutter int  // its columns, when it was drawn last
	column int  // at which values at the ends of lines begin
}

// Glyphs of the gutter. They differ in shape, so that they can be told apart
// without colors.
const (
	glyphBreakpoint  = "●"
	glyphConditional = "◆"
	glyphDisabled    = "○"
	glyphHere        = "→"
	glyphFrame       = "»"
	glyphEllipsis    = "…"
)

func newSource() *source { return &source{values: true} }

func (p *source) context() keys.Context { return keys.Source }

func (p *source) title(m *Model) (name, more string) {
	more = "starting"
	if doc := m.docs[p.path]; doc != nil {
		more = doc.name
	}
	return "source", more
}

// document is what is shown; while the program starts it is the only one there.
func (p *source) document(m *Model) *document {
	if m.view == nil && p.path == "" {
		for path := range m.docs {
			p.path = path
		}
	}
	return m.docs[p.path]
}

// stopped goes to the selected frame's line. What shows stays where it is for as
// long as the line is in sight.
func (p *source) stopped(m *Model) {
	f, ok := m.frame()
	if !ok || f.Path == "" {
		return
	}
	if f.Path != p.path {
		p.path, p.top, p.left = f.Path, 0, 0
	}
	if f.Line > 0 {
		p.cursor = f.Line - 1
		p.scrollTo(p.rows / 3) // not with every stop near the edge
	}
}

// reveal scrolls so that the cursor's line is in sight, with some lines around it.
func (p *source) reveal() { p.scrollTo(0) }

// scrollTo is reveal that scrolls so many lines more than it must, if it must.
func (p *source) scrollTo(more int) {
	margin := min(3, max(p.rows/4, 0))
	switch {
	case p.rows == 0:
		p.top = max(p.cursor-8, 0)
	case p.cursor < p.top || p.cursor >= p.top+p.rows:
		p.top = max(p.cursor-p.rows/3, 0)
	case p.cursor < p.top+margin:
		p.top = max(p.cursor-margin-more, 0)
	case p.cursor >= p.top+p.rows-margin:
		p.top = p.cursor - p.rows + margin + 1 + more
	}
}

func (p *source) draw(m *Model, a *draw.Area, focused bool) {
	w, h := a.Size()
	doc := p.document(m)
	if doc == nil {
		return
	}
	if p.rows != h { // another size: what mattered stays in sight
		p.rows = h
		p.reveal()
	}
	p.top = min(max(p.top, 0), max(len(doc.lines)-h, 0))
	p.cursor = min(max(p.cursor, 0), max(len(doc.lines)-1, 0))
	digits := max(len(strconv.Itoa(len(doc.lines))), 3)
	p.gutter = 2 + digits + 2
	g := gutterOf(m, p.path)
	if p.values && m.view != nil {
		p.align(m, doc, h, w-p.gutter)
	}
	for row := range h {
		n := p.top + row + 1
		if n > len(doc.lines) {
			break
		}
		line := a.Sub(draw.Rect{Y: row, W: w, H: 1})
		p.drawGutter(m, line, g, n, digits)
		text := line.Sub(draw.Rect{X: p.gutter, W: w - p.gutter, H: 1})
		used := text.Spans(0, 0, p.spans(m, doc, n), p.left)
		if used == w-p.gutter && m.measure.Width(doc.lines[n-1])-p.left > used {
			text.Text(used-1, 0, glyphEllipsis, m.style(themes.Dim))
		}
		if p.values && m.view != nil {
			p.drawValues(m, text, doc, n, used)
		}
		switch n {
		case g.here:
			line.Overlay(draw.Rect{W: w, H: 1}, m.style(themes.CurrentLine))
		case g.frame:
			line.Overlay(draw.Rect{W: w, H: 1}, m.style(themes.FrameLine))
		}
		if focused && n == p.cursor+1 {
			p.drawCursor(m, line, n, digits)
		}
		m.searchIn(sourcePane).mark(m, text.Sub(draw.Rect{W: used, H: 1}), doc.lines[n-1], p.left, n == p.cursor+1)
	}
}

// gutter is what is marked beside the lines of a file.
type gutter struct {
	here, frame int // lines; 0 for none
	predicted   int
	breaks      map[int]session.Breakpoint
}

func gutterOf(m *Model, path string) gutter {
	g := gutter{breaks: map[int]session.Breakpoint{}}
	if m.view == nil {
		return g
	}
	for _, b := range m.view.Breakpoints {
		if was, twice := g.breaks[b.Line]; b.File == path && (!twice || !was.Enabled) {
			g.breaks[b.Line] = b
		}
	}
	last := m.view.Here
	if f, ok := m.frame(); ok && f.Path == path && m.view.Selected != last {
		g.frame = f.Line
	}
	if last >= 0 && last < len(m.view.Frames) && m.view.Frames[last].Path == path {
		g.here = m.view.Frames[last].Line
	}
	if b := m.view.Beside; b != nil && b.State != nil && b.State.Line != g.here {
		if doc := m.docs[path]; doc != nil && doc.name == b.State.File {
			g.predicted = b.State.Line
		}
	}
	return g
}

func (p *source) drawGutter(m *Model, a *draw.Area, g gutter, n, digits int) {
	if b, ok := g.breaks[n]; ok {
		glyph, role := glyphBreakpoint, themes.Breakpoint
		switch {
		case !b.Enabled:
			glyph, role = glyphDisabled, themes.BreakpointDisabled
		case b.Condition != "" || b.Ignore > 0:
			glyph, role = glyphConditional, themes.BreakpointConditional
		}
		a.Text(0, 0, glyph, m.style(role))
	}
	switch n {
	case g.here:
		a.Text(1, 0, glyphHere, m.style(themes.Here))
	case g.frame:
		a.Text(1, 0, glyphFrame, m.style(themes.Frame))
	case g.predicted:
		a.Text(1, 0, glyphPredicted, m.style(themes.Differs))
	}
	a.Text(2, 0, fmt.Sprintf("%*d", digits, n), m.style(themes.LineNumber))
}

// drawCursor draws a line's number as that of the line that the keys act on.
func (p *source) drawCursor(m *Model, a *draw.Area, n, digits int) {
	a.Text(2, 0, fmt.Sprintf("%*d ", digits, n), m.style(themes.Cursor))
}

// spans is a line in its colors.
func (p *source) spans(m *Model, doc *document, n int) []draw.Span {
	if n > len(doc.tokens) {
		return []draw.Span{{Text: doc.lines[n-1], Style: m.style(themes.Text)}}
	}
	tokens := doc.tokens[n-1]
	spans := make([]draw.Span, len(tokens))
	for i, t := range tokens {
		spans[i] = draw.Span{Text: t.Text, Style: m.style(syntax[t.Kind])}
	}
	return spans
}

// syntax is the role of each kind of token.
var syntax = map[highlight.Kind]themes.Role{
	highlight.Text: themes.Text, highlight.Keyword: themes.SyntaxKeyword, highlight.Constant: themes.SyntaxConstant,
	highlight.Name: themes.SyntaxName, highlight.Attribute: themes.SyntaxName, highlight.Argument: themes.SyntaxName,
	highlight.Builtin: themes.SyntaxBuiltin, highlight.Function: themes.SyntaxFunction, highlight.Class: themes.SyntaxClass,
	highlight.Module: themes.SyntaxName, highlight.Decorator: themes.SyntaxDecorator, highlight.Number: themes.SyntaxNumber,
	highlight.String: themes.SyntaxString, highlight.Escape: themes.SyntaxEscape, highlight.Comment: themes.SyntaxComment,
	highlight.Operator: themes.SyntaxOperator, highlight.Punctuation: themes.SyntaxPunctuation,
}

// Room for values at the ends of lines, in columns.
const (
	valuesGap   = 2
	leastValues = 10
	leastValue  = 4
	mostValue   = 28
)

// drawValues shows what the names on a line hold now, where there is room. Only
// lines of the selected frame's own code are about its names.
func (p *source) drawValues(m *Model, a *draw.Area, doc *document, n, used int) {
	w, _ := a.Size()
	if used = max(used+valuesGap, p.column); w-used < leastValues {
		return
	}
	seen := map[string]bool{}
	for _, name := range p.named(m, doc, n) {
		i := slices.IndexFunc(m.view.Locals, func(l session.ViewLocal) bool { return l.Name == name && !l.Hidden })
		if i < 0 || seen[name] {
			continue
		}
		seen[name] = true
		label := name + "="
		room := w - used - m.measure.Width(label)
		if room < leastValue {
			break
		}
		text := label + m.measure.Cut(m.view.Locals[i].Value, min(room, mostValue))
		used += a.Text(used, 0, text, m.style(themes.InlineValue)) + 1
	}
}

// named are the names on a line that the selected frame may have values for: those
// of its own code.
func (p *source) named(m *Model, doc *document, n int) []string {
	if n > len(doc.names) || len(doc.names[n-1]) == 0 {
		return nil
	}
	if f, ok := m.frame(); !ok || f.Path != p.path || !p.same(doc, f, n) {
		return nil
	}
	return doc.names[n-1]
}

// align finds the column at which values stand below each other: behind the longest
// of the lines that show and have some, as long as that leaves a third for them.
func (p *source) align(m *Model, doc *document, h, w int) {
	p.column = 0
	room := max(min(w/3, mostValue), leastValues)
	for n := p.top + 1; n <= min(p.top+h, len(doc.lines)); n++ {
		if len(p.named(m, doc, n)) == 0 {
			continue
		}
		if at := m.measure.Width(doc.lines[n-1]) - p.left + valuesGap; at <= w-room {
			p.column = max(p.column, at)
		}
	}
}

// same reports whether a line belongs to the function that a frame is in.
func (p *source) same(doc *document, f session.ViewFrame, n int) bool {
	if f.Line == 0 {
		return false
	}
	at, in := doc.around(n)
	here, inside := doc.around(f.Line)
	if f.Function == "<module>" {
		return !in
	}
	return in && inside && at == here || inside && here.Name != f.Function && n == f.Line
}

func (p *source) act(m *Model, action string) (tea.Cmd, bool) {
	doc := p.document(m)
	if doc == nil {
		return nil, false
	}
	switch action {
	case "left":
		p.left = max(p.left-8, 0)
	case "right":
		p.left += 8
	default:
		if !p.move(action, len(doc.lines)) {
			return nil, false
		}
		p.reveal()
	}
	return nil, true
}

func (p *source) click(m *Model, x, y int) tea.Cmd {
	doc := p.document(m)
	n := p.top + y
	if doc == nil || n >= len(doc.lines) {
		return nil
	}
	p.cursor = n
	if x < p.gutter {
		return m.toggleBreakpoint()
	}
	return nil
}

func (p *source) wheel(m *Model, rows int) {
	if doc := p.document(m); doc != nil {
		p.scroll.wheel(rows, len(doc.lines))
	}
}

// line is the number of the line under the cursor, and where it is.
func (p *source) place() (path string, line int) { return p.path, p.cursor + 1 }

// frame is the selected frame, false where there is none.
func (m *Model) frame() (session.ViewFrame, bool) {
	if m.view == nil || m.view.Selected < 0 {
		return session.ViewFrame{}, false
	}
	return m.view.Frames[m.view.Selected], true
}

// show puts the cursor on a line of a file, if it is one of those shown so far.
func (p *source) show(m *Model, path string, line int) {
	if m.docs[path] == nil {
		m.flash = "That file was not run yet."
		return
	}
	p.path, p.cursor = path, line-1
	p.reveal()
}
