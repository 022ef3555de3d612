package report

import (
	"fmt"
	"strconv"

	"github.com/dustin/go-humanize"

	"github.com/npdb/npdb/lab/eval"
)

// searches returns the table of the searches for inputs.
func searches(r *eval.Result) Table {
	t := Table{
		Title: "Searched inputs, verified by " + r.Settings.Verify,
		Head:  []string{"", "n", "found", "first", "first five", "plausible", "hits", "tried", "undecided", "seconds", "90%"},
		Note:  "found: an input for which the function returns the output; first: the first one shown is the problem's own; plausible: it has the types of the own one, is empty where that is, and at most three times as long or short; hits: how many are found, median; seconds: of a search, median and 90th percentile",
	}
	for _, way := range eval.Searches {
		s := r.Search[way]
		if s == nil {
			continue
		}
		t.Rows = append(t.Rows, []string{
			map[string]string{eval.SearchAlone: "without the model", eval.SearchSampler: "with the model's samples", eval.SearchSamples: "the model's samples alone"}[way], strconv.Itoa(s.Found.N),
			s.Found.Tally().Tenths(), s.First.Tally().Tenths(), s.Five.Tally().Tenths(), s.Plausible.Tally().Tenths(),
			strconv.Itoa(s.Hits), humanize.Comma(int64(s.Tried)), humanize.Comma(int64(s.Undecided)),
			fmt.Sprintf("%.2f", s.Median), fmt.Sprintf("%.2f", s.Slow),
		})
	}
	return t
}
