package statetree

import "sort"

// Activations returns the number of activations so far.
func (t *Tree) Activations() int {
	t.mu.RLock()
	defer t.done()
	return t.activations.n
}

// CodeOf returns the code object of an activation.
func (t *Tree) CodeOf(act uint32) int {
	t.mu.RLock()
	defer t.done()
	return int(t.activations.at(int(act)).code)
}

// Lifetime returns the first and last event of an activation. last is -1 while more events may
// follow; both are -1 if it has had none.
func (t *Tree) Lifetime(act uint32) (first, last int) {
	first, last = -1, -1
	t.mu.RLock()
	defer t.done()
	a := t.activations.at(int(act))
	if last := t.lastEvent(act); last != none && (t.finished || t.events.head.at(int(last)).leaves()) {
		return index(a.first), int(last)
	}
	return index(a.first), -1
}

// KnownFrom returns the first event as of which names of an activation are known, or -1 if
// there is none. It is the activation's first event or, if that is earlier, the first at which one of
// its names was recorded while other code ran.
func (t *Tree) KnownFrom(act uint32) (event int) {
	event = -1
	t.mu.RLock()
	defer t.done()
	first := t.activations.at(int(act)).first
	if aside, ok := t.asides.first.get(act); ok && (first == none || aside < first) {
		return int(aside)
	}
	return index(first)
}

// namespace says which module's names are the globals of a code object's activations, for the
// activations with the number from or a higher one.
type namespace struct{ from, module uint32 }

// Globals sets which module's names are the globals of a code object's activations that begin
// from now on. module is the module's activation. known is false if the globals are not
// recorded.
func (t *Tree) Globals(code int, module uint32, known bool) {
	if !known {
		module = none
	}
	const size = 8
	t.held += size
	t.globals[code] = append(t.globals[code], namespace{uint32(t.activations.n), module})
}

// GlobalsOf returns the activation of the module whose names are the globals of an
// activation, or false if they are not recorded.
func (t *Tree) GlobalsOf(act uint32) (module uint32, ok bool) {
	t.mu.RLock()
	defer t.done()
	code := int(t.activations.at(int(act)).code)
	list := t.globals[code]
	at := sort.Search(len(list), func(i int) bool { return list[i].from > act }) - 1
	switch {
	case t.codes[code].IsModule():
		return act, true
	case at < 0 || list[at].module == none:
		return 0, false
	}
	return list[at].module, true
}
