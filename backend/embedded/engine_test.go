package embedded

import (
	"encoding/json"
	"math"
	"os"
	"testing"
)

// reference holds the logits that PyTorch computes for testdata/tiny.npdb in float32.
type reference struct {
	Tokens []int
	Places []int
	Logits [][]float32
}

func tinyFile(t testing.TB) (*file, reference) {
	t.Helper()
	data, err := os.ReadFile("testdata/tiny.npdb")
	if err != nil {
		t.Fatal(err)
	}
	f, err := readFile(data)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("testdata/tiny.json")
	if err != nil {
		t.Fatal(err)
	}
	var want reference
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	return f, want
}

// exact returns kernels that do not round to eight bits. With them, any difference from the reference is
// a bug of the engine.
func exact() *kernels {
	k := *portable
	k.name = "exact"
	k.quantise = func([]int8, []float32) float32 { return 1 }
	k.multiply = func(out []float32, stride int, m *matrix, first, last int, a *activations) {
		for t := range a.n {
			for r := first; r < last; r++ {
				var sum float64
				for i, w := range m.row(r) {
					sum += float64(w) * float64(a.floats[t*a.columns+i])
				}
				out[t*stride+r] = float32(sum * float64(m.scales[r]))
			}
		}
	}
	return &k
}

// off returns the error of got, relative to the spread of want.
func off(got, want []float32) float64 {
	var d, v, mean float64
	for _, x := range want {
		mean += float64(x) / float64(len(want))
	}
	for i, x := range want {
		d += math.Pow(float64(got[i]-x), 2)
		v += math.Pow(float64(x)-mean, 2)
	}
	return math.Sqrt(d / v)
}

func TestEngineComputesWhatPyTorchDoes(t *testing.T) {
	for _, k := range append(available(), exact()) {
		t.Run(k.name, func(t *testing.T) {
			f, want := tinyFile(t)
			tolerance := 0.02
			if k.name == "exact" {
				tolerance = 2e-5
			}
			e := newEngine(f, k, 2)
			e.crew.begin()
			defer e.crew.end()
			q := &sequence{}
			for i, place := range want.Places {
				for n := len(q.tokens); n <= place; n = len(q.tokens) {
					e.compute(q, want.Tokens[n:min(place+1, n+batch)])
				}
				if got := off(e.logits, want.Logits[i]); !(got < tolerance) {
					t.Errorf("after %d tokens the logits are off by %v", place+1, got)
				} else {
					t.Logf("%d: %.2g", place, got)
				}
			}
		})
	}
}
