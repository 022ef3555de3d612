package embedded

// columnUnit is what the columns of a matrix are a multiple of, so that kernels need no
// remainders.
const columnUnit = 64

// span is how many positions a page of keys and values holds.
const span = 64

// kernels are the loops in which the time goes, for one kind of processor. Those for
// numbers of eight bits agree with each other to the last bit; those for floats add in
// orders of their own.
type kernels struct {
	name string
	// prepare readies a matrix before its first use; nil where nothing is to be done.
	prepare func(m *matrix)
	// quantise writes eight-bit numbers of x in the form that multiply wants, and returns
	// what they are to be multiplied by.
	quantise func(q []int8, x []float32) (scale float32)
	// ready is called when all vectors are quantised; nil where nothing is to be done.
	ready func(a *activations)
	// multiply computes rows from first up to last of the product of a matrix with each
	// of a's vectors: out[t*stride+row].
	multiply func(out []float32, stride int, m *matrix, first, last int, a *activations)
	// mix adds to each of four y's the sum of rows of m, width wide, times the numbers of
	// its a: y[r][j] += a[r][i] * m[i][j] for i < n. The y's lie apart from each other, the
	// a's a stride.
	mix func(y []float32, apart int, a []float32, stride, n int, m []float32, width int)
	// softmax replaces each x by e to the power of what it is less than the greatest, and
	// returns their sum. There is a multiple of 8 of them.
	softmax func(x []float32) float32
	// gate writes the SwiGLU of gates and ups: silu(gate) * up.
	gate func(dst, gates, ups []float32)
	// normalise writes x over its root mean square, times weight.
	normalise func(dst, x, weight []float32)
}

// activations are vectors to multiply matrices with: n of them, each as long as the
// matrix has columns.
type activations struct {
	n, columns int
	floats     []float32
	numbers    []int8
	scales     []float32
	packed     []int64 // of kernels that want them
}

// set makes room for n vectors.
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

// quantise fills in the numbers of a vector.
func (a *activations) quantise(k *kernels, t int) {
	from, to := t*a.columns, (t+1)*a.columns
	a.scales[t] = k.quantise(a.numbers[from:to], a.floats[from:to])
}

// Kernels names those that questions are computed with on this processor: "AVX-512 VNNI",
// "AVX2", "NEON" or "portable".
func Kernels() string { return best().name }

// best returns the kernels that questions are computed with.
func best() *kernels {
	all := available()
	return all[len(all)-1]
}

// available returns the kernels that this processor can run, the best ones last.
func available() []*kernels { return append([]*kernels{portable}, ofProcessor()...) }
