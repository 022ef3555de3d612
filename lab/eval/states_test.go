package eval

import (
	"context"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/score"
)

// stop returns a line of f. locals are names and values in turn.
func stop(line int, locals ...string) *dsl.Stop {
	s := &dsl.Stop{State: dsl.State{Event: dsl.Line, File: "program.py", Line: line, Function: "f"}, Stack: []dsl.Frame{{Function: "f", File: "program.py", Line: line}}}
	for i := 0; i < len(locals); i += 2 {
		s.Locals = append(s.Locals, dsl.Local{Name: locals[i], Value: locals[i+1]})
	}
	return s
}

func landed(s *dsl.Stop) dsl.Reply { return dsl.Reply{Outcome: dsl.Landed, Stop: s} }

// TestStatesAdd checks the counts for six answers.
func TestStatesAdd(t *testing.T) {
	over := dsl.Action{Move: dsl.StepOver}
	ask := func(truth *dsl.Stop) question { return question{action: over, truth: landed(truth), horizon: 3} }
	right := func(s *dsl.Stop) answer {
		return answer{fate: answered, step: dsl.Step{Action: over, Reply: landed(s)}}
	}
	var s States
	truth := stop(3, "x", "1", "s", "'a'", "xs", "[1]")
	for _, step := range []struct {
		q             question
		got           answer
		right, judged bool
	}{
		{ask(truth), right(truth), true, true},
		{ask(truth), right(stop(3, "x", "2", "s", "'a'", "xs", "[1]")), false, true},      // an int is wrong
		{ask(truth), right(stop(4, "x", "1", "s", "'a'", "y", "None")), false, true},      // the line is wrong, the list is missing, one local too many
		{ask(stop(3, "o", "<C object>")), right(stop(3, "o", "<D object>")), false, true}, // not a literal
		{ask(truth), answer{fate: invalid}, false, true},
		{ask(truth), answer{fate: declined}, false, false},
		{ask(truth), answer{fate: tooLong}, false, false},
		{ask(truth), answer{fate: failed}, false, false},
	} {
		if right, judged := s.add(step.q, step.got); right != step.right || judged != step.judged {
			t.Errorf("%v: %v %v", step.got, right, judged)
		}
	}
	if s.Counts != (Counts{Asked: 8, Invalid: 1, Declined: 1, TooLong: 1, Failed: 1}) {
		t.Errorf("%+v", s.Counts)
	}
	for m, want := range map[score.Measure]score.Tally{
		score.State: {N: 5, Same: 1}, score.Outcome: {N: 5, Same: 4}, score.Line: {N: 4, Same: 3}, score.Locals: {N: 4, Same: 1}, score.EachLocal: {N: 11, Same: 7},
	} {
		if got := s.Score.Of(m); got != want {
			t.Errorf("%v: %+v, want %+v", m, got, want)
		}
	}
	if want := (map[string]Share{"int": {3, 2}, "str": {3, 3}, "list": {3, 2}, "other": {1, 0}}); !reflect.DeepEqual(s.Types, want) {
		t.Errorf("%v", s.Types)
	}
	if want := (map[string]Share{"3-4": {4, 1}, "1": {1, 0}}); !reflect.DeepEqual(s.Locals, want) {
		t.Errorf("%v", s.Locals)
	}
}

// TestSurvival checks values computed by hand. Of four rollouts, one fails at its first step and one at
// its third, one ends without an error after two steps, and one has no error in four steps. So 3 of 4
// survive one step, and two. Of the two that have a third step, one fails.
func TestSurvival(t *testing.T) {
	s := States{Rollouts: []Rollout{{0, 4}, {2, 4}, {2, 2}, {4, 4}}}
	got, want := s.Survival(), []float64{0.75, 0.75, 0.375, 0.375}
	if len(got) != len(want) {
		t.Fatal(got)
	}
	for i := range want {
		near(t, "survival", got[i], want[i])
	}
	mean, clean := s.Mean()
	near(t, "mean", mean, 2)
	if clean != 2 {
		t.Errorf("%d without a fault", clean)
	}
}

