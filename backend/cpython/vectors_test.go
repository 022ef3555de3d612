//go:build unix

package cpython_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/cpython"
	"github.com/npdb/npdb/dsl"
)

// vector is a walk over a program and its text, made by another implementation.
type vector struct {
	Name    string
	Program string
	Actions []string
	Wire    string
}

func vectors(t testing.TB) []vector {
	t.Helper()
	file, err := os.Open(filepath.Join("..", "..", "trace", "testdata", "vectors", "nd1.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var found []vector
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var v vector
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		found = append(found, v)
	}
	if len(found) == 0 || lines.Err() != nil {
		t.Fatalf("%d vectors, %v", len(found), lines.Err())
	}
	return found
}

// Every question of every walk is answered as the reference answers it, be it
// asked by a client that remembers its nodes or by one that sends texts.
func TestVectors(t *testing.T) {
	newest := anyPython(t)
	for version, python := range pythons(t) {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			p := predictor(t, cpython.Config{Python: python})
			drift := predictor(t, cpython.Config{Python: python, Drift: true})
			for _, v := range vectors(t) {
				t.Run(v.Name, func(t *testing.T) {
					v.check(t, p, true)
					if python == newest {
						v.check(t, p, false)
						v.check(t, drift, true) // nothing in it is wrong
					}
				})
			}
		})
	}
}

func (v vector) check(t *testing.T, p *cpython.Predictor, texts bool) {
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
		made, err := p.Predict(t.Context(), backend.Question{At: n, Action: parse(t, action)}, nil)
		if err != nil {
			t.Fatalf("%d, %s: %v", i, action, err)
		}
		if n, err = n.Append(made.Step); err != nil {
			t.Fatalf("%d, %s: %v", i, action, err)
		}
		if got := n.Text(); !strings.HasPrefix(v.Wire, got) {
			t.Fatalf("%s, %d, %s (%v): adds\n%s\nto a text that goes on\n%s", p.Model().Name, i, action, made.Warnings, n.Added(), v.Wire[len(got)-len(n.Added()):])
		}
		if texts {
			n = reread(t, n)
		}
	}
	if n.Text() != v.Wire {
		t.Fatalf("the text is\n%s\nwant\n%s", n.Text(), v.Wire)
	}
}
