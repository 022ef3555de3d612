// Package cruxeval provides CruxEval's problems (facebookresearch/cruxeval) as programs for tests.
// Tests are skipped if the problems are not installed.
package cruxeval

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/longtest"
)

// Problem is a CruxEval problem as a Python program: its code, followed by a call of its function.
type Problem struct{ ID, Source string }

// file is the environment variable with the path of the problems: JSON lines with the fields code,
// input and id.
const file = "NPDB_CRUXEVAL"

// AtHand reports whether NPDB_CRUXEVAL is set.
func AtHand() bool { return os.Getenv(file) != "" }

// File returns the path in NPDB_CRUXEVAL. If it is not set, File skips the test.
func File(t testing.TB) string {
	t.Helper()
	if !AtHand() {
		t.Skip(file + " names no file of CruxEval problems")
	}
	return os.Getenv(file)
}

// All returns the problems in the file NPDB_CRUXEVAL. If it is not set, All skips the test.
func All(t testing.TB) []Problem {
	t.Helper()
	path := File(t)
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var problems []Problem
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var read struct{ Code, Input, ID string }
		if err := json.Unmarshal(lines.Bytes(), &read); err != nil {
			t.Fatalf("%s: %v in %q", path, err, lines.Text())
		}
		problems = append(problems, Problem{read.ID, strings.TrimSuffix(read.Code, "\n") + "\nout = f(" + read.Input + ")\n"})
	}
	if err := lines.Err(); err != nil || len(problems) == 0 {
		t.Fatalf("%s: %d problems, %v", path, len(problems), err)
	}
	return problems
}

// Some returns every tenth problem, or if NPDB_WALKS is set, all of them, which takes minutes.
func Some(t testing.TB) []Problem {
	t.Helper()
	all := All(t)
	if longtest.Asked(t) {
		return all
	}
	var some []Problem
	for i := 0; i < len(all); i += 10 {
		some = append(some, all[i])
	}
	return some
}
