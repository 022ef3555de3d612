//go:build unix

package trace_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCruxEval compares npdb with CPython on every problem of a file of
// CruxEval (facebookresearch/cruxeval): JSON lines with code, input and id.
// The program of a problem is its code followed by a call of f.
func TestCruxEval(t *testing.T) {
	path := os.Getenv("NPDB_CRUXEVAL")
	if path == "" {
		t.Skip("NPDB_CRUXEVAL names no file of CruxEval problems")
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	dir := t.TempDir()
	var programs []program
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var problem struct{ Code, Input, ID string }
		if err := json.Unmarshal(lines.Bytes(), &problem); err != nil {
			t.Fatalf("%s: %v in %q", path, err, lines.Text())
		}
		p := program{name: problem.ID, path: filepath.Join(dir, problem.ID+".py"), from: 9}
		text := strings.TrimSuffix(problem.Code, "\n") + "\nout = f(" + problem.Input + ")\n"
		if err := os.WriteFile(p.path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		programs = append(programs, p)
	}
	if err := lines.Err(); err != nil || len(programs) == 0 {
		t.Fatalf("%s: %d problems, %v", path, len(programs), err)
	}
	conform(t, programs, 30)
}
