// Package report presents the results of measurements: as tables on a terminal or in a
// file, and as an HTML page with plots.
package report

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/lab/eval"
	"github.com/npdb/npdb/session/score"
)

// Table is a table of texts. The first column holds the labels of the rows.
type Table struct {
	Title string
	Head  []string
	Rows  [][]string
	Note  string
}

// none is shown in place of a missing number.
const none = "–"

// Tables returns all tables of a result.
func Tables(r *eval.Result) []Table {
	var tables []Table
	switch r.Task {
	case eval.TaskStates:
		tables = states(r.States)
	case eval.TaskInverse:
		tables = inverse(r)
	default:
		tables = cruxeval(r)
	}
	if r.Invalid.Answers > 0 {
		tables = append(tables, invalid(r.Invalid))
	}
	return tables
}

// invalid returns a table that counts answers that were not a state.
func invalid(v score.Invalid) Table {
	t := Table{Title: "Answers that were no state", Head: []string{"", "n"}}
	for _, row := range []struct {
		name string
		n    int
	}{
		{"answers", v.Answers},
		{"of them for a line that is not there", v.Outside},
		{"questions corrected when asked once more", v.Corrected},
		{"questions left", v.Left},
	} {
		t.Rows = append(t.Rows, []string{row.name, humanize.Comma(int64(row.n))})
	}
	return t
}

// rowsOf is a function that selects rows from a predictor's result.
type rowsOf func(s *eval.States) []score.Row

// sections lists the tables of a predictor's states: title, head of the first column, and
// rows.
var sections = []struct {
	title, first string
	rows         rowsOf
}{
	{"Whole state, by action", "action", func(s *eval.States) []score.Row { return s.Score.ByAction(score.State) }},
	{"Whole state, by the true event", "event", func(s *eval.States) []score.Row { return shares(s.Events, byName) }},
	{"Whole state, by set and action", "set", func(s *eval.States) []score.Row { return shares(s.Sets, byName) }},
	{"By field, forward", "field", func(s *eval.States) []score.Row { return s.Score.ByMeasure(false) }},
	{"By field, inverse", "field", func(s *eval.States) []score.Row { return s.Score.ByMeasure(true) }},
	{"Whole state by horizon, forward", "events", func(s *eval.States) []score.Row { return s.Score.ByHorizon(score.State, false) }},
	{"Whole state by horizon, inverse", "events", func(s *eval.States) []score.Row { return s.Score.ByHorizon(score.State, true) }},
	{"Values, by type", "type", func(s *eval.States) []score.Row { return shares(s.Types, byCount) }},
	{"Whole state, by number of locals", "locals", func(s *eval.States) []score.Row { return shares(s.Locals, byNumber) }},
}

func states(all []eval.States) []Table {
	if len(all) == 0 {
		return nil
	}
	var tables []Table
	for _, s := range sections {
		if t := beside(s.title, s.first, all, s.rows); len(t.Rows) > 0 {
			tables = append(tables, t)
		}
	}
	counts := Table{Title: "Answers", Head: append([]string{""}, names(all)...)}
	for _, c := range []struct {
		name string
		of   func(c eval.Counts) int
	}{
		{"asked", func(c eval.Counts) int { return c.Asked }},
		{"no state (wrong)", func(c eval.Counts) int { return c.Invalid }},
		{"declined (apart)", func(c eval.Counts) int { return c.Declined }},
		{"too long to ask (apart)", func(c eval.Counts) int { return c.TooLong }},
		{"server failed (apart)", func(c eval.Counts) int { return c.Failed }},
	} {
		row := []string{c.name}
		for i := range all {
			row = append(row, humanize.Comma(int64(c.of(all[i].Counts))))
		}
		counts.Rows = append(counts.Rows, row)
	}
	tables = append(tables, counts)
	for i := range all {
		if len(all[i].Computed) > 0 {
			tables = append(tables, computed(&all[i]))
		}
		if len(all[i].Checked) > 0 {
			tables = append(tables, checked(&all[i]))
		}
	}
	if t := rollouts(all); t.Rows != nil {
		tables = append(tables, t)
	}
	return append(tables, calibrations(sureness(&all[0])...)...)
}

