package cpython

// located holds the places of the program at which a text can be, usually one.
type located struct {
	all    []place
	edited bool // a step of the text gave a list, dict or set another value
}

// places caches the places of the latest texts, by the hash of the text, so that a long text is not
// replayed from its start for each question.
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

// ring holds the latest keys of a cache, oldest first from next on.
type ring[K comparable] struct {
	keys [512]K
	next int
}

// push adds a key and returns the oldest key, which it replaces.
func (r *ring[K]) push(key K) (old K) {
	old, r.keys[r.next] = r.keys[r.next], key
	r.next = (r.next + 1) % len(r.keys)
	return old
}
