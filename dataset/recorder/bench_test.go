//go:build unix

package recorder_test

import (
	"errors"
	"testing"

	"github.com/npdb/npdb/dataset/recorder"
	"github.com/npdb/npdb/internal/pythons"
)

// BenchmarkGiven is the way of a program that is given, there and back.
func BenchmarkGiven(b *testing.B) {
	w := start(b, recorder.Config{Python: pythons.Usual(b).Path})
	p := recorder.Program{Source: "def f(n):\n    t = []\n    while n:\n        n -= 1\n        t.append(n % 2)\n    return t\nx = f(9)\n"}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := w.Record(b.Context(), recorder.Job{Program: &p}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkMade is the way of one that is made, and how many states come of a second.
func BenchmarkMade(b *testing.B) {
	w := start(b, recorder.Config{Python: pythons.Between(b, 12, 14)[0].Path})
	states, number := 0, 0
	for b.Loop() {
		r, err := w.Record(b.Context(), recorder.Job{Seed: "bench", Number: number, Difficulty: float64(number%100) / 100})
		number++
		if failed := (*recorder.Failure)(nil); errors.As(err, &failed) {
			continue
		}
		if err != nil {
			b.Fatal(err)
		}
		states += r.Tree.Len()
	}
	b.ReportMetric(float64(states)/b.Elapsed().Seconds(), "states/s")
}
