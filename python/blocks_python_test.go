package python

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
)

// straightPairs is a Python program. For each file it prints the lines with statements, and the
// pairs of lines of which the second continues the block of the first. It uses Python's own parser,
// and the blocks that the checks of datasets are made with.
const straightPairs = `
import json, sys
sys.path.insert(0, sys.argv[1])
import blocks
for path in sys.argv[2:]:
    with open(path, "rb") as file:
        try:
            slots = blocks.slots_of(file.read())
        except SyntaxError: # of a later version
            continue
    pairs = [[a, b] for a in slots for b in slots if slots[a][0] == slots[b][0] and blocks.straight(slots, a, b)]
    print(json.dumps({"path": path, "lines": sorted(slots), "pairs": pairs}))
`

// TestStraightInPython compares Straight with what Python's own parser makes of the blocks, for
// each pair of lines with events that are near one another.
func TestStraightInPython(t *testing.T) {
	var files []string
	for _, pattern := range []string{"testdata/outline/*.py", "../examples/*.py", "../trace/testdata/programs/*.py", "../trace/testdata/stdlib/*.py"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		files = append(files, found...)
	}
	for _, python := range pythons.All(t) {
		t.Run(python.String(), func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), python.Path, append([]string{"-B", "-c", straightPairs, "../lab/dataset/check/rerun"}, files...)...)
			cmd.Stderr = os.Stderr
			output, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			straight, read := 0, 0
			for lines := json.NewDecoder(output); ; read++ {
				var of struct {
					Path  string
					Lines []int
					Pairs [][2]int
				}
				if err := lines.Decode(&of); err == io.EOF {
					break
				} else if err != nil {
					t.Fatal(err)
				}
				straight += len(of.Pairs)
				compareStraight(t, of.Path, of.Lines, of.Pairs)
			}
			if err := cmd.Wait(); err != nil || read < len(files)*9/10 || straight < 5_000 {
				t.Errorf("%d of %d files, %d pairs: %v", read, len(files), straight, err)
			}
		})
	}
}

func compareStraight(t *testing.T, path string, lines []int, pairs [][2]int) {
	t.Helper()
	const near = 100
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	blocks := ReadBlocks(source)
	want := map[[2]int]bool{}
	for _, p := range pairs {
		want[p] = true
	}
	events := map[int]bool{}
	for _, line := range Read(source).Outline().Executable {
		events[line] = true
	}
	for i, from := range lines {
		for _, to := range lines[max(0, i-near):min(len(lines), i+near)] {
			if got := blocks.Straight(from, to); events[from] && events[to] && got != want[[2]int{from, to}] {
				t.Errorf("%s: from line %d to %d: %v", path, from, to, got)
			}
		}
	}
}
