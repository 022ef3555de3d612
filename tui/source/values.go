package source

import (
	"slices"
	"strings"

	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/themes"
)

// Room for values at the ends of lines, in columns.
const (
	valuesGap   = 2
	leastValues = 10
	leastValue  = 4
	mostValue   = 28
)

// values returns the values at the ends of lines: on the current line those of all its names, and
// new values on the last line that used the name. Lines that the frame has not run have none.
func (p *Pane) values(doc *document) map[int][]session.ViewLocal {
	f, ok := p.Frame()
	if !ok || f.Path != p.path {
		return nil
	}
	known, news := map[string]session.ViewLocal{}, map[string]bool{}
	for _, l := range p.View.Locals {
		if !l.Hidden {
			known[l.Name], news[l.Name] = l, p.View.Entered || l.New || l.Was != nil
		}
	}
	at := map[int][]session.ViewLocal{}
	for i, n := range append([]int{f.Line}, p.View.Ran...) {
		for _, name := range p.named(doc, f, n) {
			if l, ok := known[name]; ok && (i == 0 || news[name]) {
				at[n] = append(at[n], l)
				delete(known, name)
			}
		}
	}
	for _, locals := range at {
		slices.SortStableFunc(locals, func(a, b session.ViewLocal) int { return nested(a.Value) - nested(b.Value) })
	}
	return at
}

// nested returns 1 for the text of a container or an object, and 0 for that of a scalar.
func nested(value string) int {
	const looked = 64 // bytes; the name of a class may precede the bracket
	value = value[:min(len(value), looked)]
	if first := strings.IndexAny(value, `[({<'"`); first >= 0 && value[first] != '\'' && value[first] != '"' {
		return 1
	}
	return 0
}

// drawValues draws values from a column on, if there is room. The last one may use the rest of the
// room.
func (p *Pane) drawValues(a *draw.Area, x int, locals []session.ViewLocal) {
	w, _ := a.Size()
	if w-x < leastValues {
		return
	}
	for i, l := range locals {
		label := l.Name + "="
		room := w - x - p.Measure.Width(label)
		if room < min(leastValue, p.Measure.Width(l.Value)) {
			continue
		}
		if i < len(locals)-1 {
			room = min(room, mostValue)
		}
		x += a.Text(x, 0, label+p.Measure.Cut(l.Value, room), p.Style(themes.InlineValue)) + 1
	}
}

// drawRaised draws the exception of the current line from a column on, or after the line if it
// does not fit there, and returns where it ends. If there is no room the title shows it.
func (p *Pane) drawRaised(a *draw.Area, x, end int) int {
	w, _ := a.Size()
	words, _, _ := strings.Cut(p.View.Raised, "\n")
	width := p.Measure.Width(words)
	switch {
	case width <= w-x:
	case width <= w-end:
		x = end
	default:
		p.raised = words
		return x
	}
	return x + a.Text(x, 0, words, p.Style(themes.Error)) + valuesGap
}

// Sight returns for the title the exception that has no room on its line.
func (p *Pane) Sight() (shown, news string, role themes.Role) {
	const name = 12 // columns that "source" keeps
	return "", p.Measure.Cut(p.raised, max(p.width-name, 0)), themes.Error
}

// named returns the variables on a line that belongs to a frame's code, nil for another line.
func (p *Pane) named(doc *document, f session.ViewFrame, n int) []string {
	if n < 1 || n > len(doc.names) || len(doc.names[n-1]) == 0 || !p.same(doc, f, n) {
		return nil
	}
	return doc.names[n-1]
}

// column is the column of aligned values, and what it was computed for.
type column struct {
	doc           *document
	function      int // the first line of the function
	width, scroll int
	at            int
}

// align computes the column of aligned values: after the longest line of the frame's function that
// leaves nearly half of the room. So it does not move within a frame.
func (p *Pane) align(doc *document, w int) int {
	f, ok := p.Frame()
	if !ok || f.Path != p.path {
		return 0
	}
	from, to := 1, len(doc.lines)
	if in, inside := doc.around(f.Line); inside && f.Function != "<module>" {
		from, to = in.Line, min(in.EndLine, to)
	}
	c := column{doc: doc, function: from, width: w, scroll: p.left}
	if c.at = p.column.at; c == p.column {
		return c.at
	}
	c.at = 0
	room := max(w*9/20, leastValues)
	for n := from; n <= to; n++ {
		if len(p.named(doc, f, n)) == 0 {
			continue
		}
		if at := p.Measure.Width(doc.lines[n-1]) - p.left + valuesGap; at <= w-room {
			c.at = max(c.at, at)
		}
	}
	p.column = c
	return c.at
}

// same reports whether a line belongs to a frame's function.
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
