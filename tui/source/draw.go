package source

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/breakpoint"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/highlight"
	"github.com/npdb/npdb/tui/pane"
)

// Draw draws the lines that are in sight.
func (p *Pane) Draw(a *draw.Area, focused bool) {
	w, h := a.Size()
	doc := p.document()
	if doc == nil {
		return
	}
	if p.Rows != h { // another size: what mattered stays in sight
		p.Rows = h
		p.reveal()
	}
	p.Top = min(max(p.Top, 0), max(len(doc.lines)-h, 0))
	p.Cursor = min(max(p.Cursor, 0), max(len(doc.lines)-1, 0))
	digits := max(len(strconv.Itoa(len(doc.lines))), 3)
	p.gutter = 2 + digits + 2
	g := p.marks()
	if p.Values && p.View != nil {
		p.align(doc, h, w-p.gutter)
	}
	for row := range h {
		n := p.Top + row + 1
		if n > len(doc.lines) {
			break
		}
		line := a.Sub(draw.Rect{Y: row, W: w, H: 1})
		p.drawGutter(line, g, n, digits)
		text := line.Sub(draw.Rect{X: p.gutter, W: w - p.gutter, H: 1})
		used := text.Spans(0, 0, p.spans(doc, n), p.left)
		if used == w-p.gutter && p.Measure.Width(doc.lines[n-1])-p.left > used {
			text.Text(used-1, 0, pane.GlyphEllipsis, p.Style(themes.Dim))
		}
		if p.Values && p.View != nil {
			p.drawValues(text, doc, n, used)
		}
		switch n {
		case g.here:
			line.Overlay(draw.Rect{W: w, H: 1}, p.Style(themes.CurrentLine))
		case g.frame:
			line.Overlay(draw.Rect{W: w, H: 1}, p.Style(themes.FrameLine))
		}
		if focused && n == p.Cursor+1 {
			p.drawCursor(line, n, digits)
		}
		p.Mark(p.Context(), text.Sub(draw.Rect{W: used, H: 1}), doc.lines[n-1], p.left, n == p.Cursor+1)
	}
}

// gutter is what is marked beside the lines of a file.
type gutter struct {
	here, frame int // lines; 0 for none
	predicted   int
	streams     int // the line that a model is telling
	breaks      map[int]breakpoint.Breakpoint
}

// marks is the gutter of the file that shows.
func (p *Pane) marks() gutter {
	g := gutter{breaks: map[int]breakpoint.Breakpoint{}}
	if p.View == nil {
		return g
	}
	for _, b := range p.View.Breakpoints {
		if was, twice := g.breaks[b.Line]; b.File == p.path && (!twice || !was.Enabled) {
			g.breaks[b.Line] = b
		}
	}
	last := p.View.Here
	if f, ok := p.Frame(); ok && f.Path == p.path && p.View.Selected != last {
		g.frame = f.Line
	}
	if last >= 0 && last < len(p.View.Frames) && p.View.Frames[last].Path == p.path {
		g.here = p.View.Frames[last].Line
	}
	if b := p.View.Beside; b != nil && b.State != nil && b.State.Line != g.here {
		if doc := p.docs[p.path]; doc != nil && doc.name == b.State.File {
			g.predicted = b.State.Line
		}
	}
	if stop := p.Partial(); stop != nil && p.Stale() && p.Running.Partial.Known&dsl.KnownLine != 0 && stop.Line != g.here {
		if doc := p.docs[p.path]; doc != nil && doc.name == stop.File {
			g.streams = stop.Line
		}
	}
	return g
}

func (p *Pane) drawGutter(a *draw.Area, g gutter, n, digits int) {
	if b, ok := g.breaks[n]; ok {
		glyph, role := pane.GlyphBreakpoint, themes.Breakpoint
		switch {
		case !b.Enabled:
			glyph, role = pane.GlyphDisabled, themes.BreakpointDisabled
		case b.Condition != "" || b.Ignore > 0:
			glyph, role = pane.GlyphConditional, themes.BreakpointConditional
		}
		a.Text(0, 0, glyph, p.Style(role))
	}
	switch n {
	case g.here:
		a.Text(1, 0, pane.GlyphHere, p.Style(themes.Here))
	case g.frame:
		a.Text(1, 0, pane.GlyphFrame, p.Style(themes.Frame))
	case g.streams:
		a.Text(1, 0, pane.GlyphPredicted, p.Style(themes.Predicted))
	case g.predicted:
		a.Text(1, 0, pane.GlyphPredicted, p.Style(themes.Differs))
	}
	a.Text(2, 0, fmt.Sprintf("%*d", digits, n), p.Style(themes.LineNumber))
}

// drawCursor draws a line's number as that of the line that the keys act on.
func (p *Pane) drawCursor(a *draw.Area, n, digits int) {
	a.Text(2, 0, fmt.Sprintf("%*d ", digits, n), p.Style(themes.Cursor))
}

// spans is a line in its colors.
func (p *Pane) spans(doc *document, n int) []draw.Span {
	if n > len(doc.tokens) {
		return []draw.Span{{Text: doc.lines[n-1], Style: p.Style(themes.Text)}}
	}
	tokens := doc.tokens[n-1]
	spans := make([]draw.Span, len(tokens))
	for i, t := range tokens {
		spans[i] = draw.Span{Text: t.Text, Style: p.Style(syntax[t.Kind])}
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
func (p *Pane) drawValues(a *draw.Area, doc *document, n, used int) {
	w, _ := a.Size()
	if used = max(used+valuesGap, p.column); w-used < leastValues {
		return
	}
	seen := map[string]bool{}
	for _, name := range p.named(doc, n) {
		i := slices.IndexFunc(p.View.Locals, func(l session.ViewLocal) bool { return l.Name == name && !l.Hidden })
		if i < 0 || seen[name] {
			continue
		}
		seen[name] = true
		label := name + "="
		room := w - used - p.Measure.Width(label)
		if room < leastValue {
			break
		}
		text := label + p.Measure.Cut(p.View.Locals[i].Value, min(room, mostValue))
		used += a.Text(used, 0, text, p.Style(themes.InlineValue)) + 1
	}
}

// named are the names on a line that the selected frame may have values for: those
// of its own code.
func (p *Pane) named(doc *document, n int) []string {
	if n > len(doc.names) || len(doc.names[n-1]) == 0 {
		return nil
	}
	if f, ok := p.Frame(); !ok || f.Path != p.path || !p.same(doc, f, n) {
		return nil
	}
	return doc.names[n-1]
}

// align finds the column at which values stand below each other: behind the longest
// of the lines that show and have some, as long as that leaves a third for them.
func (p *Pane) align(doc *document, h, w int) {
	p.column = 0
	room := max(min(w/3, mostValue), leastValues)
	for n := p.Top + 1; n <= min(p.Top+h, len(doc.lines)); n++ {
		if len(p.named(doc, n)) == 0 {
			continue
		}
		if at := p.Measure.Width(doc.lines[n-1]) - p.left + valuesGap; at <= w-room {
			p.column = max(p.column, at)
		}
	}
}

// same reports whether a line belongs to the function that a frame is in.
func (p *Pane) same(doc *document, f session.ViewFrame, n int) bool {
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
