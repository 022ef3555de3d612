package statetree

import (
	"encoding/binary"
	"fmt"
)

// The methods below record the content of an object, valid from the next event that is appended
// (after Edit, from the last one). If one event has several versions of an object, only the
// last counts. If the change does not fit the object, its form or its content, a method records
// nothing and returns an error.

// Atom returns the value whose text is given: its repr. The text is copied.
func (t *Tree) Atom(text []byte) Value { return Value{textHandle(t.texts.intern(text, none))} }

// PutWhole records the whole content of a known or new object. A new object may have a number
// that skips others; their content may be recorded later. values are the elements, or
// alternately the keys (or names) and values of entries or attributes. total is the number of
// elements, entries or attributes; values may contain only the first of them.
func (t *Tree) PutWhole(o Object, form, total int, values []Value) error {
	s := &t.objects
	switch {
	case o >= MostObjects:
		return fmt.Errorf("object %d is too large a number", o)
	case form >= len(s.forms):
		return fmt.Errorf("form %d was not defined", form)
	}
	kind := s.forms[form].Kind
	stored := len(values) / kind.Width()
	switch {
	case len(values)%kind.Width() != 0:
		return fmt.Errorf("object %d has a key without a value", o)
	case stored > total || kind == Text && total > 0:
		return fmt.Errorf("object %d has %d elements, of %d", o, stored, total)
	}
	h := header{op: opWhole, form: uint32(form), stored: stored, total: total, text: none}
	cells := t.cells[:0]
	for _, v := range values {
		cells = append(cells, v.h)
	}
	t.cells = cells
	s.keys.forget(o)
	for int(o) > s.len() {
		s.latest.push(none)
	}
	if v := s.last(o); v != none {
		was, _ := s.head(v)
		h.length = was.length + 1
		if was.form == h.form && kind != Text && stored > fewCells {
			s.read(v, t.texts, &t.before)
			if at, removed, middle := differing(t.before.cells, cells, kind.Width()); len(middle) < len(cells)/2 {
				h.op, h.work, h.room, h.length = opSplice, was.work, was.room, was.length
				t.change(o, h, at, removed, middle)
				return nil
			}
		}
	}
	t.whole(o, h, cells)
	return nil
}

// fewCells is a size limit: smaller content is always stored whole, larger content as a
// difference where that is shorter.
const fewCells = 16

// differing returns the range in which cells differ from the cells before: its start, the
// number of cells removed and the cells that replace them.
func differing(before, cells []handle, width int) (at, removed int, middle []handle) {
	n := min(len(before), len(cells))
	for at < n && before[at] == cells[at] {
		at++
	}
	at -= at % width
	same := 0
	for same < n-at && before[len(before)-1-same] == cells[len(cells)-1-same] {
		same++
	}
	same -= same % width
	return at, len(before) - at - same, cells[at : len(cells)-same]
}

// PutItem records that an element of a sequence was replaced.
func (t *Tree) PutItem(o Object, index int, v Value) error {
	return t.PutSplice(o, index, 1, []Value{v})
}

// PutSplice records that values replace some elements of a sequence or set: removed is the
// number of the old elements, and at the index of the first of them.
func (t *Tree) PutSplice(o Object, at, removed int, values []Value) error {
	was, err := t.known(o)
	if err != nil {
		return err
	}
	if kind := t.objects.forms[was.form].Kind; !kind.spliced() {
		return fmt.Errorf("object %d has no elements", o)
	}
	if at > was.total || removed > was.total-at {
		return fmt.Errorf("object %d has %d elements, none to be replaced from %d to %d", o, was.total, at, at+removed)
	}
	h := was
	h.op = opSplice
	h.total += len(values) - removed
	cells := t.cells[:0]
	if at > was.stored { // only elements that are not stored have changed
		at, removed = was.stored, 0
	} else {
		removed = min(removed, was.stored-at)
		for _, v := range values {
			cells = append(cells, v.h)
		}
		t.cells = cells
	}
	h.stored += len(cells) - removed
	t.change(o, h, at, removed, cells)
	return nil
}

// PutEntry records that a dict's key or an attribute was set. A new one comes last.
func (t *Tree) PutEntry(o Object, key, v Value) error {
	was, err := t.paired(o)
	if err != nil {
		return err
	}
	h := was
	h.op = opEntry
	if !t.has(o, was, key.h) {
		h.total++
		if was.stored == was.total {
			h.stored++
			t.objects.keys.add(o, key.h)
		} else {
			h.op = opText // the new entry is not stored, because earlier ones are not
			t.put(o, h, 0, t.objects.buf[:0])
			return nil
		}
	}
	t.put(o, h, 0, t.objects.buf[:0], key.h, v.h)
	return nil
}

