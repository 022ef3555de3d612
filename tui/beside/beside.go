// Package beside shows the two sides of a stop next to each other, and the score. The left side is
// a model's prediction, the right side CPython's state or that of a second model. The pane takes
// the place of the locals.
package beside

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/dustin/go-humanize/english"

	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/compare"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/keys"
	"github.com/npdb/npdb/tui/pane"
	"github.com/npdb/npdb/tui/values"
)

// Pane shows the two sides, or the score.
type Pane struct {
	*pane.Screen
	pane.Scroll
	Scored bool
	diff   *nav.Beside // the comparison with another state of the history
	diffOf *session.Difference
	tree   tree
	width  int // columns when it was drawn last
}

// New returns a pane that shows both sides.
func New(s *pane.Screen) *Pane { return &Pane{Screen: s} }

// Show switches to the two sides or to the score.
func (p *Pane) Show(score bool) { p.Scored, p.Scroll = score, pane.Scroll{} }

// Context returns the context of the locals, whose keys the pane has.
func (p *Pane) Context() keys.Context { return keys.Locals }

// sides returns the comparison of a prediction with the truth, or of another state of the history
// with the shown one.
func (p *Pane) sides() *nav.Beside {
	d := p.View.Difference
	if d == nil {
		return p.View.Beside
	}
	if d != p.diffOf {
		p.diffOf = d
		p.diff = &nav.Beside{State: d.State, Exit: d.Exit, Compared: true, Verdicts: d.Verdicts}
	}
	return p.diff
}

// Stopped does nothing: the pane computes its rows when they are needed.
func (p *Pane) Stopped() {}

// Title describes the first divergence, or why there is no prediction.
func (p *Pane) Title() (name, more string) {
	name = "side by side"
	if p.Scored {
		name = "score"
	}
	switch b := p.sides(); {
	case p.View.Difference != nil && p.View.Difference.Run != nil && p.View.Difference.Run.Divergence != nil:
		return "difference", "· " + p.View.Difference.Run.Divergence.Sentence()
	case p.View.Difference != nil && p.View.Difference.Run != nil && !p.View.Difference.Run.Exact:
		return "difference", "· only this run is here"
	case p.View.Difference != nil && b.Verdicts.Same():
		return "difference", "· none"
	case p.View.Difference != nil:
		return "difference", "· " + english.Plural(b.Verdicts.Count(), "part differs", "parts differ")
	case b.Awaited && p.Running != nil && !p.Scored:
		return name, "· " + p.Running.Spinner() + " the model answers"
	case b.Failure != "" && !p.Scored:
		return name, "· no prediction: " + b.Failure
	case b.Divergence != nil:
		return name, "· " + p.divergenceWords(b.Divergence)
	case b.Moves > 0:
		return name, "· no divergence yet"
	}
	return name, ""
}

// divergenceWords describes the first divergence in few words: "diverged at line 42 after 4
// moves: source 'anng' ≠ 'ann'". The values are at the end, and are what may be cut.
func (p *Pane) divergenceWords(d *nav.Divergence) string {
	where := "the end"
	if d.Line > 0 {
		where = fmt.Sprintf("line %d", d.Line)
		if len(p.View.Files) > 0 && p.View.Files[0].Name != d.File {
			where += " of " + d.File
		}
	}
	v := d.Verdict
	what := v.Name
	if what == "" && v.Field != compare.Outcome {
		what = v.Field.String()
	}
	switch {
	case v.Kind == compare.Missing && v.Field == compare.Outcome:
		what = "no answer"
	case v.Kind == compare.Missing:
		what += " missing"
	case v.Kind == compare.Extra:
		what += " not there"
	default:
		const words, least = 75, 8
		room := max((p.width-words)/2, least)
		excerpt := func(text, other string) string {
			return draw.SpansText(p.Measure.CutSpans(p.differing(other, text, draw.Style{}, room), room))
		}
		predicted, real := v.Excerpts()
		what += " " + excerpt(predicted, real) + " " + pane.GlyphDiverged + " " + excerpt(real, predicted)
	}
	return fmt.Sprintf("diverged at %s after %s: %s", where, english.Plural(d.Moves, "move", ""), strings.TrimSpace(what))
}

// reveal makes the most important row of a new stop visible while another pane has the focus: the
// first that differs, else the first that has changed. If that row is visible already, nothing
// moves.
func (p *Pane) reveal(rows []row) {
	if p.tree.shown == p.View {
		return
	}
	p.tree.shown = p.View
	if p.Focused == keys.Locals {
		return
	}
	p.Cursor = p.Top
	at := slices.IndexFunc(rows, func(r row) bool { return r.kind.Wrong() })
	if at < 0 {
		at = slices.IndexFunc(rows, func(r row) bool { return r.changed })
	}
	if at >= 0 {
		p.Cursor = at
	}
}

