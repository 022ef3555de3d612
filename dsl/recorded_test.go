//go:build unix

package dsl_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
)

// pythons are the interpreters whose lines the vectors have: 3.10 to 3.13.
func pythons(t *testing.T) map[string]string {
	found := map[string]string{}
	candidates := filepath.SplitList(os.Getenv("NPDB_PYTHONS"))
	for _, name := range []string{"python3", "python3.10", "python3.11", "python3.12", "python3.13"} {
		if path, err := exec.LookPath(name); err == nil {
			candidates = append(candidates, path)
		}
	}
	for _, path := range candidates {
		out, err := exec.Command(path, "-c", "import sys; print('%d.%d' % sys.version_info[:2], sys.executable)").Output()
		if err != nil {
			continue // a name that stands for no version that is installed
		}
		version, executable, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
		switch version {
		case "3.10", "3.11", "3.12", "3.13":
			if found[version] == "" {
				found[version] = executable
			}
		}
	}
	if len(found) == 0 {
		t.Skip("the vectors are for Python 3.10 to 3.13, and none of them is on the PATH or in NPDB_PYTHONS")
	}
	return found
}

// The walks of the vectors, taken over a recording with its true stacks, are
// written byte for byte as the reference writes them.
func TestVectorsRecorded(t *testing.T) {
	for version, python := range pythons(t) {
		for _, v := range vectors(t) {
			t.Run(version+"/"+v.Name, func(t *testing.T) {
				t.Parallel()
				n := v.record(t, python)
				if got := n.Text(); got != v.Wire {
					t.Errorf("is written\n%s\nwant\n%s", got, v.Wire)
				}
				// What is written without a text before it can be read.
				c, err := n.Compact()
				if err != nil {
					t.Fatal(err)
				}
				if _, text := again(t, c.Text()); text != c.Text() {
					t.Errorf("compacted is\n%s\nbut again\n%s", c.Text(), text)
				}
			})
		}
	}
}

func (v vector) record(t *testing.T, python string) *dsl.Node {
	path := filepath.Join(t.TempDir(), "program.py")
	if err := os.WriteFile(path, []byte(v.Program), 0o600); err != nil {
		t.Fatal(err)
	}
	rec, landing, err := trace.Start(t.Context(), trace.Options{Python: python, Script: path, Dir: filepath.Dir(path)})
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	n, err := dsl.ND1.Begin(&dsl.Program{Files: []dsl.SourceFile{{Name: "program.py", Lines: dsl.SplitLines(v.Program)}}})
	if err != nil {
		t.Fatal(err)
	}
	if n, err = n.Append(dsl.Step{Reply: landed(rec, landing)}); err != nil {
		t.Fatal(err)
	}
	for _, text := range v.Actions {
		action, err := parseAction(text)
		if err != nil {
			t.Fatal(err)
		}
		if landing, err = rec.Move(t.Context(), landing.Position, action); err != nil {
			t.Fatal(err)
		}
		if n, err = n.Append(dsl.Step{Action: action, Reply: landed(rec, landing)}); err != nil {
			t.Fatalf("after %s: %v", text, err)
		}
	}
	return n
}

// landed is a landing as a reply.
func landed(rec *trace.Recording, l trace.Landing) dsl.Reply {
	switch {
	case l.Boundary == trace.AtStart: // also where it stays at the end
		return dsl.Reply{Outcome: dsl.AtStart}
	case l.End:
		return dsl.Reply{Outcome: dsl.Ended, Exit: rec.Exit()}
	}
	stop := &dsl.Stop{State: *rec.Tree().State(l.Event)}
	for _, f := range rec.Tree().Stack(l.Event) {
		stop.Stack = append(stop.Stack, f.Frame)
		stop.Activations = append(stop.Activations, f.Activation)
	}
	return dsl.Reply{Outcome: dsl.Landed, Stop: stop}
}

// parseAction reads an action as a vector's list names it.
func parseAction(s string) (dsl.Action, error) {
	name, operands, _ := strings.Cut(s, " ")
	for m := dsl.StepInto; m <= dsl.InvContinue; m++ {
		if m.String() != name {
			continue
		}
		action := dsl.Action{Move: m}
		if !m.TakesLines() {
			return action, nil
		}
		for operand := range strings.SplitSeq(operands, ",") {
			line, err := strconv.Atoi(operand)
			if err != nil {
				return action, err
			}
			action.Lines = append(action.Lines, dsl.Location{Line: line})
		}
		return action, nil
	}
	return dsl.Action{}, fmt.Errorf("no action %q", s)
}
