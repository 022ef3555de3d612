//go:build unix

package trace_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/npdb/npdb/dsl/vectors"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// TestVectors makes every walk of the vectors.
func TestVectors(t *testing.T) {
	for _, python := range pythons.Between(t, 10, 14) {
		for _, v := range vectors.All() {
			t.Run(python.String()+"/"+v.Name, func(t *testing.T) {
				t.Parallel()
				takes(t, python, v)
			})
		}
	}
}

func takes(t *testing.T, python pythons.Python, v vectors.Vector) {
	p := program{name: v.Name, path: filepath.Join(t.TempDir(), "program.py")}
	if err := os.WriteFile(p.path, []byte(v.Program), 0o600); err != nil {
		t.Fatal(err)
	}
	rec, landing := start(t, python, p, nil)
	for i, want := range v.Events {
		if i > 0 {
			var err error
			action := v.Actions[i-1].Action
			if landing, err = rec.Move(t.Context(), landing.Position, action); err != nil {
				t.Fatalf("move %d, %v: %v", i, action, err)
			}
		}
		if got := landed(landing); got != want {
			t.Fatalf("after %v: lands on %v, want %v", v.Actions[:i], got, want)
		}
	}
}

// landed converts a landing to the vectors' format.
func landed(l trace.Landing) vectors.Event {
	switch {
	case l.Boundary == trace.AtStart: // also if it stays at the end
		return vectors.Start
	case l.End:
		return vectors.End
	default:
		return vectors.Event(l.Event)
	}
}
