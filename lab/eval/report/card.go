package report

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/lab/eval"
	"github.com/npdb/npdb/session/score"
)

// Named is a result with the name under which a model card shows its set of programs.
type Named struct {
	Name   string
	Result *eval.Result
}

// ErrModels reports that the results belong to several models, although a model card describes one.
var ErrModels = errors.New("a card is of one model, and these results are of several")

// Card returns the tables of a model card. Each set of programs has a column with the
// accuracy and the number of questions. Each result of CruxEval has a row.
func Card(all []Named) ([]Table, error) {
	if err := oneModel(all); err != nil {
		return nil, err
	}
	var states, problems []Named
	for _, n := range all {
		switch {
		case n.Result.Task == eval.TaskStates && len(n.Result.States) > 0:
			states = append(states, n)
		case n.Result.Task == eval.TaskCruxEval:
			problems = append(problems, n)
		default:
			return nil, fmt.Errorf("%s: a card has results of npdb eval states and cruxeval, and this is of %s", n.Name, n.Result.Task)
		}
	}
	tables := []Table{measuredOn(all)}
	if len(states) > 0 {
		for _, s := range sections {
			if s.first != "set" { // a card has no space for one row per set and move
				tables = append(tables, columns(s.title, s.first, states, s.rows))
			}
		}
		tables = append(tables, walks(states), errorsOfSureness(states))
	}
	if len(problems) > 0 {
		tables = append(tables, outputs(problems))
	}
	return slices.DeleteFunc(tables, func(t Table) bool { return len(t.Rows) == 0 }), nil
}

// oneModel returns ErrModels if the results name different models, or different files of one model.
func oneModel(all []Named) error {
	for _, n := range all {
		first := all[0].Result
		if n.Result.Model != first.Model || n.Result.Digest != first.Digest {
			return ErrModels
		}
	}
	return nil
}

// Figures returns the shares of right states by set and move, in the order of the results. npdb's binary
// contains these figures together with its model.
func Figures(all []Named) (*backend.Measured, error) {
	if err := oneModel(all); err != nil {
		return nil, err
	}
	var m backend.Measured
	for _, n := range all {
		if len(n.Result.States) == 0 {
			continue
		}
		set := backend.MeasuredSet{Name: n.Name, Programs: n.Result.N, Moves: map[string]backend.MeasuredShare{}}
		for _, row := range n.Result.States[0].Score.ByAction(score.State) {
			set.Moves[row.Label] = backend.MeasuredShare{N: row.N, Same: row.Same}
		}
		m.Digest, m.Sets = n.Result.Digest, append(m.Sets, set)
	}
	if m.Sets == nil {
		return nil, errors.New("none of these results is of npdb eval states")
	}
	if m.Digest == "" {
		return nil, errors.New("these results do not tell which model's file they are of: only those of npdb's own format do")
	}
	return &m, nil
}

