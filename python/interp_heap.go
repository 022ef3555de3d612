package python

import "slices"

// heapFunctions holds the functions of the module heapq (CPython, Lib/heapq.py).
var heapFunctions = map[string]builtinFunc{
	"heappush": func(ev *evaluation, a *arguments) pyValue {
		args := a.only(2, 2)
		h := ev.heap(args[0])
		ev.hold(h.list, args[1])
		h.list.items = append(slices.Clip(h.list.items), args[1])
		h.rise(0, len(h.list.items)-1)
		return pyNone{}
	},
	"heappop": func(ev *evaluation, a *arguments) pyValue {
		h := ev.heap(a.only(1, 1)[0])
		items := h.list.items
		if len(items) == 0 {
			panic(raised("IndexError", "index out of range"))
		}
		last := items[len(items)-1]
		h.list.items = slices.Clone(items[:len(items)-1])
		if len(items) == 1 {
			return last
		}
		first := h.list.items[0]
		h.list.items[0] = last
		h.sink(0)
		return first
	},
	"heapify": func(ev *evaluation, a *arguments) pyValue {
		h := ev.heap(a.only(1, 1)[0])
		h.list.items = slices.Clone(h.list.items)
		for i := len(h.list.items)/2 - 1; i >= 0; i-- {
			h.sink(i)
		}
		return pyNone{}
	},
	"heapreplace": func(ev *evaluation, a *arguments) pyValue {
		args := a.only(2, 2)
		h := ev.heap(args[0])
		if len(h.list.items) == 0 {
			panic(raised("IndexError", "index out of range"))
		}
		return h.replace(args[1])
	},
	"heappushpop": func(ev *evaluation, a *arguments) pyValue {
		args := a.only(2, 2)
		h := ev.heap(args[0])
		if len(h.list.items) == 0 || !h.less(h.list.items[0], args[1]) {
			return args[1]
		}
		return h.replace(args[1])
	},
}

// heap is a list that the heapq functions use as a heap.
type heap struct {
	ev   *evaluation
	list *pyList
}

func (ev *evaluation) heap(v pyValue) heap {
	list, ok := v.(*pyList)
	if !ok {
		panic(refused("heapq", "of what is no list"))
	}
	ev.interp.changing(list)
	return heap{ev, list}
}

// less reports whether a < b. It refuses if the comparison raises an exception, because the heap
// would then be half ordered.
func (h heap) less(a, b pyValue) bool {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case *EvalError, *thrown:
			panic(refused("heapq", "of what cannot be ordered"))
		default:
			panic(e)
		}
	}()
	return h.ev.ordered("<", a, b)
}

// replace replaces the first item of the heap, and returns it.
func (h heap) replace(item pyValue) pyValue {
	h.ev.hold(h.list, item)
	h.list.items = slices.Clone(h.list.items)
	first := h.list.items[0]
	h.list.items[0] = item
	h.sink(0)
	return first
}

// rise moves the item with index at towards the index start, past greater parents (_siftdown).
func (h heap) rise(start, at int) {
	items := h.list.items
	item := items[at]
	for at > start {
		parent := (at - 1) / 2
		if !h.less(item, items[parent]) {
			break
		}
		items[at] = items[parent]
		at = parent
	}
	items[at] = item
}

// sink moves the item with index at along the smaller children down to a leaf, and then back up to
// its place (_siftup).
func (h heap) sink(at int) {
	items, start := h.list.items, at
	item := items[at]
	for child := 2*at + 1; child < len(items); child = 2*at + 1 {
		if right := child + 1; right < len(items) && !h.less(items[child], items[right]) {
			child = right
		}
		items[at] = items[child]
		at = child
	}
	items[at] = item
	h.rise(start, at)
}
