//go:build unix

package eval

import (
	"net/http/httptest"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/openai"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/cruxeval"
	"github.com/npdb/npdb/internal/longtest"
	"github.com/npdb/npdb/serve"
	"github.com/npdb/npdb/session/score"
)

// perfect checks that all shares are 100%, and that almost no answer is "unknown".
func perfect(t *testing.T, s *States) {
	t.Helper()
	t.Logf("%s: %+v %s", s.Name, s.Counts, s.Score.Summary())
	if c := s.Counts; c.Invalid+c.TooLong+c.Failed > 0 || c.Declined*100 > c.Asked || c.Asked == 0 {
		t.Errorf("%+v", c)
	}
	for _, m := range score.Measures() {
		if tally := s.Score.Of(m); tally.Same != tally.N || tally.Incomparable > 0 {
			t.Errorf("%v: %+v", m, tally)
		}
	}
	for _, inverse := range []bool{false, true} {
		if s.Score.Sum(func(k score.Key) bool { return k.Measure == score.State && k.Action.Inverse() == inverse }).N == 0 {
			t.Errorf("inverse %v: nothing was asked", inverse)
		}
	}
	for _, by := range []map[string]Share{s.Types, s.Locals} {
		for name, share := range by {
			if share.Same != share.N {
				t.Errorf("%s: %+v", name, share)
			}
		}
	}
	for _, r := range s.Rollouts {
		if r.Right != r.Of {
			t.Errorf("a rollout: %+v", r)
		}
	}
}

// TestOracleIsPerfect checks that CPython gets 100% for recorded programs, forwards and backwards, in
// process and over HTTP. It uses the problems in testdata, and, if present, every fortieth problem of
// CruxEval, or all with NPDB_WALKS.
func TestOracleIsPerfect(t *testing.T) {
	oracle := contained(t)
	source := problems(t)
	states := 6
	if cruxeval.AtHand() {
		states = 10
		all, err := Load(cruxeval.File(t))
		if err != nil {
			t.Fatal(err)
		}
		source = &Source{}
		for i, p := range all.Programs {
			if longtest.In(t, i, 40) {
				source.Programs = append(source.Programs, p)
			}
		}
	}
	t.Run("in process", func(t *testing.T) {
		r, err := MeasureStates(t.Context(), Config{Predictor: oracle, Oracle: oracle, Parallel: 4, States: states}, source)
		if err != nil {
			t.Fatal(err)
		}
		perfect(t, &r.States[0])
		if r.N+len(r.Skipped) != source.Len() || len(r.Skipped)*100 > source.Len() || !r.Complete {
			t.Errorf("%d programs, left out: %v", r.N, r.Skipped)
		}
		for _, x := range r.Items {
			if x.Measure != MeasureRollout && x.Right != 1 {
				t.Errorf("%+v", x)
			}
		}
	})
	t.Run("over HTTP", func(t *testing.T) {
		server, err := serve.New(serve.Config{Models: []serve.Model{{Name: "oracle", Predictor: oracle}}})
		if err != nil {
			t.Fatal(err)
		}
		at := httptest.NewServer(server.Handler())
		defer at.Close()
		p, err := openai.New(openai.Config{BaseURL: at.URL + "/v1"})
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		some := &Source{Programs: source.Programs[:min(6, len(source.Programs))]}
		r, err := MeasureStates(t.Context(), Config{Predictor: p, Oracle: oracle, Parallel: 4, States: 4}, some)
		if err != nil {
			t.Fatal(err)
		}
		perfect(t, &r.States[0])
	})
}

// TestOracleOutputs checks that CPython gets the output right with every strategy, and that the
// benchmark's own input counts as right.
func TestOracleOutputs(t *testing.T) {
	oracle := contained(t)
	source := problems(t)
	for _, strategy := range Strategies {
		r, err := MeasureCruxEval(t.Context(), Config{Predictor: oracle, Oracle: oracle, Parallel: 2, Strategy: strategy, Only: MeasureOutput}, source)
		if err != nil {
			t.Fatal(err)
		}
		if r.Output.N != 6 || *r.Output.Pass1 != 1 || r.Output.Declined != 0 || r.Input != nil {
			t.Errorf("%s: %+v", strategy, r.Output)
		}
		if more := r.Output.Moves > 2; more != (strategy == "into" || strategy == "over") {
			t.Errorf("%s takes %g moves", strategy, r.Output.Moves)
		}
	}
	r, err := MeasureCruxEval(t.Context(), Config{Predictor: oracle, Oracle: oracle, Parallel: 2, Only: MeasureInput, Baselines: BaselineNames()}, source)
	if err != nil {
		t.Fatal(err)
	}
	if b := r.Input.Baselines[Oracle]; *b.Pass1 != 1 || b.N != 6 || r.Input.Declined != 6 {
		t.Errorf("%+v, of the text alone %+v", b, r.Input)
	}
}

