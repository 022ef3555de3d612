package statetree

// Leave takes the top activation off the stack without an event: it returned
// on a line that is no state. A generator may be resumed.
func (t *Tree) Leave() {
	t.settle()
	t.pop()
}

// Edit begins an edit by the user: what follows of objects, and by SetIn,
// counts from the last event on, until Amend.
func (t *Tree) Edit() {
	t.editing = t.events.n() > 0
	t.cache.clear()
}

// Shown ends an Edit that recorded only the texts of objects at the last event. It marks nothing
// as edited.
func (t *Tree) Shown() {
	t.editing = false
	t.cache.clear()
}

// Amend makes the pending changes part of the last event, which they followed
// (the user edited a value), and marks it as edited. Its activation is the one
// to change even if that event was its return. Where a call came between, the
// changes stay pending and nothing is marked.
func (t *Tree) Amend() {
	if t.editing {
		t.editing = false
		t.cache.clear()
	}
	i := t.events.n() - 1
	if i < 0 || len(t.stack) == 0 {
		return
	}
	l := t.stack[len(t.stack)-1].live
	if l.last != uint32(i) {
		return
	}
	h := t.events.head.at(i)
	*h |= isEdited
	t.out.reset()
	d, value := t.decoder(i)
	if *h&hasValue != 0 {
		t.out.value(value)
	}
	for c, ok := d.next(); ok; c, ok = d.next() {
		t.out.add(c)
	}
	l.pending = append(l.pending, t.floating...)
	t.floating = t.floating[:0]
	for _, c := range l.pending {
		if l.apply(c) {
			t.out.add(c)
		}
	}
	l.pending = l.pending[:0]
	if t.out.count > 0 {
		*h |= hasChanges
	}
	if buf := t.out.finish(); len(buf) > 0 {
		addr, room := t.changes.alloc(len(buf))
		copy(room, buf)
		t.at = addr
		*t.events.changes.at(i) = uint32(addr)
	}
	t.overrule(l.activation, i)
}

// Gap records that tracing was lost and has resumed, and what the stack is now,
// from the outermost activation in. It is marked on the next event. Functions
// that it lacks are over; generators may be resumed.
func (t *Tree) Gap(stack []uint32) {
	t.settle()
	t.editing = false
	t.gap = true
	same := 0
	for same < len(stack) && same < len(t.stack) && t.stack[same].activation == stack[same] {
		same++
	}
	gone := append([]frame(nil), t.stack[same:]...)
	t.stack = t.stack[:same]
	for _, f := range gone {
		f.onStack = false
	}
	for _, act := range stack[same:] {
		t.push(t.liveOf(act))
	}
	for _, f := range gone {
		if !f.onStack {
			t.endIfOver(f.live)
		}
	}
}
