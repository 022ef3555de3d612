// Package breakpoints is the pane that lists breakpoints, watchpoints and catchpoints.
package breakpoints

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/dustin/go-humanize/english"

	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/breakpoint"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/keys"
	"github.com/npdb/npdb/tui/pane"
)

// Pane lists the breakpoints.
type Pane struct {
	pane.List
	leaving []int // the numbers of those that are being deleted
}

// New returns an empty list.
func New(s *pane.Screen) *Pane {
	return &Pane{List: pane.List{Screen: s, In: keys.Breakpoints, Len: func(v *session.View) int { return len(v.Breakpoints) }}}
}

// Title returns the pane's name and the number of breakpoints.
func (p *Pane) Title() (name, more string) {
	if p.View != nil && len(p.View.Breakpoints) > 0 {
		more = fmt.Sprint(len(p.View.Breakpoints))
	}
	return "breakpoints", more
}

// Stopped does nothing: the pane draws the view's list.
func (p *Pane) Stopped() {}

// Draw draws the visible rows.
func (p *Pane) Draw(a *draw.Area, focused bool) {
	w, h := a.Size()
	if p.View == nil {
		return
	}
	n := len(p.View.Breakpoints)
	if n == 0 {
		a.Text(1, 0, p.Measure.Cut("none: "+p.KeyFor("toggle-breakpoint")+" in the source sets one", max(w-2, 0)), p.Style(themes.Dim))
	}
	c := p.columns(w)
	if focused && n > 0 {
		h -= p.drawCondition(a, p.View.Breakpoints[min(max(p.Cursor, 0), n-1)], c)
	}
	p.DrawRows(a, h, focused, 1, func(line *draw.Area, i int) string {
		spans := p.spans(p.View.Breakpoints[i], c)
		line.Spans(1, 0, p.Measure.CutSpans(spans, max(w-1, 0)), 0)
		return draw.SpansText(spans)
	})
}

// columns holds the widths of the list's columns; all is the width of a row without hits, which are
// at the right end.
type columns struct{ number, place, all, hits int }

// columns computes the widths for a pane of w columns.
func (p *Pane) columns(w int) columns {
	c := columns{all: max(w-1, 0)}
	for _, b := range p.View.Breakpoints {
		c.number = max(c.number, len(fmt.Sprint(b.Number)))
		c.place = max(c.place, p.Measure.Width(subjectOf(b)))
		c.hits = max(c.hits, len(hits(b)))
	}
	const leastPlace, gap, margin = 12, 2, 1
	c.place = min(c.place, max(w/3, leastPlace))
	if c.hits > 0 {
		c.all = max(c.all-gap-c.hits-margin, 0)
	}
	return c
}

// spans formats a row: first what makes the breakpoint stop, then its condition, and if there is
// room its source line. The condition is cut before the rest.
func (p *Pane) spans(b breakpoint.Breakpoint, c columns) []draw.Span {
	glyph, role := pane.BreakpointGlyph(b)
	dim := p.Style(themes.Dim)
	counts := counts(b)
	columns := c.place
	if !b.OnLine() { // no source line follows
		const least = 10 // for a condition
		room := c.all - p.Measure.Width(glyph) - c.number - 3 - p.Measure.Width(counts)
		if b.Condition != "" {
			room -= least
		}
		columns = max(columns, room)
	}
	place := p.cutSubject(b, columns)
	pad := strings.Repeat(" ", max(c.place-p.Measure.Width(place), 0))
	spans := []draw.Span{
		{Text: glyph, Style: p.Style(role)},
		{Text: fmt.Sprintf(" %*d  %s%s", c.number, b.Number, place, pad), Style: p.Style(themes.Text)},
	}
	free := c.all - p.Measure.SpansWidth(spans)
	if b.Condition != "" {
		const gap, least = 2, 8
		room := max(free-gap-p.Measure.Width(counts), least)
		condition := p.Measure.Cut("if "+b.Condition, room)
		spans = append(spans, draw.Span{Text: "  ", Style: dim}, draw.Span{Text: condition, Style: p.Style(themes.BreakpointConditional)})
	}
	spans = append(spans, draw.Span{Text: counts, Style: dim})
	const gap, leastText = 2, 8
	if p.Measure.SpansWidth(spans)+gap+leastText <= c.all {
		spans = append(spans, draw.Span{Text: "  " + strings.TrimSpace(b.Anchor.Text), Style: dim})
	}
	spans = p.Measure.CutSpans(spans, c.all)
	if hits := hits(b); hits != "" {
		space := strings.Repeat(" ", max(c.all-p.Measure.SpansWidth(spans)+2+c.hits-len(hits), 2))
		spans = append(spans, draw.Span{Text: space + hits, Style: dim})
	}
	return spans
}

// textOf returns the uncut text of a row, for a search.
func textOf(b breakpoint.Breakpoint) string {
	text := fmt.Sprintf("%d  %s", b.Number, subjectOf(b))
	if b.Condition != "" {
		text += "  if " + b.Condition
	}
	return text + counts(b) + "  " + strings.TrimSpace(b.Anchor.Text) + "  " + hits(b)
}

