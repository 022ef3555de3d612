//go:build unix

package trace_test

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/cruxeval"
	"github.com/npdb/npdb/internal/longtest"
	"github.com/npdb/npdb/internal/pythons"
)

// effectsLimit limits the events of a program that are examined, because each examination
// covers everything that the program's frames reach.
const effectsLimit = 150

// beyondEffects lists programs that the witness cannot judge. In some, threads, signals,
// other processes, or code under the program's file name that is not in the file change
// objects. In others the witness's own process ends with the program, or its trace
// function is among the program's objects, with everything it has seen.
var beyondEffects = map[string]bool{
	"exec_same_file": true, "threads_joined": true, "threads_queue": true, "signal_alarm": true, "signal_handler": true,
	"signal_interrupt": true, "signal_raises": true, "fork_child": true, "fork_exec": true, "multiprocess_pool": true,
	"segfault": true, "exit_now": true, "gettrace_program": true, "setprofile_program": true, "recursion_near_limit": true, "recursion_deep": true,
}

// effectsOf is the witness's result for a program.
type effectsOf struct {
	Program string
	GaveUp  bool `json:"gave_up"` // it took too long or died, and reported nothing
	Events  int
	Missed  []string
	Counts  map[string]int
}

// TestEffects runs programs under a trace function that examines everything after each
// event: only what the effect of the line announces may have changed. It runs all programs
// written for it, and a share of the others.
func TestEffects(t *testing.T) {
	lists := map[string][]program{"own": readPrograms(t, "effects"), "programs": readPrograms(t, "programs")}
	for _, folder := range []string{"../examples", "../lab/bench/programs"} {
		paths, err := filepath.Glob(folder + "/*.py")
		if err != nil || len(paths) == 0 {
			t.Fatalf("%s: %d programs, %v", folder, len(paths), err)
		}
		for _, path := range paths {
			lists[folder] = append(lists[folder], readProgram(t, filepath.Base(path), path))
		}
	}
	var problems []program
	if cruxeval.AtHand() {
		problems = readProblems(t)
	}
	for _, python := range pythons.All(t) {
		t.Run(python.String(), func(t *testing.T) {
			t.Parallel()
			programs := fuzzedPrograms(t, python)
			for _, name := range slices.Sorted(maps.Keys(lists)) {
				list := lists[name]
				if name != "own" {
					list = shareOf(t, list, python.Minor, auditedShare)
				}
				for _, p := range list {
					if python.Minor >= p.from && !beyondEffects[p.name] && !p.has(tagEndless) && !p.has(tagHangs) && !p.has(tagRecursion) {
						programs = append(programs, p.path)
					}
				}
			}
			for _, p := range problems {
				programs = append(programs, p.path)
			}
			holdEffects(t, python, programs)
		})
	}
}

// fuzzedPrograms returns programs made by effects_fuzz.py, different ones on each version.
// NPDB_WALKS requests more of them.
func fuzzedPrograms(t *testing.T, python pythons.Python) []string {
	t.Helper()
	dir := t.TempDir()
	first, count := python.Minor*1000, 6*longtest.Walks(t)
	out, err := exec.CommandContext(t.Context(), python.Path, "testdata/effects_fuzz.py", dir, strconv.Itoa(first), strconv.Itoa(first+count)).CombinedOutput()
	if err != nil {
		t.Fatalf("effects_fuzz.py: %v\n%s", err, out)
	}
	paths, err := filepath.Glob(filepath.Join(dir, "*.py"))
	if err != nil || len(paths) != count {
		t.Fatalf("%d fuzzed programs, %v, want %d", len(paths), err, count)
	}
	return paths
}

// TestEffectsOfLines compares the effects of lines with the expected ones in a file.
// TestEffects checks that they are complete, this test that they are small.
func TestEffectsOfLines(t *testing.T) {
	tracer, err := filepath.Abs("tracer")
	if err != nil {
		t.Fatal(err)
	}
	for _, python := range pythons.All(t) {
		t.Run(python.String(), func(t *testing.T) {
			out, err := exec.CommandContext(t.Context(), python.Path, "testdata/effects_table.py", tracer, "testdata/effects_lines.py").CombinedOutput()
			if err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// TestClassNames checks that the name of a class is followed without running code, so that
// a line that uses it as a dict key changes only that entry.
func TestClassNames(t *testing.T) {
	for _, python := range pythons.All(t) {
		out, err := exec.CommandContext(t.Context(), python.Path, "testdata/class_names.py", "tracer").CombinedOutput()
		if err != nil {
			t.Errorf("on %v: %v\n%s", python, err, out)
		}
	}
}

// holdEffects fails for each program in which the witness finds a change that the effect
// of the line does not announce.
func holdEffects(t *testing.T, python pythons.Python, programs []string) {
	t.Helper()
	tracer, err := filepath.Abs("tracer")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), python.Path, append([]string{"testdata/effects_witness.py", tracer, strconv.Itoa(effectsLimit)}, programs...)...)
	cmd.Env = append(os.Environ(), "PYTHONHASHSEED=0")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("the witness: %v", err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) != len(programs) {
		t.Fatalf("the witness spoke of %d programs of %d", len(lines), len(programs))
	}
	counts, events := map[string]int{}, 0
	for _, line := range lines {
		var said effectsOf
		if err := json.Unmarshal([]byte(line), &said); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if said.GaveUp {
			t.Errorf("%s: the witness came to no end", said.Program)
		}
		for _, missed := range said.Missed {
			t.Errorf("%s: %s", said.Program, missed)
		}
		events += said.Events
		for level, n := range said.Counts {
			counts[level] += n
		}
	}
	if events < 20*len(programs) {
		t.Errorf("%d programs had %d events in all", len(programs), events)
	}
	t.Logf("%d programs, %d events: %v", len(programs), events, counts)
}
