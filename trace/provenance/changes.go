package provenance

import (
	"slices"

	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/trace/statetree"
)

// changedBy completes the hop of a piece that a statement changed in an object that existed.
func (f *Finder) changedBy(h Hop, c *piece, from arrived, r run) (Hop, cursor) {
	h.Certain = h.Certain && !r.stored.Shared
	var same []python.Store
	for _, s := range r.stored.Stores {
		is, sure := f.stores(s, c.object, from.step, r)
		if is {
			same = append(same, s)
		}
		h.Certain = h.Certain && sure
	}
	if len(same) == 1 {
		return f.storedBy(h, same[0], r, c.value, c.part)
	}
	if len(same) == 0 {
		if out, ok := f.added(c, from, r); ok {
			return h.with(out)
		}
	}
	h.End, h.Note = Unknown, "the line changed it in a way that is not followed"
	return h, nil
}

// added returns the outcome of a call that added an element: the method of a built-in container,
// or setattr.
func (f *Finder) added(c *piece, from arrived, r run) (out outcome, ok bool) {
	n := 0
	for _, e := range r.stored.Exprs {
		calls, sure := e.Calls()
		for _, call := range calls {
			if found, ok := f.extended(call, c, from, r); ok {
				n, out = n+1, found
				out.likely = out.likely || !sure
				continue
			}
			t, found := f.argumentAdded(call, c, from, r)
			if !found {
				continue
			}
			n++
			out = f.partOf(t, r, c.value, c.part)
			out.likely = out.likely || !sure
		}
	}
	for _, s := range r.stored.Stores {
		if v, known := f.valueOf(s.Target, r); s.Kind == python.Augmented && known && v == statetree.ObjectValue(c.object) {
			before, _ := f.tree.Size(c.object, r.start)
			size, _ := f.tree.Size(c.object, from.event)
			if found, ok := f.joined(s.Value, c, from, before, size-before, r); ok {
				n, out = n+1, found
			}
			continue
		}
		if first, ok := f.slice(s, c.object, r); ok {
			if found, ok := f.joined(s.Value, c, from, first, -1, r); ok {
				n, out = n+1, found
			}
		}
	}
	return out, n == 1
}

// joined returns the outcome for an element that a statement put into a container together with
// others: xs += value, xs[first:] = value or d |= value. It put in size elements (-1 if unknown), the
// first of them at index first.
func (f *Finder) joined(value python.Term, c *piece, from arrived, first, size int, r run) (outcome, bool) {
	form, _ := f.tree.Form(c.object, from.event)
	if form.Kind != statetree.Sequence {
		t, ok := f.entry([]python.Term{value}, from.step, r)
		if !ok {
			return outcome{}, false
		}
		return f.partOf(t, r, c.value, c.part), true
	}
	if n, known := f.length(value, r); size >= 0 && form.Name != "list" && (!known || n != size) {
		return outcome{}, false // a deque with a limit drops elements
	}
	if !from.step.IsIndex || from.step.Index < first {
		return outcome{}, false
	}
	s := sought{index: from.step.Index - first, size: size, path: c.path, value: c.wanted(c.value)}
	return f.gathered(value, s, r)
}

// slice returns the first index of a slice of an object, if a statement assigns one.
func (f *Finder) slice(s python.Store, o statetree.Object, r run) (first int, ok bool) {
	if s.Kind != python.Assigned || len(s.Path) > 0 || s.Target.Kind() != python.SubscriptTerm {
		return 0, false
	}
	base, first, ok := f.sliced(s.Target, r)
	if !ok {
		return 0, false
	}
	v, ok := f.valueOf(base, r)
	size, _ := f.tree.Size(o, r.start)
	return min(first, size), ok && v == statetree.ObjectValue(o)
}

