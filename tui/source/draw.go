package source

import (
	"fmt"
	"strconv"

	"github.com/dustin/go-humanize/english"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/breakpoint"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/highlight"
	"github.com/npdb/npdb/tui/pane"
)

// Draw draws the lines that are visible.
func (p *Pane) Draw(a *draw.Area, focused bool) {
	w, h := a.Size()
	doc := p.document()
	if doc == nil {
		return
	}
	if p.Rows != h { // after a change of size, the cursor's line stays visible
		p.Rows = h
		p.reveal()
	}
	p.Top = min(max(p.Top, 0), max(len(doc.lines)-h, 0))
	p.Cursor = min(max(p.Cursor, 0), max(len(doc.lines)-1, 0))
	digits := max(len(strconv.Itoa(len(doc.lines))), 3)
	p.gutter = 2 + digits + 2
	g := p.marks()
	p.width, p.raised = w, ""
	at, values := 0, map[int][]session.ViewLocal(nil)
	if p.View != nil {
		at = p.align(doc, w-p.gutter)
	}
	if p.Values && p.View != nil {
		values = p.values(doc)
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
		rest := text
		if b, ok := g.breaks[n]; ok {
			rest = p.drawHits(text, b, used)
		}
		if n == g.doubted {
			rest = g.doubt.AtEnd(rest, used)
		}
		behind := max(used+valuesGap, at)
		if n == g.here && p.View.Raised != "" {
			behind = p.drawRaised(rest, behind, used+valuesGap)
		}
		p.drawValues(rest, behind, values[n])
		switch n {
		case g.here:
			line.Overlay(draw.Rect{W: w, H: 1}, p.Style(themes.CurrentLine))
		case g.frame:
			line.Overlay(draw.Rect{W: w, H: 1}, p.Style(themes.FrameLine))
		}
		if n == g.doubted {
			g.doubt.Shade(line, w)
		}
		if focused && n == p.Cursor+1 {
			p.drawCursor(line, n, digits)
		}
		p.Mark(p.Context(), text.Sub(draw.Rect{W: used, H: 1}), doc.lines[n-1], p.left, n == p.Cursor+1)
	}
}

// gutter holds the marks beside the lines of a file.
type gutter struct {
	here, frame int // line numbers; 0 for none
	predicted   int
	streams     int // the line of a prediction that is streaming in
	breaks      map[int]breakpoint.Breakpoint
	doubted     int // the line that doubt is about
	doubt       pane.Doubt
}

// marks returns the gutter of the shown file.
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
		if p.View.Mode == session.Predicted {
			g.doubted, g.doubt = g.here, p.Doubt(p.View.Sureness, p.View.Sureness.Place())
			if d, ok := p.Misplaced(p.View.Checks); ok {
				g.doubt = d
			}
		}
	}
	if b := p.View.Beside; b != nil && b.State != nil && b.State.Line != g.here {
		if doc := p.docs[p.path]; doc != nil && doc.name == b.State.File {
			g.predicted = b.State.Line
			g.doubted, g.doubt = g.predicted, p.Doubt(b.Sureness, b.Sureness.Place())
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
		glyph, role := pane.BreakpointGlyph(b)
		a.Text(0, 0, glyph, p.Style(role))
	}
	switch {
	case n == g.here && p.View.Raised != "":
		a.Text(1, 0, pane.GlyphRaised, p.Style(themes.TimelineException))
	case n == g.here:
		a.Text(1, 0, pane.GlyphHere, p.Style(themes.Here))
	case n == g.frame:
		a.Text(1, 0, pane.GlyphFrame, p.Style(themes.Frame))
	case n == g.streams:
		a.Text(1, 0, pane.GlyphPredicted, p.Style(themes.Predicted))
	case n == g.predicted:
		a.Text(1, 0, pane.GlyphPredicted, p.Style(themes.Differs))
	}
	a.Text(2, 0, fmt.Sprintf("%*d", digits, n), p.Style(themes.LineNumber))
}

// drawHits draws the hit count at the end of a breakpoint's line, if it is more than one and there
// is room; it returns the rest of the line.
func (p *Pane) drawHits(a *draw.Area, b breakpoint.Breakpoint, used int) *draw.Area {
	const gap = 2
	w, h := a.Size()
	hits := english.Plural(b.Hits, "hit", "")
	if b.Hits < 2 || used+gap+len(hits) > w-1 {
		return a
	}
	a.Text(w-1-len(hits), 0, hits, p.Style(themes.Dim))
	return a.Sub(draw.Rect{W: w - 1 - len(hits) - gap, H: h})
}

// drawCursor draws the line number of the cursor's line in the cursor's style.
func (p *Pane) drawCursor(a *draw.Area, n, digits int) {
	a.Text(2, 0, fmt.Sprintf("%*d ", digits, n), p.Style(themes.Cursor))
}

// spans returns line n in the colors of its tokens.
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

// syntax maps kinds of tokens to roles of the theme.
var syntax = map[highlight.Kind]themes.Role{
	highlight.Text: themes.Text, highlight.Keyword: themes.SyntaxKeyword, highlight.Constant: themes.SyntaxConstant,
	highlight.Name: themes.SyntaxName, highlight.Attribute: themes.SyntaxName, highlight.Argument: themes.SyntaxName,
	highlight.Builtin: themes.SyntaxBuiltin, highlight.Function: themes.SyntaxFunction, highlight.Class: themes.SyntaxClass,
	highlight.Module: themes.SyntaxName, highlight.Decorator: themes.SyntaxDecorator, highlight.Number: themes.SyntaxNumber,
	highlight.String: themes.SyntaxString, highlight.Escape: themes.SyntaxEscape, highlight.Comment: themes.SyntaxComment,
	highlight.Operator: themes.SyntaxOperator, highlight.Punctuation: themes.SyntaxPunctuation,
}
