package bench

import (
	"path/filepath"
	"runtime"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// BenchmarkContinue records the CPU-bound program, at a tenth of its scale, with one
// continue to its end. An operation is a whole run; ns/event includes starting and ending
// Python, B/event is the memory of the State Tree.
func BenchmarkContinue(b *testing.B) {
	if runtime.GOOS == "windows" {
		b.Skip("recording needs Unix")
	}
	pythons.Any(b)
	program, err := filepath.Abs(filepath.Join("programs", "cpubound.py"))
	if err != nil {
		b.Fatal(err)
	}
	var events, held int64
	for b.Loop() {
		recording, _, err := trace.Start(b.Context(), trace.Options{Script: program, Args: []string{"--scale", "0.1"}})
		if err != nil {
			b.Fatal(err)
		}
		landing, err := recording.Advance(b.Context(), nil, nil)
		if err != nil {
			b.Fatal(err)
		}
		if !landing.End {
			b.Fatalf("continue stopped before the end: %+v", landing)
		}
		events += int64(recording.Tree().Len())
		held += recording.Tree().Bytes()
		if err := recording.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(events), "ns/event")
	b.ReportMetric(float64(held)/float64(events), "B/event")
}
