package embedded

// engine computes the logits of the next token of a text. It must not be used concurrently.
type engine struct {
	*file
	kernels        *kernels
	crew           crew
	pool           pool
	cosines, sines []float32

	// Intermediate results, with a row for each token of a batch.
	stream   []float32 // the residual stream
	normed   []float32
	joint    []float32 // queries, keys, values
	attended []float32
	gated    []float32 // gates and ups
	inner    []float32
	added    []float32
	in       activations
	logits   []float32
	desks    []desk // one for each goroutine
}

const (
	// batch is the maximum number of tokens that pass through the layers together: enough to read
	// the weights from memory rarely, and few enough to cancel quickly.
	batch = 96
	// rowsAtOnce is the number of matrix rows that a worker multiplies at a time. They fit the L1
	// cache.
	rowsAtOnce = 32
	// positionsAtOnce is the number of tokens that a worker handles at a time, except in product.
	positionsAtOnce = 4
	// sequencesKept is the number of texts whose keys and values are cached.
	sequencesKept = 4
)

func newEngine(f *file, k *kernels, threads int) *engine {
	s := &f.Size
	e := &engine{file: f, kernels: k, crew: crew{helpers: max(threads, 1) - 1}, pool: pool{most: sequencesKept}}
	e.cosines, e.sines = rotations(s)
	e.stream = make([]float32, batch*s.Width)
	e.normed = make([]float32, batch*s.Width)
	e.joint = make([]float32, batch*(s.queries()+2*s.shared()))
	e.attended = make([]float32, batch*s.queries())
	e.gated = make([]float32, batch*2*s.Inner)
	e.inner = make([]float32, batch*s.Inner)
	e.added = make([]float32, batch*s.Width)
	e.in.set(batch, max(s.Width, s.queries(), s.Inner))
	e.logits = make([]float32, s.Vocabulary)
	for range e.crew.helpers + 1 {
		e.desks = append(e.desks, newDesk(s))
	}
	if k.prepare != nil {
		for i := range f.layers {
			l := &f.layers[i]
			for _, m := range []*matrix{&l.queriesKeysValues, &l.output, &l.gateUp, &l.down} {
				k.prepare(m)
			}
		}
		k.prepare(&f.head)
	}
	return e
}

// compute appends at most batch tokens to a sequence, and writes the logits of the next token to
// e.logits.
func (e *engine) compute(q *sequence, tokens []int) {
	s, n := &e.Size, len(tokens)
	q.extend(n, s.pageSize())
	for t, token := range tokens {
		copy(e.stream[t*s.Width:(t+1)*s.Width], e.embedding[token*s.Width:])
	}
	clear(e.added[:n*s.Width])
	for i := range e.layers {
		e.attend(q, i, n)
		e.feed(i, n)
	}
	q.tokens = append(q.tokens, tokens...)
	last := (n - 1) * s.Width
	copy(e.stream, e.stream[last:last+s.Width])
	copy(e.added, e.added[last:last+s.Width])
	e.settle(e.norm, 1)
	e.product(e.logits, &e.head)
}

// feed computes the SwiGLU of layer i. settle adds the result to the residual stream later.
func (e *engine) feed(i, n int) {
	s, l := &e.Size, &e.layers[i]
	e.settle(l.innerNorm, n)
	e.product(e.gated, &l.gateUp)
	e.prepare(e.inner, s.Inner, n, func(t int) {
		row := e.gated[t*2*s.Inner : (t+1)*2*s.Inner]
		e.kernels.gate(e.inner[t*s.Inner:(t+1)*s.Inner], row[:s.Inner], row[s.Inner:])
	})
	e.product(e.added, &l.down)
}

// settle adds the latest result of product to the residual stream, and prepares the normalised stream
// for the next product.
func (e *engine) settle(weight []float32, n int) {
	width := e.Size.Width
	e.prepare(e.normed, width, n, func(t int) {
		stream, added := e.stream[t*width:(t+1)*width], e.added[t*width:(t+1)*width]
		for i, x := range added {
			stream[i] += x
		}
		e.kernels.normalise(e.normed[t*width:(t+1)*width], stream, weight)
	})
}

// prepare calls one to fill each of n vectors, and quantises them for product.
func (e *engine) prepare(vectors []float32, columns, n int, one func(t int)) {
	e.in.set(n, columns)
	e.in.floats = vectors[:n*columns]
	e.parts(n, func(t int) {
		one(t)
		e.in.quantise(e.kernels, t)
	})
	if e.kernels.ready != nil {
		e.kernels.ready(&e.in)
	}
}

// parts calls do for each of n tokens, distributed among the crew.
func (e *engine) parts(n int, do func(t int)) {
	e.crew.each((n+positionsAtOnce-1)/positionsAtOnce, func(_, part int) {
		for t := part * positionsAtOnce; t < min((part+1)*positionsAtOnce, n); t++ {
			do(t)
		}
	})
}

// product multiplies a matrix by each of the vectors that prepare has quantised.
func (e *engine) product(out []float32, m *matrix) {
	e.crew.each((m.rows+rowsAtOnce-1)/rowsAtOnce, func(_, part int) {
		e.kernels.multiply(out, m.rows, m, part*rowsAtOnce, min((part+1)*rowsAtOnce, m.rows), &e.in)
	})
}
