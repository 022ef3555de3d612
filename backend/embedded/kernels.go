package embedded

// columnUnit divides the number of columns of each matrix, so that kernels need no code for remaining
// columns.
const columnUnit = 64

// span is the number of positions whose keys and values are in one page.
const span = 64

// kernels holds the inner loops for one kind of processor. The int8 loops give the same results on
// all processors, bit by bit. The float loops may add in different orders.
type kernels struct {
	name string
	// prepare is called once for a matrix before it is used; nil if not needed.
	prepare func(m *matrix)
	// quantise writes x as eight-bit numbers to q, in the form that multiply needs. Multiplied by
	// scale they give x.
	quantise func(q []int8, x []float32) (scale float32)
	// ready is called after all vectors are quantised; nil if it is not needed.
	ready func(a *activations)
	// multiply computes the rows from first up to last of the product of m with each vector t of a,
	// and writes them to out[t*stride+row].
	multiply func(out []float32, stride int, m *matrix, first, last int, a *activations)
	// mix adds n weighted rows of m to each of four rows of y, all of length width: y[r][j] +=
	// a[r][i] * m[i][j] for i < n. Row r of y starts at y[r*apart], and row r of the weights at
	// a[r*stride].
	mix func(y []float32, apart int, a []float32, stride, n int, m []float32, width int)
	// softmax replaces each x by exp(x - max) and returns the sum of the results, by which the
	// caller divides. The length of x is a multiple of 8.
	softmax func(x []float32) float32
	// gate writes the SwiGLU of gates and ups to dst: silu(gate) * up.
	gate func(dst, gates, ups []float32)
	// normalise writes x, divided by its root mean square and times weight, to dst.
	normalise func(dst, x, weight []float32)
}

// activations holds n vectors, by which matrices are multiplied. Each vector is as long as a row of
// the matrix.
type activations struct {
	n, columns int
	floats     []float32
	numbers    []int8
	scales     []float32
	packed     []int64 // three vectors in one, for the portable kernels
}

// set makes room for n vectors of this length.
func (a *activations) set(n, columns int) {
	a.n, a.columns = n, columns
	if cap(a.numbers) < n*columns {
		a.numbers = make([]int8, n*columns)
	}
	if cap(a.scales) < n {
		a.scales = make([]float32, n)
	}
	a.numbers, a.scales = a.numbers[:n*columns], a.scales[:n]
}

func (a *activations) vector(t int) []int8 { return a.numbers[t*a.columns : (t+1)*a.columns] }

// quantise quantises vector t.
func (a *activations) quantise(k *kernels, t int) {
	from, to := t*a.columns, (t+1)*a.columns
	a.scales[t] = k.quantise(a.numbers[from:to], a.floats[from:to])
}

// Kernels returns the name of the kernels used on this processor: "AVX-512 VNNI", "AVX2",
// "NEON" or "portable".
func Kernels() string { return best().name }

// best returns the fastest available kernels.
func best() *kernels {
	all := available()
	return all[len(all)-1]
}

// available returns the kernels that this processor can run, the fastest last.
func available() []*kernels { return append([]*kernels{portable}, ofProcessor()...) }