// TestRollout checks that a rollout continues from the answers, and ends with the first wrong one.
func TestRollout(t *testing.T) {
	r, err := newRunner(Config{Predictor: &fake{}})
	if err != nil {
		t.Fatal(err)
	}
	start := placeOf(t, "def f(x):\n    y = x\n    z = y\n    return z\n", "f", "1")
	p := plan{start: start, onward: []dsl.Reply{landed(stop(2, "x", "1")), landed(stop(3, "x", "1", "y", "1")), landed(stop(4, "x", "1", "y", "1", "z", "1"))}}
	for i := range p.onward {
		p.onward[i].Stop.Source = start.Program().Files[0].Lines[p.onward[i].Stop.Line-1]
	}
	for _, test := range []struct {
		name string
		at   int // index of the wrong answer
		as   answer
		want Rollout
	}{
		{"all right", -1, answer{}, Rollout{3, 3}},
		{"wrong", 1, answer{fate: answered, step: dsl.Step{Reply: landed(stop(2, "x", "1"))}}, Rollout{1, 3}},
		{"no state", 2, answer{fate: invalid}, Rollout{2, 3}},
		{"declined", 2, answer{fate: declined}, Rollout{2, 2}},
	} {
		asked := 0
		got, _, err := r.rollout(t.Context(), func(_ context.Context, _ *dsl.Node, a dsl.Action, _ int) (answer, error) {
			defer func() { asked++ }()
			if asked == test.at {
				return test.as, nil
			}
			return answer{fate: answered, step: dsl.Step{Action: a, Reply: p.onward[asked]}}, nil
		}, p)
		if err != nil || got != test.want {
			t.Errorf("%s: %+v %v, want %+v", test.name, got, err, test.want)
		}
	}
}

// TestLatency checks that 400 problems with 64 concurrent requests and a model that answers after 300 ms
// take no longer than the latency requires, which is seven rounds.
func TestLatency(t *testing.T) {
	const problems, at, latency = 400, 64, 300 * time.Millisecond
	synctest.Test(t, func(t *testing.T) {
		f := &fake{name: "slow", answer: func(q backend.Question) (dsl.Reply, error) {
			time.Sleep(latency)
			return returns(q.At, q.At.Current().Locals[0].Value), nil
		}}
		began := time.Now()
		r, err := MeasureCruxEval(t.Context(), Config{Predictor: f, Parallel: at, Only: MeasureOutput}, repeated(problems))
		if err != nil || r.N != problems || *r.Output.Pass1 != 1 {
			t.Fatalf("%v %+v", err, r.Output)
		}
		forced := (problems + at - 1) / at * latency
		if took := time.Since(began); took*10 > forced*11 || took < forced {
			t.Errorf("it took %v; latency forces %v", took, forced)
		}
	})
}

// TestUnauthorized checks that a model that refuses every request ends the measurement with the results
// so far.
func TestUnauthorized(t *testing.T) {
	n := 0
	f := &fake{answer: func(q backend.Question) (dsl.Reply, error) {
		if n++; n > 3 {
			return dsl.Reply{}, &backend.Error{Kind: backend.Unauthorized, Message: "the key is wrong"}
		}
		return returns(q.At, q.At.Current().Locals[0].Value), nil
	}}
	r, err := MeasureCruxEval(t.Context(), Config{Predictor: f, Only: MeasureOutput}, repeated(10))
	if err == nil || err.Error() != "the key is wrong" || r.Complete || r.N != 3 || n != 4 {
		t.Errorf("%v after %d questions, %+v", err, n, r)
	}
}

// TestOutgrown checks that a text that exceeds the window is compacted, as in the debugger.
func TestOutgrown(t *testing.T) {
	long := placeOf(t, "def f(x):\n    y = x\n    return y\n", "f", "1")
	for range 3 {
		s := *long.Current()
		s.Event = dsl.Line
		s.Line, s.Source, s.Stack = 2, "    y = x", []dsl.Frame{{Function: "f", File: "program.py", Line: 2}}
		var err error
		if long, err = long.Append(dsl.Step{Action: dsl.Action{Move: dsl.StepOver}, Reply: landed(&s)}); err != nil {
			t.Fatal(err)
		}
	}
	f := &fake{answer: func(q backend.Question) (dsl.Reply, error) {
		if q.At.Len() >= long.Len() {
			return dsl.Reply{}, &backend.Error{Kind: backend.TooLong}
		}
		return returns(q.At, "1"), nil
	}}
	r, err := newRunner(Config{Predictor: f})
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.ask(t.Context(), long, dsl.Action{Move: dsl.StepReturn}, 0)
	if err != nil || got.fate != answered || f.asked != 2 {
		t.Errorf("%+v %v, asked %d times", got, err, f.asked)
	}
}

func TestSamplesWantTemperature(t *testing.T) {
	if _, err := newRunner(Config{Samples: 5}); err == nil {
		t.Error("five samples at temperature 0 are one")
	}
	seed := int64(7)
	var seeds []int64
	f := &fake{answer: func(q backend.Question) (dsl.Reply, error) {
		seeds = append(seeds, *q.Options.Seed)
		return returns(q.At, "0"), nil
	}}
	r, err := MeasureCruxEval(t.Context(), Config{Predictor: f, Samples: 3, Temperature: 1, Seed: &seed, Only: MeasureOutput}, repeated(2))
	if err != nil || !reflect.DeepEqual(seeds, []int64{7, 8, 9, 7, 8, 9}) {
		t.Errorf("%v %v", err, seeds)
	}
	near(t, "pass@1", *r.Output.Pass1, 0.5)
	if r.Output.Pass5 != nil {
		t.Error("of three answers five were drawn")
	}
}
