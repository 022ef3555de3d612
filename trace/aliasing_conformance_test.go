//go:build unix

package trace_test

import (
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/longtest"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// aliasingPrograms is the number of random programs for each requested walk.
const aliasingPrograms = 12

// TestAliasing is like TestValues for random programs whose names share objects; see
// testdata/aliasing.py. NPDB_WALKS requests more of them.
func TestAliasing(t *testing.T) {
	dir := t.TempDir()
	n := aliasingPrograms * longtest.Walks(t)
	out, err := exec.CommandContext(t.Context(), pythons.Any(t), filepath.Join("testdata", "aliasing.py"), dir, "0", strconv.Itoa(n)).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	paths, err := filepath.Glob(filepath.Join(dir, "*.py"))
	if err != nil || len(paths) != n {
		t.Fatalf("%d programs, %v", len(paths), err)
	}
	var programs []program
	for _, path := range paths {
		programs = append(programs, readProgram(t, strings.TrimSuffix(filepath.Base(path), ".py"), path))
	}
	holdValues(t, programs, 1, trace.ReprsAlways)
}
