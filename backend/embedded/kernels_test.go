package embedded

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// TestKernelsNamed checks that Kernels names the kernels with which questions are computed.
func TestKernelsNamed(t *testing.T) {
	p := babbler(t, Config{})
	e, err := p.engine()
	if err != nil {
		t.Fatal(err)
	}
	if got := e.kernels.name; got != Kernels() {
		t.Errorf("computed with %s, named %s", got, Kernels())
	}
}

// TestProductsAgree checks that all kernels compute the same products of eight-bit numbers, bit by bit,
// however rows are divided among workers.
func TestProductsAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	for _, shape := range []struct{ rows, columns, vectors int }{
		{4, 64, 1}, {1, 64, 5}, {7, 128, 4}, {32, 512, 9}, {33, 1216, 6}, {20, 2048, 3}, {9, 192, 31},
	} {
		m := matrix{rows: shape.rows, columns: shape.columns, numbers: make([]int8, shape.rows*shape.columns), scales: make([]float32, shape.rows)}
		for i := range m.numbers {
			m.numbers[i] = int8(rng.IntN(255) - 127)
			if i/m.columns == 0 {
				m.numbers[i] = 127 // the largest product
			}
		}
		for i := range m.scales {
			m.scales[i] = rng.Float32()
		}
		floats := make([]float32, shape.vectors*shape.columns)
		for i := range floats {
			floats[i] = float32(rng.NormFloat64())
			if i < shape.columns {
				floats[i] = -1
			}
		}
		var want []float32
		for _, k := range available() {
			t.Run(fmt.Sprintf("%s/%d×%d×%d", k.name, shape.rows, shape.columns, shape.vectors), func(t *testing.T) {
				m := m
				if k.prepare != nil {
					k.prepare(&m)
				}
				a := &activations{floats: floats}
				a.set(shape.vectors, shape.columns)
				for i := range shape.vectors {
					a.quantise(k, i)
				}
				if k.ready != nil {
					k.ready(a)
				}
				got := make([]float32, shape.vectors*shape.rows)
				middle := shape.rows / 3
				k.multiply(got, shape.rows, &m, 0, middle, a)
				k.multiply(got, shape.rows, &m, middle, shape.rows, a)
				if want == nil {
					want = got
					for v := range shape.vectors {
						for r := range shape.rows {
							var sum int32
							for i, w := range m.row(r) {
								sum += int32(w) * int32(a.vector(v)[i])
							}
							if is := got[v*shape.rows+r]; is != float32(sum)*a.scales[v]*m.scales[r] {
								t.Fatalf("row %d of vector %d is %v", r, v, is)
							}
						}
					}
				}
				for i := range want {
					if got[i] != want[i] {
						t.Fatalf("number %d is %v, want %v", i, got[i], want[i])
					}
				}
			})
		}
	}
}

// TestFloatsAgree checks that the float loops of all kernels differ only as much as another order of
// additions explains.
func TestFloatsAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 0))
	random := func(n int, scale float32) []float32 {
		x := make([]float32, n)
		for i := range x {
			x[i] = scale * float32(rng.NormFloat64())
		}
		return x
	}
	near := func(t *testing.T, what string, got, want []float32) {
		t.Helper()
		for i, w := range want {
			if d := math.Abs(float64(got[i] - w)); !(d <= 1e-5*(1+math.Abs(float64(w)))) {
				t.Fatalf("%s: number %d is %v, want %v", what, i, got[i], w)
			}
		}
	}
	for _, k := range available()[1:] {
		t.Run(k.name, func(t *testing.T) {
			for _, n := range []int{8, 64, 128, 520} {
				x, weight := random(n, 3), random(n, 1)
				got, want := make([]float32, n), make([]float32, n)
				k.normalise(got, x, weight)
				normalise(want, x, weight)
				near(t, "normalise", got, want)
				x = random(n, 40)
				k.gate(got, x, weight)
				gate(want, x, weight)
				near(t, "gate", got, want)
				got, want = random(n, 20), want[:0]
				want = append(want, got...)
				near(t, "softmax", []float32{k.softmax(got)}, []float32{softmax(want)})
				near(t, "softmax", got, want)
			}
			for _, n := range []int{1, 3, 64} {
				for _, width := range []int{32, 64} {
					y, a, m := random(4*96, 1), random(4*72, 1), random(64*width, 1)
					want := append([]float32(nil), y...)
					k.mix(y, 96, a, 72, n, m, width)
					mix(want, 96, a, 72, n, m, width)
					near(t, "mix", y, want)
				}
			}
		})
	}
	for _, x := range []float32{-200, -87, -10, -1e-6, 0, 0.3, 1, 20, 80} {
		if got, want := float64(exponential(x)), math.Exp(float64(x)); math.Abs(got-want) > 1e-6*want+1e-37 {
			t.Errorf("exponential(%v) is %v, want %v", x, got, want)
		}
	}
}
