//go:build unix

package trace_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
)

// vector is a walk over a small program with the places it must land on,
// written by an implementation that shares nothing with this one.
type vector struct {
	Name    string            `json:"name"`
	Program string            `json:"program"`
	Actions []string          `json:"actions"`
	Events  []json.RawMessage `json:"events"` // numbers, "end" or "start"
}

// TestVectors takes every walk of the vectors. Their event numbers hold from
// 3.10 to 3.13: 3.9 reports other lines.
func TestVectors(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "vectors", "nd1.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var vectors []vector
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var v vector
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		vectors = append(vectors, v)
	}
	if err := lines.Err(); err != nil || len(vectors) == 0 {
		t.Fatalf("%d vectors, %v", len(vectors), err)
	}
	ran := false
	for _, python := range interpreters(t) {
		if python.minor < 10 || python.minor > 13 {
			continue
		}
		ran = true
		for _, v := range vectors {
			t.Run(python.String()+"/"+v.Name, func(t *testing.T) {
				t.Parallel()
				v.check(t, python)
			})
		}
	}
	if !ran {
		t.Skip("the vectors are for Python 3.10 to 3.13, which were not found")
	}
}

func (v vector) check(t *testing.T, python interpreter) {
	p := program{name: v.Name, path: filepath.Join(t.TempDir(), "program.py")}
	if err := os.WriteFile(p.path, []byte(v.Program), 0o600); err != nil {
		t.Fatal(err)
	}
	if len(v.Events) != len(v.Actions)+1 {
		t.Fatalf("%d events after %d actions", len(v.Events), len(v.Actions))
	}
	rec, landing := start(t, python, p, nil)
	for i, want := range v.Events {
		if i > 0 {
			action, err := parseAction(v.Actions[i-1])
			if err != nil {
				t.Fatal(err)
			}
			landing, err = rec.Move(t.Context(), landing.Position, action)
			if err != nil {
				t.Fatalf("move %d, %v: %v", i, action, err)
			}
		}
		if got := landed(landing); got != string(want) {
			t.Fatalf("after %v: lands on %s, want %s", v.Actions[:i], got, want)
		}
	}
}

// landed writes a landing as the vectors do.
func landed(l trace.Landing) string {
	switch {
	case l.Boundary == trace.AtStart: // also where it stays at the end
		return `"start"`
	case l.End:
		return `"end"`
	default:
		return strconv.Itoa(l.Event)
	}
}

// parseAction reads an action as the wire writes it, for a program of one file.
func parseAction(s string) (dsl.Action, error) {
	name, operands, _ := strings.Cut(s, " ")
	for _, m := range allMoves {
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
