package embedded

import "math"

// epsilon prevents a division by zero in the norm of a zero vector.
const epsilon = 1e-6

func normalise(dst, x, weight []float32) {
	var a, b, c, d float32
	for i := 0; i+4 <= len(x); i += 4 {
		a += x[i] * x[i]
		b += x[i+1] * x[i+1]
		c += x[i+2] * x[i+2]
		d += x[i+3] * x[i+3]
	}
	r := float32(1 / math.Sqrt(float64((a+b)+(c+d))/float64(len(x))+epsilon))
	dst, weight = dst[:len(x)], weight[:len(x)]
	for i, v := range x {
		dst[i] = v * r * weight[i]
	}
}

// exponential returns e to the power of x, with about seven correct digits.
func exponential(x float32) float32 {
	if x < -87 {
		return 0
	}
	if x > 88 {
		x = 88
	}
	const shift = 3 << 22
	whole := float32(x*math.Log2E) + shift
	bits := math.Float32bits(whole) - shiftBits
	whole -= shift
	f := x - whole*0.693359375 - whole*-2.12194440e-4
	p := 1 + f*(1+f*(0.5+f*(1.0/6+f*(1.0/24+f*(1.0/120+f*(1.0/720))))))
	return p * math.Float32frombits((bits+127)<<23)
}

func softmax(x []float32) float32 {
	most := x[0]
	for _, v := range x {
		most = max(most, v)
	}
	var sum float32
	for i, v := range x {
		e := exponential(v - most)
		x[i] = e
		sum += e
	}
	return sum
}

func gate(dst, gates, ups []float32) {
	gates, ups = gates[:len(dst)], ups[:len(dst)]
	for i, g := range gates {
		dst[i] = g / (1 + exponential(-g)) * ups[i]
	}
}

// mix adds n weighted rows of m to each of four rows of y, all of length width: y[r][j] += a[r][i]
// * m[i][j] for i < n. Row r of y starts at y[r*apart], and row r of the weights at a[r*stride].
func mix(y []float32, apart int, a []float32, stride, n int, m []float32, width int) {
	for r := 0; r < 4; r += 2 {
		a0, a1 := a[r*stride:r*stride+n], a[(r+1)*stride:(r+1)*stride+n]
		y0, y1 := y[r*apart:r*apart+width], y[(r+1)*apart:(r+1)*apart+width]
		for j := 0; j+4 <= width; j += 4 {
			s0, s1, s2, s3 := y0[j], y0[j+1], y0[j+2], y0[j+3]
			t0, t1, t2, t3 := y1[j], y1[j+1], y1[j+2], y1[j+3]
			at := j
			for i, p := range a0 {
				q := a1[i]
				v := (*[4]float32)(m[at:])
				at += width
				s0 += p * v[0]
				s1 += p * v[1]
				s2 += p * v[2]
				s3 += p * v[3]
				t0 += q * v[0]
				t1 += q * v[1]
				t2 += q * v[2]
				t3 += q * v[3]
			}
			y0[j], y0[j+1], y0[j+2], y0[j+3] = s0, s1, s2, s3
			y1[j], y1[j+1], y1[j+2], y1[j+3] = t0, t1, t2, t3
		}
	}
}

// rotations returns the cosines and sines of the rotary position embedding.
func rotations(s *size) (cosines, sines []float32) {
	pairs := s.Head / 2
	cosines, sines = make([]float32, s.Window*pairs), make([]float32, s.Window*pairs)
	for i := range pairs {
		// Compute in float32, as training does.
		rate := float32(math.Pow(s.Theta, -float64(2*i)/float64(s.Head)))
		for at := range s.Window {
			sin, cos := math.Sincos(float64(float32(at) * rate))
			cosines[at*pairs+i], sines[at*pairs+i] = float32(cos), float32(sin)
		}
	}
	return cosines, sines
}

// rotate applies the rotary embedding to a head. It rotates pairs of an element of the first half
// and its counterpart in the second half.
func rotate(x, cosines, sines []float32) {
	n := len(x) / 2
	a, b := x[:n], x[n:]
	cosines, sines, b = cosines[:n], sines[:n], b[:n]
	for i := range a {
		p, q, cos, sin := a[i], b[i], cosines[i], sines[i]
		a[i] = p*cos - q*sin
		b[i] = q*cos + p*sin
	}
}
