package eval

import (
	"bytes"
	"context"
	"slices"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
)

// TestUnshownIsSkipped checks that every task skips a program that reaches code that its text does not
// contain, and measures the others.
func TestUnshownIsSkipped(t *testing.T) {
	oracle := contained(t)
	goes := `def f(x):
    with open("unshown.py", "w") as file:
        file.write("def g(x):\n    return x\n")
    import sys
    sys.path.insert(0, "")
    import unshown
    return unshown.g(x)
`
	source := repeated(2)
	source.Programs[0].Text = programOf(goes)
	f := &fake{answer: func(q backend.Question) (dsl.Reply, error) { return returns(q.At, "0"), nil }}
	for task, measured := range map[string]func(context.Context, Config, *Source) (*Result, error){TaskStates: MeasureStates, TaskInverse: MeasureInverse} {
		r, err := measured(t.Context(), Config{Predictor: f, Oracle: oracle, States: 20}, source)
		if err != nil || !r.Complete || r.N != 1 || len(r.Skipped) != 1 || r.Skipped[0].Program != "problem 0" {
			t.Errorf("%s: %v %+v", task, err, r)
		}
	}
}

// TestDied checks that the event of the exception that ends a program, which is shown twice, leads to
// different questions.
func TestDied(t *testing.T) {
	oracle := contained(t)
	source := &Source{Programs: []Program{{Name: "x.py", Text: programOf("x = 1\ny = 2\nraise ValueError(\"a\")\n")}}}
	r, err := MeasureStates(t.Context(), Config{Predictor: oracle, Oracle: oracle}, source)
	if err != nil || r.N != 1 {
		t.Fatalf("%v %+v", err, r)
	}
	var at []int
	for _, x := range r.Items {
		if x.Measure == "step_into" {
			at = append(at, x.At)
		}
	}
	if want := []int{0, 1, 2, 3, 4, 5}; !slices.Equal(at, want) {
		t.Errorf("step_into was asked at %v, not at %v", at, want)
	}
	var b bytes.Buffer
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadResult(b.Bytes()); err != nil {
		t.Error(err)
	}
}

// TestRollOfNothing checks that a rollout is not counted if its first step is unknown.
func TestRollOfNothing(t *testing.T) {
	r, err := newRunner(Config{Predictor: &fake{}})
	if err != nil {
		t.Fatal(err)
	}
	start := placeOf(t, "def f(x):\n    return x\n", "f", "1")
	p := plan{start: start, onward: []dsl.Reply{landed(stop(2, "x", "1"))}}
	for f, want := range map[fate]int{declined: 0, failed: 0, invalid: 1} {
		var s States
		roll, _, err := r.roll(t.Context(), func(context.Context, *dsl.Node, dsl.Action, int) (answer, error) {
			return answer{fate: f}, nil
		}, p, &s)
		if err != nil || len(s.Rollouts) != want || roll.Of != want {
			t.Errorf("%v: %v %+v %+v", f, err, roll, s.Rollouts)
		}
	}
}
