package python

import (
	"iter"
	"math/big"
	"slices"
	"strconv"
)

// iterable reports whether v is iterable. It refuses v if that is not known.
func iterable(v pyValue) bool {
	switch v.(type) {
	case pyStr, pyBytes, *pyList, *pyTuple, *pyDict, *pyView, *pySet, *pyRange, *pyIter:
		return true
	case opaque, *imported, *instance:
		refuseInstance(v) // it may be iterable
	}
	return false
}

// known refuses a container of an interpreted program if its content is no longer known.
func (ev *evaluation) known(v pyValue) {
	if ev.interp != nil {
		ev.interp.knows(v)
	}
}

// iter returns iter(v).
func (ev *evaluation) iter(v pyValue) *pyIter {
	switch v := v.(type) {
	case *instance:
		return ev.interp.iterate(v)
	case *pyIter:
		return v
	case *pyList:
		i := -1
		return &pyIter{kind: "list_iterator", next: func() (pyValue, bool) {
			ev.known(v)
			if i++; i >= len(v.items) { // the list may have changed since
				return nil, false
			}
			return v.items[i], true
		}}
	case *pyTuple:
		return iterateItems("tuple_iterator", v.items)
	case *pyDict:
		return unchanged(iterateItems("dict_keyiterator", v.keys), "dictionary", func() int {
			ev.known(v)
			return len(v.keys)
		})
	case *pyView:
		return unchanged(iterateItems(map[string]string{
			"dict_keys": "dict_keyiterator", "dict_values": "dict_valueiterator", "dict_items": "dict_itemiterator",
		}[v.kind], v.items()), "dictionary", func() int {
			ev.known(v.dict)
			return len(v.dict.keys)
		})
	case *pySet:
		ev.ordersSet(v)
		return unchanged(iterateItems("set_iterator", v.items), "Set", func() int {
			ev.known(v)
			return len(v.items)
		})
	case pyStr:
		kind, rest := "str_iterator", v
		if v.ascii() && ev.since(11) {
			kind = "str_ascii_iterator"
		}
		return &pyIter{kind: kind, next: func() (pyValue, bool) {
			if rest == "" {
				return nil, false
			}
			_, size := decodeRune(rest)
			item := rest[:size]
			rest = rest[size:]
			return item, true
		}}
	case pyBytes:
		i := -1
		return &pyIter{kind: "bytes_iterator", next: func() (pyValue, bool) {
			i++
			if i >= len(v) {
				return nil, false
			}
			return newInt(int(v[i])), true
		}}
	case *pyRange:
		i := new(big.Int)
		return &pyIter{kind: "range_iterator", next: func() (pyValue, bool) {
			if i.Cmp(v.n) >= 0 {
				return nil, false
			}
			item := v.item(i)
			i.Add(i, big.NewInt(1))
			return item, true
		}}
	}
	panic(raised("TypeError", "'%s' object is not iterable", typeName(v)))
}

func iterateItems(kind string, items []pyValue) *pyIter {
	i := 0
	return &pyIter{kind: kind, next: func() (pyValue, bool) {
		if i >= len(items) {
			return nil, false
		}
		i++
		return items[i-1], true
	}}
}

// unchanged makes an iterator raise RuntimeError if the size of its container has changed. what is
// the type's name in the message.
func unchanged(it *pyIter, what string, size func() int) *pyIter {
	began, next := size(), it.next
	it.next = func() (pyValue, bool) {
		if size() != began {
			panic(raised("RuntimeError", "%s changed size during iteration", what))
		}
		return next()
	}
	return it
}

// item returns r[i] for an i below r.n.
func (r *pyRange) item(i *big.Int) *big.Int {
	v := new(big.Int).Mul(i, r.step)
	return v.Add(v, r.start)
}

// each iterates over v, like a for loop.
func (ev *evaluation) each(v pyValue) iter.Seq[pyValue] {
	it := ev.iter(v)
	return func(yield func(pyValue) bool) {
		for {
			ev.step()
			item, ok := it.next()
			if !ok || !yield(item) {
				return
			}
		}
	}
}

// collect returns list(v).
func (ev *evaluation) collect(v pyValue) []pyValue {
	out := []pyValue{}
	if x, ok := v.(*instance); ok && x.class.overrides("__len__", "__length_hint__") {
		panic(refused("", "an object that is asked for its length first"))
	}
	for item := range ev.each(v) {
		ev.spend(valueSize)
		out = append(out, item)
	}
	return out
}

// sized returns len(v). ok is false if v has no length.
func sized(v pyValue) (n *big.Int, ok bool) {
	switch v := v.(type) {
	case pyStr:
		return newInt(v.length()), true
	case pyBytes:
		return newInt(len(v)), true
	case *pyList:
		return newInt(len(v.items)), true
	case *pyTuple:
		return newInt(len(v.items)), true
	case *pyDict:
		return newInt(len(v.keys)), true
	case *pyView:
		return newInt(len(v.dict.keys)), true
	case *pySet:
		return newInt(len(v.items)), true
	case *pyRange:
		return v.n, true
	}
	return nil, false
}

