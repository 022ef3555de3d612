// Package candidates shows the states to which a backward move may lead beside each other: a column
// for each candidate, a row for each field. It marks what differs from the shown candidate.
package candidates

import (
	"fmt"

	tea "charm.land/bubbletea/v2"
	"github.com/dustin/go-humanize/english"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/keys"
	"github.com/npdb/npdb/tui/pane"
)

// Pane is the table of candidates. Its cursor is on a row of the selected column.
type Pane struct {
	*pane.Screen
	pane.Scroll
	selected int // index of the selected candidate
	first    int // index of the first visible one
	table    table
	columns  columns // the visible columns when they were drawn last
}

// New returns an empty table.
func New(s *pane.Screen) *Pane { return &Pane{Screen: s} }

// Context returns the context of the pane.
func (p *Pane) Context() keys.Context { return keys.Candidates }

// of returns the candidates of the shown state, nil if it has none.
func (p *Pane) of() *backend.Candidates {
	if p.View == nil {
		return nil
	}
	return p.View.Candidates
}

// rows returns the rows of the table.
func (p *Pane) rows() []row {
	of := p.of()
	if of == nil {
		return nil
	}
	if p.table.of != of || p.table.shown != p.View.Candidate {
		p.table = tabulate(of, p.View.Candidate)
	}
	return p.table.rows
}

// Stopped selects the shown candidate if it is another one than before.
func (p *Pane) Stopped() {
	of := p.of()
	if of == nil {
		p.table = table{}
		return
	}
	if p.table.of != of || p.table.shown != p.View.Candidate {
		p.selected = p.View.Candidate
	}
	if p.table.of == nil {
		p.Scroll, p.first = pane.Scroll{}, 0
	}
	p.rows()
}

// Title returns the number of the shown candidate, and how the candidates were found.
func (p *Pane) Title() (name, more string) {
	of := p.of()
	if of == nil {
		return "candidates", ""
	}
	more = fmt.Sprintf("%d of %d · %s", p.View.Candidate+1, len(of.List), english.Plural(of.Answers, "answer", ""))
	if of.Search != "" {
		more += "; " + of.Search
	}
	return "candidates", more
}

// Sight describes which candidates and rows are visible, and how many of the other rows differ.
func (p *Pane) Sight() (shown, news string, role themes.Role) {
	role = themes.Differs
	of := p.of()
	if of == nil {
		return "", "", role
	}
	if n := len(p.columns.at); n < len(of.List) {
		shown = fmt.Sprintf("%d of %d columns", n, len(of.List))
	}
	rows := p.rows()
	if part := p.Shown(len(rows)); part != "" {
		if shown != "" {
			shown += ", "
		}
		shown += "rows " + part
	}
	differ := 0
	for i := range rows {
		if (i < p.Top || i >= p.Top+p.Rows) && rows[i].differs() {
			differ++
		}
	}
	if differ > 0 {
		news = english.Plural(differ, "more differs", "more differ")
	}
	return shown, news, role
}

// Fills counts the rows that show the whole table, the head and the text below it included.
func (p *Pane) Fills(w, most int) int {
	if p.of() == nil {
		return 0
	}
	const rule = 1
	return min(headRows+len(p.rows())+rule+p.detailRows(w), most)
}

// Act moves the cursor, or acts on the selected candidate.
func (p *Pane) Act(action string) (tea.Cmd, bool) {
	of := p.of()
	if of == nil {
		return nil, false
	}
	switch action {
	case "left":
		p.selected = max(p.selected-1, 0)
	case "right":
		p.selected = min(p.selected+1, len(of.List)-1)
	case "take-candidate":
		return p.Orders.TakeCandidate(p.selected + 1), true
	case "copy":
		if rows := p.rows(); p.Cursor < len(rows) {
			return p.Copy(rows[p.Cursor].cells[p.selected].text()), true
		}
	default:
		return nil, p.Move(action, len(p.rows()))
	}
	return nil, true
}

// Click selects the clicked candidate and row. A click on the head of the selected candidate shows
// it.
func (p *Pane) Click(x, y int) tea.Cmd {
	at, ok := p.columns.under(x)
	if !ok {
		at = p.selected
	}
	again := at == p.selected
	p.selected = at
	switch row := p.Top + y - headRows; {
	case y < headRows && again && ok:
		return p.Orders.TakeCandidate(at + 1)
	case y >= headRows && row < min(len(p.rows()), p.Top+p.Rows):
		p.Cursor = row
	}
	return nil
}

// Wheel scrolls.
func (p *Pane) Wheel(rows int) { p.Scroll.Wheel(rows, len(p.rows())) }

// Texts returns the texts of the rows for a search.
func (p *Pane) Texts() (n int, text func(i int) string) {
	rows := p.rows()
	return len(rows), func(i int) string { return rows[i].text() }
}

// detail describes a candidate in full: how likely it is, and its verification.
func detail(of *backend.Candidates, i int) string {
	c := of.List[i]
	return fmt.Sprintf("%d: %s · %s", i+1, session.OddsText(c, of.Answers), session.VerdictText(c.Verification))
}