// counts describes when a breakpoint will stop: whether it is pending, how many hits it ignores,
// and whether it stops only once.
func counts(b breakpoint.Breakpoint) string {
	var text string
	if b.Pending {
		text += "  pending"
	}
	if b.Ignore > 0 {
		text += fmt.Sprintf("  ignores %d", b.Ignore)
	}
	if b.Temporary {
		text += "  once"
	}
	return text
}

// hits describes how often a breakpoint has stopped, "" for never.
func hits(b breakpoint.Breakpoint) string {
	if b.Hits == 0 {
		return ""
	}
	return english.Plural(b.Hits, "hit", "")
}

// drawCondition draws a condition that does not fit its row at the bottom of the pane, and returns
// the rows that it uses.
func (p *Pane) drawCondition(a *draw.Area, b breakpoint.Breakpoint, c columns) int {
	const margin = 3
	w, h := a.Size()
	whole := "if " + b.Condition
	if b.Condition == "" || w <= 2*margin || strings.Contains(draw.SpansText(p.spans(b, c)), whole) {
		return 0
	}
	var rows []string
	for row := range p.Measure.Wrap(whole, w-margin-1) {
		if len(rows) == h/2 {
			if n := len(rows); n > 0 {
				rows[n-1] = p.Measure.Cut(rows[n-1]+row, w-margin-1)
			}
			break
		}
		rows = append(rows, row)
	}
	for i, row := range rows {
		a.Text(margin, h-len(rows)+i, row, p.Style(themes.BreakpointConditional))
	}
	return len(rows)
}

// placeOf formats a file and a line.
func placeOf(file string, line int) string { return fmt.Sprintf("%s:%d", filepath.Base(file), line) }

// subjectOf returns the place of a breakpoint, the expression of a watchpoint, or the type of a
// catchpoint.
func subjectOf(b breakpoint.Breakpoint) string {
	switch {
	case b.Watch != "":
		return "watch " + b.Subject()
	case b.Catch != "":
		return "catch " + b.Subject()
	}
	return placeOf(b.File, b.Line)
}

// cutSubject returns subjectOf, cut to a number of columns.
func (p *Pane) cutSubject(b breakpoint.Breakpoint, columns int) string {
	if b.OnLine() {
		return p.cutPlace(b.File, b.Line, columns)
	}
	return p.Measure.Cut(subjectOf(b), columns)
}

// cutPlace returns placeOf, cut to a number of columns. It cuts the file's name, never the
// line.
func (p *Pane) cutPlace(file string, line, columns int) string {
	place := placeOf(file, line)
	if p.Measure.Width(place) <= columns {
		return place
	}
	number := fmt.Sprintf(":%d", line)
	return p.Measure.Cut(filepath.Base(file), max(columns-len(number), 1)) + number
}

// Act does an action on the row at the cursor.
func (p *Pane) Act(action string) (tea.Cmd, bool) {
	if p.View == nil {
		return nil, false
	}
	list := p.View.Breakpoints
	if p.Move(action, len(list)) {
		return nil, true
	}
	if p.Cursor >= len(list) {
		return nil, false
	}
	b := list[p.Cursor]
	switch action {
	case "delete-breakpoint":
		return p.delete(), true
	case "enable-breakpoint":
		return p.Orders.EnableBreakpoint(b.Number), true
	case "show-breakpoint":
		if !b.OnLine() {
			p.Flash = "It is on no line: it stops wherever " + b.Subject() + map[bool]string{true: " changes.", false: " is raised."}[b.Watch != ""]
			return nil, true
		}
		return tea.Batch(p.ShowLine(b.File, b.Line), p.Focus(keys.Source)), true
	case "edit-breakpoint":
		p.Type(keys.CommandLine, pane.ConditionLine(b))
		return nil, true
	}
	return nil, false
}

// delete deletes the breakpoint under the cursor. One that is being deleted is skipped, so that
// the key can be repeated fast.
func (p *Pane) delete() tea.Cmd {
	if p.Running == nil {
		p.leaving = nil
	}
	var left []int
	for _, b := range p.View.Breakpoints {
		if !slices.Contains(p.leaving, b.Number) {
			left = append(left, b.Number)
		}
	}
	if len(left) == 0 {
		return nil
	}
	number := left[min(p.Cursor, len(left)-1)]
	p.leaving = append(p.leaving, number)
	return p.Orders.DeleteBreakpoint(number)
}

// Click moves the cursor to the clicked breakpoint and shows its line.
func (p *Pane) Click(_, y int) tea.Cmd {
	if row := p.Top + y; y < p.Rows && row < len(p.View.Breakpoints) {
		p.Cursor = row
		if b := p.View.Breakpoints[row]; b.OnLine() {
			return p.ShowLine(b.File, b.Line)
		}
	}
	return nil
}

// Texts returns the texts of the rows for a search.
func (p *Pane) Texts() (int, func(int) string) {
	return p.Count(), func(i int) string { return textOf(p.View.Breakpoints[i]) }
}
