package eval

import (
	"maps"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
)

// TestComputing checks a model that is always wrong: with Computing, it is asked only for states that
// the source does not determine, and its own results do not change.
func TestComputing(t *testing.T) {
	source := &Source{Programs: []Program{{Name: "p", Text: programOf("import random\na = 2\nb = a * 3\nc = random.random() < 2\nd = b\n")}}}
	wrong := &fake{name: "wrong", answer: func(backend.Question) (dsl.Reply, error) {
		return dsl.Reply{Outcome: dsl.Ended, Exit: &dsl.Exit{Code: 9}}, nil
	}}
	r, err := MeasureStates(t.Context(), Config{
		Predictor: wrong, Oracle: contained(t), Moves: []dsl.Move{dsl.StepInto}, Baselines: []string{Computing},
	}, source)
	if err != nil {
		t.Fatal(err)
	}
	alone, computing := r.States[0], r.States[1]
	if alone.Name != "wrong" || computing.Name != Computing {
		t.Errorf("%s, %s", alone.Name, computing.Name)
	}
	// Of six states, only the one after the random number needs the model.
	if got := alone.Events["line"]; got != (Share{N: 4}) {
		t.Errorf("the model alone: %+v", got)
	}
	if got, want := computing.Events["line"], (Share{N: 4, Same: 3}); got != want {
		t.Errorf("computing: %+v, want %+v", got, want)
	}
	if got, want := computing.Computed["line"], (Share{N: 3, Same: 3}); got != want || computing.Computed["end"] != (Share{N: 1, Same: 1}) {
		t.Errorf("computed: %+v, want %+v", computing.Computed, want)
	}
	if roll := computing.Rollouts[0]; roll.Right != 3 || alone.Rollouts[0].Right != 0 {
		t.Errorf("rollouts: %+v, %+v", roll, alone.Rollouts[0])
	}
	// Without Computing, the model is asked at each of six places, and for the first step of a rollout.
	// With it, once at a place and once in the rollout.
	if wrong.asked != 6+1+1+1 {
		t.Errorf("%d questions", wrong.asked)
	}
}

// TestChecking checks that wrong states of a model are detected if the source determines them, and that
// no state of the oracle is marked as wrong.
func TestChecking(t *testing.T) {
	source := &Source{Programs: []Program{{Name: "p", Text: programOf("import random\na = 2\nb = a * 3\nc = random.random() < 2\nd = b\n")}}}
	wrong := &fake{name: "wrong", answer: func(backend.Question) (dsl.Reply, error) {
		return dsl.Reply{Outcome: dsl.Ended, Exit: &dsl.Exit{Code: 9}}, nil
	}}
	oracle := contained(t)
	for _, c := range []struct {
		model backend.Predictor
		want  map[string]Share
	}{
		{wrong, map[string]Share{"wrong": {N: 6, Same: 4}}},
		{oracle, map[string]Share{"right": {N: 4}}}, // the oracle cannot know what random returns
	} {
		r, err := MeasureStates(t.Context(), Config{
			Predictor: c.model, Oracle: oracle, Moves: []dsl.Move{dsl.StepInto}, Baselines: []string{Checking},
		}, source)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.States[1]; got.Name != Checking || !maps.Equal(got.Checked, c.want) {
			t.Errorf("%s: %v, want %v", got.Name, got.Checked, c.want)
		}
	}
}
