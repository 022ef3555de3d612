package computed_test

import (
	"os"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/computed"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
)

// BenchmarkStep measures a step that the program's source determines, from the question to the answer.
// It steps through the first hundred states of examples/bank.py, repeatedly.
func BenchmarkStep(b *testing.B) {
	source, err := os.ReadFile("../../examples/bank.py")
	if err != nil {
		b.Fatal(err)
	}
	start := begin(b, string(source))
	for b.Loop() {
		p := computed.New(&rest{}, python.Version{}, 0)
		at := start
		for range 100 {
			made, err := p.Predict(b.Context(), backend.Question{At: at, Action: dsl.Action{Move: dsl.StepInto}}, nil)
			if err != nil {
				b.Fatal(err)
			}
			if at, err = at.Append(made.Step); err != nil {
				b.Fatal(err)
			}
		}
		if err := p.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/100, "µs/step")
}
