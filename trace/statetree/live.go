package statetree

// writer is what appending needs to know, and queries do not.
type writer struct {
	stack []frame
	lives []*live // activations that have not ended, by number; nil if free
	free  []uint32
	spare []*live

	floating []change // of the top activation; not yet in its pending list
	popping  bool     // the top has returned, and leaves before anything else
	gap      bool     // the next event comes after a gap
	hole     bool     // the next event comes after a hole

	at  uint64 // address of the latest changes
	out encoder

	editing bool     // what is recorded of objects belongs to the last event
	before  content  // scratch
	cells   []handle // scratch
}

// frame is an entry of the current stack.
type frame struct {
	place uint32
	*live
}

// live is an activation that has not ended: on the stack, or a generator that
// is suspended.
type live struct {
	bindings
	activation uint32
	generator  bool
	last       uint32 // event, or none
	since      int    // events since one with all locals
	pending    []change
	resumption uint32 // the last one of a generator, or none
	landing    uint32 // of a generator, the last event where an inverse move stops, or none
	onStack    bool
}

// liveOf returns the live part of an activation. One that was dropped at a gap and
// turns up again gets its locals back from its last event.
func (t *Tree) liveOf(act uint32) *live {
	a := t.activations.at(int(act))
	if a.flags&isLive != 0 {
		return t.lives[a.last]
	}
	last := a.last
	l := t.revive(act)
	if last != none {
		l.last = last
		t.bindingsAt(int(last), &l.bindings)
	}
	return l
}

// revive makes an activation live, without locals.
func (t *Tree) revive(act uint32) *live {
	var l *live
	if n := len(t.spare); n > 0 {
		l, t.spare = t.spare[n-1], t.spare[:n-1]
	} else {
		l = &live{}
	}
	a := t.activations.at(int(act))
	code := &t.codes[a.code]
	t.held -= l.bytes()
	l.reset(len(code.Names), !code.Fast)
	t.held += l.bytes()
	*l = live{
		bindings: l.bindings, pending: l.pending[:0],
		activation: act, generator: code.Generator, last: none, resumption: none, landing: none,
	}
	var k uint32
	if n := len(t.free); n > 0 {
		k, t.free = t.free[n-1], t.free[:n-1]
		t.lives[k] = l
	} else {
		k = uint32(len(t.lives))
		t.lives = append(t.lives, l)
	}
	a.last = k
	a.flags |= isLive
	return l
}

// end takes an activation out of the live ones.
func (t *Tree) end(l *live) {
	a := t.activations.at(int(l.activation))
	k := a.last
	a.last = l.last
	a.flags &^= isLive
	t.lives[k] = nil
	t.free = append(t.free, k)
	t.spare = append(t.spare, l)
}

// settle lets an activation that returned leave the stack, and gives floating
// changes to the activation on top. It comes before everything that changes
// the stack.
func (t *Tree) settle() {
	if t.popping {
		t.popping = false
		t.pop()
	}
	if len(t.floating) > 0 {
		top := t.stack[len(t.stack)-1].live
		top.pending = append(top.pending, t.floating...)
		t.floating = t.floating[:0]
	}
}

func (t *Tree) pop() {
	l := t.stack[len(t.stack)-1].live
	t.stack = t.stack[:len(t.stack)-1]
	l.onStack = false
	t.endIfOver(l)
}

// endIfOver ends an activation that left the stack for good. A generator that
// left without a final return may come back.
func (t *Tree) endIfOver(l *live) {
	if !l.generator || l.last != none && t.events.head.at(int(l.last)).leaves() {
		t.end(l)
	}
}

// push puts an activation on top of the stack.
func (t *Tree) push(l *live) {
	p := place{who: l.activation, below: none, depth: uint32(len(t.stack)), caller: none}
	outermost := l.activation
	if n := len(t.stack); n > 0 {
		p.below = t.stack[n-1].place
		p.caller = t.stack[n-1].last
		outermost = t.stack[0].activation
	}
	if l.generator {
		r := uint32(t.resumptions.n)
		t.resumptions.push(resumption{
			activation: l.activation, outermost: outermost,
			before: l.landing, after: none, previous: l.resumption,
		})
		l.resumption = r
		p.who = r | isResumption
	}
	l.onStack = true
	t.stack = append(t.stack, frame{uint32(t.events.places.n), l})
	t.events.places.push(p)
}
