//go:build unix

package cpython_test

import (
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/cpython"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/vectors"
	"github.com/npdb/npdb/internal/pythons"
)

// TestVectors checks the answer to every question of the vectors, asked with the nodes of earlier
// answers and from the text alone.
func TestVectors(t *testing.T) {
	all := pythons.Between(t, 10, 14)
	newest := all[len(all)-1]
	for _, python := range all {
		t.Run(python.String(), func(t *testing.T) {
			t.Parallel()
			p := predictor(t, cpython.Config{Python: python.Path})
			drift := predictor(t, cpython.Config{Python: python.Path, Drift: true})
			for _, v := range vectors.All() {
				v = v.On(python.Minor)
				t.Run(v.Name, func(t *testing.T) {
					check(t, p, v, true)
					if python == newest {
						check(t, p, v, false)
						check(t, drift, v, true) // no state of a vector is wrong
					}
				})
			}
		})
	}
}

func check(t *testing.T, p *cpython.Predictor, v vectors.Vector, texts bool) {
	whole, _, err := dsl.ND1.Read(v.Wire)
	if err != nil {
		t.Fatal(err)
	}
	first := whole
	for first.Parent().Parent() != nil {
		first = first.Parent()
	}
	step, _ := first.Step()
	prog := program(v.Program)
	step.Reply.Stop.File, step.Reply.Stop.Stack[0].File = "program.py", "program.py"
	n := begin(t, prog, step.Reply)
	if texts {
		n = reread(t, n)
	}
	for i, action := range v.Actions {
		made, err := p.Predict(t.Context(), backend.Question{At: n, Action: action.Action}, nil)
		if err != nil {
			t.Fatalf("%d, %v: %v", i, action, err)
		}
		if n, err = n.Append(made.Step); err != nil {
			t.Fatalf("%d, %v: %v", i, action, err)
		}
		if got := n.Text(); !strings.HasPrefix(v.Wire, got) {
			t.Fatalf("%s, %d, %v (%v): adds\n%s\nto a text that goes on\n%s", p.Model().Name, i, action, made.Warnings, n.Added(), v.Wire[len(got)-len(n.Added()):])
		}
		if texts {
			n = reread(t, n)
		}
	}
	if n.Text() != v.Wire {
		t.Fatalf("the text is\n%s\nwant\n%s", n.Text(), v.Wire)
	}
}