// measuredOn returns a table of the programs with which the results were measured.
func measuredOn(all []Named) Table {
	t := Table{Title: "Measured on", Head: []string{"set", "task", "programs", "source"}, Note: "model " + all[0].Result.Model}
	if d := all[0].Result.Digest; d != "" {
		t.Note += ", whose file has the SHA-256 " + d
	}
	for _, n := range all {
		r := n.Result
		programs := humanize.Comma(int64(r.N))
		if !r.Complete {
			programs += ", ended before all were counted"
		}
		row := []string{n.Name, r.Task, programs, r.Settings.Source}
		if !slices.ContainsFunc(t.Rows, func(other []string) bool { return slices.Equal(row, other) }) {
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// columns returns a table with a column for each set of programs. Each cell contains its own count.
func columns(title, first string, all []Named, rows rowsOf) Table {
	t := Table{Title: title, Head: []string{first}}
	of := make([][]score.Row, len(all))
	var labels []string
	for i, n := range all {
		t.Head = append(t.Head, n.Name)
		of[i] = rows(&n.Result.States[0])
		for _, row := range of[i] {
			if !slices.Contains(labels, row.Label) {
				labels = append(labels, row.Label)
			}
		}
	}
	if first == "events" || first == "locals" { // a set may have ranges that others do not have
		slices.SortStableFunc(labels, func(a, b string) int { return byNumber(score.Row{Label: a}, score.Row{Label: b}) })
	}
	for _, label := range labels {
		cells := []string{strings.ReplaceAll(label, "-", "–")}
		for i := range all {
			cell := none
			for _, row := range of[i] {
				if row.Label == label {
					cell = shareCell(row)
				}
			}
			cells = append(cells, cell)
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}

// shareCell formats a share with its total, as "84.7% (2,791)".
func shareCell(row score.Row) string {
	return fmt.Sprintf("%s (%s)", row.Tenths(), humanize.Comma(int64(row.N)))
}

// walks returns a table of the free rollouts, with a row for each set with rollouts.
func walks(all []Named) Table {
	t := Table{Title: "Free rollouts by step_into", Head: []string{"set", "rollouts", "without a fault", "right states before the first fault, mean"}}
	for _, n := range all {
		s := &n.Result.States[0]
		if len(s.Rollouts) == 0 {
			continue
		}
		mean, clean := s.Mean()
		t.Rows = append(t.Rows, []string{
			n.Name, humanize.Comma(int64(len(s.Rollouts))), score.Tally{N: len(s.Rollouts), Same: clean}.Tenths(), fmt.Sprintf("%.1f", mean),
		})
	}
	return t
}

// errorsOfSureness returns a table of the expected calibration errors by action: how far the model's
// confidence is from its accuracy.
func errorsOfSureness(all []Named) Table {
	t := Table{Title: "Expected calibration error, by action", Head: []string{"action"}}
	for _, n := range all {
		t.Head = append(t.Head, n.Name)
	}
	for a := range dsl.Moves() {
		cells, counted := []string{a.String()}, false
		for _, n := range all {
			cell := none
			if c := n.Result.States[0].Score.CalibrationOf(a); c.N() > 0 {
				cell, counted = fmt.Sprintf("%.3f (%s)", c.ECE(), humanize.Comma(int64(c.N()))), true
			}
			cells = append(cells, cell)
		}
		if counted {
			t.Rows = append(t.Rows, cells)
		}
	}
	return t
}

// outputs returns a table with a row for each result of CruxEval.
func outputs(all []Named) Table {
	t := Table{
		Title: "CruxEval, outputs and inputs", Head: []string{"", "problems", "pass@1", "the last value copied", "no answer", "ECE"},
	}
	for _, n := range all {
		for _, j := range []struct {
			what string
			of   *eval.Judged
		}{{"output, by " + n.Result.Settings.Strategy, n.Result.Output}, {inputOf(n.Result), n.Result.Input}} {
			if j.of == nil {
				continue
			}
			copied, sure := none, none
			if share, ok := j.of.Baselines["last"]; ok {
				copied = optional(share.Pass1)
			}
			if j.of.Calibration.N() > 0 {
				sure = fmt.Sprintf("%.3f", j.of.Calibration.ECE())
			}
			t.Rows = append(t.Rows, []string{
				n.Name + ": " + j.what, humanize.Comma(int64(j.of.N)), optional(j.of.Pass1), copied,
				humanize.Comma(int64(j.of.Counts.Invalid + j.of.Counts.TooLong)), sure,
			})
		}
	}
	return t
}

func inputOf(r *eval.Result) string {
	if r.Settings.Locals {
		return "input, the return's locals shown"
	}
	return "input"
}

// Markdown writes tables as headings, tables and paragraphs.
func Markdown(w io.Writer, tables []Table) error {
	var b strings.Builder
	for i, t := range tables {
		if i > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "**%s**\n\n", markdown(t.Title))
		rule := make([]string, len(t.Head))
		for k := range rule {
			rule[k] = "---"
			if k > 0 {
				rule[k] = "---:"
			}
		}
		for _, row := range append([][]string{t.Head, rule}, t.Rows...) {
			cells := make([]string, len(row))
			for k, text := range row {
				cells[k] = markdown(text)
			}
			fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | "))
		}
		if t.Note != "" {
			fmt.Fprintf(&b, "\n%s\n", markdown(t.Note))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// inMarkdown escapes characters that would be markup in Markdown, or end a cell of a table.
var inMarkdown = strings.NewReplacer(`\`, `\\`, "|", `\|`, "<", "&lt;", "*", `\*`, "`", "\\`", "[", `\[`)

func markdown(text string) string { return inMarkdown.Replace(escape.Line(text)) }
