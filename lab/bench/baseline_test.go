package bench

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
)

// TestSettraceBaseline checks the records of the bare trace function, because ratios
// against a broken baseline would mean nothing.
func TestSettraceBaseline(t *testing.T) {
	dir := t.TempDir()
	program, output := filepath.Join(dir, "program.py"), filepath.Join(dir, "events.jsonl")
	source := "import json\ndef f(x):\n    y = x + 1\n    json.dumps(y)\n    return y\nf(f(1))\n"
	if err := os.WriteFile(program, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	command := exec.Command(pythons.Any(t), filepath.Join("baseline", "settrace_json.py"), output, program)
	if said, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	written, err := os.ReadFile(output)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range bytes.Lines(written) {
		var event struct {
			Event   string
			Line    int
			Changed map[string]string
			Value   string
		}
		if err := json.Unmarshal(line, &event); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		text := event.Event + " " + strconv.Itoa(event.Line)
		for _, name := range slices.Sorted(maps.Keys(event.Changed)) {
			if name == "x" || name == "y" { // the module's other names contain addresses
				text += " " + name + "=" + event.Changed[name]
			}
		}
		if event.Value != "" {
			text += " -> " + event.Value
		}
		got = append(got, text)
	}
	want := []string{
		"call 1", "line 1", "line 2", "line 6",
		"call 2 x=1", "line 3", "line 4 y=2", "line 5", "return 5 -> 2",
		"call 2 x=2", "line 3", "line 4 y=3", "line 5", "return 5 -> 3",
		"return 6 -> None",
	}
	// Up to 3.10 a module's call is on its first line, from 3.11 on it is on line 0.
	if len(got) > 0 && got[0] == "call 0" {
		want[0] = "call 0"
	}
	if !slices.Equal(got, want) {
		t.Errorf("events\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestPdbBaseline drives pdb a few steps and checks that it reports a time for each step.
func TestPdbBaseline(t *testing.T) {
	program := filepath.Join("programs", "cpubound.py")
	command := exec.Command(pythons.Any(t), filepath.Join("baseline", "drive_pdb.py"), "20", program)
	output, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	seconds, err := strconv.ParseFloat(strings.TrimSpace(string(output)), 64)
	if err != nil || seconds <= 0 {
		t.Errorf("a step took %q", output)
	}
}
