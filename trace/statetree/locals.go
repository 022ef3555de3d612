package statetree

import (
	"cmp"
	"slices"
)

// bindings are the values of an activation's names at one moment.
type bindings struct {
	cells   []cell   // by slot
	rank    []uint32 // by slot, only if ordered: the lower the rank, the earlier the name was bound
	bound   int
	newest  uint32 // the highest rank so far
	ordered bool   // locals come in the order of binding, otherwise in that of slots
}

// cell is 0 for a name without a value. Otherwise it is (value+1)*2, plus one if the name
// is hidden.
type cell uint64

func makeCell(h handle, hidden bool) cell {
	c := (cell(h) + 1) << 1
	if hidden {
		c |= 1
	}
	return c
}

func (c cell) bound() bool    { return c != 0 }
func (c cell) handle() handle { return handle(c>>1) - 1 }
func (c cell) hidden() bool   { return c&1 == 1 }

// change is one difference between the bindings of two consecutive events. A change with
// the operation order gives the order of all bound names: slot is the number of item
// changes that follow, one for each name.
type change struct {
	op    op
	slot  uint32
	value handle // for set and setHidden
}

type op uint8

const (
	set op = iota
	setHidden
	unset
	order
	item // follows an order; never encoded as an operation of its own
)

func (b *bindings) reset(slots int, ordered bool) {
	b.cells = resized(b.cells, slots)
	b.rank = b.rank[:0]
	b.bound, b.newest, b.ordered = 0, 0, ordered
	if ordered {
		b.rank = resized(b.rank, slots)
	}
}

// resized returns a slice of n zero elements. It reuses the memory of s if that is large
// enough.
func resized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}

func (b *bindings) grow(slot uint32) {
	for int(slot) >= len(b.cells) {
		b.cells = append(b.cells, 0)
		if b.ordered {
			b.rank = append(b.rank, 0)
		}
	}
}

// read applies all changes that d reads, of names that b has a cell for.
func (b *bindings) read(d decoder) {
	for c, ok := d.next(); ok; c, ok = d.next() {
		damaged(c.op == order || int(c.slot) < len(b.cells), "an event changes a name that does not exist")
		b.apply(c)
	}
}

// apply applies a change and reports whether it changed anything.
func (b *bindings) apply(c change) bool {
	if c.op == order {
		return true
	}
	b.grow(c.slot)
	now := &b.cells[c.slot]
	switch c.op {
	case set, setHidden:
		next := makeCell(c.value, c.op == setHidden)
		if *now == next {
			return false
		}
		if !now.bound() {
			b.bound++
			b.renew(c.slot)
		}
		*now = next
	case unset:
		if !now.bound() {
			return false
		}
		b.bound--
		*now = 0
	case item:
		b.renew(c.slot)
	}
	return true
}

// encode writes all names that have a value, with the values, in the order of locals.
func (b *bindings) encode(out *encoder) {
	out.slots = b.slots(out.slots)
	b.newest = 0 // a reader of these changes starts with rank 0, too
	for _, slot := range out.slots {
		b.renew(slot)
		c := change{op: set, slot: slot, value: b.cells[slot].handle()}
		if b.cells[slot].hidden() {
			c.op = setHidden
		}
		out.add(c)
	}
}

// resembling returns the previous text of a slot, so that a new text can be stored as a
// difference from it, or none.
func (b *bindings) resembling(slot int) uint32 {
	if slot >= len(b.cells) || !b.cells[slot].bound() || b.cells[slot].handle().isObject() {
		return none
	}
	return b.cells[slot].handle().text()
}

// renew moves a name to the end of the order of binding.
func (b *bindings) renew(slot uint32) {
	if b.ordered {
		b.newest++
		b.rank[slot] = b.newest
	}
}

// slots returns the slots of bound names in the order of locals.
func (b *bindings) slots(into []uint32) []uint32 {
	into = into[:0]
	for slot, c := range b.cells {
		if c.bound() {
			into = append(into, uint32(slot))
		}
	}
	if b.ordered {
		slices.SortFunc(into, func(x, y uint32) int { return cmp.Compare(b.rank[x], b.rank[y]) })
	}
	return into
}

// bytes returns the approximate memory used.
func (b *bindings) bytes() int64 { return int64(cap(b.cells))*8 + int64(cap(b.rank))*4 }
