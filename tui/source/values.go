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

// values returns what stands at the ends of lines: at that of the current line what each of
// its names holds, and what is new since the stop before at the line that used it last.
// Lines that the frame has not run say nothing: what a name holds is not of them.
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
	const looked = 64 // columns: the name of a class may be in front
	value = value[:min(len(value), looked)]
	if first := strings.IndexAny(value, `[({<'"`); first >= 0 && value[first] != '\'' && value[first] != '"' {
		return 1
	}
	return 0
}

// drawValues shows what names hold from a column on, where there is room. The last one
// may have all that is left.
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

// drawRaised writes what the current line raised from a column on, or from where the
// line ends if it does not fit there, and returns where it ends. Where there is no room
// for it the title has it.
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

// Sight describes in the title what the current line raised, where the line has no room.
func (p *Pane) Sight() (shown, news string, role themes.Role) {
	const name = 12 // columns that "source" keeps
	return "", p.Measure.Cut(p.raised, max(p.width-name, 0)), themes.Error
}

// named returns the names on a line that a frame may have values for: those of its own code.
func (p *Pane) named(doc *document, f session.ViewFrame, n int) []string {
	if n < 1 || n > len(doc.names) || len(doc.names[n-1]) == 0 || !p.same(doc, f, n) {
		return nil
	}
	return doc.names[n-1]
}

// column is where values stand below each other, and what that was found for.
type column struct {
	doc           *document
	function      int // the line that it begins at
	width, scroll int
	at            int
}

// align finds the column at which values stand below each other: behind the longest
// line of the frame's function that leaves them nearly half of the room. So it stays
// where it is for as long as the frame does.
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
