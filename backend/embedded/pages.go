package embedded

import "slices"

// page holds the keys and values of span positions. For each layer and group it has the
// keys as [head][span] and the values as [span][head]. With this layout mix computes both
// products of the attention.
type page struct {
	numbers []float32
	shared  bool // with another sequence, so it must not be written
}

// sequence is the tokens whose keys and values are cached.
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

// fork copies the first n tokens to a new sequence. Whole pages are shared.
func (q *sequence) fork(n int) *sequence {
	pages := slices.Clone(q.pages[:(n+span-1)/span])
	for _, p := range pages {
		p.shared = true
	}
	return &sequence{tokens: slices.Clone(q.tokens[:n]), pages: pages}
}

// extend adds room for n more tokens, in pages that are not shared.
func (q *sequence) extend(n, pageSize int) {
	from := len(q.tokens)
	if at := from / span; from%span != 0 && q.pages[at].shared {
		q.pages[at] = &page{numbers: slices.Clone(q.pages[at].numbers)}
	}
	for len(q.pages)*span < from+n {
		q.pages = append(q.pages, &page{numbers: make([]float32, pageSize)})
	}
}

// keys and values return the keys or values of one layer and group.
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

// pool caches the sequences of the latest questions. The next question of a session usually
// begins with one of them.
type pool struct {
	sequences []*sequence
	most      int
	clock     uint64
}

// spared is the greatest number of tokens at the end of a sequence that are dropped instead
// of forking the sequence, because computing them again is cheap.
const spared = 32

// take returns a sequence with the longest cached prefix of tokens. It never includes the
// last token, which must be computed to get the next token's logits.
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

// add puts a sequence into the pool in place of the least recently used one.
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
