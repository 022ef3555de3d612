//go:build unix

package main

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
)

// TestDebugGym plays a scripted agent with debug-gym's own tool for pdb, which the tool of
// examples/agents points at npdb. NPDB_DEBUG_GYM names a checkout of microsoft/debug-gym; the test was
// written for commit b19cb6a2. testdata/debug_gym.py says what stands in for the rest of debug-gym.
func TestDebugGym(t *testing.T) {
	checkout := os.Getenv("NPDB_DEBUG_GYM")
	if checkout == "" {
		t.Skip("NPDB_DEBUG_GYM names no checkout of microsoft/debug-gym")
	}
	player, err := filepath.Abs(filepath.Join("testdata", "debug_gym.py"))
	if err != nil {
		t.Fatal(err)
	}
	python := pythons.Between(t, 10, 99)[0].Path // debug-gym needs 3.10 or later
	cmd := agents(t)(python, player, checkout, ".", ".", "python -m pdb -m unittest test_shop")
	shop := filepath.Join(cmd.Dir, "shop.py")
	played := []struct {
		command     string
		want        []string
		breakpoints []string
	}{
		{"b shop.py:12", []string{"Pdb command output:\nBreakpoint 1 at " + shop + ":12"}, []string{shop + "|||12"}},
		{"b shop.py:14", []string{"Breakpoint 2 at " + shop + ":14"}, []string{shop + "|||12", shop + "|||14"}},
		{"b", []string{"Breakpoints:\n", shop + "|||12", shop + "|||14"}, []string{shop + "|||12", shop + "|||14"}},
		{"c", []string{"-> whole = sum(prices)", "Current frame:\n" + shop, "12 B->\t"}, nil},
		{"n", []string{"-> off = discount(code)", "13  ->\t"}, nil},
		{"p whole", []string{"Pdb command output:\n100"}, nil},
		{"w", []string{"> " + shop + "(13)total()", "test_shop.py("}, nil},
		{"cl shop.py:12", []string{"Deleted breakpoint 1 at " + shop + ":12"}, []string{shop + "|||14"}},
		{"c", []string{"-> return whole - whole * off"}, nil},
		{"c", []string{"-> return whole - whole * off"}, nil},
		{"p off", []string{"Pdb command output:\n20"}, nil},
		{"rn", []string{"-> off = discount(code)"}, nil},
		{"n", []string{"-> return whole - whole * off"}, nil},
		{"provenance off", []string{"hops back to a literal", `rates = {"spring": 0.1, "summer": 20}`}, nil},
		{"b 1000", []string{"End of file"}, []string{shop + "|||14"}},
		{"restart", []string{"Breakpoints have been restored."}, []string{shop + "|||14"}},
		{"c", []string{"-> return whole - whole * off", "14 B->\t"}, []string{shop + "|||14"}},
		{"c", []string{"-> return whole - whole * off"}, nil},
		{"c", []string{"The program finished.", "FAILED (failures=1)"}, nil},
		{"rc", []string{"-> return whole - whole * off"}, nil},
		{"cl", []string{"All breakpoints have been cleared."}, []string{}},
		{"c", []string{"The program finished."}, []string{}},
		{"restart", []string{"-> self.assertEqual("}, []string{}},
		{"", []string{"Empty commands are not allowed."}, []string{}},
	}
	var commands strings.Builder
	for _, p := range played {
		commands.WriteString(p.command + "\n")
	}
	cmd.Stdin = strings.NewReader(commands.String())
	var failed strings.Builder
	cmd.Stderr = &failed
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s%s", err, out, failed.String())
	}
	answers := bufio.NewScanner(strings.NewReader(string(out)))
	answers.Buffer(nil, 1<<20)
	for k, p := range played {
		var a struct {
			Said        string
			Breakpoints []string
		}
		if !answers.Scan() {
			t.Fatalf("there are %d answers to %d commands", k, len(played))
		}
		if err := json.Unmarshal(answers.Bytes(), &a); err != nil {
			t.Fatalf("%q: %v", answers.Text(), err)
		}
		for _, want := range p.want {
			if !strings.Contains(a.Said, want) {
				t.Errorf("%d, %s: it says %q, not %q", k, p.command, a.Said, want)
			}
		}
		if strings.Contains(a.Said, "(npdb)") || strings.Contains(a.Said, "\x1b") {
			t.Errorf("%d, %s: it says %q", k, p.command, a.Said)
		}
		if p.breakpoints != nil && !slices.Equal(a.Breakpoints, p.breakpoints) {
			t.Errorf("%d, %s: debug-gym keeps the breakpoints %q", k, p.command, a.Breakpoints)
		}
	}
}
