package statetree

import (
	"cmp"
	"slices"
)

// Binding is the value of a name of an activation. Slot is the index of the name in the names of the
// activation's code. Bound is false if the name has no value.
type Binding struct {
	Slot          int
	Value         Value
	Bound, Hidden bool
}

// Rebound calls yield with the names that event i stores: those of its activation that changed since
// the activation's event before and, if all is true, all others that have a value.
func (t *Tree) Rebound(i int, yield func(Binding)) (all bool) {
	t.mu.RLock()
	defer t.done()
	d, _ := t.decoder(i)
	d.bindings(yield)
	return *t.events.head.at(i)&hasAll != 0
}

// bindings calls yield with each change of a name that d reads.
func (d *decoder) bindings(yield func(Binding)) {
	for c, ok := d.next(); ok; c, ok = d.next() {
		switch c.op {
		case set, setHidden:
			yield(Binding{Slot: int(c.slot), Value: Value{c.value}, Bound: true, Hidden: c.op == setHidden})
		case unset:
			yield(Binding{Slot: int(c.slot)})
		}
	}
}

// Aside says that names of an activation changed while another activation ran: globals, and names
// that a nested function shares. The change is valid from the event on.
type Aside struct {
	Event      uint32
	Activation uint32
	row        uint32
}

// Asides returns the changes of names of activations that were not on top of the stack, by event.
func (t *Tree) Asides() (list []Aside) {
	t.mu.RLock()
	defer t.done()
	list = make([]Aside, 0, t.asides.rows.n)
	for act := range uint32(t.activations.n) {
		row, ok := t.asides.latest.get(act)
		for ; ok && row != none; row = t.asides.skew(row).previous {
			list = append(list, Aside{t.asides.skew(row).stamp, act, row})
		}
	}
	slices.SortFunc(list, func(a, b Aside) int { return cmp.Or(cmp.Compare(a.Event, b.Event), cmp.Compare(a.row, b.row)) })
	return list
}

// ReboundAside calls yield with the names of an aside that changed and, if all is true, all others that
// have a value.
func (t *Tree) ReboundAside(a Aside, yield func(Binding)) (all bool) {
	t.mu.RLock()
	defer t.done()
	d, all := t.asides.decoder(a.row)
	d.bindings(yield)
	return all
}

// Versions returns the object of each recorded version of an object, by the number of the version. The
// numbers ascend with the events at which the versions begin.
func (t *Tree) Versions() (of []Object) {
	t.mu.RLock()
	defer t.done()
	of = make([]Object, t.objects.versions.n)
	for o := range Object(t.objects.len()) {
		for v := t.objects.last(o); v != none; v = t.objects.skew(v).previous {
			of[v] = o
		}
	}
	return of
}

// VersionEvent returns the event from which a version of an object is valid.
func (t *Tree) VersionEvent(version int) int {
	t.mu.RLock()
	defer t.done()
	return int(t.objects.skew(uint32(version)).stamp)
}

// Codes returns the number of code objects.
func (t *Tree) Codes() int {
	t.mu.RLock()
	defer t.done()
	return len(t.codes)
}

// Delta says how a version of an object differs from the version before. If Whole is set, that is not
// stored, only the whole content. Otherwise Values replace Removed elements from index At on or, in an
// object of pairs, are a key and its value, or only a key that is removed.
type Delta struct {
	Whole       bool
	Text        bool // only the result of the object's own __repr__ is another one
	At, Removed int
	Values      []Value
	Total       int // number of elements, entries or attributes of the version
}

// Delta returns the change that a version of an object stores.
func (t *Tree) Delta(version int) (d Delta) {
	t.mu.RLock()
	defer t.done()
	h, r := t.objects.head(uint32(version))
	d.Total = h.total
	count := 0
	switch h.op {
	case opWhole:
		d.Whole = true
		return d
	case opText:
		d.Text = true
		return d
	case opSplice:
		d.At, d.Removed, count = r.number(), r.number(), r.number()
	case opEntry:
		count = 2
	case opDelete:
		count = 1
	}
	for _, h := range r.cells(count) {
		d.Values = append(d.Values, Value{h})
	}
	return d
}
