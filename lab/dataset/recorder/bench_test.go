//go:build unix

package recorder_test

import (
	"errors"
	"syscall"
	"testing"
	"time"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/lab/dataset/recorder"
)

// BenchmarkGiven measures a given program from request to recording.
func BenchmarkGiven(b *testing.B) {
	p := recorder.Program{Source: "def f(n):\n    t = []\n    while n:\n        n -= 1\n        t.append(n % 2)\n    return t\nx = f(9)\n"}
	run(b, pythons.Usual(b).Path, func(int) recorder.Job { return recorder.Job{Program: &p} })
}

// BenchmarkMade measures a generated program from request to recording.
func BenchmarkMade(b *testing.B) {
	run(b, pythons.Between(b, 12, 14)[0].Path, func(n int) recorder.Job {
		return recorder.Job{Seed: "bench", Number: n, Difficulty: float64(n%100) / 100}
	})
}

// BenchmarkMadeApart measures the recording of a program that was generated before.
func BenchmarkMadeApart(b *testing.B) {
	python := pythons.Between(b, 12, 14)[0].Path
	w := start(b, recorder.Config{Python: python})
	var programs []recorder.Program
	for n := range 100 {
		r, err := w.Record(b.Context(), recorder.Job{Seed: "bench", Number: n, Difficulty: float64(n) / 100})
		if err == nil {
			programs = append(programs, r.Program)
		}
	}
	run(b, python, func(n int) recorder.Job { return recorder.Job{Program: &programs[n%len(programs)]} })
}

// run records jobs. Besides the elapsed time, on which other programs of the machine have an influence,
// it reports the CPU time of the worker's processes.
func run(b *testing.B, python string, job func(n int) recorder.Job) {
	b.Helper()
	// In a sandbox the CPU time of a killed process is not reported.
	c := recorder.Config{Python: python, Contain: recorder.ContainLimits}
	before := processors(b)
	if err := start(b, c).Close(); err != nil {
		b.Fatal(err)
	}
	starting := processors(b) - before
	w := start(b, c)
	states, n := 0, 0
	for b.Loop() {
		r, err := w.Record(b.Context(), job(n))
		n++
		if failed := (*recorder.Failure)(nil); errors.As(err, &failed) {
			continue
		}
		if err != nil {
			b.Fatal(err)
		}
		states += r.Tree.Len()
	}
	seconds := b.Elapsed().Seconds()
	before = processors(b)
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(states)/seconds, "states/s")
	b.ReportMetric((processors(b)-before-starting).Seconds()*1e3/float64(n), "cpu-ms/op")
}

// processors returns the CPU time of the child processes for which this process has waited.
func processors(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
