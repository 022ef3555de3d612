package cpython

// places remembers where texts are, by what identifies a text, so that a long
// one is not walked from its start at each question. The latest are kept.
type places struct {
	known map[uint64]place
	order [512]uint64 // a ring of the keys
	next  int
}

func (p *places) get(text uint64) (place, bool) {
	at, ok := p.known[text]
	return at, ok
}

func (p *places) put(text uint64, at place) {
	if p.known == nil {
		p.known = map[uint64]place{}
	}
	if _, ok := p.known[text]; !ok {
		delete(p.known, p.order[p.next])
		p.order[p.next] = text
		p.next = (p.next + 1) % len(p.order)
	}
	p.known[text] = at
}
