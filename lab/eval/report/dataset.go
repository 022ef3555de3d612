package report

import (
	"cmp"
	"maps"
	"slices"

	"github.com/dustin/go-humanize"

	"github.com/npdb/npdb/lab/dataset"
)

// mostFailed is the maximum number of failed programs that are listed.
const mostFailed = 20

// Dataset returns the tables that describe a dataset, from its manifest.
func Dataset(m *dataset.Manifest) []Table {
	contents := Table{Title: "Contents", Head: []string{"split", "files", "compressed", "programs", "trajectories", "bytes", "tokens", "to predict", "changed"}}
	var splits []split
	for _, name := range dataset.Splits() {
		s, ok := m.Splits[name]
		if !ok {
			continue
		}
		t := s.Tally
		splits = append(splits, split{name, t})
		of := float64(max(t.Bytes, 1))
		contents.Rows = append(contents.Rows, []string{
			name, comma(s.Files), humanize.IBytes(uint64(s.Size)), comma(t.Programs), comma(t.Lines), comma(t.Bytes), comma(t.Tokens),
			percent(float64(t.Predict) / of), percent(float64(t.Changed) / of),
		})
	}
	contents.Note = "tokens: a third of the bytes"
	failures := Table{Title: "Programs without trajectories", Head: []string{"reason", "programs"}}
	for _, reason := range mostFirst(m.Failures) {
		failures.Rows = append(failures.Rows, []string{reason, comma(m.Failures[reason])})
	}
	named := Table{Title: "The given ones among them", Head: []string{"program", "reason"}}
	for _, f := range m.Failed[:min(len(m.Failed), mostFailed)] {
		named.Rows = append(named.Rows, []string{f.Program, f.Reason})
	}
	if n := len(m.Failed) - mostFailed; n > 0 {
		named.Note = comma(n) + " more are in manifest.json"
	}
	all := []Table{
		contents,
		counted("Actions", "action", splits, func(t *dataset.Tally) map[string]int { return t.Actions }, nil),
		counted("Horizons", "events", splits, func(t *dataset.Tally) map[string]int { return t.Horizons }, dataset.HorizonClasses()),
		counted("Programs, by family", "family", splits, func(t *dataset.Tally) map[string]int { return t.Families }, nil),
		counted("Trajectories, by dialect", "dialect", splits, func(t *dataset.Tally) map[string]int { return t.Dialects }, nil),
		failures, named,
	}
	return slices.DeleteFunc(all, func(t Table) bool { return len(t.Rows) == 0 })
}

// split is a split of a dataset (train or test), with its counts.
type split struct {
	name  string
	tally *dataset.Tally
}

// counted returns a table of counts with a column for each split. Rows are in the given order, or with
// the highest counts first if order is nil.
func counted(title, first string, splits []split, of func(*dataset.Tally) map[string]int, order []string) Table {
	t, all := Table{Title: title, Head: []string{first}}, map[string]int{}
	for _, s := range splits {
		t.Head = append(t.Head, s.name)
		for k, n := range of(s.tally) {
			all[k] += n
		}
	}
	if order == nil {
		order = mostFirst(all)
	}
	for _, k := range order {
		if all[k] == 0 {
			continue
		}
		row := []string{k}
		for _, s := range splits {
			row = append(row, comma(of(s.tally)[k]))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// mostFirst returns the names in counts, those with the highest counts first.
func mostFirst(counts map[string]int) []string {
	return slices.SortedFunc(maps.Keys(counts), func(a, b string) int { return cmp.Or(counts[b]-counts[a], cmp.Compare(a, b)) })
}

// comma formats a number with commas between the thousands.
func comma[N int | int64](n N) string { return humanize.Comma(int64(n)) }
