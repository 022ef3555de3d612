package statetree

// writer holds the state that only appending needs.
type writer struct {
	stack []frame
	lives []*live // activations that have not ended, by activation.last; nil if free
	free  []uint32
	spare []*live

	floating []change // changes of the top activation that settle will move to its pending list
	popping  bool     // the top activation has returned; settle will remove it from the stack
	gap      bool     // the next event follows a gap or a hole
	hole     bool     // the next event follows a hole

	at  uint64 // address of the latest stored changes
	out encoder

	editing bool     // set by Edit: changes of objects belong to the last event
	before  content  // scratch
	cells   []handle // scratch
}

// frame is an entry of the current stack: an activation and its place.
type frame struct {
	place uint32
	*live
}

// live is an activation that has not ended: it is on the stack, or it is a suspended
// generator.
type live struct {
	bindings
	activation uint32
	generator  bool
	last       uint32 // the activation's last event, or none
	since      int    // number of events since one that stores all locals
	pending    []change
	resumption uint32 // of a generator: its last resumption, or none
	landing    uint32 // of a generator: the last event where an inverse move stops, or none
	onStack    bool
}

// liveOf returns the live part of an activation. If the activation was dropped at a gap
// and appears again, liveOf restores its locals from its last event.
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

// revive makes an activation live, but does not restore its locals.
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

// end removes an activation from lives, and keeps its last event.
func (t *Tree) end(l *live) {
	a := t.activations.at(int(l.activation))
	k := a.last
	a.last = l.last
	a.flags &^= isLive
	t.lives[k] = nil
	t.free = append(t.free, k)
	t.spare = append(t.spare, l)
}

// settle removes an activation that has returned from the stack, and moves floating changes
// to the top activation. It must precede each change of the stack.
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

// endIfOver ends an activation that left the stack for good. A generator that has not
// returned may be resumed.
func (t *Tree) endIfOver(l *live) {
	if !l.generator || l.last != none && t.events.head.at(int(l.last)).leaves() {
		t.end(l)
	}
}

// push pushes an activation on the stack.
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
