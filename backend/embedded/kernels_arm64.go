package embedded

import "golang.org/x/sys/cpu"

//go:noescape
func sdotFour(w *int8, columns int, scales *float32, fours int, x *int8, xscales *float32, out *float32, stride int)

//go:noescape
func sdotOne(w *int8, columns int, scales *float32, fours int, x *int8, xscale float32, out *float32)

//go:noescape
func mixNEON(y, a *float32, n int, m *float32)

// ofProcessor returns the assembly kernels that this processor can run.
func ofProcessor() []*kernels {
	if !cpu.ARM64.HasASIMDDP {
		return nil
	}
	neon := *portable
	neon.name = "NEON"
	neon.ready = nil
	neon.multiply = multiplyNEON
	neon.mix = func(y []float32, apart int, a []float32, stride, n int, m []float32, width int) {
		if width != 64 {
			mix(y, apart, a, stride, n, m, width)
			return
		}
		_, _, _ = y[3*apart+63], a[3*stride+n-1], m[n*64-1]
		for r := range 4 {
			mixNEON(&y[r*apart], &a[r*stride], n, &m[0])
		}
	}
	return []*kernels{&neon}
}

func multiplyNEON(out []float32, stride int, m *matrix, first, last int, a *activations) {
	fours := (last - first) / 4
	if fours > 0 {
		w, scales := &m.numbers[first*m.columns], &m.scales[first]
		t := 0
		for ; t+4 <= a.n; t += 4 {
			sdotFour(w, m.columns, scales, fours, &a.numbers[t*m.columns], &a.scales[t], &out[t*stride+first], stride)
		}
		for ; t < a.n; t++ {
			sdotOne(w, m.columns, scales, fours, &a.numbers[t*m.columns], a.scales[t], &out[t*stride+first])
		}
	}
	if first += 4 * fours; first < last {
		multiplyFew(out, stride, m, first, last, a)
	}
}
