package statetree

import "slices"

// asides stores changes of names of activations that are not on top of the stack: globals, also
// after their module's code has ended, and cells shared with a nested function. For each
// activation, the changes are rows in a chain. The activation's own next event contains them,
// too, so reading the state at one of its events needs no asides.
type asides struct {
	rows   column[aside]
	latest ledger         // by activation: its last row
	first  ledger         // by activation: the event from which its first row is valid
	since  map[uint32]int // by activation: number of rows since one with all names
	data   arena
	out    encoder
	now    bindings // scratch
}

type aside struct {
	skew
	before uint32 // number of earlier rows of the same activation
	at     uint64 // address of the row's changes, times four, plus hasRest and fromNone
}

const (
	hasRest  = 1 << iota // the row stores changes
	fromNone             // the row stores all names, not only changes
	asideBits
)

func (s *asides) skew(row uint32) *skew { return &s.rows.at(int(row)).skew }

func (s *asides) length(row uint32) uint32 { return s.rows.at(int(row)).before }

// find returns the latest row of an activation that is valid from event i or earlier, or
// none.
func (s *asides) find(act uint32, i int) uint32 {
	if last, ok := s.latest.get(act); ok {
		return upTo(s, last, i)
	}
	return none
}

// decoder returns a reader of the changes of a row. all reports whether the row stores all
// names.
func (s *asides) decoder(row uint32) (d decoder, all bool) {
	at := s.rows.at(int(row)).at
	if at&hasRest != 0 {
		d = decoder{buf: s.data.from(at / asideBits), more: true}
	}
	return d, at&fromNone != 0
}

func (s *asides) bytes() int64 {
	const entry = 24 // approximate size of a map entry
	return s.rows.bytes() + s.data.held + s.latest.bytes() + s.first.bytes() + int64(len(s.since))*entry
}

// SetIn sets the value of a name of any activation. The value is valid from the next event of
// any activation, or after Edit from the last event. SetIn does nothing for a function that has
// ended; the names of a module outlive its code.
func (t *Tree) SetIn(act uint32, slot int, text []byte, hidden bool) Value {
	l := t.liveIn(act)
	if l == nil {
		return t.Atom(text)
	}
	c := change{op: set, slot: uint32(slot), value: textHandle(t.texts.intern(text, l.resembling(slot)))}
	if hidden {
		c.op = setHidden
	}
	t.aside(l, c)
	return Value{c.value}
}

// SetValueIn does the same as SetIn, for a value that the tree has already.
func (t *Tree) SetValueIn(act uint32, slot int, v Value) {
	if l := t.liveIn(act); l != nil {
		t.aside(l, change{op: set, slot: uint32(slot), value: v.h})
	}
}

// UnsetIn removes the value of a name of any activation, valid from the same event as in SetIn.
func (t *Tree) UnsetIn(act uint32, slot int) {
	if l := t.liveIn(act); l != nil {
		t.aside(l, change{op: unset, slot: uint32(slot)})
	}
}

// liveIn returns the live part of an activation, or nil if it has ended and is not a module's.
func (t *Tree) liveIn(act uint32) *live {
	a := t.activations.at(int(act))
	if a.flags&isLive == 0 && !t.isModule(act) {
		return nil
	}
	return t.liveOf(act)
}

func (t *Tree) aside(l *live, c change) {
	if t.top() == l {
		t.floating = later(t.floating, c)
		if t.editing && l.last == t.stamp() {
			return // the change belongs to the last event itself
		}
	} else {
		l.pending = later(l.pending, c)
	}
	s := &t.asides
	s.out.reset()
	act := l.activation
	n, some := s.since[act]
	if some && n < max(allEvery, l.bound/allShare) {
		s.out.add(c)
		s.add(act, t.stamp(), 0)
		return
	}
	stamp := t.stamp()
	if last, ok := s.latest.get(act); ok {
		stamp = max(stamp, s.skew(last).stamp)
	}
	if t.heldAt(act, int(stamp), &s.now) == nil {
		code := &t.codes[t.activations.at(int(act)).code]
		s.now.reset(len(code.Names), !code.Fast)
	}
	s.now.apply(c)
	s.now.encode(&s.out)
	s.add(act, stamp, fromNone)
}

// overrule makes the names of an activation at event i, the last one, also valid at the next
// event, after the user's edit: a change that was already recorded for the next event must not
// undo the edit.
func (t *Tree) overrule(act uint32, i int) {
	s := &t.asides
	if last, ok := s.latest.get(act); ok && int64(s.skew(last).stamp) > int64(i) {
		t.bindingsAt(i, &s.now)
		s.out.reset()
		s.now.encode(&s.out)
		s.add(act, t.stamp(), fromNone)
	}
}

// add appends a row with the changes in s.out.
func (s *asides) add(act, stamp uint32, flags uint64) {
	if s.since == nil {
		s.since = map[uint32]int{}
	}
	row := aside{at: flags}
	previous, some := s.latest.get(act)
	if some {
		row.before = s.length(previous) + 1
	} else {
		previous = none
		s.first.set(act, stamp)
	}
	row.skew = follows(s, previous, stamp)
	s.since[act]++
	if flags&fromNone != 0 {
		s.since[act] = 0
	}
	if s.out.count > 0 {
		buf := s.out.finish()
		addr, room := s.data.alloc(len(buf))
		copy(room, buf)
		row.at |= addr*asideBits | hasRest
	}
	s.latest.set(act, uint32(s.rows.n))
	s.rows.push(row)
}

// top returns the live data of the top activation, or of its caller while the top one is being popped:
// the next changes belong to it. It returns nil if there is none.
func (t *Tree) top() *live {
	k := len(t.stack) - 1
	if t.popping {
		k--
	}
	if k < 0 {
		return nil
	}
	return t.stack[k].live
}

// later appends a change of a name to the pending changes of an activation, and removes earlier
// changes of that name, because a global may change often before its module runs again.
func later(pending []change, c change) []change {
	if c.op == unset {
		pending = slices.DeleteFunc(pending, func(p change) bool { return p.op != order && p.op != item && p.slot == c.slot })
		return append(pending, c)
	}
	for k := len(pending) - 1; k >= 0 && pending[k].op != order && pending[k].op != item; k-- {
		if pending[k].slot != c.slot {
			continue
		}
		if pending[k].op == unset {
			break
		}
		pending[k] = c
		return pending
	}
	return append(pending, c)
}
