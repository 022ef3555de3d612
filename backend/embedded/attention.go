package embedded

import "math"

// desk holds the buffers that one goroutine needs to compute attention.
type desk struct {
	queries []float32 // the queries of the heads of a group
	scores  []float32 // a row of attention scores for each head
	out     []float32
}

func newDesk(s *size) desk {
	rows := s.rows()
	return desk{
		queries: make([]float32, rows*s.Head),
		scores:  make([]float32, rows*s.stride()),
		out:     make([]float32, rows*s.Head),
	}
}

// rows returns the number of query heads that share keys and values, rounded up to a multiple of 4,
// because mix computes four rows at a time.
func (s *size) rows() int { return (s.Heads/s.Groups + 3) / 4 * 4 }

// stride returns the length of a row of attention scores.
func (s *size) stride() int { return (s.Window + span - 1) / span * span }

// attend computes the attention of layer i for n new tokens. settle adds the result to the residual
// stream later.
func (e *engine) attend(q *sequence, i, n int) {
	s, l := &e.Size, &e.layers[i]
	e.settle(l.attentionNorm, n)
	e.product(e.joint, &l.queriesKeysValues)
	start := len(q.tokens)
	e.parts(n, func(t int) { e.turn(q, i, t, start+t) })
	e.crew.each(s.Groups*((n+positionsAtOnce-1)/positionsAtOnce), func(worker, part int) {
		group, from := part%s.Groups, part/s.Groups*positionsAtOnce
		for t := from; t < min(from+positionsAtOnce, n); t++ {
			e.look(&e.desks[worker], q, i, group, t, start+t)
		}
	})
	e.prepare(e.attended, s.queries(), n, func(int) {})
	e.product(e.added, &l.output)
}

// turn normalises the queries and keys of one token, rotates them by the token's position, and
// stores its keys and values in their page.
func (e *engine) turn(q *sequence, layer, t, at int) {
	s, l := &e.Size, &e.layers[layer]
	row := e.joint[t*(s.queries()+2*s.shared()):]
	pairs := s.Head / 2
	cosines, sines := e.cosines[at*pairs:(at+1)*pairs], e.sines[at*pairs:(at+1)*pairs]
	for h := range s.Heads {
		head := row[h*s.Head : (h+1)*s.Head]
		e.kernels.normalise(head, head, l.queryNorm)
		rotate(head, cosines, sines)
	}
	page, place := q.pages[at/span], at%span
	for g := range s.Groups {
		head := row[s.queries()+g*s.Head : s.queries()+(g+1)*s.Head]
		e.kernels.normalise(head, head, l.keyNorm)
		rotate(head, cosines, sines)
		keys := page.keys(s, layer, g)
		for d, x := range head {
			keys[d*span+place] = x
		}
		value := row[s.queries()+s.shared()+g*s.Head:][:s.Head]
		copy(page.values(s, layer, g)[place*s.Head:], value)
	}
}

// look computes the attention of one token to all positions up to its own, for the heads of one
// group.
func (e *engine) look(d *desk, q *sequence, layer, group, t, at int) {
	s, k := &e.Size, e.kernels
	heads, stride, n := s.Heads/s.Groups, s.stride(), at+1
	from := t*(s.queries()+2*s.shared()) + group*heads*s.Head
	scale := float32(1 / math.Sqrt(float64(s.Head)))
	for i, x := range e.joint[from : from+heads*s.Head] {
		d.queries[i] = x * scale
	}
	pages := q.pages[:(n+span-1)/span]
	for r := 0; r < len(d.queries)/s.Head; r += 4 {
		clear4(d.scores[r*stride:], stride, len(pages)*span)
		for i, p := range pages {
			k.mix(d.scores[r*stride+i*span:], stride, d.queries[r*s.Head:], s.Head, s.Head, p.keys(s, layer, group), span)
		}
	}
	clear(d.out)
	for h := range heads {
		scores := d.scores[h*stride : h*stride+(n+7)/8*8]
		for i := n; i < len(scores); i++ {
			scores[i] = never
		}
		d.queries[h] = 1 / k.softmax(scores) // d.queries is free now: store the factor of each head in it
	}
	for r := 0; r < len(d.out)/s.Head; r += 4 {
		for i, p := range pages {
			k.mix(d.out[r*s.Head:], s.Head, d.scores[r*stride+i*span:], stride, min(n-i*span, span), p.values(s, layer, group), s.Head)
		}
	}
	attended := e.attended[t*s.queries()+group*heads*s.Head:]
	for h := range heads {
		for i, x := range d.out[h*s.Head : (h+1)*s.Head] {
			attended[h*s.Head+i] = x * d.queries[h]
		}
	}
}

// never is an attention score that softmax turns into the weight zero.
const never = -1e30

// clear4 clears the first n numbers of each of four rows.
func clear4(x []float32, stride, n int) {
	for r := range 4 {
		clear(x[r*stride : r*stride+n])
	}
}