// Sight describes which rows are visible, and what differs or has changed in the others.
func (p *Pane) Sight() (shown, news string, role themes.Role) {
	role = themes.Changed
	if p.Scored {
		return p.Shown(len(p.scoreLines())), "", role
	}
	rows := p.list()
	out := append(slices.Clone(rows[:min(p.Top, len(rows))]), rows[min(p.Top+p.Rows, len(rows)):]...)
	differ, changed := 0, 0
	for i := range out {
		if r := &out[i]; r.kind.Wrong() {
			differ++
		} else if r.changed {
			changed++
		}
	}
	switch {
	case differ == 1:
		news = "1 more differs"
	case differ > 1:
		news = fmt.Sprintf("%d more differ", differ)
	case changed > 0:
		news = fmt.Sprintf("%d more changed", changed)
	}
	if slices.ContainsFunc(rows, func(r row) bool { return r.kind.Wrong() }) {
		role = themes.Differs // differences matter more than changes
	}
	return p.Shown(len(rows)), news, role
}

// count returns how many rows the two sides or the score have.
func (p *Pane) count() int {
	if p.Scored {
		return len(p.scoreLines())
	}
	return len(p.list())
}

// Act does an action on the row of the two sides that the cursor is on.
func (p *Pane) Act(action string) (tea.Cmd, bool) {
	if p.Move(action, p.count()) {
		return nil, true
	}
	var r row
	if rows := p.list(); !p.Scored && p.Cursor < len(rows) {
		r = rows[p.Cursor]
	}
	switch action {
	case "expand":
		p.tree.toggle(r)
	case "copy":
		if p.Scored {
			return p.Copy(p.scoreLines()[p.Cursor]), true
		}
		return p.Copy(r.text()), true
	case "set", "watch":
		if r.access == "" {
			p.Flash = "This row has no name."
			return nil, true
		}
		if action == "watch" {
			return p.Orders.Display(r.access), true
		}
		p.Type(keys.CommandLine, "!"+r.access+" = ")
	case "wrap", "hidden-names":
		p.Flash = "The locals by themselves do that: " + p.KeyFor("compare") + " closes this view."
	default:
		return nil, false
	}
	return nil, true
}

// text returns the value of a row: CPython's if there is one.
func (r *row) text() string {
	for _, n := range []*values.Node{r.sides[1], r.sides[0]} {
		if n != nil {
			return n.Text
		}
	}
	return ""
}

// Click moves the cursor to the clicked row. If it is there already, Click expands or collapses the
// row.
func (p *Pane) Click(_, y int) tea.Cmd {
	if !p.Scored {
		y -= headRows
	}
	row := p.Top + y
	if y < 0 || row >= min(p.count(), p.Top+p.Rows) {
		return nil
	}
	if row == p.Cursor && !p.Scored {
		p.tree.toggle(p.list()[row])
	}
	p.Cursor = row
	return nil
}

// Wheel scrolls.
func (p *Pane) Wheel(rows int) { p.Scroll.Wheel(rows, p.count()) }

// Texts returns the texts of the rows or of the score for a search.
func (p *Pane) Texts() (n int, text func(i int) string) {
	if lines := p.scoreLines(); p.Scored {
		return len(lines), func(i int) string { return lines[i] }
	}
	rows := p.list()
	return len(rows), func(i int) string { return rows[i].searched() }
}

// searched returns the text of a row for a search: of an expanded value only the name, since its
// elements have rows.
func (r *row) searched() string {
	text := r.label
	for _, n := range r.sides {
		if n != nil && !r.opened {
			text += " " + n.Text
		}
	}
	return text
}

// OpenMatch expands the value under the cursor down to the first match in it, and moves the cursor
// there. The cursor stays if the name matches.
func (p *Pane) OpenMatch(q *pane.Search) {
	if p.Scored {
		return
	}
	for {
		rows := p.list()
		if p.Cursor >= len(rows) {
			return
		}
		r := rows[p.Cursor]
		if !r.opens() || r.opened || q.Matches(r.label) {
			return
		}
		p.tree.toggle(r)
		rows = p.list()
		at := p.Cursor + 1
		for at < len(rows) && rows[at].depth > r.depth && !q.Matches(rows[at].searched()) {
			at++
		}
		if at == len(rows) || rows[at].depth <= r.depth {
			p.tree.toggle(rows[p.Cursor]) // the match is in the text between the elements
			return
		}
		p.Cursor = at
	}
}
