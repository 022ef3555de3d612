package report

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"github.com/npdb/npdb/lab/dataset"
)

// TestDataset checks the tables of a dataset: the highest counts first, horizons in order, only the
// first of many failed programs, and no empty table.
func TestDataset(t *testing.T) {
	tally := func(n int) *dataset.Tally {
		return &dataset.Tally{
			Programs: n, Lines: 4 * n, Bytes: int64(9000 * n), Tokens: int64(3000 * n), Predict: int64(4500 * n), Changed: int64(900 * n),
			Dialects: map[string]int{"nd/1": 3 * n, "cwm": n}, Actions: map[string]int{"step_into": n, "continue": 2, "step_over": 5 * n},
			Horizons: map[string]int{"64+": 1, "2-3": n, "1": 6 * n, "unknown": 3},
		}
	}
	m := &dataset.Manifest{
		Splits:   map[string]dataset.Split{dataset.Train: {Files: 12, Size: 5 << 20, Tally: tally(1200)}, dataset.Test: {Files: 2, Size: 900, Tally: tally(3)}},
		Failures: map[string]int{"time limit": 2, "too many events": 30, "killed": 2},
	}
	for i := range 25 {
		m.Failed = append(m.Failed, dataset.FailedProgram{Program: fmt.Sprintf("p%d\x1b[31m.py", i), Reason: "too many events"})
	}
	var b bytes.Buffer
	if err := Text(&b, Dataset(m), false); err != nil {
		t.Fatal(err)
	}
	golden.RequireEqual(t, b.Bytes())
	b.Reset()
	if err := Text(&b, Dataset(&dataset.Manifest{}), false); err != nil || b.Len() > 0 {
		t.Errorf("nothing is %q, %v", b.String(), err)
	}
}
