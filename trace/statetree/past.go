package statetree

// Form returns an object's form as of event i, or false if the object was not yet recorded.
func (t *Tree) Form(o Object, i int) (Form, bool) {
	t.mu.RLock()
	defer t.done()
	h, ok := t.headOf(o, i)
	if !ok {
		return Form{}, false
	}
	return t.objects.forms[h.form], true
}

func (t *Tree) headOf(o Object, i int) (header, bool) {
	v := t.objects.find(o, i)
	if v == none {
		return header{}, false
	}
	h, _ := t.objects.head(v)
	return h, true
}

func (t *Tree) formOf(o Object, i int) uint32 {
	h, _ := t.headOf(o, i)
	return h.form
}

// Size returns the number of elements, entries or attributes of an object as of event i,
// including those that are not stored.
func (t *Tree) Size(o Object, i int) (int, bool) {
	t.mu.RLock()
	defer t.done()
	h, ok := t.headOf(o, i)
	return h.total, ok && t.objects.forms[h.form].Kind != Text
}

// Item returns an element of a sequence or a set as of event i, counted from 0, or false if
// it does not exist or is not stored.
func (t *Tree) Item(o Object, i, index int) (Value, bool) {
	t.mu.RLock()
	defer t.done()
	v := t.objects.find(o, i)
	if v == none {
		return Value{}, false
	}
	h, _ := t.objects.head(v)
	if t.objects.forms[h.form].Kind.Paired() || index < 0 || index >= h.stored {
		return Value{}, false
	}
	return Value{t.objects.item(v, index, t.texts)}, true
}

// Entry returns the value of a dict's key (by the key's text) or of an attribute (by its
// name) as of event i, or false if it does not exist or is not stored.
func (t *Tree) Entry(o Object, i int, key string) (Value, bool) {
	t.mu.RLock()
	defer t.done()
	v := t.objects.find(o, i)
	if v == none {
		return Value{}, false
	}
	h, _ := t.objects.head(v)
	id, known := t.texts.lookup([]byte(key))
	if !known || !t.objects.forms[h.form].Kind.Paired() {
		return Value{}, false
	}
	found, ok := t.objects.entry(v, textHandle(id), t.texts)
	return Value{found}, ok
}

// Items returns the stored elements of a sequence or a set as of event i, in display order.
func (t *Tree) Items(o Object, i int) []Value {
	t.mu.RLock()
	defer t.done()
	var c content
	if v := t.objects.find(o, i); v != none {
		if t.objects.read(v, t.texts, &c); !t.objects.forms[c.form].Kind.Paired() {
			values := make([]Value, len(c.cells))
			for k, h := range c.cells {
				values[k] = Value{h}
			}
			return values
		}
	}
	return nil
}

// Entry is a key of a dict, or the name of an attribute as a text, and its value.
type Entry struct{ Key, Value Value }

// Entries returns the stored entries of a dict, or attributes of an object, as of event i,
// in order.
func (t *Tree) Entries(o Object, i int) []Entry {
	t.mu.RLock()
	defer t.done()
	var c content
	if v := t.objects.find(o, i); v != none {
		if t.objects.read(v, t.texts, &c); t.objects.forms[c.form].Kind.Paired() {
			entries := make([]Entry, len(c.cells)/2)
			for k := range entries {
				entries[k] = Entry{Value{c.cells[2*k]}, Value{c.cells[2*k+1]}}
			}
			return entries
		}
	}
	return nil
}

// VersionAfter returns the first event after event i at which an object's own content changed,
// not counting changes of the objects in it.
func (t *Tree) VersionAfter(o Object, i int) (int, bool) {
	t.mu.RLock()
	defer t.done()
	return t.stampOf(behind(&t.objects, t.objects.last(o), i))
}

// VersionUpTo returns the last event up to event i at which an object's own content changed,
// not counting changes of the objects in it.
func (t *Tree) VersionUpTo(o Object, i int) (int, bool) {
	t.mu.RLock()
	defer t.done()
	return t.stampOf(t.objects.find(o, i))
}

func (t *Tree) stampOf(v uint32) (int, bool) {
	if v == none {
		return -1, false
	}
	return int(t.objects.skew(v).stamp), true
}

// differ reports whether the text of a as of event i differs from the text of b as of the
// later event j.
func (t *Tree) differ(a handle, i int, b handle, j int) bool {
	if a == b && !t.moved(a, i, j) {
		return false
	}
	if !a.isObject() && !b.isObject() {
		return a != b
	}
	return t.text(a, i) != t.text(b, j)
}

// mostMoved bounds the number of values that one call of moved examines.
const mostMoved = 1 << 16

// moved reports whether the text of a value may have changed in (i, j]. This is so if an
// object reachable from the value as of event j has a version in that range, or if too
// many objects are reachable to check.
func (t *Tree) moved(h handle, i, j int) bool {
	o, ok := h.object()
	if !ok {
		return false
	}
	seen := map[Object]bool{o: true}
	next := []Object{o}
	var c content
	for looked := 0; len(next) > 0; looked += 1 + len(c.cells) {
		if looked > mostMoved {
			return true
		}
		o := next[len(next)-1]
		next = next[:len(next)-1]
		v := t.objects.find(o, j)
		if v == none {
			continue
		}
		if int64(t.objects.skew(v).stamp) > int64(i) {
			return true
		}
		t.objects.read(v, t.texts, &c)
		for _, h := range c.cells {
			if o, ok := h.object(); ok && !seen[o] {
				seen[o] = true
				next = append(next, o)
			}
		}
	}
	return false
}
