package examples

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
)

// wrong lists the programs with a bug; they must say that their result is wrong.
var wrong = map[string]bool{"bank.py": true, "inventory.py": true}

func programs(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("*.py")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 7 {
		t.Fatalf("only %d example programs", len(files))
	}
	return files
}

// TestOutput compares the output of each program, on every Python, with testdata/NAME.txt.
// The programs are deterministic.
func TestOutput(t *testing.T) {
	interpreters := pythons.All(t)
	for _, file := range programs(t) {
		golden, err := os.ReadFile(filepath.Join("testdata", strings.TrimSuffix(file, ".py")+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		if got := bytes.Contains(golden, []byte("WRONG")); got != wrong[file] {
			t.Errorf("%s: a result that is visibly wrong: %v, want %v", file, got, wrong[file])
		}
		for _, python := range interpreters {
			var stderr bytes.Buffer
			command := exec.Command(python.Path, file)
			command.Stderr = &stderr
			output, err := command.Output()
			if err != nil {
				t.Errorf("%s %s: %v\n%s", python, file, err, stderr.Bytes())
				continue
			}
			if got := bytes.ReplaceAll(output, []byte("\r\n"), []byte("\n")); !bytes.Equal(got, golden) {
				t.Errorf("%s %s printed\n%s\nwant\n%s", python, file, got, golden)
			}
		}
	}
}

// TestHeader checks that each docstring says what to look for.
func TestHeader(t *testing.T) {
	for _, file := range programs(t) {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		header, _, closed := bytes.Cut(bytes.TrimPrefix(source, []byte(`"""`)), []byte(`"""`))
		if !bytes.HasPrefix(source, []byte(`"""`)) || !closed || !bytes.Contains(header, []byte("What to look for: ")) {
			t.Errorf("%s: its docstring does not say what to look for", file)
		}
	}
}
