//go:build unix

package eval

import (
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace/contain"
)

// TestSearchedInputs checks searches for inputs with a model that knows one of them. They are verified
// from the source, and by runs in a containment.
func TestSearchedInputs(t *testing.T) {
	source := &Source{}
	for _, p := range [][3]string{
		{"def f(x):\n    return x + '!'\n", "'well, well'", "'well, well!'"},
		{"def f(x, n):\n    return sum(ord(c) for c in x) % 1009 if n == 9173 else n\n", "'secret', 9173", "646"},
		{"def f(x):\n    import time\n    return time.time() // 1e12\n", "1", "0.0"}, // not decided by the text
		{"def f(x):\n    return 'no'\n", "1", "'yes'"},
	} {
		source.Programs = append(source.Programs, Program{Name: p[1], Text: programOf(p[0]), Function: "f", Input: p[1], Output: p[2]})
	}
	knowing := &fake{answer: func(q backend.Question) (dsl.Reply, error) {
		line := q.At.Program().Files[0].Lines[0]
		s := dsl.Stop{State: dsl.State{Event: dsl.Call, File: "program.py", Line: 1, Source: line, Function: "f"}, Stack: []dsl.Frame{{Function: "f", File: "program.py", Line: 1}}}
		if line != "def f(x, n):" {
			return dsl.Reply{Outcome: dsl.Unknown}, nil
		}
		s.Locals = []dsl.Local{{Name: "x", Value: "'secret'"}, {Name: "n", Value: "9173"}}
		return dsl.Reply{Outcome: dsl.Landed, Stop: &s}, nil
	}}
	in, err := contain.New(t.Context(), pythons.Any(t), contain.Auto, contain.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	for verify, want := range map[string][3]int{VerifyText: {2, 2, 2}, VerifyRun: {3, 3, 3}} { // number found without the model, with its samples, and among the first five
		if verify == VerifyRun && !in.Holds() {
			continue // npdb runs no candidates on this machine
		}
		r, err := MeasureCruxEval(t.Context(), Config{Predictor: knowing, Oracle: contained(t), Only: MeasureInput, Verify: verify, Contained: in, Runs: 300}, source)
		if err != nil {
			t.Fatal(err)
		}
		alone, sampler, samples := r.Search[SearchAlone], r.Search[SearchSampler], r.Search[SearchSamples]
		if alone == nil || sampler == nil || samples == nil {
			t.Fatalf("%s: %+v", verify, r.Search)
		}
		if samples.Found != (Share{N: 4, Same: 1}) || samples.First.Same != 1 || samples.Tried != 1 || samples.Median > samples.Slow || alone.Median == 0 {
			t.Errorf("%s: of the samples alone %+v, without them %+v", verify, samples, alone)
		}
		if got := [3]int{alone.Found.Same, sampler.Found.Same, sampler.Five.Same}; got != want || alone.Found.N != 4 {
			t.Errorf("%s: found %v of %d, want %v", verify, got, alone.Found.N, want)
		}
		if alone.First.Same != 1 || sampler.Plausible.Same < alone.Plausible.Same {
			t.Errorf("%s: %+v, with samples %+v", verify, alone, sampler)
		}
		if r.Settings.Verify != verify || (alone.Undecided > 0) != (verify == VerifyText) {
			t.Errorf("%s: %+v, %d undecided", verify, r.Settings, alone.Undecided)
		}
	}
	if _, err := MeasureCruxEval(t.Context(), Config{Predictor: knowing, Verify: "model"}, source); err == nil {
		t.Error("an unknown verification is accepted")
	}
}
