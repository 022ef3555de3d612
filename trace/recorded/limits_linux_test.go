package recorded

import (
	"errors"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/python"
)

// What memory and size bound, and not time, leaves the worker alive.
func TestMemoryIsBounded(t *testing.T) {
	tests := []struct{ expr, reason string }{
		{"'a' * 10**12", "memory"},
		{"[s := 'a'] + [s := s + s for i in range(60)]", "memory"},
		{"'a' * (80 << 20)", "its result is larger than 64 MiB"},
		{"'\\x00' * (250 << 20)", "memory"},
	}
	onEachPython(t, func(t *testing.T, p pythons.Python) {
		e := newEvaluator(t, p)
		if _, err := e.Eval(patient(t), "1", nil); err != nil {
			t.Fatal(err)
		}
		w := e.worker
		for _, test := range tests {
			got, err := e.Eval(patient(t), test.expr, nil)
			var limit *python.LimitError
			if !errors.As(err, &limit) || !strings.Contains(limit.Reason, test.reason) {
				t.Errorf("%s: got %.100s, %v; want a LimitError: %s", test.expr, got, err, test.reason)
			}
			if e.worker != w || w.gone() {
				t.Fatalf("%s: the worker is gone", test.expr)
			}
		}
	})
}
