package statetree

import "github.com/npdb/npdb/dsl"

const (
	// After allEvery events that store only changes, the next event of an activation stores all
	// its locals. In a frame with many names it takes more events: the number of names divided
	// by allShare. So reading a state costs little more than its size, and storing all locals
	// costs little more than storing the changes.
	allEvery = 31
	allShare = 2
)

// Enter pushes a new activation of a code object on the stack and returns its number,
// counted from 0. It adds no event: the call event, if there is one, is the activation's
// first Event.
func (t *Tree) Enter(code int) (act uint32) {
	act = t.activate(code, 0)
	t.settle()
	t.push(t.liveOf(act))
	return act
}

// Adopt returns a new number for an activation whose beginning was not recorded. It is on no
// stack until Gap, Hole or Resume pushes it. Calls of an adopted generator count as
// resumptions.
func (t *Tree) Adopt(code int) (act uint32) { return t.activate(code, isAdopted) }

// Continue does the same as Adopt, for an activation that began before the recording. SetIn sets its
// names.
func (t *Tree) Continue(code int) (act uint32) { return t.activate(code, isAdopted|isContinued) }

func (t *Tree) activate(code int, flags activationFlags) (act uint32) {
	act = uint32(t.activations.n)
	t.activations.push(activation{code: uint32(code), flags: flags, first: none, last: none})
	t.revive(act)
	return act
}

// Resume pushes the activation of a generator on the stack again.
func (t *Tree) Resume(act uint32) {
	t.settle()
	t.push(t.liveOf(act))
}

// Set sets the value of a name of the top activation, as of its next event. The text is copied.
// In the order of binding, a name that had no value comes last.
func (t *Tree) Set(slot int, text []byte, hidden bool) Value {
	c := change{op: set, slot: uint32(slot), value: textHandle(t.texts.intern(text, t.resembling(slot)))}
	if hidden {
		c.op = setHidden
	}
	t.floating = append(t.floating, c)
	return Value{c.value}
}

// SetValue does the same as Set, for a value that the tree has already.
func (t *Tree) SetValue(slot int, v Value) {
	t.floating = append(t.floating, change{op: set, slot: uint32(slot), value: v.h})
}

// resembling returns the previous text of a slot of the top activation, or none. A new text can
// be stored as a difference from it.
func (t *Tree) resembling(slot int) uint32 {
	if l := t.top(); l != nil {
		return l.resembling(slot)
	}
	return none
}

// Unset removes the value of a name, as of the top activation's next event.
func (t *Tree) Unset(slot int) {
	t.floating = append(t.floating, change{op: unset, slot: uint32(slot)})
}

// Order sets the order in which the names of the top activation were bound, if it is the
// body of a module or class. slots lists all names that have a value after the pending
// changes.
func (t *Tree) Order(slots []int) {
	t.floating = append(t.floating, change{op: order, slot: uint32(len(slots))})
	for _, slot := range slots {
		t.floating = append(t.floating, change{op: item, slot: uint32(slot)})
	}
}

// Event appends an event of the top activation, with its pending changes, and returns its
// index. value is the text of the value that was returned or raised, or nil; it is copied.
// After its return event an activation leaves the stack.
func (t *Tree) Event(e dsl.Event, line int, kind dsl.ReturnKind, value []byte) int {
	if value == nil {
		return t.event(e, line, kind, handle(none))
	}
	return t.event(e, line, kind, textHandle(t.texts.intern(value, none)))
}

// Return does the same as Event, for the return of a value that the tree has already.
func (t *Tree) Return(line int, kind dsl.ReturnKind, v Value) int {
	return t.event(dsl.Return, line, kind, v.h)
}

func (t *Tree) event(e dsl.Event, line int, kind dsl.ReturnKind, value handle) int {
	t.settle()
	t.editing = false
	i := t.events.n()
	top := t.stack[len(t.stack)-1]
	l := top.live
	h := makeHead(e, kind)
	t.popping = h.returns()
	if t.gap {
		t.gap = false
		h |= isAfterGap
	}
	if t.hole {
		t.hole = false
		t.holes = append(t.holes, i)
	}
	t.out.reset()
	if value != handle(none) {
		h |= hasValue
		t.out.value(value)
	}
	h |= t.write(l)
	if buf := t.out.finish(); len(buf) > 0 {
		addr, room := t.changes.alloc(len(buf))
		copy(room, buf)
		t.at = addr
	}
	t.events.push(h, line, top.place, l.last, t.at)
	t.depths.add(&t.events, t.events.places.at(int(top.place)).depth)
	t.post(l, h, line, uint32(i))
	l.last = uint32(i)
	return i
}

// Said sets the message of exception event i, as at the end of a traceback. It is only called
// if the message does not follow from the text of the exception's value. words is copied.
func (t *Tree) Said(i int, words []byte) { t.said.set(uint32(i), t.texts.intern(words, none)) }

// write encodes the pending changes of an activation for its next event or, at intervals (see
// allEvery), all its locals.
func (t *Tree) write(l *live) (flags head) {
	l.since++
	all := l.last == none || l.since > max(allEvery, l.bound/allShare)
	for _, c := range l.pending {
		if l.apply(c) && !all {
			t.out.add(c)
		}
	}
	l.pending = l.pending[:0]
	if all {
		l.since = 0
		flags = hasAll
		l.encode(&t.out)
	}
	if t.out.count > 0 {
		flags |= hasChanges
	}
	return flags
}

// passes reports whether event i, an exception, only continues an exception in the caller of
// the frame that the previous event has unwound.
func (t *Tree) passes(i int) bool {
	return i > 0 && t.events.head.at(i-1).kind() == headUnwound &&
		t.events.placeOf(i-1).depth == t.events.placeOf(i).depth+1
}

// post adds an event to the indexes by activation and by line.
func (t *Tree) post(l *live, h head, line int, i uint32) {
	a := t.activations.at(int(l.activation))
	first := a.first == none
	if first {
		a.first = i
		resumed := l.generator &&
			(a.flags&isAdopted != 0 || t.resumptions.at(int(l.resumption)).previous != none)
		if h.kind() == headCall && !resumed {
			a.flags |= isCalled
		}
	}
	switch h.kind() {
	case headLine:
		t.held += t.posting(dsl.Location{File: t.codes[a.code].File, Line: line}).push(i)
	case headException:
		t.exceptions.set(l.activation, i)
		if !t.passes(int(i)) {
			t.held += t.raised.push(i)
		}
	}
	if !l.generator {
		return
	}
	if h.stops() || h.leaves() {
		r := t.resumptions.at(int(l.resumption)).previous
		for r != none && t.resumptions.at(int(r)).after == none {
			t.resumptions.at(int(r)).after = i
			r = t.resumptions.at(int(r)).previous
		}
	}
	if h.stops() || first && a.flags&isCalled != 0 {
		l.landing = i
	}
}
