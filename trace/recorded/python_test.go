package recorded

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/npdb/npdb/dsl"
)

// interpreter is a Python to test with.
type interpreter struct {
	path  string
	minor int // 9 of 3.9
}

// interpreters are the Pythons from 3.9 on that PATH and NPDB_PYTHONS name,
// each once.
var interpreters = sync.OnceValue(func() []interpreter {
	names := []string{"python3"}
	for minor := 9; minor <= 14; minor++ {
		names = append(names, fmt.Sprintf("python3.%d", minor))
	}
	names = append(names, filepath.SplitList(os.Getenv("NPDB_PYTHONS"))...)
	const about = "import os, sys; print(sys.version_info[1] if sys.version_info[0] == 3 else 0, os.path.realpath(sys.executable))"
	var found []interpreter
	seen := map[string]bool{}
	for _, name := range names {
		out, err := exec.Command(name, "-I", "-S", "-c", about).Output()
		var p interpreter
		if err != nil || name == "" {
			continue
		}
		if _, err := fmt.Sscanf(string(out), "%d", &p.minor); err != nil || p.minor < 9 {
			continue
		}
		_, p.path, _ = strings.Cut(strings.TrimSpace(string(out)), " ")
		if !seen[p.path] {
			seen[p.path] = true
			found = append(found, p)
		}
	}
	slices.SortStableFunc(found, func(a, b interpreter) int { return a.minor - b.minor })
	return found
})

// onEachPython runs test with every interpreter, or skips when there is none.
func onEachPython(t *testing.T, test func(t *testing.T, p interpreter)) {
	t.Helper()
	if len(interpreters()) == 0 {
		t.Skip("no Python from 3.9 on under the names python3, python3.9 to python3.14 and in NPDB_PYTHONS")
	}
	for _, p := range interpreters() {
		t.Run(fmt.Sprintf("3.%d", p.minor), func(t *testing.T) { test(t, p) })
	}
}

// anyPython is the newest interpreter; without one the test is skipped.
func anyPython(t testing.TB) interpreter {
	t.Helper()
	if len(interpreters()) == 0 {
		t.Skip("no Python from 3.9 on under the names python3, python3.9 to python3.14 and in NPDB_PYTHONS")
	}
	return interpreters()[len(interpreters())-1]
}

// newEvaluator is an Evaluator that is closed when the test ends.
func newEvaluator(t testing.TB, p interpreter) *Evaluator {
	t.Helper()
	e := New(p.path)
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return e
}

// patient is a context with time enough for a busy machine.
func patient(t testing.TB) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// locals makes recorded locals of names and texts in turn.
func locals(namesAndTexts ...string) []dsl.Local {
	var out []dsl.Local
	for i := 0; i < len(namesAndTexts); i += 2 {
		out = append(out, dsl.Local{Name: namesAndTexts[i], Value: namesAndTexts[i+1]})
	}
	return out
}
