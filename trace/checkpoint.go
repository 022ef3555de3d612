package trace

// numberBits is the size of the numbers of activations: a program may run for months.
const numberBits = 56

// numbering maps the tracer's numbers of activations to the tree's. They differ in a recording that
// begins in the middle of a run. The zero numbering is for other recordings: both numbers are the same.
type numbering struct {
	numbers []uint64          // of the activations that began before the recording, in the tree's order
	indexes map[uint64]uint32 // the inverse
	next    uint64            // of the first activation of the recording
}

// index returns the tree's number of the activation with a tracer's number. count is the number of
// activations in the tree. ok is false for an activation that began and ended before the recording.
func (b *numbering) index(c *cursor, number uint64, count int) (act uint32, ok bool) {
	if number < b.next {
		act, ok = b.indexes[number]
		return act, ok && c.check(int(act) < count, "activation %d was never entered", number)
	}
	n := number - b.next + uint64(len(b.numbers))
	return uint32(n), c.check(n < uint64(count), "activation %d was never entered", number)
}

// number returns the tracer's number of the activation with a tree's number.
func (b *numbering) number(act uint32) uint64 {
	if n := uint64(len(b.numbers)); uint64(act) >= n {
		return uint64(act) - n + b.next
	}
	return b.numbers[act]
}

// checkpoint reads the record that begins a recording in the middle of a run. It contains the number of
// the next activation that begins, and the numbers of the earlier activations that still matter. The next
// records of activations (recAdopt) define those, in the same order.
func (d *decoder) checkpoint(c *cursor) {
	b := numbering{next: c.number(numberBits), indexes: map[uint64]uint32{}}
	for range c.count() {
		n := c.number(numberBits)
		if _, twice := b.indexes[n]; !c.check(!twice && n < b.next, "activation %d cannot continue", n) {
			return
		}
		b.indexes[n] = uint32(len(b.numbers))
		b.numbers = append(b.numbers, n)
	}
	if c.check(len(d.acts) == 0, "a recording begins twice") {
		d.acting = b
	}
}

// lasting reads the number of an activation. ok is false if the activation ended before the recording.
func (d *decoder) lasting(c *cursor) (act uint32, ok bool) {
	number := c.number(numberBits)
	if c.err != nil {
		return 0, false
	}
	return d.acting.index(c, number, len(d.acts))
}

// act reads the number of an activation that must be in the recording.
func (d *decoder) act(c *cursor) uint32 {
	act, ok := d.lasting(c)
	c.check(ok, "an activation is not in the recording")
	return act
}
