package check_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl/vectors"
	"github.com/npdb/npdb/internal/cruxeval"
	"github.com/npdb/npdb/internal/longtest"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/lab/dataset"
	"github.com/npdb/npdb/lab/dataset/policy"
	"github.com/npdb/npdb/lab/dataset/recorder"
)

// run runs a script in this folder with a Python, and returns its output.
func run(t *testing.T, p pythons.Python, arguments ...string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("programs are run again in forks, which Windows has not")
	}
	c := exec.Command(p.Path, append([]string{"-W", "ignore"}, arguments...)...)
	c.Env = append(os.Environ(), "PYTHONHASHSEED=0", "PYTHONDONTWRITEBYTECODE=1")
	said, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", arguments, err, said)
	}
	return string(said)
}

// usual returns the Python for which the tests in this folder are written.
func usual(t *testing.T) pythons.Python {
	t.Helper()
	return pythons.Between(t, 12, 12)[0]
}

// TestCheck checks that check.py follows the table of moves, finds planted errors in trajectories,
// and accepts right ones.
func TestCheck(t *testing.T) {
	run(t, usual(t), "-m", "unittest", "-q", "test_law", "test_check")
}

// TestCounts checks the counting scripts, and that the table of methods in the generator is
// complete.
func TestCounts(t *testing.T) {
	run(t, usual(t), "-m", "unittest", "-q", "test_counts")
}

// made creates a dataset of generated programs, or of those in a file, and returns its folder.
func made(t *testing.T, p pythons.Python, count int, file string) string {
	t.Helper()
	walks := policy.Defaults()
	walks.Edits, walks.Actions.StepBlock, walks.Actions.StepFunction = 0.5, 1, 1
	c := dataset.Config{
		Dir: t.TempDir(), Parallel: 2,
		Workers: dataset.Workers{Recorder: recorder.Config{Python: p.Path, Contain: recorder.ContainLimits}},
		Settings: dataset.Settings{
			Format: dataset.Format, Seed: 12, Count: count, PerShard: 1000, Walks: 4, Dialects: []policy.Dialect{policy.ND1, policy.CWM},
			Source: dataset.Source{Kind: dataset.Generated}, Difficulty: [2]float64{0, 1}, Policy: *walks,
		},
	}
	if file != "" {
		given, err := dataset.OpenPrograms(file, filepath.Base(file))
		if err != nil {
			t.Fatal(err)
		}
		c.Workers.Programs, c.Settings.Source = given, given.Source()
		c.Settings.Count = given.Source().Programs
	}
	_, err := dataset.Run(t.Context(), c)
	if err := c.Workers.Close(); err != nil {
		t.Error(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return c.Dir
}

// TestGenerated checks the trajectories of 20 generated programs byte for byte, or of 1,000 with
// NPDB_WALKS.
func TestGenerated(t *testing.T) {
	programs, sample := 12, "20"
	if longtest.Asked(t) {
		programs, sample = 400, "1000"
	}
	p := usual(t)
	said := run(t, p, "check.py", "--sample", sample, made(t, p, programs, ""))
	if !strings.HasSuffix(said, fmt.Sprintf("%[1]s checked: %[1]s right, 0 wrong, 0 declined\n", sample)) {
		t.Error(said)
	}
}

// TestGiven checks the trajectories of given programs, with every available Python.
func TestGiven(t *testing.T) {
	var lines strings.Builder
	for i, v := range vectors.All() {
		if i%8 > 0 { // each program has several trajectories
			continue
		}
		line, err := json.Marshal(map[string]string{"code": v.Program})
		if err != nil {
			t.Fatal(err)
		}
		lines.Write(append(line, '\n'))
	}
	file := filepath.Join(t.TempDir(), "programs.jsonl")
	if err := os.WriteFile(file, []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, p := range pythons.All(t) {
		t.Run(p.String(), func(t *testing.T) {
			said := run(t, p, "check.py", made(t, p, 0, file))
			if !strings.HasSuffix(said, " right, 0 wrong, 0 declined\n") {
				t.Error(said)
			}
		})
	}
}

// TestOverlap checks that no function of the benchmark is among the generated ones, except
// very common ones.
func TestOverlap(t *testing.T) {
	file := cruxeval.File(t)
	programs := 100
	if longtest.Asked(t) {
		programs = 20000
	}
	p := usual(t)
	t.Log(run(t, p, "overlap.py", file, made(t, p, programs, "")))
}
