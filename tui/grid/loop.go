package grid

import (
	"fmt"
	"slices"
	"strings"

	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/tui/pane"
)

// eventColumns is the number of columns before those of the names in the table of a loop.
const eventColumns = 1

// NewLoop opens the table of a loop, with the cursor on the present iteration.
func NewLoop(s *pane.Screen, page *session.LoopPage) *Grid {
	p := &Grid{Screen: s}
	p.TakeLoop(page)
	p.Cursor = page.First
	if here := slices.IndexFunc(page.Rows, func(r session.LoopRow) bool { return r.Here }); here >= 0 {
		p.Cursor += here
	}
	return p
}

// Loop returns the rows of the loop whose table this is, nil if it is another table.
func (p *Grid) Loop() *session.LoopPage { return p.loop }

// TakeLoop replaces the rows of the table of a loop.
func (p *Grid) TakeLoop(page *session.LoopPage) {
	p.loop, p.first, p.total = page, page.First, page.Matches
	p.name, p.note = escape.Line(page.Title()), escape.Line(strings.Join(page.Notes(), "; "))
	titles, sparks := []string{"event"}, []string{""}
	drawn := false
	for _, c := range page.Columns {
		titles, sparks = append(titles, escape.Line(c.Name)), append(sparks, c.Spark)
		drawn = drawn || c.Spark != ""
	}
	if page.Predicted {
		titles[0], titles = "state", append(titles, "origin")
	}
	p.table = session.Grid{Columns: titles}
	if drawn {
		p.table.Kinds = sparks
	}
	for i := range page.Rows {
		label, row := loopRow(page, &page.Rows[i])
		if page.Predicted {
			row = append(row, page.Rows[i].Origin.String())
		}
		p.table.Labels, p.table.Rows = append(p.table.Labels, label), append(p.table.Rows, row)
	}
	if len(p.widths) != len(titles)+1 {
		p.widths = make([]int, len(titles)+1)
	}
	p.widen()
}

// loopRow returns the label and the cells of an iteration.
func loopRow(page *session.LoopPage, r *session.LoopRow) (label string, cells []string) {
	if label = page.Name(r); r.Open {
		label += pane.GlyphEllipsis
	}
	cells = []string{fmt.Sprint(r.Event)}
	if page.Predicted {
		if cells[0] = ""; r.Visit > 0 {
			cells[0] = session.VisitName(r.Visit)
		}
	}
	for _, v := range r.Values {
		text := ""
		if v.OK {
			text = escape.Line(v.Text)
		}
		cells = append(cells, text)
	}
	return label, cells
}

// Selected returns the iteration at the cursor, nil if it is not loaded.
func (p *Grid) Selected() *session.LoopRow {
	if i := p.Cursor - p.first; p.loop != nil && i >= 0 && i < len(p.loop.Rows) {
		return &p.loop.Rows[i]
	}
	return nil
}

// Click moves the cursor to the row at a height of the screen. It reports whether there is one.
func (p *Grid) Click(y int) bool {
	row := p.Top + y - 1 - p.heads()
	if row < p.Top || row >= min(p.Top+p.Rows, p.total) {
		return false
	}
	p.Cursor = row
	return true
}

// window is how many rows before and behind the cursor are loaded at a time.
const window = 150

// Lacks returns which rows should be loaded, because some around the cursor are not, or because the
// filter may select more. rows is 0 if none should.
func (p *Grid) Lacks() (first, rows int) {
	if p.loop == nil {
		return 0, 0
	}
	near := max(p.Rows, 60)
	from, to := max(p.Cursor-near, 0), min(p.Cursor+near, p.total)
	searching := p.loop.Filter != "" && p.loop.Scanned < p.loop.Iterations && p.total < p.Cursor+2*near
	if from >= p.first && to <= p.first+len(p.loop.Rows) && !searching {
		return 0, 0
	}
	return max(p.Cursor-window, 0), 2 * window
}