// computed returns a table of the states that npdb computed from the program's source: their share of
// all requested states, and how many of them are right.
func computed(s *eval.States) Table {
	t := Table{Title: "Computed states, by the true event", Head: []string{"event", "n", "computed", "of them right"}}
	var all, made eval.Share
	row := func(name string, n, computed eval.Share) {
		share := score.Row{Label: name, Tally: score.Tally{N: n.N, Same: computed.N}}
		right := score.Row{Label: name, Tally: computed.Tally()}
		t.Rows = append(t.Rows, []string{name, humanize.Comma(int64(n.N)), share.Tenths(), right.Tenths()})
	}
	for _, name := range slices.Sorted(maps.Keys(s.Events)) {
		n, computed := s.Events[name], s.Computed[name]
		all.N += n.N
		made.N, made.Same = made.N+computed.N, made.Same+computed.Same
		row(name, n, computed)
	}
	row("all", all, made)
	return t
}

// checked returns a table of the states that were compared with the program's source: how many of the
// right ones, and of the wrong ones, have a part that contradicts the source.
func checked(s *eval.States) Table {
	t := Table{Title: "States compared with the text", Head: []string{"state", "n", "contradicts it"}}
	for _, name := range []string{"right", "wrong"} {
		share := s.Checked[name]
		row := score.Row{Label: name, Tally: share.Tally()}
		t.Rows = append(t.Rows, []string{name, humanize.Comma(int64(share.N)), row.Tenths()})
	}
	return t
}

// sureness returns the calibrations of a model's states: one for each direction and one for
// each action. If there is a single action, it returns only that one.
func sureness(s *eval.States) []named {
	var each []named
	for a := range dsl.Moves() {
		if c := s.Score.CalibrationOf(a); c.N() > 0 {
			each = append(each, named{a.String(), c})
		}
	}
	if len(each) == 1 {
		return each
	}
	return append([]named{{"forward", s.Score.Calibration(false)}, {"inverse", s.Score.Calibration(true)}}, each...)
}

