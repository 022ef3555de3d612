package statetree

// Holdings returns the names of an activation that have a value as of event i, which may belong to
// another activation, in the order of locals. It returns nil if the activation has had no event yet.
func (t *Tree) Holdings(act uint32, i int) []Binding {
	t.mu.RLock()
	defer t.done()
	var b bindings
	if t.heldAt(act, i, &b) == nil {
		return nil
	}
	slots := b.slots(make([]uint32, 0, b.bound))
	held := make([]Binding, len(slots))
	for k, slot := range slots {
		c := b.cells[slot]
		held[k] = Binding{Slot: int(slot), Value: Value{c.handle()}, Bound: true, Hidden: c.hidden()}
	}
	return held
}

// AsideAfter returns the first event after event i at which a name of an activation changed while
// other code ran: a global, or a variable that a nested function sets.
func (t *Tree) AsideAfter(act uint32, i int) (event int, ok bool) {
	event = -1
	t.mu.RLock()
	defer t.done()
	last, ok := t.asides.latest.get(act)
	if !ok {
		return -1, false
	}
	row := behind(&t.asides, last, i)
	if row == none {
		return -1, false
	}
	return int(t.asides.skew(row).stamp), true
}

// References calls found for each object that an object contains as of event from, and for each
// that it gets in (from, to]. An object may be found more than once. References returns the events
// in (from, to] at which the object's own content changed, latest first.
func (t *Tree) References(o Object, from, to int, found func(Object)) (changed []int) {
	t.mu.RLock()
	defer t.done()
	all := func(cells []handle) {
		for _, h := range cells {
			if child, ok := h.object(); ok {
				found(child)
			}
		}
	}
	for v := t.objects.find(o, to); v != none; v = t.objects.skew(v).previous {
		stamp := int(t.objects.skew(v).stamp)
		if stamp <= from {
			var c content
			t.objects.read(v, t.texts, &c)
			all(c.cells)
			break
		}
		if n := len(changed); n == 0 || changed[n-1] != stamp {
			changed = append(changed, stamp)
		}
		switch h, r := t.objects.head(v); h.op {
		case opWhole:
			all(r.whole(nil, t.objects.forms[h.form].Kind.Named(), t.texts))
		case opSplice:
			_, _, count := r.number(), r.number(), r.number()
			all(r.cells(count))
		case opEntry:
			all(r.cells(2))
		}
	}
	return changed
}

// Excerpt returns the text of a value as of event i. Each container in it is cut to a number of
// characters, the whole text to twice as many, and the text says so. unasked reports that it shows an object
// by its attributes because the result of its own __repr__ is unknown.
func (t *Tree) Excerpt(v Value, i, chars int) (text string, unasked bool) {
	t.mu.RLock()
	defer t.done()
	s := t.scribe(i)
	s.limits.chars, s.missing, s.brief = min(chars, s.limits.chars), " not shown", true
	s.walk(v.h, 0, 0)
	if s.tooDeep {
		return s.deep(v.h), false
	}
	s.limits.chars *= 2
	s.cut()
	return string(s.buf), s.unasked
}
