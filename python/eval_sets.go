package python

import (
	"slices"
	"strings"
)

// setOperation returns the value of a OP b for sets and the views of dicts.
func (ev *evaluation) setOperation(op string, a, b pyValue) (pyValue, bool) {
	if !strings.ContainsAny(op, "|&-^") {
		return nil, false
	}
	if (op == "&" || op == "^") && (ev.unhashable(a) || ev.unhashable(b)) {
		panic(outside(op, "of items that have no hash is not evaluated"))
	}
	x, xView := ev.asSet(a)
	y, yView := ev.asSet(b)
	if xView != yView {
		// A view's operators accept any iterable, and iterate over the other operand whatever it is.
		if xView {
			y = ev.operand(op, a.(*pyView), b)
		} else {
			x = ev.operand(op, b.(*pyView), a)
		}
	}
	if x == nil || y == nil {
		return nil, false
	}
	var result *pySet
	switch op {
	case "|":
		result = x.union(ev, y)
	case "&":
		// CPython iterates over the smaller set; if both have the same size, over the right one.
		if len(y.items) > len(x.items) {
			result = x.filter(ev, y, true)
		} else {
			result = ev.newSet(x.frozen, y.filter(ev, x, true).items)
		}
	case "-":
		result = x.filter(ev, y, false)
	case "^":
		result = x.filter(ev, y, false).union(ev, y.filter(ev, x, false))
	}
	result = result.inTableOrder(ev)
	result.torn = x.torn || y.torn || op == "|" && (x.shown || x.merges(y)) || op != "|" && len(result.items) > 1
	return result, true
}

// operand returns the operand of a view's operator as a set. For & these are only the elements that
// the view has too, because CPython does not hash the others.
func (ev *evaluation) operand(op string, view *pyView, other pyValue) *pySet {
	if s, ok := other.(*pySet); ok {
		return s
	}
	items := ev.collect(other)
	if op == "&" {
		items = slices.DeleteFunc(items, func(item pyValue) bool { return !ev.viewHas(view, item) })
	}
	return ev.newSet(false, items)
}

// asSet returns v as a set. It returns nil if v is neither a set nor a view of keys or items; view
// reports whether v is such a view.
func (ev *evaluation) asSet(v pyValue) (s *pySet, view bool) {
	switch v := v.(type) {
	case *pySet:
		return v, false
	case *pyView:
		if v.kind != "dict_values" {
			return ev.newSet(false, v.items()), true
		}
	}
	return nil, false
}

// isSetLike reports whether v is compared like a set: it is a set, or a view of keys or items.
func isSetLike(v pyValue) bool {
	switch v := v.(type) {
	case *pySet:
		return true
	case *pyView:
		return v.kind != "dict_values"
	}
	return false
}

// setOrder compares two sets or views of keys or items. Like CPython it looks for the elements of a
// view one by one, so that items need no hash (all_contained_in, Objects/dictobject.c).
func (ev *evaluation) setOrder(op string, a, b pyValue) bool {
	_, aSet := a.(*pySet)
	if _, isView := b.(*pyView); isView && aSet { // the view's method is called
		a, b = b, a
		op = mirrored[op]
	}
	x, y := elements(a), elements(b)
	switch op {
	case "==":
		return len(x) == len(y) && ev.allIn(x, b)
	case "<":
		return len(x) < len(y) && ev.allIn(x, b)
	case "<=":
		return len(x) <= len(y) && ev.allIn(x, b)
	case ">":
		return len(x) > len(y) && ev.allIn(y, a)
	}
	return len(x) >= len(y) && ev.allIn(y, a)
}

// mirrored maps comparisons to those with the operands exchanged.
var mirrored = map[string]string{"==": "==", "<": ">", "<=": ">=", ">": "<", ">=": "<="}

// elements returns the elements of a set or view.
func elements(v pyValue) []pyValue {
	if s, ok := v.(*pySet); ok {
		return s.items
	}
	return v.(*pyView).items()
}

// allIn reports whether all items are in a set or view.
func (ev *evaluation) allIn(items []pyValue, v pyValue) bool {
	for _, item := range items {
		ev.step()
		if s, ok := v.(*pySet); ok && !s.has(ev, item) || !ok && !ev.viewHas(v.(*pyView), item) {
			return false
		}
	}
	return true
}

// viewHas reports whether item is in a view of keys or items.
func (ev *evaluation) viewHas(v *pyView, item pyValue) bool {
	if v.kind == "dict_keys" {
		_, ok := v.dict.get(ev, item)
		return ok
	}
	pair, ok := item.(*pyTuple)
	if !ok || len(pair.items) != 2 {
		return false
	}
	value, ok := v.dict.get(ev, pair.items[0])
	return ok && ev.same(value, pair.items[1])
}

// unhashable reports whether v is a view with an item that has no hash.
func (ev *evaluation) unhashable(v pyValue) (without bool) {
	view, ok := v.(*pyView)
	if !ok || view.kind != "dict_items" {
		return false
	}
	defer func() {
		switch e := recover().(type) {
		case nil:
		case *EvalError:
			without = true
		default:
			panic(e)
		}
	}()
	for _, item := range view.items() {
		ev.keyOf(item)
	}
	return false
}
