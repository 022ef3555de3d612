package session

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/npdb/npdb/dsl"
)

// The verdicts of asserts and annotations on a run of a block.
const (
	Contradicts    = "contradicts"
	NothingAgainst = "nothing against it"
)

// Checked returns the verdict of asserts and annotations on a run. It returns "" for a run that has not
// ended and that nothing contradicts.
func (r *BlockRow) Checked() string {
	switch {
	case len(r.Against) > 0:
		return Contradicts
	case r.Open:
		return ""
	}
	return NothingAgainst
}

// Title returns the function's name and place, and the number of runs in the table.
func (p *BlocksPage) Title() string {
	text := fmt.Sprintf("%s at %s:%d, %s of %s", p.Function, p.File, p.Line, plural(p.Runs, "run", "runs"), plural(p.Blocks, "block", "blocks"))
	if p.Calls > 1 {
		text += fmt.Sprintf(" in %s calls", thousands(p.Calls))
	}
	return text
}

// Lines formats a page as an aligned table, and the reasons of its verdicts below it.
func (p *BlocksPage) Lines() []string {
	lines := []string{p.Title()}
	if p.First > 0 {
		lines = append(lines, fmt.Sprintf("  … %s earlier", thousands(p.First)))
	}
	place := "event"
	if p.Predicted {
		place = "state"
	}
	titles := []string{place, "lines", "in", "out", "verdict"}
	if p.Calls > 1 {
		titles = append([]string{"call"}, titles...)
	}
	cells := [][]string{titles}
	for i := range p.Rows {
		cells = append(cells, p.cells(&p.Rows[i]))
	}
	numbers := len(titles) - 4 // number of columns with numbers
	lines = append(lines, tableLines(cells, func(i int) bool { return i < numbers }, func(i int) bool { return i > 0 && p.Rows[i-1].Here })...)
	if later := p.Later(); later > 0 {
		lines = append(lines, fmt.Sprintf("  … %s later", thousands(later)))
	}
	if p.More {
		lines = append(lines, "(The function has further calls or runs, which the table does not have.)")
	}
	for i := range p.Rows {
		r := &p.Rows[i]
		at := place + " " + r.place(p.Predicted)
		for _, why := range r.Against {
			lines = append(lines, at+": "+why)
		}
		if v := r.Verdict; v != nil && !v.Correct {
			lines = append(lines, fmt.Sprintf("%s: %s says not correct: %s", at, v.Model, oneLine(v.Why)))
		}
	}
	if p.JudgeFailed != "" {
		lines = append(lines, "No further verdicts of the model: "+oneLine(p.JudgeFailed))
	}
	return lines
}

// Hits returns the rows as a list of events, each with a text, and the title of the list.
func (p *BlocksPage) Hits() (title string, hits []Hit) {
	for i := range p.Rows {
		r := &p.Rows[i]
		cells := p.cells(r)
		cells = cells[len(cells)-4:]
		word := "line "
		if r.Lines[1] > r.Lines[0] {
			word = "lines "
		}
		parts := []string{word + cells[0], cells[1], "→ " + cells[2], cells[3]}
		if cells[3] == NothingAgainst {
			parts = parts[:3]
		}
		text := strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), "  ")
		if why := r.Against; len(why) > 0 {
			text += ": " + strings.Join(why, "; ")
		}
		if v := r.Verdict; v != nil && !v.Correct {
			text += " (" + v.Model + ": " + oneLine(v.Why) + ")"
		}
		hits = append(hits, Hit{Event: r.Event, Text: text})
	}
	slices.SortStableFunc(hits, func(a, b Hit) int { return cmp.Compare(a.Event, b.Event) })
	return p.Title(), hits
}

// Listed reports whether the list of Hits shows all that Lines shows.
func (p *BlocksPage) Listed() bool { return !p.Predicted && p.JudgeFailed == "" }

// Later returns the number of runs after the rows.
func (p *BlocksPage) Later() int { return p.Runs - p.First - len(p.Rows) }

// blocksText formats a page for a session. It adds how to show later runs and how to go to a run.
func (b blocking) blocksText(p *BlocksPage) string {
	lines := p.Lines()
	if p.Later() > 0 {
		lines = append(lines, b.draft.key("blocks")+" with the same arguments, or an empty line, shows later runs")
	}
	if to := p.goal(); to != "" {
		lines = append(lines, b.draft.key("goto "+to)+" goes to the beginning of a run; the values that come out are those after it")
	}
	return strings.Join(lines, "\n")
}

// goal returns the argument of goto for the first row that goto can reach.
func (p *BlocksPage) goal() string {
	for i := range p.Rows {
		if to := p.Rows[i].place(p.Predicted); to != "" {
			return to
		}
	}
	return ""
}

func (p *BlocksPage) cells(r *BlockRow) []string {
	at := fmt.Sprint(r.Lines[0])
	if r.Lines[1] > r.Lines[0] {
		at = fmt.Sprintf("%d-%d", r.Lines[0], r.Lines[1])
	}
	out := valuesText(r.Out)
	for _, name := range r.Gone {
		out = append(out, "del "+name)
	}
	if r.Returned != nil {
		out = append(out, "returns "+shorten(*r.Returned, historyShown))
	}
	if r.Raised != nil {
		out = append(out, "raises "+shorten(*r.Raised, historyShown))
	}
	if r.Open {
		out = append(out, "…")
	}
	row := []string{r.place(p.Predicted), at, strings.Join(valuesText(r.In), ", "), strings.Join(out, ", "), r.verdict()}
	if p.Calls > 1 {
		row = append([]string{thousands(r.Call)}, row...)
	}
	return row
}

// verdict formats the verdicts on a run.
func (r *BlockRow) verdict() string {
	text := r.Checked()
	if r.Verdict == nil {
		return text
	}
	model := "model: correct"
	if !r.Verdict.Correct {
		model = "model: not correct"
	}
	if text == NothingAgainst {
		return model
	}
	return text + "; " + model
}

// mostBlockValues limits the values in a cell.
const mostBlockValues = 6

func valuesText(list []dsl.Local) (texts []string) {
	for i, l := range list {
		if i == mostBlockValues {
			return append(texts, fmt.Sprintf("… +%d", len(list)-i))
		}
		texts = append(texts, l.Name+"="+shorten(l.Value, historyShown/2))
	}
	return texts
}

// place returns the argument of goto that leads to a row, "" if none does.
func (r *BlockRow) place(predicted bool) string { return gotoOf(r.Event, r.Visit, predicted) }

// oneLine joins the lines of a text.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
