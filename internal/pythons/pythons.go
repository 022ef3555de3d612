// Package pythons finds the Python interpreters with which tests run.
package pythons

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/npdb/npdb/python/supported"
)

// Python is an interpreter.
type Python struct {
	Path  string // sys.executable: the interpreter itself, not a script that selects a version
	Minor int    // 12 for 3.12
	Wasm  bool   // it runs in WebAssembly: without threads, processes and signals
}

// String returns its version, such as "3.12".
func (p Python) String() string { return fmt.Sprintf("3.%d", p.Minor) }

// All returns the interpreters for tests, oldest first. NPDB_PYTHONS lists them (paths, separated
// as in PATH), one for each version. If it is not set, All returns only the first of python3,
// python3.9 … python3.14 in PATH that runs. If there is none, it skips the test.
func All(t testing.TB) []Python {
	t.Helper()
	all := found()
	if len(all) == 0 {
		t.Skipf("no Python 3.%d or newer: neither python3 in PATH nor NPDB_PYTHONS", supported.Oldest)
	}
	return all
}

// Between returns the interpreters in All from version 3.first to 3.last. If there are none, it
// skips the test.
func Between(t testing.TB, first, last int) []Python {
	t.Helper()
	some := slices.DeleteFunc(slices.Clone(All(t)), func(p Python) bool { return p.Minor < first || p.Minor > last })
	if len(some) == 0 {
		t.Skipf("no Python 3.%d to 3.%d in PATH or NPDB_PYTHONS", first, last)
	}
	return some
}

// Any returns the path of the interpreter behind python3 in PATH. If there is none, it skips the
// test.
func Any(t testing.TB) string {
	t.Helper()
	return Usual(t).Path
}

// Usual returns the interpreter behind python3 in PATH. If there is none, it skips the test.
func Usual(t testing.TB) Python {
	t.Helper()
	p, err := usual()
	if err != nil {
		t.Skipf("no python3 in PATH runs: %v", err)
	}
	return p
}

var usual = sync.OnceValues(func() (Python, error) { return ask("python3") })

// askOnce is like ask, but runs the python3 in PATH only once. A script that selects a version,
// such as pyenv's, may take ten times as long to start as Python.
func askOnce(path string) (Python, error) {
	if first, err := exec.LookPath("python3"); err == nil && first == path {
		return usual()
	}
	return ask(path)
}

var found = sync.OnceValue(func() []Python {
	candidates := filepath.SplitList(os.Getenv("NPDB_PYTHONS"))
	listed := len(candidates) > 0
	if !listed {
		candidates = inPath()
	}
	var all []Python
	for _, path := range candidates {
		if info, err := os.Stat(path); err != nil || info.IsDir() {
			continue
		}
		p, err := askOnce(path)
		if err != nil || p.Minor < supported.Oldest || slices.ContainsFunc(all, func(q Python) bool { return q.Minor == p.Minor }) {
			continue
		}
		all = append(all, p)
		if !listed {
			break
		}
	}
	slices.SortFunc(all, func(p, q Python) int { return p.Minor - q.Minor })
	return all
})

// inPath returns the possible paths of python3, python3.9 … python3.14 in each folder of
// PATH.
func inPath() []string {
	names := []string{"python3"}
	for minor := supported.Oldest; minor <= supported.Newest; minor++ {
		names = append(names, fmt.Sprintf("python3.%d", minor))
	}
	var candidates []string
	for _, name := range names {
		for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
			candidates = append(candidates, filepath.Join(dir, name))
		}
	}
	return candidates
}

// ask runs a Python to find out its path and version.
func ask(path string) (p Python, err error) {
	const about = "import sys; print(sys.version_info[1] if sys.version_info[0] == 3 else 0, sys.platform == 'emscripten', sys.executable)"
	out, err := exec.Command(path, "-I", "-c", about).Output()
	if err != nil {
		return p, err // for example a pyenv shim for a version that is not installed
	}
	said := strings.SplitN(strings.TrimSpace(string(out)), " ", 3)
	p.Path = said[len(said)-1]
	_, err = fmt.Sscan(said[0], &p.Minor)
	p.Wasm = len(said) == 3 && said[1] == "True"
	return p, err
}
