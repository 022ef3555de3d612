package statetree

import (
	"encoding/binary"
	"slices"
)

// All cells of an object are stored as the number of cells, the bytes that each takes, and the
// cells, least byte first. For attributes, the cells are only the values; before them comes the
// number of a text that lists the names, because most objects of a type share it.

// appendWhole appends all cells of an object to b, in the format described above.
func (s *objects) appendWhole(b []byte, cells []handle, attributes bool, texts *texts) []byte {
	values := cells
	if attributes {
		s.names, s.values = s.names[:0], s.values[:0]
		for k := 0; k < len(cells); k += 2 {
			s.names = binary.AppendUvarint(s.names, uint64(cells[k]))
			s.values = append(s.values, cells[k+1])
		}
		values = s.values
		b = binary.AppendUvarint(b, uint64(texts.intern(s.names, none)))
	}
	most := handle(0)
	for _, h := range values {
		most = max(most, h)
	}
	width := 1
	for width < 4 && most>>(8*width) != 0 {
		width++
	}
	b = binary.AppendUvarint(b, uint64(len(values))<<2|uint64(width-1))
	for _, h := range values {
		for k := range width {
			b = append(b, byte(h>>(8*k)))
		}
	}
	return b
}

// whole reads all cells of an object.
func (r *reading) whole(cells []handle, attributes bool, texts *texts) []handle {
	var names reading
	if attributes {
		names.b = texts.entry(uint32(r.number())).plain
	}
	head := r.number()
	n, width := head>>2, head&3+1
	damaged(n >= 0 && n <= len(r.b)/width, "the content of an object is cut off")
	if !attributes {
		cells = slices.Grow(cells, n)
		for k := range n {
			cells = append(cells, fixed(r.b[k*width:], width))
		}
		return cells
	}
	for k := range n {
		cells = append(cells, names.handle(), fixed(r.b[k*width:], width))
	}
	return cells
}

// fixed reads a cell of the given width.
func fixed(b []byte, width int) handle {
	h := handle(b[0])
	for k := 1; k < width; k++ {
		h |= handle(b[k]) << (8 * k)
	}
	return h
}

// draft is a copy of an object's content to which changes are applied. A removed dict entry
// stays in cells, marked as gone, until settle. An index of the keys is made once for all
// changes.
type draft struct {
	cells  []handle
	first  int // index of the first cell in use; those before it were removed
	paired bool
	many   bool           // there are many changes, so that an index of the keys saves time
	places map[handle]int // index in cells of each key; nil if not made
	holes  int
	moves  int   // number of splices that had to move many cells
	rope   *rope // used in place of cells after many such splices
}

// gone marks the key of a removed entry.
const gone = handle(none)

func newDraft(cells []handle, paired bool, changes int) *draft {
	return &draft{cells: cells, paired: paired, many: changes > 8 && len(cells) > 32}
}

// splice removes some cells from index at on and inserts others there. It moves the cells on
// the shorter side.
func (d *draft) splice(at, removed int, cells []handle) {
	d.settle()
	if d.rope != nil {
		d.rope.splice(at, removed, cells)
		return
	}
	left := at
	right := len(d.cells) - d.first - at - removed
	grown := len(cells) - removed
	if grown != 0 && !d.paired && min(left, right) > ropeFrom {
		if d.moves++; d.moves > 4 {
			d.rope = newRope(d.cells[d.first:])
			d.rope.splice(at, removed, cells)
			return
		}
	}
	if left < right && d.first < grown {
		room := (len(d.cells)-d.first)/2 + grown
		wider := make([]handle, room, room+len(d.cells)-d.first)
		d.cells = append(wider, d.cells[d.first:]...)
		d.first = room
	}
	switch {
	case grown == 0:
	case left < right:
		copy(d.cells[d.first-grown:], d.cells[d.first:d.first+left])
		d.first -= grown
	case grown > 0:
		n := len(d.cells)
		d.cells = append(d.cells, cells[:grown]...) // overwritten below with the right cells
		copy(d.cells[n-right+grown:], d.cells[n-right:n])
	default:
		n := len(d.cells)
		copy(d.cells[n-right+grown:], d.cells[n-right:])
		d.cells = d.cells[:n+grown]
	}
	copy(d.cells[d.first+at:], cells)
}

// place returns the index of a key, or -1.
func (d *draft) place(key handle) int {
	if d.places != nil {
		if k, ok := d.places[key]; ok {
			return k
		}
		return -1
	}
	if d.many {
		d.places = make(map[handle]int, len(d.cells)/2)
		for k := d.first; k < len(d.cells); k += 2 {
			if _, twice := d.places[d.cells[k]]; !twice {
				d.places[d.cells[k]] = k
			}
		}
		return d.place(key)
	}
	for k := d.first; k < len(d.cells); k += 2 {
		if d.cells[k] == key {
			return k
		}
	}
	return -1
}

// entry sets the value of a key; a new key comes last.
func (d *draft) entry(key, value handle) {
	k := d.place(key)
	if k < 0 {
		k = len(d.cells)
		d.cells = append(d.cells, key, 0)
		if d.places != nil {
			d.places[key] = k
		}
	}
	d.cells[k+1] = value
}

// drop removes a key and its value.
func (d *draft) drop(key handle) {
	if k := d.place(key); k >= 0 {
		d.cells[k] = gone
		d.holes++
		delete(d.places, key)
	}
}

// settle drops the removed entries from cells, and the index of keys, which is then wrong.
func (d *draft) settle() {
	if d.holes > 0 {
		k := d.first
		for n := d.first; n < len(d.cells); n += 2 {
			if d.cells[n] != gone {
				d.cells[k], d.cells[k+1] = d.cells[n], d.cells[n+1]
				k += 2
			}
		}
		d.cells = d.cells[:k]
		d.holes = 0
	}
	d.places = nil
}

// apply makes the change that a version stores: op, with the operands in r.
func (d *draft) apply(op objectOp, r reading) {
	switch op {
	case opSplice:
		at, removed, count := r.number(), r.number(), r.number()
		damaged(at >= 0 && removed >= 0, "a change of an object is at no element of it")
		d.splice(at, removed, r.cells(count))
	case opEntry:
		key := r.handle()
		d.entry(key, r.handle())
	case opDelete:
		d.drop(r.handle())
	}
}

// finish returns the cells after all changes.
func (d *draft) finish() []handle {
	d.settle()
	if d.rope != nil {
		return d.rope.cells()
	}
	return d.cells[d.first:]
}
