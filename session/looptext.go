package session

import (
	"context"
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// MoreOf returns other rows of a table of which rows were shown, beginning with a selected one.
func (lo *looping) MoreOf(ctx context.Context, p *LoopPage, first, rows int) *LoopPage {
	return lo.page(ctx, p.of, first, rows, func() bool { return ctx.Err() != nil })
}

// Title names the loop and says how many iterations are shown.
func (p *LoopPage) Title() string {
	text := fmt.Sprintf("%s loop at %s:%d in %s, %s", p.Kind, p.File, p.Line, p.Function, plural(p.Iterations, "iteration", "iterations"))
	switch {
	case p.Run > 0 && p.Runs > 1:
		text += fmt.Sprintf(" of run %s of %s", thousands(p.Run), thousands(p.Runs))
	case p.Run == 0 && p.Runs > 1:
		text += fmt.Sprintf(" of %s runs", thousands(p.Runs))
	}
	if p.Filter != "" {
		text += fmt.Sprintf("; %s: %s", p.Filter, thousands(p.Matches))
		if p.Scanned < p.Iterations {
			text += fmt.Sprintf(" of the first %s", thousands(p.Scanned))
		}
	}
	return text
}

// Name returns the number of an iteration, behind the number of its run if all runs are shown.
func (p *LoopPage) Name(r *LoopRow) string {
	if p.Run > 0 {
		return thousands(r.Number)
	}
	return thousands(r.Run) + "." + thousands(r.Number)
}

// Notes say what the table leaves out.
func (p *LoopPage) Notes() []string {
	var notes []string
	if len(p.Columns) == 0 && p.Iterations > 0 {
		notes = append(notes, "no name changes in the loop")
	}
	if p.Predicted {
		notes = append(notes, "among the states of this branch of the history and those between that were predicted")
	}
	if len(p.More) > 0 {
		notes = append(notes, fmt.Sprintf("without columns: %s", strings.Join(p.More, ", ")))
	}
	if p.Unknown > 0 {
		notes = append(notes, fmt.Sprintf("%s: whether the filter holds is not known", plural(p.Unknown, "iteration", "iterations")))
	}
	return notes
}

// text formats a page as an aligned table.
func (lo *looping) text(p *LoopPage) string {
	lines := []string{p.Title()}
	later := p.Matches - p.First - len(p.Rows)
	if p.First > 0 {
		lines = append(lines, fmt.Sprintf("  … %s earlier", thousands(p.First)))
	}
	if len(p.Rows) > 0 {
		cells := lo.cells(p)
		titles := len(cells) - len(p.Rows)
		lines = append(lines, tableLines(cells,
			func(column int) bool { return column < 2 || column-2 < len(p.Columns) && p.Columns[column-2].Numeric },
			func(line int) bool { return line >= titles && p.Rows[line-titles].Here })...)
	}
	again := lo.draft.key("loop") + " with the same arguments, or an empty line, shows some"
	switch {
	case p.Filter != "" && p.Scanned < p.Iterations:
		left := plural(p.Iterations-p.Scanned, "iteration", "iterations")
		lines = append(lines, fmt.Sprintf("  … %s not searched yet: %s", left, strings.Replace(again, "shows some", "goes on", 1)))
	case later > 0:
		lines = append(lines, fmt.Sprintf("  … %s later: %s", thousands(later), again))
	}
	for _, note := range p.Notes() {
		lines = append(lines, "("+note+")")
	}
	if hint := lo.goHint(p); hint != "" {
		lines = append(lines, hint)
	}
	return strings.Join(lines, "\n")
}

// goHint says how to go to a row, and what its values are.
func (lo *looping) goHint(p *LoopPage) string {
	for i := range p.Rows {
		if to := p.Rows[i].place(p.Predicted); to != "" {
			by := "event"
			if p.Predicted {
				by = "state"
			}
			return fmt.Sprintf("%s goes to the beginning of an iteration, by its %s; the values are those at its end", lo.draft.key("goto "+to), by)
		}
	}
	return ""
}

// cells returns the cells of a page: a row of titles, one of sparklines if there are any, and the
// iterations.
func (lo *looping) cells(p *LoopPage) [][]string {
	titles, sparks := []string{"#", "event"}, []string{"", ""}
	if p.Predicted {
		titles[1] = "state"
	}
	drawn := false
	for _, c := range p.Columns {
		titles, sparks = append(titles, c.Name), append(sparks, c.Spark)
		drawn = drawn || c.Spark != ""
	}
	if p.Predicted {
		titles = append(titles, "origin")
	}
	cells := [][]string{titles}
	if drawn {
		cells = append(cells, sparks)
	}
	for i := range p.Rows {
		r := &p.Rows[i]
		row := []string{p.Name(r), r.place(p.Predicted)}
		for _, v := range r.Values {
			row = append(row, cellText(v.Text, v.OK))
		}
		if r.Open {
			row[0] += "…"
		}
		if p.Predicted {
			row = append(row, r.Origin.String())
		}
		cells = append(cells, row)
	}
	return cells
}

// place returns the argument of goto that leads to a row, "" if none does.
func (r *LoopRow) place(predicted bool) string { return gotoOf(r.Event, r.Visit, predicted) }

// gotoOf returns the argument of goto for an event or, in neural mode, for a visit. It returns "" if goto cannot
// reach it.
func gotoOf(event, visit int, predicted bool) string {
	switch {
	case !predicted:
		return fmt.Sprint(event)
	case visit > 0:
		return VisitName(visit)
	}
	return ""
}

func cellText(text string, ok bool) string {
	if !ok {
		return "-"
	}
	return shorten(text, historyShown)
}

// tableLines aligns the cells of a table, some columns to the right, and marks the row of the position.
func tableLines(cells [][]string, right, here func(i int) bool) []string {
	var widths []int
	for _, row := range cells {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], ansi.StringWidth(cell))
		}
	}
	lines := make([]string, len(cells))
	for k, row := range cells {
		line := " "
		if here(k) {
			line = ">"
		}
		for i, cell := range row {
			if right(i) {
				cell = strings.Repeat(" ", widths[i]-ansi.StringWidth(cell)) + cell
			} else {
				cell = padded(cell, widths[i])
			}
			line += " " + cell
			if i < len(row)-1 {
				line += " "
			}
		}
		lines[k] = strings.TrimRight(line, " ")
	}
	return lines
}
