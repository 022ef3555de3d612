//go:build unix

package trace_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/npdb/npdb/internal/cruxeval"
)

// TestCruxEval compares npdb with CPython on every problem of a file of
// CruxEval.
func TestCruxEval(t *testing.T) {
	conform(t, readProblems(t), 1, 30)
}

// readProblems writes CruxEval's problems as programs.
func readProblems(t *testing.T) []program {
	t.Helper()
	dir := t.TempDir()
	var programs []program
	for _, problem := range cruxeval.All(t) {
		p := program{name: problem.ID, path: filepath.Join(dir, problem.ID+".py"), from: 9}
		if err := os.WriteFile(p.path, []byte(problem.Source), 0o600); err != nil {
			t.Fatal(err)
		}
		programs = append(programs, p)
	}
	return programs
}
