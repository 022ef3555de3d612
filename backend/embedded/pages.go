package embedded

import "slices"

// page holds the keys and values of span positions: for each layer and group the keys,
// [head][span], and the values, [span][head]. Keys lie so for the sake of mix, which
// then serves both of attention's products.
type page struct {
	numbers []float32
	shared  bool // with another sequence: it is not written any more
}

// sequence is the tokens whose keys and values are known.
type sequence struct {
	tokens []int
	pages  []*page
	asked  uint64 // when it was last used, on the pool's clock
}

// cut forgets all but the first n tokens.
func (q *sequence) cut(n int) {
	q.tokens = q.tokens[:n]
	clear(q.pages[(n+span-1)/span:])
	q.pages = q.pages[:(n+span-1)/span]
}

// fork returns the first n tokens as a sequence of its own. Whole pages are shared.
func (q *sequence) fork(n int) *sequence {
	pages := slices.Clone(q.pages[:(n+span-1)/span])
	for _, p := range pages {
		p.shared = true
	}
	return &sequence{tokens: slices.Clone(q.tokens[:n]), pages: pages}
}

// extend makes room for n more tokens in pages of a size, none of them shared.
func (q *sequence) extend(n, pageSize int) {
	from := len(q.tokens)
	if at := from / span; from%span != 0 && q.pages[at].shared {
		q.pages[at] = &page{numbers: slices.Clone(q.pages[at].numbers)}
	}
	for len(q.pages)*span < from+n {
		q.pages = append(q.pages, &page{numbers: make([]float32, pageSize)})
	}
}

// keys and values are those of one layer and group.
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

// pageSize returns how many numbers a page has.
func (s *size) pageSize() int { return s.Layers * s.Groups * 2 * span * s.Head }

// pool keeps the sequences that were asked about last: a session's next question mostly
// begins with one of them.
type pool struct {
	sequences []*sequence
	most      int
	clock     uint64
}

// spared is how many tokens at the end of a sequence are given up rather than kept in a
// copy of it: to compute them again costs little.
const spared = 32

// take returns a sequence that holds the longest beginning of tokens that is known, but not
// the last token: that one is computed for what follows it.
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

// add puts a sequence into the pool, in the place of the one that was longest not used.
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

// common returns how many tokens two lists begin with alike.
func common(a, b []int) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
