//go:build unix

package dsl_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/vectors"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// TestVectorsRecorded checks that the vectors' walks, made in a recording by CPython, are written
// byte for byte like the vectors' texts.
func TestVectorsRecorded(t *testing.T) {
	for _, python := range pythons.Between(t, 10, 14) {
		for _, v := range vectors.All() {
			t.Run(python.String()+"/"+v.Name, func(t *testing.T) {
				t.Parallel()
				v = v.On(python.Minor)
				n := recorded(t, python, v)
				if got := n.Text(); got != v.Wire {
					t.Errorf("is written\n%s\nwant\n%s", got, v.Wire)
				}
				// A compacted text can be read without the text before it.
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

func recorded(t *testing.T, python pythons.Python, v vectors.Vector) *dsl.Node {
	path := filepath.Join(t.TempDir(), "program.py")
	if err := os.WriteFile(path, []byte(v.Program), 0o600); err != nil {
		t.Fatal(err)
	}
	rec, landing, err := trace.Start(t.Context(), trace.Options{Python: python.Path, Script: path, Dir: filepath.Dir(path)})
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
	for _, action := range v.Actions {
		if landing, err = rec.Move(t.Context(), landing.Position, action.Action); err != nil {
			t.Fatal(err)
		}
		if n, err = n.Append(dsl.Step{Action: action.Action, Reply: landed(rec, landing)}); err != nil {
			t.Fatalf("after %v: %v", action, err)
		}
	}
	return n
}

// landed converts a landing in a recording to a reply.
func landed(rec *trace.Recording, l trace.Landing) dsl.Reply {
	switch {
	case l.Boundary == trace.AtStart: // also if the move stays at the end
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
