package statetree

import "encoding/binary"

// The changes of an event are stored in an arena as uvarints: first the event's value, if
// it has one, then each change. A change is slot·8 + op·2, plus 1 if another follows.
// After a set comes the value, after an order the slots.

// encoder writes an event's changes into a scratch buffer.
type encoder struct {
	buf   []byte
	key   int // offset of the number that begins the last change
	count int
	items uint32 // slots still to be added to the order change that is being written
	slots []uint32
}

func (e *encoder) reset() { *e = encoder{buf: e.buf[:0], slots: e.slots} }

func (e *encoder) value(h handle) { e.buf = binary.AppendUvarint(e.buf, uint64(h)) }

func (e *encoder) add(c change) {
	if e.items > 0 {
		e.items--
		e.buf = binary.AppendUvarint(e.buf, uint64(c.slot))
		return
	}
	e.key = len(e.buf)
	e.count++
	e.buf = binary.AppendUvarint(e.buf, uint64(c.slot)<<3|uint64(c.op)<<1|1)
	switch c.op {
	case set, setHidden:
		e.buf = binary.AppendUvarint(e.buf, uint64(c.value))
	case order:
		e.items = c.slot
	}
}

// finish ends the list of changes and returns it.
func (e *encoder) finish() []byte {
	if e.count > 0 {
		e.buf[e.key] &^= 1
	}
	return e.buf
}

// decoder reads an event's changes.
type decoder struct {
	buf   []byte
	more  bool
	items uint32
}

func (d *decoder) uvarint() uint64 {
	v, n := binary.Uvarint(d.buf)
	d.buf = d.buf[n:]
	return v
}

func (d *decoder) next() (change, bool) {
	if d.items > 0 {
		d.items--
		return change{op: item, slot: uint32(d.uvarint())}, true
	}
	if !d.more {
		return change{}, false
	}
	key := d.uvarint()
	d.more = key&1 == 1
	c := change{op: op(key >> 1 & 3), slot: uint32(key >> 3)}
	switch c.op {
	case set, setHidden:
		c.value = handle(d.uvarint())
	case order:
		d.items = c.slot
		damaged(int(c.slot) <= len(d.buf), "the changes of an event are cut off")
	}
	return c, true
}