// newRange returns range(start, stop, step) for a step that is not 0.
func newRange(start, stop, step *big.Int) *pyRange {
	n := new(big.Int).Sub(stop, start)
	n, rest := floorDivMod(n, step)
	if rest.Sign() != 0 {
		n.Add(n, big.NewInt(1))
	}
	if n.Sign() < 0 {
		n.SetInt64(0)
	}
	return &pyRange{start, stop, step, n}
}

// newIter implements enumerate, filter, map, reversed and zip.
func (ev *evaluation) newIter(kind string, a *arguments) pyValue {
	switch kind {
	case "enumerate":
		args := a.take("iterable", "start?")
		i := new(big.Int)
		if args[1] != nil {
			i.Set(indexOf(args[1]))
		}
		it := ev.iter(args[0])
		return &pyIter{kind: kind, over: []*pyIter{it}, next: func() (pyValue, bool) {
			item, ok := it.next()
			if !ok {
				return nil, false
			}
			at := new(big.Int).Set(i)
			i.Add(i, big.NewInt(1))
			return newTuple(at, item), true
		}}
	case "filter":
		args := a.only(2, 2)
		it := ev.iter(args[1])
		return &pyIter{kind: kind, over: []*pyIter{it}, next: func() (pyValue, bool) {
			for {
				ev.step()
				item, ok := it.next()
				if !ok || truth(ev.keyed(args[0], item)) {
					return item, ok
				}
			}
		}}
	case "reversed":
		v := a.only(1, 1)[0]
		switch v := v.(type) {
		case *pySet, *pyIter:
			panic(raised("TypeError", "'%s' object is not reversible", typeName(v)))
		case *pyRange:
			return &pyIter{kind: "range_iterator", next: ev.iter(reverseRange(v)).next}
		}
		if !iterable(v) {
			panic(raised("TypeError", "'%s' object is not reversible", typeName(v)))
		}
		items := ev.collect(v)
		slices.Reverse(items)
		name := map[string]string{
			"list": "list_reverseiterator", "dict": "dict_reversekeyiterator", "dict_keys": "dict_reversekeyiterator",
			"dict_values": "dict_reversevalueiterator", "dict_items": "dict_reverseitemiterator",
		}[typeName(v)]
		if name == "" {
			name = kind
		}
		return iterateItems(name, items)
	}
	return ev.newZip(kind, a)
}

// newZip implements zip and map, which iterate over several iterables in parallel.
func (ev *evaluation) newZip(kind string, a *arguments) pyValue {
	sources := a.positional
	strict := false
	if kind == "map" {
		if len(sources) < 2 || len(a.names) > 0 {
			panic(raised("TypeError", "map() must have at least two arguments."))
		}
		sources = sources[1:]
	} else {
		if len(a.names) > 0 && !ev.since(10) {
			panic(raised("TypeError", "zip() takes no keyword arguments"))
		}
		for _, name := range a.names {
			if name != "strict" {
				panic(loosely("TypeError", "zip() got an unexpected keyword argument '%s'", name))
			}
			strict = truth(a.named[name])
		}
	}
	var iters []*pyIter
	for _, source := range sources {
		iters = append(iters, ev.iter(source))
	}
	return &pyIter{kind: kind, over: iters, next: func() (pyValue, bool) {
		ev.step()
		items := make([]pyValue, len(iters))
		for i, it := range iters {
			item, ok := it.next()
			if !ok {
				if strict {
					strictEnd(iters, i)
				}
				return nil, false
			}
			items[i] = item
		}
		if len(iters) == 0 {
			return nil, false
		}
		if kind == "map" {
			return ev.callWith(a.positional[0], items...), true
		}
		return &pyTuple{items}, true
	}}
}

// strictEnd raises the ValueError of zip(strict=True) if iterator i has ended and another one has
// not.
func strictEnd(iters []*pyIter, i int) {
	if i > 0 {
		panic(raised("ValueError", "zip() argument %d is shorter than argument%s %s", i+1, plural(i), upTo(i)))
	}
	for j, it := range iters[1:] {
		if _, ok := it.next(); ok {
			panic(raised("ValueError", "zip() argument %d is longer than argument%s %s", j+2, plural(j+1), upTo(j+1)))
		}
	}
}

func upTo(n int) string {
	if n == 1 {
		return "1"
	}
	return "1-" + strconv.Itoa(n)
}

func reverseRange(r *pyRange) *pyRange {
	if r.n.Sign() == 0 {
		return r
	}
	last := r.item(new(big.Int).Sub(r.n, big.NewInt(1)))
	step := new(big.Int).Neg(r.step)
	return newRange(last, new(big.Int).Add(last, new(big.Int).Mul(step, r.n)), step)
}
