package embedded

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
)

// thirty holds the dimensions of the shipped model.
var thirty = size{
	Vocabulary: len(ours.words), Width: 512, Layers: 12, Heads: 8, Groups: 2, Head: 64,
	Inner: 1216, Window: 2048, Theta: 10000,
}

// randomFile returns a model with random weights.
func randomFile(s size, seed uint64) *file {
	rng := rand.New(rand.NewPCG(seed, 0))
	floats := func(n int, scale float64) []float32 {
		x := make([]float32, n)
		for i := range x {
			x[i] = float32(rng.NormFloat64() * scale)
		}
		return x
	}
	ones := func(n int) []float32 {
		x := make([]float32, n)
		for i := range x {
			x[i] = 0.5 + rng.Float32()
		}
		return x
	}
	random := func(rows, columns int) matrix {
		m := matrix{rows: rows, columns: columns, numbers: make([]int8, rows*columns), scales: make([]float32, rows)}
		for i := range m.numbers {
			m.numbers[i] = int8(rng.IntN(255) - 127)
		}
		for i := range m.scales {
			m.scales[i] = (0.5 + rng.Float32()) / 2000
		}
		return m
	}
	f := &file{header: header{Name: "random", Size: s}}
	f.embedding = floats(s.Vocabulary*s.Width, 1)
	for range s.Layers {
		f.layers = append(f.layers, layer{
			attentionNorm: ones(s.Width), queriesKeysValues: random(s.queries()+2*s.shared(), s.Width),
			queryNorm: ones(s.Head), keyNorm: ones(s.Head), output: random(s.Width, s.queries()),
			innerNorm: ones(s.Width), gateUp: random(2*s.Inner, s.Width), down: random(s.Width, s.Inner),
		})
	}
	f.norm = ones(s.Width)
	f.head = random(s.Vocabulary, s.Width)
	return f
}

// BenchmarkCompute measures the computation of a prompt, of 30 determined tokens, of one token, and of a
// reply with 25 tokens and two such pieces. All but the prompt follow 512 cached tokens.
func BenchmarkCompute(b *testing.B) {
	f := randomFile(thirty, 1)
	tokens := make([]int, 1024)
	rng := rand.New(rand.NewPCG(2, 0))
	for i := range tokens {
		tokens[i] = rng.IntN(len(ours.words))
	}
	one := slices.Repeat([]int{1}, 25)
	for _, k := range available() {
		for _, bench := range []struct {
			name   string
			before int
			pieces []int
		}{{"prompt", 0, []int{batch, batch, batch, batch, batch, 32}}, {"line", 512, []int{30}}, {"token", 512, one[:1]}, {"reply", 512, append(one, 30, 30)}} {
			b.Run(fmt.Sprintf("%s/%s", k.name, bench.name), func(b *testing.B) {
				e := newEngine(f, k, 2)
				q := &sequence{}
				feed := func(at, n int) int {
					e.compute(q, tokens[at:at+n])
					return at + n
				}
				for at := 0; at < bench.before; {
					at = feed(at, min(batch, bench.before-at))
				}
				many := 0
				for b.Loop() {
					e.crew.begin()
					q.cut(bench.before)
					at := bench.before
					for _, n := range bench.pieces {
						at = feed(at, n)
					}
					many += at - bench.before
					e.crew.end()
				}
				b.ReportMetric(float64(many)/b.Elapsed().Seconds(), "tokens/s")
			})
		}
	}
}

// BenchmarkScene measures how long it takes to prepare a question before the model computes.
func BenchmarkScene(b *testing.B) {
	nodes := walk(b, 0)
	at := nodes[len(nodes)-1]
	for b.Loop() {
		p := newScene(at, dsl.Action{Move: dsl.StepInto}, python.Version{}).begin()
		p.determined()
		text, _ := at.Prompt(dsl.Action{Move: dsl.StepInto})
		ours.encode(nil, text)
	}
}
