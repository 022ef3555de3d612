package statetree

import "slices"

// Held returns the value of a name of an activation as of event i, which may belong to another
// activation. It returns false if the name had no value, or if nothing was recorded of the
// activation until then. See outlasts.
func (t *Tree) Held(act uint32, i int, name string) (Value, bool) {
	t.mu.RLock()
	defer t.done()
	slot := slices.Index(t.codes[t.activations.at(int(act)).code].Names, name)
	if slot < 0 {
		return Value{}, false
	}
	own := t.latest(act, i)
	if own == none && !t.outlasts(act) {
		return Value{}, false
	}
	s := t.samplesOf(act, uint32(slot), own, i)
	if !s.next() || !s.cell.bound() {
		return Value{}, false
	}
	return Value{s.cell.handle()}, true
}

// isModule reports whether an activation is that of a module. The names of a module are
// recorded also while its code does not run.
func (t *Tree) isModule(act uint32) bool { return t.codes[t.activations.at(int(act)).code].IsModule() }

// outlasts reports whether names of an activation are known also when it had no event: those of a
// module, and those at the beginning of a recording.
func (t *Tree) outlasts(act uint32) bool {
	return t.isModule(act) || t.activations.at(int(act)).flags&isContinued != 0
}

// Bindings returns the events in (from, to] at which a name of an activation got another value
// or lost it, ascending. It takes time proportional to the activation's events in this range.
func (t *Tree) Bindings(act uint32, name string, from, to int) []int {
	t.mu.RLock()
	defer t.done()
	slot := slices.Index(t.codes[t.activations.at(int(act)).code].Names, name)
	if slot < 0 {
		return nil
	}
	own := t.latest(act, to)
	if own == none && !t.outlasts(act) {
		return nil
	}
	var events []int
	later := sample{event: from}
	emit := func(s sample) {
		if later.cell>>1 != s.cell>>1 && later.event <= to && later.event > from {
			events = append(events, later.event)
		}
		later = s
	}
	s := t.samplesOf(act, uint32(slot), own, to)
	for s.next() {
		if emit(s.sample); s.event <= from {
			break
		}
	}
	if later.event > from {
		emit(sample{event: -1})
	}
	slices.Reverse(events)
	return events
}

// sample is the value of a name, valid from an event until the next sample.
type sample struct {
	event int
	cell  cell
}

// samples iterates over the samples of one name, latest first. Two consecutive samples may
// be equal.
type samples struct {
	sample
	t     *Tree
	slot  uint32
	own   uint32 // the activation's event to read next, or none
	aside uint32 // the activation's row of asides to read next, or none
}

// samplesOf returns the samples of a slot of an activation up to event i. own is the
// activation's latest event by then, or none.
func (t *Tree) samplesOf(act, slot, own uint32, i int) samples {
	return samples{t: t, slot: slot, own: own, aside: t.asides.find(act, i)}
}

// next reads one more sample and reports whether there is one.
func (s *samples) next() bool {
	for s.own != none || s.aside != none {
		var d decoder
		var all bool
		if s.aside != none && (s.own == none || s.t.asides.skew(s.aside).stamp > s.own) {
			d, all = s.t.asides.decoder(s.aside)
			at := s.t.asides.skew(s.aside)
			s.event, s.aside = int(at.stamp), at.previous
		} else {
			d, _ = s.t.decoder(int(s.own))
			all = *s.t.events.head.at(int(s.own))&hasAll != 0
			s.event, s.own = int(s.own), *s.t.events.previous.at(int(s.own))
		}
		if c, mentioned := d.last(s.slot); mentioned || all {
			s.cell = c
			return true
		}
	}
	return false
}

// last returns the value of a slot after all changes that d reads. mentioned is false if none
// of them is of this slot.
func (d *decoder) last(slot uint32) (now cell, mentioned bool) {
	for c, ok := d.next(); ok; c, ok = d.next() {
		if c.slot != slot {
			continue
		}
		switch c.op {
		case set, setHidden:
			now, mentioned = makeCell(c.value, c.op == setHidden), true
		case unset:
			now, mentioned = 0, true
		}
	}
	return now, mentioned
}

// heldAt reads the bindings of an activation as of event i, which may belong to another
// activation, into b. It returns the activation's code, or nil if nothing was recorded of it
// until then.
func (t *Tree) heldAt(act uint32, i int, b *bindings) *Code {
	own := t.latest(act, i)
	later := func(row uint32) bool { return row != none && (own == none || t.asides.skew(row).stamp > own) }
	var rows []uint32
	whole := false
	for row := t.asides.find(act, i); later(row) && !whole; row = t.asides.skew(row).previous {
		rows = append(rows, row)
		_, whole = t.asides.decoder(row)
	}
	if own == none && (!whole || !t.outlasts(act)) {
		return nil
	}
	code := &t.codes[t.activations.at(int(act)).code]
	if whole {
		b.reset(len(code.Names), !code.Fast)
	} else {
		t.bindingsAt(int(own), b)
	}
	for _, row := range slices.Backward(rows) {
		d, _ := t.asides.decoder(row)
		b.read(d)
	}
	return code
}
