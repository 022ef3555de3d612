package statetree

// Restart empties the tree and returns a new tree with the old contents, which only the caller uses.
// The emptied tree keeps the limits of texts.
func (t *Tree) Restart() (before *Tree) {
	t.mu.Lock()
	defer t.mu.Unlock()
	before = &Tree{contents: t.contents}
	fresh := New()
	fresh.limits, fresh.finished = t.limits, t.finished
	t.contents = fresh.contents
	t.cache.clear()
	return before
}

// Lasting returns the activations that later records may refer to, in ascending order: those on the stack,
// suspended generators, modules, and those that left the stack without a return event, because a later
// record may put them back on it.
func (t *Tree) Lasting() []uint32 {
	t.mu.RLock()
	defer t.done()
	var acts []uint32
	for act := range uint32(t.activations.n) {
		a := t.activations.at(int(act))
		if a.flags&isLive != 0 || t.isModule(act) || a.last != none && !t.events.head.at(int(a.last)).leaves() {
			acts = append(acts, act)
		}
	}
	return acts
}

// Latest returns the names of an activation of Lasting that have a value after all records so far, in
// the order of locals. line is the activation's current line, or 0 if that is unknown.
func (t *Tree) Latest(act uint32) (held []Binding, line int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	l := t.liveOf(act)
	b := bindings{cells: append([]cell(nil), l.cells...), rank: append([]uint32(nil), l.rank...), newest: l.newest, ordered: l.ordered}
	for _, c := range l.pending {
		b.apply(c)
	}
	for _, slot := range b.slots(nil) {
		c := b.cells[slot]
		held = append(held, Binding{Slot: int(slot), Value: Value{c.handle()}, Bound: true, Hidden: c.hidden()})
	}
	return held, t.lineOf(act, t.events.n(), l.last)
}

// LatestContent is the content of an object after all records so far, as PutWhole and PutText
// record it.
type LatestContent struct {
	Form, Total int
	Values      []Value
	Text        *string // the result of the object's own __repr__
}

// LatestContent returns the content of an object, or false if none was recorded.
func (t *Tree) LatestContent(o Object) (c LatestContent, ok bool) {
	t.mu.RLock()
	defer t.done()
	v := t.objects.last(o)
	if v == none {
		return c, false
	}
	t.objects.read(v, t.texts, &t.before)
	c = LatestContent{Form: int(t.before.form), Total: t.before.total, Values: make([]Value, len(t.before.cells))}
	for k, h := range t.before.cells {
		c.Values[k] = Value{h}
	}
	if t.before.text != none {
		text := t.texts.text(t.before.text)
		c.Text = &text
	}
	return c, true
}

// LatestGlobals returns the module whose names are the globals of a code object's next activation,
// or false if they are not recorded.
func (t *Tree) LatestGlobals(code int) (module uint32, ok bool) {
	t.mu.RLock()
	defer t.done()
	list := t.globals[code]
	if len(list) == 0 || list[len(list)-1].module == none {
		return 0, false
	}
	return list[len(list)-1].module, true
}

// HasContent reports whether the content of an object was recorded.
func (t *Tree) HasContent(o Object) bool {
	t.mu.RLock()
	defer t.done()
	return t.objects.last(o) != none
}
