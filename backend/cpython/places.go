package cpython

// located is where a text stands: at one place, or at one of several.
type located struct {
	all    []place
	edited bool // a container was edited on the way
}

// places remembers where texts are, by what identifies a text, so that a long
// one is not walked from its start at each question. The latest are kept.
type places struct {
	known map[uint64]located
	order ring[uint64]
}

func (p *places) get(text uint64) (located, bool) {
	at, ok := p.known[text]
	return at, ok
}

func (p *places) put(text uint64, at located) {
	if p.known == nil {
		p.known = map[uint64]located{}
	}
	if _, ok := p.known[text]; !ok {
		delete(p.known, p.order.push(text))
	}
	p.known[text] = at
}

// ring is the latest keys of a cache, in order.
type ring[K comparable] struct {
	keys [512]K
	next int
}

// push adds a key and returns the one that it takes the place of.
func (r *ring[K]) push(key K) (old K) {
	old, r.keys[r.next] = r.keys[r.next], key
	r.next = (r.next + 1) % len(r.keys)
	return old
}
