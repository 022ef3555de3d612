//go:build unix

package trace_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// TestBehaviour compares the output and the end of programs with plain Python: typical
// scripts, and programs that inspect what recording could change.
func TestBehaviour(t *testing.T) {
	programs := readPrograms(t, "behaviour")
	for _, python := range pythons.All(t) {
		t.Run(python.String(), func(t *testing.T) {
			t.Parallel()
			for _, p := range programs {
				if python.Minor < p.from || p.has(tagLifetimes) && python.Minor < 13 {
					continue
				}
				t.Run(p.name, func(t *testing.T) {
					t.Parallel()
					behaves(t, python, p, time.Minute)
				})
			}
		})
	}
}

// TestScripts does the same with the scripts in the folder that NPDB_SCRIPTS names: those
// with a main part that plain Python finishes within a second. It was written for
// TheAlgorithms/Python.
func TestScripts(t *testing.T) {
	dir := os.Getenv("NPDB_SCRIPTS")
	if dir == "" {
		t.Skip("NPDB_SCRIPTS names no folder of scripts")
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	python := pythons.Usual(t)
	n := 0
	err = filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".py" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(text, []byte("__main__")) {
			return err
		}
		n++
		name, err := filepath.Rel(dir, path)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			behaves(t, python, program{name: name, path: path}, time.Second)
		})
		return err
	})
	if err != nil || n == 0 {
		t.Fatalf("%s: %d scripts, %v", dir, n, err)
	}
}

// behaves runs a program with and without npdb.
func behaves(t *testing.T, python pythons.Python, p program, limit time.Duration) {
	t.Helper()
	want := plainRun(t, python, p, limit)
	rec, landing := start(t, python, p, nil)
	for !landing.End {
		landing = move(t, rec, p, landing.Position, dsl.Continue)
	}
	want.compare(t, rec, p)
}

// outcome is a program's output and its exit code.
type outcome struct {
	printed string
	code    int
}

// plainRun runs a program without npdb. It skips the test if the program does not finish
// in time, or imports a module that is not installed.
func plainRun(t *testing.T, python pythons.Python, p program, limit time.Duration) outcome {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, python.Path, p.path)
	cmd.Dir = filepath.Dir(p.path)
	cmd.Env = environ("PYTHONHASHSEED=0", "PYTHONDONTWRITEBYTECODE=1")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	printed, err := cmd.Output()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil && t.Context().Err() == nil:
		t.Skipf("%s: plain Python is not done in %v", p.name, limit)
	case strings.Contains(stderr.String(), "ModuleNotFoundError"), strings.Contains(stderr.String(), "ImportError"):
		t.Skipf("%s: %s", p.name, stderr.String())
	case err != nil && !errors.As(err, &exit):
		t.Fatalf("plain %v: %v", python, err)
	}
	return outcome{string(printed), cmd.ProcessState.ExitCode()}
}

// compare compares a finished recording with the outcome.
func (want outcome) compare(t *testing.T, rec *trace.Recording, p program) {
	t.Helper()
	var got strings.Builder
	for _, o := range rec.Output(-1, -1) {
		if o.Stream == "stdout" {
			got.WriteString(o.Text)
		}
	}
	if got.String() != want.printed {
		t.Errorf("%s: printed\n%s\nwant\n%s", p.name, got.String(), want.printed)
	}
	if code := rec.Exit().Code; code != want.code {
		t.Errorf("%s: exit code %d, want %d", p.name, code, want.code)
	}
}
