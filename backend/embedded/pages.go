package embedded

import "slices"

// page holds the keys and values of span positions. For each layer and group it has the keys as
// [head][span] and the values as [span][head], so that mix can compute both products of the
// attention.
type page struct {
	numbers []float32
	shared  bool // used by several sequences, so it must not be written
}

// sequence holds the tokens of a text, with their cached keys and values.
type sequence struct {
	tokens []int
	pages  []*page
	asked  uint64 // the pool's clock at the last use
}

// cut drops all tokens after the first n.
func (q *sequence) cut(n int) {
	q.tokens = q.tokens[:n]
	clear(q.pages[(n+span-1)/span:])
	q.pages = q.pages[:(n+span-1)/span]
}

// fork returns a new sequence with the first n tokens. Both sequences share the pages.
func (q *sequence) fork(n int) *sequence {
	pages := slices.Clone(q.pages[:(n+span-1)/span])
	for _, p := range pages {
		p.shared = true
	}
	return &sequence{tokens: slices.Clone(q.tokens[:n]), pages: pages}
}

// extend adds room for n more tokens. It copies a shared page before it would be written.
func (q *sequence) extend(n, pageSize int) {
	from := len(q.tokens)
	if at := from / span; from%span != 0 && q.pages[at].shared {
		q.pages[at] = &page{numbers: slices.Clone(q.pages[at].numbers)}
	}
	for len(q.pages)*span < from+n {
		q.pages = append(q.pages, &page{numbers: make([]float32, pageSize)})
	}
}

// keys and values return the keys or the values of one layer and group.
func (p *page) keys(s *size, layer, group int) []float32 {
	n := span * s.Head
	at := (layer*s.Groups + group) * 2 * n
	return p.numbers[at : at+n]
}

func (p *page) values(s *size, layer, group int) []float32 {
	n := span * s.Head
	at := ((layer*s.Groups+group)*2 + 1) * n
	return p.numbers[at : at+n]
}

// pageSize returns the number of floats in a page.
func (s *size) pageSize() int { return s.Layers * s.Groups * 2 * span * s.Head }

// pool caches the sequences of the latest questions. The text of the next question in a session
// usually begins with the text of one of them.
type pool struct {
	sequences []*sequence
	most      int
	clock     uint64
}

// spared is the maximum number of tokens that are dropped from the end of a sequence to reuse it.
// If more would have to be dropped, the sequence is forked instead.
const spared = 32

// take returns a sequence that is the longest cached prefix of tokens. It never includes the last
// token, which must be computed to get the logits of the next one.
func (p *pool) take(tokens []int) *sequence {
	p.clock++
	var best *sequence
	longest := 0
	for _, q := range p.sequences {
		if n := common(q.tokens, tokens[:len(tokens)-1]); n > longest {
			best, longest = q, n
		}
	}
	switch {
	case best == nil:
		best = &sequence{}
		p.add(best)
	case len(best.tokens)-longest <= spared:
		best.cut(longest)
	default:
		best = best.fork(longest)
		p.add(best)
	}
	best.asked = p.clock
	return best
}

// add puts a sequence into the pool. If the pool is full, it replaces the least recently used one.
func (p *pool) add(q *sequence) {
	if len(p.sequences) < p.most {
		p.sequences = append(p.sequences, q)
		return
	}
	oldest := 0
	for i, other := range p.sequences {
		if other.asked < p.sequences[oldest].asked {
			oldest = i
		}
	}
	p.sequences[oldest] = q
}

// common returns the length of the common prefix of two lists.
func common(a, b []int) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
