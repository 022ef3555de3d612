package recorded

import (
	"errors"
	"os"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/python/evaltest"
)

// A condition that Go answers is what the worker answers: whether it holds, or what
// it raises. What Go refuses is left to the worker.
func TestConditionsAreTheWorkers(t *testing.T) {
	values := map[string]python.Datum{}
	for _, l := range evaltest.State {
		values[l.Name] = python.ReadDatum(l.Value)
	}
	lookup := func(name string) (python.Datum, bool) { d, ok := values[name]; return d, ok }
	count := 4000
	if os.Getenv("NPDB_FUZZ_CONDITIONS") != "" {
		count = 200_000
	}
	all := evaltest.Conditions(7, count)
	onEachPython(t, func(t *testing.T, p pythons.Python) {
		e := newEvaluator(t, p)
		answered, wrong := 0, 0
		for _, text := range all {
			c, err := python.Compile(text)
			var got bool
			if err == nil {
				got, err = c.Truth(t.Context(), lookup)
			}
			var refused *python.RefusedError
			var limit *python.LimitError
			if errors.As(err, &refused) || errors.As(err, &limit) {
				continue
			}
			answered++
			want, failed := e.Truth(patient(t), text, evaltest.State)
			if errors.As(failed, &refused) && err == nil {
				continue // the worker reads all names first: one that is not needed may be no literal
			}
			var ours, theirs *python.EvalError
			if errors.As(err, &ours) && errors.As(failed, &refused) {
				continue
			}
			same := err == nil && failed == nil && got == want ||
				errors.As(err, &ours) && errors.As(failed, &theirs) && ours.Type == theirs.Type
			if !same {
				if wrong++; wrong < 20 {
					t.Errorf("%s: got %v, %v; the worker says %v, %v", text, got, err, want, failed)
				}
			}
		}
		if answered < len(all)*3/5 {
			t.Errorf("Go answers %d of %d", answered, len(all))
		}
		t.Logf("Go answers %d of %d conditions, %d otherwise than the worker", answered, len(all), wrong)
	})
}