// TestInputsAreExecuted checks that inputs are judged by executing them. Of five inputs for f(x) = x % 4
// with x = 5, three are right, one of these is 5 itself, and one cannot be executed.
func TestInputsAreExecuted(t *testing.T) {
	oracle := contained(t)
	source := &Source{Programs: []Program{{Name: "p", Text: programOf("def f(x):\n    return x % 4\n"), Function: "f", Input: "5", Output: "1"}}}
	answers := []string{"9", "5", "4", "1", "<object object>"}
	f := &fake{name: "m"}
	f.answer = func(q backend.Question) (dsl.Reply, error) {
		now := q.At.Current()
		if len(now.Locals) > 0 || *now.Value != "1" {
			t.Errorf("the return is shown with %v and %v", now.Locals, *now.Value)
		}
		return calledWith(q.At, answers[(f.asked-1)%5]), nil
	}
	c := Config{Predictor: f, Oracle: oracle, Samples: 5, Temperature: 1, Only: MeasureInput}
	r, err := MeasureCruxEval(t.Context(), c, source)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "pass@1", *r.Input.Pass1, 0.6)
	near(t, "pass@5", *r.Input.Pass5, 1)
	if r.Input.Unexecuted != 1 || r.Input.N != 1 {
		t.Errorf("%+v", r.Input)
	}
	if len(r.Items) != 1 || r.Items[0] != (Item{Program: "p", Measure: MeasureInput, Right: 3, Of: 5}) {
		t.Errorf("%+v", r.Items)
	}
}

// calledWith returns the call of f(x) in the first line.
func calledWith(at *dsl.Node, x string) dsl.Reply {
	now := at.Current()
	return dsl.Reply{Outcome: dsl.Landed, Stop: &dsl.Stop{
		State: dsl.State{Event: dsl.Call, File: now.File, Line: 1, Source: "def f(x):", Function: "f", Locals: []dsl.Local{{Name: "x", Value: x}}},
		Stack: []dsl.Frame{{Function: "f", File: now.File, Line: 1}},
	}}
}

// TestWalks checks that walks that were exported by a session or written by npdb dataset are used
// unchanged.
func TestWalks(t *testing.T) {
	oracle := contained(t)
	for _, name := range []string{"trajectories.jsonl", "export.jsonl"} {
		s, err := Load(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		if len(s.Walks) == 0 {
			t.Fatalf("%s has no walks", name)
		}
		r, err := MeasureStates(t.Context(), Config{Predictor: oracle, Oracle: oracle, Parallel: 2}, s)
		if err != nil {
			t.Fatal(err)
		}
		if c := r.States[0].Counts; r.N != len(s.Walks) || c.Asked == 0 || c.Declined > 0 || r.States[0].Score.Of(score.State) != (score.Tally{N: c.Asked, Same: c.Asked}) {
			t.Errorf("%s: %+v %+v %v", name, c, r.Skipped, r.States[0].Score.Summary())
		}
		if name == "trajectories.jsonl" {
			if want := (map[string]Share{"mini inv_breakpoint": {1, 1}, "mini step_into": {10, 10}, "mini step_over": {14, 14}, "mini step_return": {3, 3}}); !reflect.DeepEqual(r.States[0].Sets, want) {
				t.Errorf("%v", r.States[0].Sets)
			}
		}
		known := r.States[0].Score.Sum(func(k score.Key) bool { return k.Measure == score.State && k.Horizon >= 0 })
		if known.N != r.States[0].Counts.Asked {
			t.Errorf("%s: of %d questions %d have a horizon", name, r.States[0].Counts.Asked, known.N)
		}
	}
}
