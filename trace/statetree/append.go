package statetree

import "github.com/npdb/npdb/dsl"

const (
	// An event of an activation carries all its locals after allEvery events
	// that carry changes only; in a frame of many names, after half as many
	// events as there are names, so that reading a state costs little more
	// than its size and storing all locals little more than the changes.
	allEvery = 31
	allShare = 2
)

// Enter puts a new activation of a code object on top of the stack, and
// returns its number. They count from 0. It adds no event: the call event, if
// there is one, is the activation's first Event.
func (t *Tree) Enter(code int) (act uint32) {
	act = t.activate(code, 0)
	t.settle()
	t.push(t.liveOf(act))
	return act
}

// Adopt gives a number to an activation whose beginning was missed. It is on
// no stack until Gap puts it there. The calls of an adopted generator are
// taken for resumptions.
func (t *Tree) Adopt(code int) (act uint32) { return t.activate(code, isAdopted) }

func (t *Tree) activate(code int, flags activationFlags) (act uint32) {
	act = uint32(t.activations.n)
	t.activations.push(activation{code: uint32(code), flags: flags, first: none, last: none})
	t.revive(act)
	return act
}

// Resume puts a generator's activation on top of the stack again.
func (t *Tree) Resume(act uint32) {
	t.settle()
	t.push(t.liveOf(act))
}

// Set gives a name of the top activation a value, as of its next event. The
// text is copied. A name without a value is bound after the others.
func (t *Tree) Set(slot int, text []byte, hidden bool) Value {
	c := change{op: set, slot: uint32(slot), value: textHandle(t.texts.intern(text, t.resembling(slot)))}
	if hidden {
		c.op = setHidden
	}
	t.floating = append(t.floating, c)
	return Value{c.value}
}

// SetValue does what Set does, for a value that the tree has.
func (t *Tree) SetValue(slot int, v Value) {
	t.floating = append(t.floating, change{op: set, slot: uint32(slot), value: v.h})
}

// resembling returns the text that a slot's new one may be a difference from.
func (t *Tree) resembling(slot int) uint32 {
	if l := t.top(); l != nil {
		return l.resembling(slot)
	}
	return none
}

// Unset takes a name's value away, as of the top activation's next event.
func (t *Tree) Unset(slot int) {
	t.floating = append(t.floating, change{op: unset, slot: uint32(slot)})
}

// Order gives the order of binding of all names of the top activation, the
// body of a module or class, that have a value after the pending changes.
func (t *Tree) Order(slots []int) {
	t.floating = append(t.floating, change{op: order, slot: uint32(len(slots))})
	for _, slot := range slots {
		t.floating = append(t.floating, change{op: item, slot: uint32(slot)})
	}
}

// Event appends an event of the top activation, with the changes that are
// pending for it, and returns its index. Value is the text of what was
// returned or raised, nil for none; it is copied. An activation leaves the
// stack after its return event.
func (t *Tree) Event(e dsl.Event, line int, kind dsl.ReturnKind, value []byte) int {
	if value == nil {
		return t.event(e, line, kind, handle(none))
	}
	return t.event(e, line, kind, textHandle(t.texts.intern(value, none)))
}

// Return returns Event for the return of a value that the tree has.
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

// Said gives exception event i the words for what was raised, where they do not
// follow from its value's text. They are copied.
func (t *Tree) Said(i int, words []byte) { t.said[uint32(i)] = t.texts.intern(words, none) }

// write encodes the pending changes of an activation, or all its locals when
// it is time for that.
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

// passes reports whether an exception event is that of a frame which an exception
// comes into from the one that it has just unwound.
func (t *Tree) passes(i int) bool {
	return i > 0 && t.events.head.at(i-1).kind() == headUnwound &&
		t.events.placeOf(i-1).depth == t.events.placeOf(i).depth+1
}

// post keeps the indexes of events by activation and by line.
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
		t.exceptions[l.activation] = i
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
