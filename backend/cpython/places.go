package cpython

// located holds the places of the program, usually one, at which the state at the end of a text can be.
type located struct {
	all    []place
	edited bool // the user gave a list, dict or set another value in a step of the text
}

// places caches the places of the latest texts, by the texts' hashes. So a long text is not replayed
// from its start for each question.
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

// ring holds the latest keys of a cache. next is the index of the oldest one.
type ring[K comparable] struct {
	keys [512]K
	next int
}

// push adds a key in place of the oldest one, which it returns.
func (r *ring[K]) push(key K) (old K) {
	old, r.keys[r.next] = r.keys[r.next], key
	r.next = (r.next + 1) % len(r.keys)
	return old
}
