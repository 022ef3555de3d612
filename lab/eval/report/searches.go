package report

import (
	"strconv"

	"github.com/dustin/go-humanize"

	"github.com/npdb/npdb/lab/eval"
)

// searches returns the table of the searches for inputs.
func searches(r *eval.Result) Table {
	t := Table{
		Title: "Searched inputs, verified by " + r.Settings.Verify,
		Head:  []string{"", "n", "found", "first", "first five", "plausible", "hits", "tried", "undecided"},
		Note:  "found: an input for which the function returns the output; first: the first one shown is the problem's own; plausible: it has the types of the own one, is empty where that is, and at most three times as long or short; hits: how many are found, median",
	}
	for _, way := range []string{eval.SearchAlone, eval.SearchSampler} {
		s := r.Search[way]
		if s == nil {
			continue
		}
		t.Rows = append(t.Rows, []string{
			map[string]string{eval.SearchAlone: "without the model", eval.SearchSampler: "with the model's samples"}[way], strconv.Itoa(s.Found.N),
			s.Found.Tally().Tenths(), s.First.Tally().Tenths(), s.Five.Tally().Tenths(), s.Plausible.Tally().Tenths(),
			strconv.Itoa(s.Hits), humanize.Comma(int64(s.Tried)), humanize.Comma(int64(s.Undecided)),
		})
	}
	return t
}
