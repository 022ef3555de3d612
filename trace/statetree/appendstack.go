package statetree

// Leave removes the top activation from the stack without an event, for a return that is not
// recorded as one. A generator may be resumed.
func (t *Tree) Leave() {
	t.settle()
	t.pop()
}

// Edit begins an edit by the user. Until Amend or Shown is called, changes of objects and by
// SetIn belong to the last event.
func (t *Tree) Edit() {
	t.editing = t.events.n() > 0
	t.cache.clear()
}

// Shown ends an Edit that only added texts of objects at the last event. It does not mark the
// event as edited.
func (t *Tree) Shown() {
	t.editing = false
	t.cache.clear()
}

// Amend ends an Edit. It adds the pending changes to the last event and marks the event as
// edited. The changes belong to the activation of that event, even if the event was its return.
// If a call came in between, the changes stay pending and nothing is marked.
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

// Gap records that tracing was lost and has resumed with the given stack, outermost activation
// first. The next event is marked as AfterGap. Functions that are missing from the stack have
// ended; generators may be resumed.
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
