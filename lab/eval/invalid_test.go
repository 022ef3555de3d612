package eval

import (
	"path/filepath"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/score"
)

// TestInvalidIsCounted checks that invalid replies are counted, also those that the model corrected, and
// that a run with saved answers has the same result.
func TestInvalidIsCounted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cache.jsonl")
	no, outside := backend.Discarded{Invalid: true}, backend.Discarded{Invalid: true, Outside: true}
	f := &fake{
		name: "m",
		discarded: func(q backend.Question) []backend.Discarded {
			switch q.At.Current().Locals[0].Value {
			case "0":
				return []backend.Discarded{outside} // corrected
			case "1":
				return []backend.Discarded{no, no} // not corrected
			case "2":
				return []backend.Discarded{{}} // cut off
			}
			return nil
		},
		answer: func(q backend.Question) (dsl.Reply, error) {
			value := q.At.Current().Locals[0].Value
			if value == "1" {
				return dsl.Reply{}, &backend.Error{Kind: backend.NoState, Message: "no"}
			}
			return returns(q.At, value), nil
		},
	}
	for run := range 2 {
		cache := open(t, path)
		r, err := MeasureCruxEval(t.Context(), Config{Predictor: f, Identity: "m", Cache: cache, Only: MeasureOutput}, repeated(4))
		if err != nil {
			t.Fatal(err)
		}
		if want := (score.Invalid{Answers: 3, Outside: 1, Corrected: 1, Left: 1}); r.Invalid != want || f.asked != 4 {
			t.Errorf("run %d, %d questions: %+v", run, f.asked, r.Invalid)
		}
		if r.Output.Counts.Invalid != 1 {
			t.Errorf("run %d: %+v", run, r.Output.Counts)
		}
		if err := cache.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestInvalidIsBounded checks that a forged number in a cache file cannot make the reader allocate much
// memory.
func TestInvalidIsBounded(t *testing.T) {
	at := placeOf(t, "def f(x):\n    return x\n", "f", "1")
	_, err := cached{Kind: backend.NoState, Invalid: 1 << 40}.answer(question1(at, dsl.StepOver))
	if got := len(backend.DiscardedBy(nil, err)); got != mostInvalid {
		t.Errorf("%d replies", got)
	}
}
