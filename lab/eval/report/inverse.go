package report

import (
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/npdb/npdb/lab/eval"
)

// inverse returns the tables of predicted pasts.
func inverse(r *eval.Result) []Table {
	in := r.Inverse
	if in == nil {
		return nil
	}
	t := Table{
		Title: "Pasts of a state, verified by " + r.Settings.Verify,
		Head:  []string{"", "states", "answers", "lead @1", "lead @5", "exact", "first", "distinct", "leading", "undecided"},
		Note:  "lead: answers that lead to the state; first: the candidate that the debugger shows first is the real past; distinct and leading: how many different ones there are of a state, and how many of these lead to it",
	}
	for _, m := range in.Moves {
		if m.N == 0 {
			continue
		}
		t.Rows = append(t.Rows, []string{
			m.Action, strconv.Itoa(m.N), strconv.Itoa(m.Answers), optional(m.Consistency1), optional(m.Consistency5),
			optional(m.Exact), optional(m.First), mean(m.Distinct), mean(m.Coverage), strconv.Itoa(m.Undecided),
		})
	}
	tables := []Table{t}
	if t := verdicts(in.Verdicts); t.Rows != nil {
		tables = append(tables, t)
	}
	return append(tables, calibrations(named{"forward, exact", in.Forward}, named{"inverse, exact", in.Exact}, named{"inverse, leads here", in.Leads})...)
}

// verdicts returns a table that compares the verdicts from the source, and the model's, with those of a
// run.
func verdicts(list []eval.VerdictCount) Table {
	t := Table{
		Title: "Verdicts compared with a run", Head: []string{"", "here", "elsewhere", "not decided", "real pasts"},
		Note: "how many candidates with this verdict lead to the state, lead elsewhere, or are not decided when they are run; the model is asked where the text does not decide",
	}
	count := func(n int) string { return humanize.Comma(int64(n)) }
	for _, v := range list {
		t.Rows = append(t.Rows, []string{
			v.By.String() + ": " + strings.ReplaceAll(v.Verdict.String(), "_", " "), count(v.Here), count(v.Elsewhere), count(v.Open), count(v.Exact),
		})
	}
	return t
}
