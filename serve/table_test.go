//go:build linux

package serve

import (
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/npdb/npdb/internal/longtest"
	"github.com/npdb/npdb/trace/contain"
)

// shownBy maps each row of the table in docs/serve.md to the test that proves it at the levels in
// the table. The key is the beginning of the row.
var shownBy = map[string]string{
	"reads files of the server's user":                   "TestContained",
	"reads what everybody may read":                      "TestContained",
	"writes outside its scratch directory":               "TestContained",
	"opens network connections":                          "TestContained",
	"speaks to servers of this machine by files":         "TestContained",
	"uses a descriptor that the server was started with": "TestAttacks",
	"makes name spaces, mounts, debugs":                  "TestAttacks",
	"uses rights that only root has":                     "TestContained",
	"signals or looks at other processes":                "TestContained",
	"leaves processes behind":                            "TestContainedLeavesNothing",
	"forks without end":                                  "TestContained",
	"takes much memory":                                  "TestContained",
	"takes memory that is in no such limit":              "TestAttacks",
	"loops":                                              "TestContained",
	"prints without end":                                 "TestContainedIsInterrupted",
	"writes a large file":                                "TestContained",
	"writes many files":                                  "TestContained",
	"opens many files":                                   "TestContained",
	"runs on and on":                                     "TestRunsOn",
	"writes to npdb in the tracer's place":               "TestForged",
}

// table returns the levels of each row of the table in docs/serve.md.
var table = sync.OnceValues(func() (map[string][]contain.Level, error) {
	text, err := os.ReadFile("../docs/serve.md")
	if err != nil {
		return nil, err
	}
	_, rows, _ := strings.Cut(string(text), "| a program that | bubblewrap | own user | limits |\n|---|---|---|---|\n")
	rows, _, _ = strings.Cut(rows, "\n\n")
	found := map[string][]contain.Level{}
	for row := range strings.SplitSeq(rows, "\n") {
		cells := strings.Split(strings.Trim(row, "| "), " | ")
		held := []contain.Level{}
		for i, cell := range cells[1:] {
			words, exceptRoot := strings.CutSuffix(cell, ", but **not** for root")
			if !strings.Contains(words, "**not") && (!exceptRoot || os.Geteuid() != 0) {
				held = append(held, contain.Bubblewrap+contain.Level(i))
			}
		}
		found[cells[0]] = held
	}
	return found, nil
})

// heldAt returns the levels at which a row of the table is true.
func heldAt(t *testing.T, row string) []contain.Level {
	t.Helper()
	rows, err := table()
	if err != nil {
		t.Fatal(err)
	}
	if name, _, _ := strings.Cut(t.Name(), "/"); shownBy[row] != name {
		t.Errorf("%q is said to be shown by %q", row, shownBy[row])
	}
	for full, levels := range rows {
		if strings.HasPrefix(full, row) && (full == row || strings.ContainsAny(full[len(row):][:2], " ,(")) {
			return levels
		}
	}
	t.Fatalf("the table has no row %q", row)
	return nil
}

// tried returns the levels at which a row is tested: the strongest and the weakest of levels, or
// all of them in a long test.
func tried(t testing.TB, levels []contain.Level) []contain.Level {
	t.Helper()
	if len(levels) < 3 || longtest.Asked(t) {
		return levels
	}
	return []contain.Level{levels[0], levels[len(levels)-1]}
}

// TestTable checks that each row of the table has a test, and that each test in shownBy has a row.
func TestTable(t *testing.T) {
	rows, err := table()
	if err != nil || len(rows) != len(shownBy) {
		t.Errorf("the table has %d rows, and %d are tested: %v", len(rows), len(shownBy), err)
	}
	for row := range shownBy {
		n := 0
		for full, levels := range rows {
			if strings.HasPrefix(full, row) {
				n++
				if len(levels) == 0 || levels[0] != contain.Bubblewrap {
					t.Errorf("%q is not held in a sandbox", full)
				}
			}
		}
		if n != 1 {
			t.Errorf("%q begins %d rows", row, n)
		}
	}
}
