//go:build unix

package recorder

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/python"
)

// TestComputed checks that the states that python.Interpreter computes for generated programs equal
// CPython's. NPDB_COMPUTED is the number of programs, 40 by default. .ci/long uses 4,000, with more
// than 100,000 states. NPDB_COMPUTED_SEED selects other programs.
func TestComputed(t *testing.T) {
	programs, seed := 40, cmp.Or(os.Getenv("NPDB_COMPUTED_SEED"), "computed")
	if n, err := strconv.Atoi(os.Getenv("NPDB_COMPUTED")); err == nil {
		programs = n
	}
	makers := pythons.Between(t, 12, 14)
	maker := begin(t, Config{Python: makers[0].Path})
	if err := maker.CanMake(); err != nil {
		t.Fatal(err)
	}
	var jobs []Job
	for n := 0; len(jobs) < programs; n++ {
		r, err := maker.Record(t.Context(), Job{Seed: seed, Number: n, Difficulty: float64(n%11) / 10})
		if failed := (*Failure)(nil); errors.As(err, &failed) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		jobs = append(jobs, Job{Program: &r.Program})
	}
	for _, p := range pythons.Between(t, 9, 14) {
		t.Run(p.String(), func(t *testing.T) {
			w := begin(t, Config{Python: p.Path})
			asked, computed, wrong := 0, 0, 0
			for _, job := range jobs {
				r, err := w.Record(t.Context(), job)
				if failed := (*Failure)(nil); errors.As(err, &failed) {
					continue // its syntax may be newer
				}
				if err != nil {
					t.Fatal(err)
				}
				n, said := computedOf(t, r, p.Minor)
				asked, computed = asked+r.Tree.Len(), computed+n
				for _, text := range said {
					if wrong++; wrong <= 20 {
						t.Errorf("%s\n%s%s", text, r.Program.Source, r.Program.Entry)
					}
				}
			}
			t.Logf("%d of %d states are computed (%.1f%%), %d wrong", computed, asked, 100*float64(computed)/float64(asked), wrong)
			if asked < 20*programs || computed*2 < asked {
				t.Errorf("%d of %d states are computed: too few", computed, asked)
			}
		})
	}
}

// computedOf follows a recording with an interpreter. It returns the number of states that the
// interpreter computed, given the true states before them, and descriptions of the wrong ones.
func computedOf(t *testing.T, r *Recording, minor int) (computed int, wrong []string) {
	t.Helper()
	text := &dsl.Program{Files: []dsl.SourceFile{{Name: r.Program.Name, Lines: dsl.SplitLines(r.Program.Source)}}}
	program, err := python.ReadProgram(text, python.Version{Major: 3, Minor: minor})
	if err != nil {
		return 0, nil
	}
	in, err := python.NewInterpreter(program, r.Program.Name)
	if err != nil {
		return 0, nil
	}
	defer in.Close()
	for i := range r.Tree.Len() {
		truth := &dsl.Stop{State: *r.Tree.State(i)}
		truth.Locals = slices.DeleteFunc(slices.Clone(truth.Locals), func(l dsl.Local) bool { return l.Hidden })
		for _, f := range r.Tree.Stack(i) {
			truth.Stack = append(truth.Stack, f.Frame)
		}
		if i == 0 && truth.Function != "<module>" {
			in.Begin(truth)
			continue
		}
		got, exit, err := in.Next(t.Context())
		switch {
		case err != nil:
			if strings.Contains(err.Error(), python.Unexpected) {
				wrong = append(wrong, err.Error())
			}
		case exit != nil:
			return computed, append(wrong, fmt.Sprintf("event %d: the program ends; CPython: %s", i, computedText(truth)))
		default:
			computed++
			g, w := computedText(got), computedText(truth)
			if g == w {
				continue
			}
			wrong = append(wrong, fmt.Sprintf("event %d: %.300s\nCPython: %.300s", i, g, w))
		}
		in.Show(truth, python.OneEvent)
	}
	return computed, wrong
}

// computedText formats the parts of a state that are compared.
func computedText(s *dsl.Stop) string {
	value := "nothing"
	if s.Value != nil {
		value = *s.Value
	}
	text := fmt.Sprintf("%v %v at line %d of %s, depth %d, %v, value %s", s.Event, s.Kind, s.Line, s.Function, s.Depth, s.Locals, value)
	return strings.ReplaceAll(text, "traceback()", "<traceback object>") // as a session shows it
}
