package candidates

import (
	"slices"
	"strings"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/compare"
	"github.com/npdb/npdb/tui/pane"
	"github.com/npdb/npdb/tui/values"
)

// table holds the rows of some candidates, compared with the shown one.
type table struct {
	of    *backend.Candidates // nil if the rows must be computed
	shown int
	rows  []row
}

// row is a field with its value in each candidate.
type row struct {
	label string
	cells []cell
}

// cell is a field of one candidate.
type cell struct {
	node    *values.Node // nil if there is no value: note says why
	note    string
	differs bool           // from the shown candidate
	diff    []values.Piece // the shown candidate's text compared with this one's; nil until drawn
}

// text returns the whole text of a cell.
func (c *cell) text() string {
	if c.node != nil {
		return c.node.Text
	}
	return c.note
}

// differs reports whether a candidate differs from the shown one.
func (r *row) differs() bool {
	return slices.ContainsFunc(r.cells, func(c cell) bool { return c.differs })
}

// text returns the texts of a row for a search.
func (r *row) text() string {
	parts := []string{r.label}
	for i := range r.cells {
		parts = append(parts, r.cells[i].text())
	}
	return strings.Join(parts, " ")
}

// tabulate returns the rows of some candidates: the place, the locals in the shown candidate's order
// and then those that only others have, the value, and other fields that differ.
func tabulate(of *backend.Candidates, shown int) table {
	t := table{of: of, shown: shown}
	verdicts := make([]compare.Verdicts, len(of.List))
	for i, c := range of.List {
		verdicts[i] = compare.Compare(c.Reply, of.List[shown].Reply, compare.All())
	}
	row := func(label string, cellOf func(i int) cell) {
		r := row{label: label, cells: make([]cell, len(of.List))}
		for i := range r.cells {
			r.cells[i] = cellOf(i)
		}
		t.rows = append(t.rows, r)
	}
	stop := func(i int) *dsl.Stop { return of.List[i].Reply.Stop }
	row("at", func(i int) cell { return place(of.List[i].Reply, stop(shown), verdicts[i]) })
	for _, name := range names(of, shown) {
		row(name, func(i int) cell { return local(stop(i), name, verdicts[i]) })
	}
	if slices.ContainsFunc(of.List, func(c backend.Candidate) bool { return c.Reply.Stop != nil && c.Reply.Stop.Value != nil }) {
		row("value", func(i int) cell { return value(stop(i), verdicts[i]) })
	}
	for _, f := range compare.Fields() {
		if !slices.Contains(others, f) || !slices.ContainsFunc(verdicts, func(v compare.Verdicts) bool { return wrong(v, f) }) {
			continue
		}
		row(f.String(), func(i int) cell {
			v, _ := verdicts[i].Of(f)
			return cell{node: values.Parse(v.Predicted), differs: v.Kind.Wrong()}
		})
	}
	return t
}

// others are the fields that have a row only if they differ.
var others = []compare.Field{compare.Function, compare.Stack, compare.ExitCode, compare.ExitException}

// wrong reports whether a field differs.
func wrong(vs compare.Verdicts, f compare.Field) bool {
	v, ok := vs.Of(f)
	return ok && v.Kind.Wrong()
}

// place returns where a candidate is.
func place(r dsl.Reply, shown *dsl.Stop, vs compare.Verdicts) cell {
	c := cell{note: r.Outcome.String(), differs: wrong(vs, compare.Outcome) || wrong(vs, compare.Event) || wrong(vs, compare.Line)}
	if r.Stop != nil {
		var other *dsl.State
		if shown != nil {
			other = &shown.State
		}
		c.note = pane.LineText(&r.Stop.State, other)
	}
	return c
}

// names returns the names of all candidates that are not hidden, the shown candidate's first.
func names(of *backend.Candidates, shown int) []string {
	var out []string
	add := func(s *dsl.Stop) {
		if s == nil {
			return
		}
		for _, l := range s.Locals {
			if !l.Hidden && !slices.Contains(out, l.Name) {
				out = append(out, l.Name)
			}
		}
	}
	add(of.List[shown].Reply.Stop)
	for _, c := range of.List {
		add(c.Reply.Stop)
	}
	return out
}

// absent is the note of a field that a candidate does not have.
const absent = "not there"

// local returns a local of a candidate.
func local(s *dsl.Stop, name string, vs compare.Verdicts) cell {
	v, _ := vs.Local(name)
	c := cell{note: absent, differs: v.Kind.Wrong()}
	if s == nil {
		return c
	}
	i := slices.IndexFunc(s.Locals, func(l dsl.Local) bool { return l.Name == name })
	switch {
	case i < 0:
	case s.Locals[i].Unknown:
		c.note = "unknown"
	default:
		c.node = values.Parse(s.Locals[i].Value)
	}
	return c
}

// value returns what a candidate returns, yields or raises.
func value(s *dsl.Stop, vs compare.Verdicts) cell {
	c := cell{note: absent, differs: wrong(vs, compare.Value)}
	if s != nil && s.Value != nil {
		c.node = values.Parse(*s.Value)
	}
	return c
}
