package doctor

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
)

// linked returns a folder for PATH that contains only these programs.
func linked(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		path, err := exec.LookPath(name)
		if err != nil {
			t.Skipf("there is no %s: %v", name, err)
		}
		if err := os.Symlink(path, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func contains(t *testing.T, path string) []Fact {
	t.Helper()
	python := pythons.Any(t)
	t.Setenv("PATH", path)
	facts := (&Given{Config: loaded(t, "python = '"+python+"'\n")}).containment(t.Context())
	documented(t, "containment", facts)
	return facts
}

func TestContained(t *testing.T) {
	facts := contains(t, os.Getenv("PATH"))
	if f := fact(t, facts, "bubblewrap", ""); f.Value != true {
		t.Skip("skipped: " + f.Text)
	}
	f := fact(t, facts, "trial", "")
	if f.Value != "bubblewrap" {
		t.Skip("skipped: " + f.Text)
	}
	wants(t, f, Right, "runs contained, in bubblewrap")
	wants(t, fact(t, facts, "seccomp", ""), Right, "work")
	valued(t, facts, map[string]string{"bubblewrap": "true", "seccomp": "true", "trial": `"bubblewrap"`})
}

// TestNoBubblewrap checks that a missing bubblewrap is reported with advice, because
// programs then run with weaker containment.
func TestNoBubblewrap(t *testing.T) {
	facts := contains(t, linked(t, "true", "sh"))
	f := fact(t, facts, "bubblewrap", "")
	if wants(t, f, Note, "not installed"); f.Do == "" || f.Value != false {
		t.Errorf("%+v", f)
	}
	wants(t, fact(t, facts, "trial", ""), Note, "not in a sandbox (bubblewrap (bwrap) is not installed)")
	for _, f := range facts {
		if f.Fails {
			t.Errorf("npdb debugs without: %+v", f)
		}
	}
}

// TestBubblewrapFails checks a bubblewrap that cannot start programs.
func TestBubblewrapFails(t *testing.T) {
	dir := linked(t, "true", "sh")
	script(t, dir, "bwrap", "echo no namespaces are left >&2; exit 1")
	facts := contains(t, dir)
	wants(t, fact(t, facts, "bubblewrap", ""), Note, "no namespaces are left")
	wants(t, fact(t, facts, "trial", ""), Note, "no namespaces are left")
}

func TestNothingRunsContained(t *testing.T) {
	t.Setenv("PATH", linked(t, "true", "sh"))
	facts := (&Given{Config: loaded(t, "python = '/nowhere/python'\n")}).containment(t.Context())
	documented(t, "containment", facts)
	f := fact(t, facts, "trial", "")
	if wants(t, f, Wrong, "no Python"); f.Fails || f.Do == "" || f.Value != false {
		t.Errorf("%+v", f)
	}
}
