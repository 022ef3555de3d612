package dataset

import (
	"encoding/json"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"testing"
)

// measured is the environment variable with the number of programs for the memory test. 10,000 take a
// second.
const measured = "NPDB_DATASET_MEMORY"

// TestMemoryFlat checks that the memory of a run does not grow with the number of programs, apart from
// their keys.
func TestMemoryFlat(t *testing.T) {
	most, err := strconv.Atoi(os.Getenv(measured))
	if err != nil {
		t.Skipf("%s says no number of programs, such as 100000", measured)
	}
	few, many := residentAfter(t, most/10), residentAfter(t, most)
	t.Logf("%d programs: %d MiB, %d programs: %d MiB", most/10, few>>20, most, many>>20)
	if grown := many - few - 20*int64(most); grown > few/4 {
		t.Errorf("ten times the programs take %d MiB more, without their keys", grown>>20)
	}
}

// residentAfter returns the largest resident memory, in bytes, of a process that creates a dataset of n
// programs.
func residentAfter(t *testing.T, programs int) int64 {
	t.Helper()
	text, err := json.Marshal(map[string]any{"Dir": t.TempDir(), "Settings": fakeSettings(programs, 1000)})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), victim+"="+string(text))
	if out, err := cmd.Output(); err != nil {
		t.Fatalf("%v: %.100q", err, out)
	}
	used, _ := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	return used.Maxrss << 10
}
