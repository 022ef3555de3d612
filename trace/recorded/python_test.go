package recorded

import (
	"context"
	"testing"
	"time"

	"github.com/npdb/npdb/internal/pythons"
)

// onEachPython runs test with every interpreter.
func onEachPython(t *testing.T, test func(t *testing.T, p pythons.Python)) {
	t.Helper()
	for _, p := range pythons.All(t) {
		t.Run(p.String(), func(t *testing.T) { test(t, p) })
	}
}

// anyPython returns the newest interpreter.
func anyPython(t testing.TB) pythons.Python {
	t.Helper()
	all := pythons.All(t)
	return all[len(all)-1]
}

// newEvaluator returns an Evaluator that is closed when the test ends.
func newEvaluator(t testing.TB, p pythons.Python) *Evaluator {
	t.Helper()
	e := New(p.Path)
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return e
}

// patient returns a context with time enough for a busy machine.
func patient(t testing.TB) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}