// argumentAdded returns the argument that a call of a container's method made the element, if it
// did.
func (f *Finder) argumentAdded(call python.Term, c *piece, from arrived, r run) (t python.Term, ok bool) {
	callee, args := call.Terms()[0], call.Terms()[1:]
	if call.Callee() == "setattr" && callee.Kind() == python.NameTerm && len(args) == 3 {
		v, known := f.valueOf(args[0], r)
		name, named := f.attributeName(args, r)
		return args[2], known && named && v == statetree.ObjectValue(c.object) && name == from.step.Attribute
	}
	if callee.Name() == "heappush" && len(args) == 2 {
		return args[1], f.pushed(args, c, from, r)
	}
	if callee.Kind() != python.AttributeTerm || len(args) == 0 || starred(args) {
		return t, false
	}
	if v, known := f.valueOf(callee.Terms()[0], r); !known || v != statetree.ObjectValue(c.object) {
		return t, false
	}
	if form, _ := f.tree.Form(c.object, from.event); !form.Reads.Exact {
		return t, false
	}
	size, _ := f.tree.Size(c.object, from.event)
	before, _ := f.tree.Size(c.object, r.start)
	switch callee.Name() {
	case "append":
		return args[0], from.step.IsIndex && from.step.Index == size-1 && size == before+1
	case "appendleft":
		return args[0], from.step.IsIndex && from.step.Index == 0
	case "insert":
		if len(args) == 2 {
			at, known := f.index(args[0], r)
			return args[1], known && at.IsIndex && at.Index >= 0 && min(at.Index, before) == from.step.Index
		}
	case "setdefault":
		if len(args) == 2 {
			at, known := f.index(args[0], r)
			return args[1], known && at.Key == from.step.Key
		}
	case "update":
		return f.entry(args, from.step, r)
	}
	return t, false
}

// extended returns the outcome for an element that a call of extend added to a sequence.
func (f *Finder) extended(call python.Term, c *piece, from arrived, r run) (outcome, bool) {
	callee, args := call.Terms()[0], call.Terms()[1:]
	if callee.Kind() != python.AttributeTerm || callee.Name() != "extend" || len(args) != 1 || starred(args) {
		return outcome{}, false
	}
	v, known := f.valueOf(callee.Terms()[0], r)
	form, _ := f.tree.Form(c.object, from.event)
	if !known || v != statetree.ObjectValue(c.object) || !form.Reads.Exact || form.Kind != statetree.Sequence {
		return outcome{}, false
	}
	before, _ := f.tree.Size(c.object, r.start)
	size, _ := f.tree.Size(c.object, from.event)
	return f.joined(args[0], c, from, before, size-before, r)
}

// pushed reports whether heapq.heappush put a piece into its list, which had no such value before.
func (f *Finder) pushed(args []python.Term, c *piece, from arrived, r run) bool {
	v, known := f.valueOf(args[0], r)
	before, _ := f.tree.Size(c.object, r.start)
	size, _ := f.tree.Size(c.object, from.event)
	return known && v == statetree.ObjectValue(c.object) && size == before+1 && !slices.Contains(f.tree.Items(c.object, r.start), c.value)
}

// entry returns the value that keyword arguments or a dict display give to a key.
func (f *Finder) entry(args []python.Term, step python.Step, r run) (t python.Term, ok bool) {
	name, _ := python.StringOf(step.Key)
	for _, a := range args {
		switch {
		case a.Kind() == python.KeywordTerm && a.Name() != "" && a.Name() == name:
			t, ok = a.Terms()[0], true
		case a.Kind() == python.KeywordTerm && a.Name() != "":
		case a.Kind() == python.DictTerm:
			shown, found, known := f.shownEntry(a, step, r)
			if !known {
				return t, false
			}
			if found {
				t, ok = shown, true
			}
		default:
			return t, false
		}
	}
	return t, ok
}

// shownEntry returns the value that a dict display has for a key. known is false if one of the display's
// keys is not known.
func (f *Finder) shownEntry(t python.Term, step python.Step, r run) (value python.Term, found, known bool) {
	parts := t.Terms()
	for i := 0; i+1 < len(parts); i += 2 {
		at, ok := f.index(parts[i], r)
		if !ok {
			return value, false, false
		}
		if at.Key == step.Key {
			value, found = parts[i+1], true
		}
	}
	return value, found, true
}
