package provenance

import (
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/trace/statetree"
)

// changedBy completes the hop of a piece that a statement changed in an object that existed.
func (f *Finder) changedBy(h Hop, c *piece, from arrived, r run) (Hop, cursor) {
	h.Certain = h.Certain && !r.stored.Shared
	var same []python.Store
	for _, s := range r.stored.Stores {
		if is, _ := f.stores(s, c.object, from.step, r); is {
			same = append(same, s)
		}
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
			if t, found := element(s.Value, from.step.Index-before); found {
				n++
				out = f.partOf(t, r, c.value, c.part)
			}
		}
	}
	return out, n == 1
}

// element returns an element of a display.
func element(t python.Term, index int) (python.Term, bool) {
	parts := t.Terms()
	if t.Kind() != python.DisplayTerm || starred(parts) || index < 0 || index >= len(parts) {
		return python.Term{}, false
	}
	return parts[index], true
}

// argumentAdded returns the argument that a call of a container's method made the element, if it
// did.
func (f *Finder) argumentAdded(call python.Term, c *piece, from arrived, r run) (t python.Term, ok bool) {
	callee, args := call.Terms()[0], call.Terms()[1:]
	if call.Callee() == "setattr" && callee.Kind() == python.NameTerm && len(args) == 3 {
		v, known := f.valueOf(args[0], r)
		name, named := f.index(args[1], r)
		attribute, _ := python.StringOf(name.Key)
		return args[2], known && named && v == statetree.ObjectValue(c.object) && attribute == from.step.Attribute
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
	case "extend":
		return element(args[0], from.step.Index-before)
	case "setdefault":
		if len(args) == 2 {
			at, known := f.index(args[0], r)
			return args[1], known && at.Key == from.step.Key
		}
	case "update":
		return f.entry(args, from.step)
	}
	return t, false
}

// entry returns the value that keyword arguments or a dict display give to a key.
func (f *Finder) entry(args []python.Term, step python.Step) (t python.Term, ok bool) {
	name, _ := python.StringOf(step.Key)
	for _, a := range args {
		switch {
		case a.Kind() == python.KeywordTerm && a.Name() != "" && a.Name() == name:
			t, ok = a.Terms()[0], true
		case a.Kind() == python.KeywordTerm && a.Name() != "":
		default:
			return t, false
		}
	}
	return t, ok
}