// PutDelete records that a dict's key or an attribute was removed.
func (t *Tree) PutDelete(o Object, key Value) error {
	was, err := t.paired(o)
	if err != nil {
		return err
	}
	h := was
	h.op = opDelete
	h.total--
	switch {
	case t.has(o, was, key.h):
		h.stored--
		t.objects.keys.drop(o, key.h)
	case was.stored < was.total:
		h.op = opText
		t.put(o, h, 0, t.objects.buf[:0])
		return nil
	default:
		return fmt.Errorf("object %d has no such key to be deleted", o)
	}
	t.put(o, h, 0, t.objects.buf[:0], key.h)
	return nil
}

// PutText records the result of the object's own __repr__. It is displayed in place of the
// content until another text or the whole content is recorded. The text is copied.
func (t *Tree) PutText(o Object, text []byte) error {
	was, err := t.known(o)
	if err != nil {
		return err
	}
	h := was
	h.op = opText
	h.text = t.texts.intern(text, was.text)
	t.put(o, h, 0, t.objects.buf[:0])
	return nil
}

// known returns the header of an object's latest version, or an error if there is none.
func (t *Tree) known(o Object) (header, error) {
	s := &t.objects
	v := s.last(o)
	if v == none {
		return header{}, fmt.Errorf("object %d was not recorded", o)
	}
	h, _ := s.head(v)
	return h, nil
}

func (t *Tree) paired(o Object) (header, error) {
	h, err := t.known(o)
	if err == nil && !t.objects.forms[h.form].Kind.Paired() {
		err = fmt.Errorf("object %d has no entries", o)
	}
	return h, err
}

// change records that cells replace some cells of an object: removed is the number of the old
// cells, and at the index of the first of them.
func (t *Tree) change(o Object, h header, at, removed int, cells []handle) {
	work := len(cells) / workMove
	if len(cells) != removed {
		behind := h.stored*t.objects.forms[h.form].Kind.Width() - at - len(cells)
		work += min(at, behind, workMost*workMove) / workMove
	}
	b := binary.AppendUvarint(t.objects.buf[:0], uint64(at))
	b = binary.AppendUvarint(b, uint64(removed))
	b = binary.AppendUvarint(b, uint64(len(cells)))
	t.put(o, h, work, b, cells...)
}

// put stores a new version as a change: h.op with the operands in b and cells. work estimates
// the time for reading it. If too many changes have accumulated since the content was last
// stored whole, put stores the whole content.
func (t *Tree) put(o Object, h header, work int, b []byte, cells ...handle) {
	s := &t.objects
	for _, c := range cells {
		b = binary.AppendUvarint(b, uint64(c))
	}
	s.buf = b
	h.length++
	h.work += 1 + work
	h.room += len(b)
	kind := s.forms[h.form].Kind
	size := h.stored * kind.Width()
	if h.work <= workFree+size/workShare && h.room <= changesRoom+changesShare*size {
		s.push(o, t.stamp(), h, b)
		return
	}
	s.read(*s.latest.at(int(o)), t.texts, &t.before)
	d := newDraft(t.before.cells, kind.Paired(), 1)
	d.apply(h.op, reading{b})
	t.before.cells = d.finish()
	t.whole(o, h, t.before.cells)
}

// whole stores a new version with all its cells.
func (t *Tree) whole(o Object, h header, cells []handle) {
	s := &t.objects
	h.op, h.work, h.room = opWhole, 0, 0
	s.buf = s.appendWhole(s.buf[:0], cells, s.forms[h.form].Kind.Named(), t.texts)
	s.push(o, t.stamp(), h, s.buf)
}

// stamp returns the event from which a change that is recorded now is valid.
func (t *Tree) stamp() uint32 {
	if t.editing {
		return uint32(t.events.n() - 1)
	}
	return uint32(t.events.n())
}

// has reports whether a key is among the stored keys of an object.
func (t *Tree) has(o Object, h header, key handle) bool {
	s := &t.objects
	v := *s.latest.at(int(o))
	if h.stored <= fewCells {
		_, ok := s.entry(v, key, t.texts)
		return ok
	}
	keys, known := s.keys.of(o)
	if !known {
		s.read(v, t.texts, &t.before)
		keys = s.keys.make(o, t.before.cells)
	}
	_, ok := keys[key]
	return ok
}
