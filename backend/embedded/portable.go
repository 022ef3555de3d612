package embedded

import "math"

// portable holds the kernels in pure Go.
var portable = &kernels{
	name:      "portable",
	quantise:  quantise,
	ready:     pack,
	multiply:  multiply,
	mix:       mix,
	softmax:   softmax,
	gate:      gate,
	normalise: normalise,
}

// tiny replaces the largest number of a zero vector, to prevent a division by zero.
const tiny = 1e-30

// quantise scales x and rounds it to integers from -127 to 127, halves to even.
func quantise(q []int8, x []float32) float32 {
	var most float32
	for _, v := range x {
		most = max(most, math.Float32frombits(math.Float32bits(v)&^(1<<31)))
	}
	most = max(most, tiny)
	inverse := 127 / most
	q = q[:len(x)]
	for i, v := range x {
		// Near 3<<22 the last bit of a float is worth one, so the addition rounds to an integer.
		const shift = 3 << 22
		q[i] = int8(math.Float32bits(float32(v*inverse)+shift) - shiftBits)
	}
	return most / 127
}

const shiftBits = 0x4b400000 // the bits of the float 3 << 22

// multiply multiplies by twelve vectors at a time if there are enough, otherwise by one.
func multiply(out []float32, stride int, m *matrix, first, last int, a *activations) {
	if a.n < fewest {
		multiplyFew(out, stride, m, first, last, a)
		return
	}
	triples := (a.n + 2) / 3
	triple := func(i int) []int64 {
		i = min(i, triples-1)
		return a.packed[i*a.columns : (i+1)*a.columns]
	}
	for i := 0; i < triples; i += 4 {
		p0, p1, p2, p3 := triple(i), triple(i+1), triple(i+2), triple(i+3)
		for r := first; r < last; r++ {
			sums := packedDots(m.row(r), p0, p1, p2, p3)
			for t := 3 * i; t < min(3*i+12, a.n); t++ {
				put(out[t*stride:], m, r, sums[t-3*i], a.scales[t])
			}
		}
	}
}

func multiplyFew(out []float32, stride int, m *matrix, first, last int, a *activations) {
	for t := range a.n {
		r := first
		for ; r+2 <= last; r += 2 {
			s0, s1 := dots(m.row(r), m.row(r+1), a.vector(t))
			put(out[t*stride:], m, r, s0, a.scales[t])
			put(out[t*stride:], m, r+1, s1, a.scales[t])
		}
		if r < last {
			s0, _ := dots(m.row(r), m.row(r), a.vector(t))
			put(out[t*stride:], m, r, s0, a.scales[t])
		}
	}
}

func (m *matrix) row(r int) []int8 { return m.numbers[r*m.columns : (r+1)*m.columns] }

// put writes one number of a product. All kernels multiply sum and scales in this order, so that
// their results are equal.
func put(out []float32, m *matrix, row int, sum int32, scale float32) {
	out[row] = float32(sum) * scale * m.scales[row]
}

// dots returns the dot products of two rows with a vector.
func dots(w0, w1, q []int8) (s0, s1 int32) {
	for len(q) >= 16 && len(w0) >= 16 && len(w1) >= 16 {
		x, v, w := (*[16]int8)(q), (*[16]int8)(w0), (*[16]int8)(w1)
		a, b, c, d := int32(x[0]), int32(x[1]), int32(x[2]), int32(x[3])
		s0 += int32(v[0])*a + int32(v[1])*b + int32(v[2])*c + int32(v[3])*d
		s1 += int32(w[0])*a + int32(w[1])*b + int32(w[2])*c + int32(w[3])*d
		a, b, c, d = int32(x[4]), int32(x[5]), int32(x[6]), int32(x[7])
		s0 += int32(v[4])*a + int32(v[5])*b + int32(v[6])*c + int32(v[7])*d
		s1 += int32(w[4])*a + int32(w[5])*b + int32(w[6])*c + int32(w[7])*d
		a, b, c, d = int32(x[8]), int32(x[9]), int32(x[10]), int32(x[11])
		s0 += int32(v[8])*a + int32(v[9])*b + int32(v[10])*c + int32(v[11])*d
		s1 += int32(w[8])*a + int32(w[9])*b + int32(w[10])*c + int32(w[11])*d
		a, b, c, d = int32(x[12]), int32(x[13]), int32(x[14]), int32(x[15])
		s0 += int32(v[12])*a + int32(v[13])*b + int32(v[14])*c + int32(v[15])*d
		s1 += int32(w[12])*a + int32(w[13])*b + int32(w[14])*c + int32(w[15])*d
		q, w0, w1 = q[16:], w0[16:], w1[16:]
	}
	return s0, s1
}

const (
	// lane is the number of bits of each of the three sums in an int64. The sum of columnUnit
	// products of numbers up to 128 fits into it.
	lane = 21
	// fewest is the number of vectors from which packing is faster.
	fewest = 4
)

// pack packs each three vectors into one vector of int64. Missing vectors are zero.
func pack(a *activations) {
	if a.n < fewest {
		return
	}
	triples := (a.n + 2) / 3
	if n := triples * a.columns; cap(a.packed) < n {
		a.packed = make([]int64, n)
	}
	a.packed = a.packed[:triples*a.columns]
	clear(a.packed)
	for t := range a.n {
		dst, shift := a.packed[t/3*a.columns:][:a.columns], t%3*lane
		for i, x := range a.vector(t) {
			dst[i] += int64(x) << shift
		}
	}
}

// packedDots returns the dot products of a row with twelve vectors: each multiplication handles
// three.
func packedDots(w []int8, p0, p1, p2, p3 []int64) (sums [12]int32) {
	for len(w) >= columnUnit && len(p0) >= columnUnit && len(p1) >= columnUnit && len(p2) >= columnUnit && len(p3) >= columnUnit {
		var a, b, c, d int64
		for i := 0; i < columnUnit; i += 4 {
			v := (*[4]int8)(w[i:])
			x, y, z, u := (*[4]int64)(p0[i:]), (*[4]int64)(p1[i:]), (*[4]int64)(p2[i:]), (*[4]int64)(p3[i:])
			k := int64(v[0])
			a += k * x[0]
			b += k * y[0]
			c += k * z[0]
			d += k * u[0]
			k = int64(v[1])
			a += k * x[1]
			b += k * y[1]
			c += k * z[1]
			d += k * u[1]
			k = int64(v[2])
			a += k * x[2]
			b += k * y[2]
			c += k * z[2]
			d += k * u[2]
			k = int64(v[3])
			a += k * x[3]
			b += k * y[3]
			c += k * z[3]
			d += k * u[3]
		}
		unpack((*[3]int32)(sums[0:]), a)
		unpack((*[3]int32)(sums[3:]), b)
		unpack((*[3]int32)(sums[6:]), c)
		unpack((*[3]int32)(sums[9:]), d)
		w, p0, p1, p2, p3 = w[columnUnit:], p0[columnUnit:], p1[columnUnit:], p2[columnUnit:], p3[columnUnit:]
	}
	return sums
}

// unpack adds the three sums in packed to those in s.
func unpack(s *[3]int32, packed int64) {
	low := packed << (64 - lane) >> (64 - lane)
	packed = (packed - low) >> lane
	middle := packed << (64 - lane) >> (64 - lane)
	s[0] += int32(low)
	s[1] += int32(middle)
	s[2] += int32((packed - middle) >> lane)
}