// beside returns a table with the same rows for several predictors, one in each column. The counts are
// those of the first.
func beside(title, first string, all []eval.States, rows rowsOf) Table {
	t := Table{Title: title, Head: append([]string{first, "n"}, names(all)...)}
	for _, row := range rows(&all[0]) {
		label := strings.ReplaceAll(row.Label, "-", "–")
		cells := []string{label, humanize.Comma(int64(row.N)), row.Tenths()}
		for i := range all[1:] {
			cell := none
			for _, other := range rows(&all[i+1]) {
				if other.Label == row.Label {
					cell = other.Tenths()
				}
			}
			cells = append(cells, cell)
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}

func names(all []eval.States) []string {
	var list []string
	for _, s := range all {
		list = append(list, cmp.Or(s.Name, "the model"))
	}
	return list
}

func byCount(a, b score.Row) int { return cmp.Or(b.N-a.N, cmp.Compare(a.Label, b.Label)) }

func byName(a, b score.Row) int { return cmp.Compare(a.Label, b.Label) }

func byNumber(a, b score.Row) int { return leading(a.Label) - leading(b.Label) }

func leading(label string) int {
	text, _, _ := strings.Cut(label, "-")
	n, _ := strconv.Atoi(text)
	return n
}

func shares(by map[string]eval.Share, order func(a, b score.Row) int) []score.Row {
	var rows []score.Row
	for name, s := range by {
		rows = append(rows, score.Row{Label: name, Tally: s.Tally()})
	}
	slices.SortFunc(rows, order)
	return rows
}

func rollouts(all []eval.States) Table {
	t := Table{
		Title: "Free rollouts by step_into", Head: append([]string{""}, names(all)...),
		Note: "right states before the first fault; without a fault up to a step: of those that come so far",
	}
	if len(all[0].Rollouts) == 0 {
		return t
	}
	row := func(name string, of func(s *eval.States) string) {
		cells := []string{name}
		for i := range all {
			cells = append(cells, of(&all[i]))
		}
		t.Rows = append(t.Rows, cells)
	}
	row("rollouts", func(s *eval.States) string { return strconv.Itoa(len(s.Rollouts)) })
	row("right states, mean", func(s *eval.States) string { mean, _ := s.Mean(); return fmt.Sprintf("%.1f", mean) })
	row("without a fault", func(s *eval.States) string {
		_, clean := s.Mean()
		return score.Tally{N: len(s.Rollouts), Same: clean}.Tenths()
	})
	longest := len(all[0].Survival())
	for k := 1; k <= longest; k *= 2 {
		row(fmt.Sprintf("… up to step %d", k), func(s *eval.States) string {
			if alive := s.Survival(); k <= len(alive) {
				return percent(alive[k-1])
			}
			return none
		})
	}
	return t
}

// named is a calibration with the name that the tables show.
type named struct {
	name string
	of   score.Calibration
}

// calibrations returns a table of the calibrations that are not empty, or no table if all are empty.
func calibrations(all ...named) []Table {
	t := Table{Title: "Stated confidence against being right", Head: []string{"", "n", "stated", "right", "ECE", "Brier"}}
	for _, c := range all {
		n := c.of.N()
		if n == 0 {
			continue
		}
		stated, right := 0.0, 0
		for _, b := range c.of.Bins {
			stated += b.Confidence
			right += b.Same
		}
		t.Rows = append(t.Rows, []string{
			c.name, humanize.Comma(int64(n)), percent(stated / float64(n)), score.Tally{N: n, Same: right}.Tenths(),
			fmt.Sprintf("%.3f", c.of.ECE()), fmt.Sprintf("%.3f", c.of.Brier()),
		})
	}
	if t.Rows == nil {
		return nil
	}
	return []Table{t}
}

func cruxeval(r *eval.Result) []Table {
	t := Table{Title: "CruxEval", Head: []string{"", "n", "pass@1", "pass@5", "no answer", "declined", "moves"}}
	base := Table{Title: "Baselines, pass@1", Head: []string{"", "output", "input"}}
	var sure []named
	found := map[string][2]string{}
	for i, j := range []*eval.Judged{r.Output, r.Input} {
		if j == nil {
			continue
		}
		name := [...]string{"output, by " + r.Settings.Strategy, "input"}[i]
		t.Rows = append(t.Rows, []string{
			name, strconv.Itoa(j.N), optional(j.Pass1), optional(j.Pass5),
			strconv.Itoa(j.Counts.Invalid + j.Counts.TooLong), strconv.Itoa(j.Declined), fmt.Sprintf("%.1f", j.Moves),
		})
		sure = append(sure, named{[...]string{"output", "input"}[i], j.Calibration})
		for b, share := range j.Baselines {
			cells := found[b]
			cells[i] = optional(share.Pass1)
			found[b] = cells
		}
	}
	tables := []Table{t}
	for _, b := range append([]string{eval.Computing, eval.Checking}, eval.BaselineNames()...) {
		if cells, ok := found[b]; ok {
			base.Rows = append(base.Rows, []string{b, cmp.Or(cells[0], none), cmp.Or(cells[1], none)})
		}
	}
	if base.Rows != nil {
		tables = append(tables, base)
	}
	if t := searches(r); t.Rows != nil {
		tables = append(tables, t)
	}
	return append(tables, calibrations(sure...)...)
}

// Differences returns the table for a comparison of two results, A and B.
func Differences(d *eval.Diff) Table {
	a, b := cmp.Or(d.A.Model, "A"), cmp.Or(d.B.Model, "B")
	if a == b {
		a, b = a+" (A)", b+" (B)"
	}
	t := Table{
		Title: "B less A", Head: []string{"", "n", "programs", a, b, "difference", "95% interval"},
		Note: "paired bootstrap over programs; * where the interval does not have 0 in it",
	}
	for _, r := range d.Rows {
		show := percent
		signed := func(x float64) string { return fmt.Sprintf("%+.1f", 100*x) }
		if r.Measure == eval.MeasureRollout {
			show = func(x float64) string { return fmt.Sprintf("%.2f", x) }
			signed = func(x float64) string { return fmt.Sprintf("%+.2f", x) }
		}
		mark := ""
		if r.Low > 0 || r.High < 0 {
			mark = " *"
		}
		t.Rows = append(t.Rows, []string{
			r.Measure, humanize.Comma(int64(r.N)), strconv.Itoa(r.Programs), show(r.A), show(r.B),
			signed(r.Difference), signed(r.Low) + " to " + signed(r.High) + mark,
		})
	}
	if left := d.OnlyA + d.OnlyB; left > 0 {
		t.Note += fmt.Sprintf("; %d questions of A and %d of B are not in the other and left out", d.OnlyA, d.OnlyB)
	}
	return t
}

func percent(x float64) string {
	if math.IsNaN(x) {
		return none
	}
	return fmt.Sprintf("%.1f%%", 100*x)
}

func optional(x *float64) string {
	if x == nil {
		return none
	}
	return percent(*x)
}

func mean(x *float64) string {
	if x == nil {
		return none
	}
	return fmt.Sprintf("%.2f", *x)
}
