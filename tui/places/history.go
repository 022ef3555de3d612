package places

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/dustin/go-humanize/english"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/visit"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/keys"
	"github.com/npdb/npdb/tui/pane"
)

// History draws the tree of the states that were shown, one in each row, or a list of places: the hops
// of a value's origin, the hits of a logpoint, or lines of output.
type History struct {
	pane.List
	listed *listed       // nil while the history is drawn
	of     *session.View // the view of rows
	shown  int           // number of the shown visit in it
	rows   []visit.Row
	width  int // columns of a row when it was drawn last
}

// NewHistory returns an empty tree.
func NewHistory(s *pane.Screen) *History {
	p := &History{}
	p.List = pane.List{Screen: s, In: keys.History, Len: func(v *session.View) int {
		if p.listed != nil {
			return p.listed.count()
		}
		return len(v.History)
	}}
	return p
}

// Title returns the pane's name, the number of the shown state, and how many states and branches
// there are, or how to close the list of places.
func (p *History) Title() (name, more string) {
	if p.listed != nil {
		return p.listed.title, p.KeyFor("cancel") + " closes"
	}
	if p.View == nil || p.View.Shown < 0 {
		return "history", ""
	}
	branches := 1
	for _, r := range p.tree() {
		if r.Begins {
			branches++
		}
	}
	more = fmt.Sprintf("#%d of %s", p.View.History[p.View.Shown].Number, english.Plural(len(p.View.History), "state", ""))
	if branches > 1 {
		more += fmt.Sprintf(", %d branches", branches)
	}
	return "history", more
}

// tree returns the rows of the shown history. For a new view it moves the cursor to the shown state
// if that is another one than before, else keeps it at its visit.
func (p *History) tree() []visit.Row {
	if p.of == p.View {
		return p.rows
	}
	at := 0
	if p.of != nil && p.Cursor < len(p.rows) {
		at = p.of.History[p.rows[p.Cursor].Index].Number
	}
	p.of, p.rows = p.View, visit.Rows(p.View.History)
	if p.View.Shown >= 0 {
		if shown := p.View.History[p.View.Shown].Number; shown != p.shown {
			p.shown, at = shown, shown
		}
	}
	for row, r := range p.rows {
		if p.View.History[r.Index].Number == at {
			p.Cursor = row
		}
	}
	return p.rows
}

// visit returns the visit of a row.
func (p *History) visit(row int) *session.Visit { return &p.View.History[p.tree()[row].Index] }

// Stopped does nothing: the rows are computed when they are needed.
func (p *History) Stopped() {}

// Draw draws the visible rows.
func (p *History) Draw(a *draw.Area, focused bool) {
	w, h := a.Size()
	if p.View == nil {
		return
	}
	const left = 3
	p.width = max(w-left, 0)
	if p.listed == nil {
		p.tree() // moves the cursor
	}
	p.DrawRows(a, h, focused, left, func(line *draw.Area, row int) string {
		if p.listed != nil {
			return p.drawPlace(line, row)
		}
		if p.tree()[row].Index == p.View.Shown {
			line.Text(1, 0, pane.GlyphHere, p.Style(themes.Here))
		}
		spans := p.spans(row, p.width)
		line.Spans(left, 0, p.Measure.CutSpans(spans, p.width), 0)
		return draw.SpansText(spans)
	})
}

// spans formats a row of w columns: the visit's number, the lines of the branches, its place, names,
// command, what is new, and its origin.
func (p *History) spans(row, w int) []draw.Span {
	v, dim := p.visit(row), p.Style(themes.Dim)
	digits := len(fmt.Sprint(p.View.History[len(p.View.History)-1].Number))
	// Deep branches leave room for what is in them.
	prefix := p.Measure.CutFront(p.tree()[row].Prefix, max(w/3, 2))
	spans := []draw.Span{
		{Text: fmt.Sprintf("%*d ", digits, v.Number), Style: dim},
		{Text: prefix, Style: dim},
		{Text: v.Place(), Style: p.Origin(v.Origin)},
	}
	if len(v.Marks) > 0 {
		spans = append(spans, draw.Span{Text: "  [" + strings.Join(v.Marks, ", ") + "]", Style: p.Style(themes.Title)})
	}
	for _, name := range v.Marks {
		if note := v.Notes[name]; note != "" {
			spans = append(spans, draw.Span{Text: "  " + escape.Line(note), Style: p.Style(themes.Text)})
		}
	}
	if run := session.RunBegun(p.View.History, v); run > 0 {
		spans = append(spans, draw.Span{Text: fmt.Sprintf("  run %d", run), Style: p.Style(themes.Title)})
	}
	for _, text := range []string{v.Command, v.Detail} {
		if text != "" {
			spans = append(spans, draw.Span{Text: "  " + text, Style: dim})
		}
	}
	if v.Origin != dsl.Real {
		spans = append(spans, draw.Span{Text: "  " + v.Origin.String(), Style: dim})
	}
	return spans
}

// Act does an action on the row at the cursor.
func (p *History) Act(action string) (tea.Cmd, bool) {
	if p.View == nil {
		return nil, false
	}
	if p.listed != nil {
		return p.actOnListed(action)
	}
	if p.Cursor >= len(p.tree()) {
		return nil, false
	}
	switch number := p.visit(p.Cursor).Number; action {
	case "show-state":
		return p.Orders.Visit(number), true
	case "mark-state":
		p.Type(keys.CommandLine, "mark "+session.VisitName(number)+" ")
	case "compare-state":
		return p.Orders.Diff(number), true
	case "prune-branch":
		return p.Orders.Prune(number), true
	case "restore-branch":
		return p.Orders.Restore(), true
	default:
		return nil, p.Move(action, len(p.View.History))
	}
	return nil, true
}

// Click shows the clicked state, or goes to the clicked place.
func (p *History) Click(_, y int) tea.Cmd {
	row := p.Top + y
	if row >= p.Count() {
		return nil
	}
	p.Cursor = row
	if p.listed != nil {
		return p.goTo(row)
	}
	return p.Orders.Visit(p.visit(row).Number)
}

// Texts returns the texts of the rows for a search.
func (p *History) Texts() (int, func(int) string) {
	if p.listed != nil {
		return p.Count(), func(i int) string { return draw.SpansText(p.placeSpans(i)) }
	}
	return p.Count(), func(i int) string { return draw.SpansText(p.spans(i, p.width)) }
}
