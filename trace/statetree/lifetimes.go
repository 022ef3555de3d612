package statetree

// Activations returns the number of activations so far.
func (t *Tree) Activations() int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.activations.n
}

// CodeOf returns the code object of an activation.
func (t *Tree) CodeOf(act uint32) int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return int(t.activations.at(int(act)).code)
}

// Lifetime returns the first and last event of an activation. last is -1 while more may
// follow; both are -1 if it has had none.
func (t *Tree) Lifetime(act uint32) (first, last int) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	a := t.activations.at(int(act))
	if last := t.lastEvent(act); last != none && (t.finished || t.events.head.at(int(last)).leaves()) {
		return index(a.first), int(last)
	}
	return index(a.first), -1
}
