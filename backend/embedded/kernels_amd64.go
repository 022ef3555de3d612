package embedded

import (
	"math"

	"golang.org/x/sys/cpu"
)

//go:noescape
func vnniFour(w *int8, columns int, sums *int32, scales *float32, fours int, x *int8, xscales *[16]float32, out *float32, stride int)

//go:noescape
func vnniOne(w *int8, columns int, sums *int32, scales *float32, fours int, x *int8, xscale float32, out *float32)

//go:noescape
func avx2Two(w *int8, columns int, scales *float32, fours int, x *int8, xscales *float32, out *float32, stride int)

//go:noescape
func avx2One(w *int8, columns int, scales *float32, fours int, x *int8, xscale float32, out *float32)

//go:noescape
func softmaxAVX2(x *float32, n int) float32

//go:noescape
func gateAVX2(dst, gates, ups *float32, n int)

//go:noescape
func squaresAVX2(x *float32, n int) float32

//go:noescape
func timesAVX2(dst, x, weight *float32, n int, by float32)

//go:noescape
func mostAVX2(x *float32, n int) float32

//go:noescape
func roundAVX2(q *int8, x *float32, n int, by float32, flip uint8)

//go:noescape
func mixAVX2(y, a *float32, n int, m *float32)

//go:noescape
func mixAVX512(y *float32, apart int, a *float32, stride, n int, m *float32)

// ofProcessor returns the assembly kernels that this processor can run, the fastest last.
func ofProcessor() []*kernels {
	x := &cpu.X86
	if !x.HasAVX2 || !x.HasFMA {
		return nil
	}
	avx2 := &kernels{
		name:     "AVX2",
		quantise: func(q []int8, x []float32) float32 { return quantiseAVX2(q, x, 0) },
		multiply: multiplyAVX2,
		mix: func(y []float32, apart int, a []float32, stride, n int, m []float32, width int) {
			if width != 64 {
				mix(y, apart, a, stride, n, m, width)
				return
			}
			_, _, _ = y[3*apart+63], a[3*stride+n-1], m[n*64-1]
			for r := range 4 {
				mixAVX2(&y[r*apart], &a[r*stride], n, &m[0])
			}
		},
		softmax:   func(x []float32) float32 { return softmaxAVX2(&x[0], len(x)) },
		gate:      func(dst, gates, ups []float32) { gateAVX2(&dst[0], &gates[0], &ups[0], len(dst)) },
		normalise: normaliseAVX2,
	}
	if !x.HasAVX512F || !x.HasAVX512BW || !x.HasAVX512DQ || !x.HasAVX512VL || !x.HasAVX512VNNI {
		return []*kernels{avx2}
	}
	vnni := *avx2
	vnni.name = "AVX-512 VNNI"
	vnni.prepare = prepareVNNI
	vnni.quantise = func(q []int8, x []float32) float32 { return quantiseAVX2(q, x, bias) }
	vnni.multiply = multiplyVNNI
	vnni.mix = func(y []float32, apart int, a []float32, stride, n int, m []float32, width int) {
		if width != 64 {
			mix(y, apart, a, stride, n, m, width)
			return
		}
		_, _, _ = y[3*apart+63], a[3*stride+n-1], m[n*64-1]
		mixAVX512(&y[0], apart, &a[0], stride, n, &m[0])
	}
	return []*kernels{avx2, &vnni}
}

// bias is added to the int8 numbers of vectors to make them unsigned, because VPDPBUSD multiplies
// unsigned by signed numbers.
const bias = 128

// quantiseAVX2 implements kernels.quantise. It inverts the bits of flip in each number.
func quantiseAVX2(q []int8, x []float32, flip uint8) float32 {
	most := max(mostAVX2(&x[0], len(x)), tiny)
	_ = q[len(x)-1]
	roundAVX2(&q[0], &x[0], len(x), 127/most, flip)
	return most / 127
}

func normaliseAVX2(dst, x, weight []float32) {
	_, _ = dst[len(x)-1], weight[len(x)-1]
	mean := float64(squaresAVX2(&x[0], len(x))) / float64(len(x))
	timesAVX2(&dst[0], &x[0], &weight[0], len(x), float32(1/math.Sqrt(mean+epsilon)))
}

// multiplyAVX2 computes four rows at a time. multiplyFew computes the remaining rows; it needs
// vectors without bias.
func multiplyAVX2(out []float32, stride int, m *matrix, first, last int, a *activations) {
	fours := (last - first) / 4
	if fours > 0 {
		w, scales := &m.numbers[first*m.columns], &m.scales[first]
		t := 0
		for ; t+2 <= a.n; t += 2 {
			avx2Two(w, m.columns, scales, fours, &a.numbers[t*m.columns], &a.scales[t], &out[t*stride+first], stride)
		}
		if t < a.n {
			avx2One(w, m.columns, scales, fours, &a.numbers[t*m.columns], a.scales[t], &out[t*stride+first])
		}
	}
	if first += 4 * fours; first < last {
		multiplyFew(out, stride, m, first, last, a)
	}
}

func multiplyVNNI(out []float32, stride int, m *matrix, first, last int, a *activations) {
	fours := (last - first) / 4
	if fours > 0 {
		w, sums, scales := &m.numbers[first*m.columns], &m.sums[first], &m.scales[first]
		t := 0
		for ; t+4 <= a.n; t += 4 {
			var each [16]float32
			for i := range each {
				each[i] = a.scales[t+i/4]
			}
			vnniFour(w, m.columns, sums, scales, fours, &a.numbers[t*m.columns], &each, &out[t*stride+first], stride)
		}
		for ; t < a.n; t++ {
			vnniOne(w, m.columns, sums, scales, fours, &a.numbers[t*m.columns], a.scales[t], &out[t*stride+first])
		}
	}
	for r := first + 4*fours; r < last; r++ {
		for t := range a.n {
			var sum int32
			for i, q := range a.numbers[t*m.columns : (t+1)*m.columns] {
				sum += int32(uint8(q)) * int32(m.row(r)[i])
			}
			put(out[t*stride:], m, r, sum-m.sums[r], a.scales[t])
		}
	}
}

// prepareVNNI computes m.sums: the sum of each row, times bias, which the bias of the vectors adds
// to each product. It computes the sums with the kernel itself and a vector of ones.
func prepareVNNI(m *matrix) {
	if m.sums != nil {
		return
	}
	ones := make([]int8, m.columns)
	for i := range ones {
		ones[i] = 1
	}
	count := make([]float32, m.rows)
	none, unit := make([]int32, m.rows), make([]float32, m.rows)
	for i := range unit {
		unit[i] = 1
	}
	plain := *m
	plain.sums, plain.scales = none, unit
	multiplyVNNI(count, m.rows, &plain, 0, m.rows, &activations{n: 1, columns: m.columns, numbers: ones, scales: unit})
	m.sums = none
	for i, c := range count {
		m.sums[i] = bias * int32(c)
	}
}
