package statetree

import "slices"

// Piece is one element, entry or attribute of an object, or its length.
type Piece struct {
	Key   string // for an entry, the text of the key; for an attribute, its name
	Index int    // for an element; a negative index counts from the end
	Item  bool   // the piece is the element at Index
	Size  bool   // the piece is the length of the object
}

// Touches returns all events in (from, to] at which a piece of an object changed, ascending,
// and possibly others at which it did not. It takes time proportional to the object's versions
// in this range.
func (t *Tree) Touches(o Object, p Piece, from, to int) []int {
	t.mu.RLock()
	defer t.done()
	key := handle(none)
	if id, known := t.texts.lookup([]byte(p.Key)); known && !p.Item {
		key = textHandle(id)
	}
	var events []int
	for v := t.objects.find(o, to); v != none; {
		at := t.objects.skew(v)
		if int64(at.stamp) <= int64(from) {
			break
		}
		if n := len(events); (n == 0 || events[n-1] != int(at.stamp)) && t.touches(v, at.previous, key, p) {
			events = append(events, int(at.stamp))
		}
		v = at.previous
	}
	slices.Reverse(events)
	return events
}

// touches reports whether the version v may have changed a piece. before is the version before
// v, or none.
func (t *Tree) touches(v, before uint32, key handle, p Piece) bool {
	h, r := t.objects.head(v)
	if before == none {
		return true
	}
	switch {
	case p.Size:
		was, _ := t.objects.head(before)
		return was.total != h.total
	case h.op == opText:
		return false
	case h.op == opEntry, h.op == opDelete:
		return r.handle() == key
	case h.op == opSplice && p.Item:
		at, removed, count := r.number(), r.number(), r.number()
		index := p.Index
		if index < 0 {
			if removed != count {
				return true
			}
			index += h.total
		}
		return at <= index && (removed != count || index < at+count)
	}
	// v stores all content, either because all was sent or because there were too many changes.
	// Compare the piece in both versions.
	now, ok := t.pieceOf(v, h, key, p)
	was, _ := t.objects.head(before)
	then, had := t.pieceOf(before, was, key, p)
	return ok != had || now != then
}

// pieceOf returns a piece of an object's version.
func (t *Tree) pieceOf(v uint32, h header, key handle, p Piece) (handle, bool) {
	paired := t.objects.forms[h.form].Kind.Paired()
	switch {
	case !p.Item && paired:
		return t.objects.entry(v, key, t.texts)
	case p.Item && !paired:
		index := p.Index
		if index < 0 {
			index += h.total
		}
		if index >= 0 && index < h.stored {
			return t.objects.item(v, index, t.texts), true
		}
	}
	return 0, false
}
