//go:build unix

package cpython_test

import (
	"strconv"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/cpython"
	"github.com/npdb/npdb/dsl"
)

// BenchmarkQuestion measures one question at different lengths of a trajectory. The time should be about
// the same, because the places of the text before the last step are cached.
func BenchmarkQuestion(b *testing.B) {
	const more = 64
	for _, steps := range []int{10, 1000, 10000} {
		b.Run(strconv.Itoa(steps), func(b *testing.B) {
			p := predictor(b, cpython.Config{})
			n := start(b, "x = 0\nwhile True:\n    x += 1\n    y = [x, x]\n")
			var nodes []*dsl.Node
			a := parse(b, "step_over")
			for range steps + more {
				made, err := p.Predict(b.Context(), backend.Question{At: n, Action: a}, nil)
				if err != nil {
					b.Fatal(err)
				}
				if n, err = n.Append(made.Step); err != nil {
					b.Fatal(err)
				}
				nodes = append(nodes, n)
			}
			nodes = nodes[steps:]
			b.ResetTimer()
			for i := range b.N {
				if _, err := p.Predict(b.Context(), backend.Question{At: nodes[i%more], Action: a}, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
