package python

import (
	"maps"
	"math/big"
	"slices"
	"sync"
)

// changeTable holds the methods that change their object, by type and name. Only an evaluation that
// reads its values from reprs has them, since it does not share its values. Other values may share
// an array of items or entries, so these methods never write into one but create a new array.
var changeTable = sync.OnceValue(func() map[string]map[string]builtinFunc {
	return map[string]map[string]builtinFunc{
		"list": {
			"append": listAppend, "clear": listClear, "extend": listExtend, "insert": listInsert,
			"pop": listPop, "remove": listRemove, "reverse": listReverse, "sort": listSort,
		},
		"dict": {
			"clear": dictClear, "pop": dictPop, "popitem": dictPopItem, "setdefault": dictSetDefault, "update": dictUpdate,
		},
		"set": {
			"add": setAdd, "clear": setClear, "discard": setDiscard, "pop": setPop, "remove": setRemove,
			"update": setChange("|"), "intersection_update": setChange("&"), "difference_update": setChange("-"),
			"symmetric_difference_update": setChange("^"),
		},
	}
})

// mayShare reports whether other values that the expression reads may be or contain the same object
// as v: v is part of a recorded value, or is one of several recorded values. A value that the
// expression created is never shared.
func (ev *evaluation) mayShare(v pyValue) bool {
	for _, recorded := range ev.values {
		if recorded == v {
			return len(ev.values) > 1
		}
		if ev.inside(v, recorded) {
			return true
		}
	}
	return false
}

// inside reports whether container contains the object v, at any depth.
func (ev *evaluation) inside(v, container pyValue) bool {
	ev.step()
	var items []pyValue
	switch c := container.(type) {
	case *pyList:
		items = c.items
	case *pyTuple:
		items = c.items
	case *pyDict:
		items = c.values
	}
	for _, item := range items {
		if item == v || ev.inside(v, item) {
			return true
		}
	}
	return false
}

// hold refuses to put an item into a container if the item is or contains that container. Nothing
// can read the repr of such a value.
func (ev *evaluation) hold(container, item pyValue) {
	if item == container || ev.inside(container, item) {
		panic(refused("", "a value that contains itself is not made"))
	}
}

// setItems replaces the items of a list, counts their memory, and returns None.
func (ev *evaluation) setItems(l *pyList, items []pyValue) pyValue {
	ev.spend(len(items) * valueSize)
	l.items = items
	return pyNone{}
}

func listAppend(ev *evaluation, a *arguments) pyValue {
	args := a.only(2, 2)
	l := args[0].(*pyList)
	ev.hold(l, args[1])
	return ev.setItems(l, append(slices.Clip(l.items), args[1]))
}

func listClear(_ *evaluation, a *arguments) pyValue {
	a.only(1, 1)[0].(*pyList).items = nil
	return pyNone{}
}

func listExtend(ev *evaluation, a *arguments) pyValue {
	args := a.only(2, 2)
	ev.runsNothing("extend", args[1])
	l, more := args[0].(*pyList), ev.collect(args[1])
	for _, item := range more {
		ev.hold(l, item)
	}
	return ev.setItems(l, append(slices.Clip(l.items), more...))
}

// runsNothing refuses a generator of the program as the argument of a method: the generator would
// see its container grow item by item.
func (ev *evaluation) runsNothing(method string, v pyValue) {
	if it, ok := v.(*pyIter); ok && ev.interp != nil && it.draws(nil) {
		panic(refused(method, "with a generator"))
	}
}

func listInsert(ev *evaluation, a *arguments) pyValue {
	args := a.only(3, 3)
	l := args[0].(*pyList)
	ev.hold(l, args[2])
	at, _ := bounds([]pyValue{indexOf(args[1])}, len(l.items))
	return ev.setItems(l, slices.Insert(slices.Clone(l.items), at, args[2]))
}

func listPop(ev *evaluation, a *arguments) pyValue {
	args := a.only(1, 2)
	l := args[0].(*pyList)
	if len(l.items) == 0 {
		panic(raised("IndexError", "pop from empty list"))
	}
	at := newInt(len(l.items) - 1)
	if len(args) == 2 {
		at = indexOf(args[1])
	}
	if at.Sign() < 0 {
		at = new(big.Int).Add(at, newInt(len(l.items)))
	}
	if at.Sign() < 0 || at.Cmp(newInt(len(l.items))) >= 0 {
		panic(raised("IndexError", "pop index out of range"))
	}
	i := int(at.Int64())
	item := l.items[i]
	ev.setItems(l, slices.Delete(slices.Clone(l.items), i, i+1))
	return item
}

func listRemove(ev *evaluation, a *arguments) pyValue {
	args := a.only(2, 2)
	l := args[0].(*pyList)
	for i, item := range l.items {
		if ev.same(item, args[1]) {
			return ev.setItems(l, slices.Delete(slices.Clone(l.items), i, i+1))
		}
	}
	panic(raised("ValueError", "list.remove(x): x not in list"))
}

func listReverse(ev *evaluation, a *arguments) pyValue {
	l := a.only(1, 1)[0].(*pyList)
	items := slices.Clone(l.items)
	slices.Reverse(items)
	return ev.setItems(l, items)
}

func listSort(ev *evaluation, a *arguments) pyValue {
	args := a.take("/self", "*key?", "*reverse?")
	l := args[0].(*pyList)
	items := l.items
	if ev.interp != nil { // during a sort CPython empties the list
		l.items = nil
		defer func() {
			if len(l.items) == 0 {
				l.items = items
			}
		}()
	}
	sorted := ev.sort(items, args[1], args[2] != nil && indexOf(args[2]).Sign() != 0)
	if len(l.items) > 0 && ev.interp != nil {
		panic(refused("sort", "of a list that changes meanwhile"))
	}
	return ev.setItems(l, sorted)
}

// fork copies the arrays and the index of a dict before the dict is changed.
func (ev *evaluation) fork(d *pyDict) {
	ev.spend(len(d.keys) * entrySize)
	d.keys, d.values, d.index = slices.Clone(d.keys), slices.Clone(d.values), maps.Clone(d.index)
}

// drop removes the entry with index at.
func (ev *evaluation) drop(d *pyDict, at int) {
	rest := newDict()
	for i, key := range d.keys {
		if i != at {
			rest.put(ev, key, d.values[i])
		}
	}
	*d = *rest
}

func dictClear(_ *evaluation, a *arguments) pyValue {
	*a.only(1, 1)[0].(*pyDict) = *newDict()
	return pyNone{}
}

func dictPop(ev *evaluation, a *arguments) pyValue {
	args := a.only(2, 3)
	d := args[0].(*pyDict)
	if len(d.keys) == 0 && len(args) == 3 { // CPython does not hash the key here
		return args[2]
	}
	if at, ok := d.index[ev.dictKey(args[1])]; ok {
		value := d.values[at]
		ev.drop(d, at)
		return value
	}
	if len(args) == 3 {
		return args[2]
	}
	panic(raised("KeyError", "%s", ev.repr(args[1])))
}

func dictPopItem(ev *evaluation, a *arguments) pyValue {
	d := a.only(1, 1)[0].(*pyDict)
	last := len(d.keys) - 1
	if last < 0 {
		panic(raised("KeyError", "'popitem(): dictionary is empty'"))
	}
	pair := newTuple(d.keys[last], d.values[last])
	ev.drop(d, last)
	return pair
}

func dictSetDefault(ev *evaluation, a *arguments) pyValue {
	args := a.only(2, 3)
	d := args[0].(*pyDict)
	if value, ok := d.get(ev, args[1]); ok {
		return value
	}
	var value pyValue = pyNone{}
	if len(args) == 3 {
		value = args[2]
	}
	ev.hold(d, value)
	ev.fork(d)
	d.put(ev, args[1], value)
	return value
}

func dictUpdate(ev *evaluation, a *arguments) pyValue {
	d := a.positional[0].(*pyDict)
	for _, more := range a.positional[1:] {
		ev.runsNothing("update", more)
	}
	other := ev.updates(&arguments{name: a.name, positional: a.positional[1:], names: a.names, named: a.named})
	ev.fork(d)
	for i, key := range other.keys {
		ev.hold(d, other.values[i])
		d.put(ev, key, other.values[i])
	}
	return pyNone{}
}

// updates returns the entries that update() adds. In a program it refuses an exception, because
// CPython would have added some of the entries before.
func (ev *evaluation) updates(a *arguments) *pyDict {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case *EvalError:
			if ev.interp != nil {
				panic(refused("update", "that fails on the way"))
			}
			panic(e)
		default:
			panic(e)
		}
	}()
	return ev.newDict(a).(*pyDict)
}

func setAdd(ev *evaluation, a *arguments) pyValue {
	args := a.only(2, 2)
	s := args[0].(*pySet)
	if !s.has(ev, args[1]) {
		before := s.order
		if before == nil {
			before = s.items
		}
		torn := s.torn || s.shown || s.order == nil && len(s.items) > 0
		*s = *ev.newSet(false, append(slices.Clip(before), args[1])).inTableOrder(ev)
		s.torn = torn
	}
	return pyNone{}
}

func setClear(ev *evaluation, a *arguments) pyValue {
	*a.only(1, 1)[0].(*pySet) = *ev.newSet(false, nil)
	return pyNone{}
}

// takeOut removes an element. ok is false if the set does not contain it.
func (s *pySet) takeOut(ev *evaluation, item pyValue) (ok bool) {
	if ok = s.has(ev, item); ok {
		given := s.given
		*s = *s.filter(ev, ev.newSet(true, []pyValue{frozen(item)}), false)
		s.shown, s.given = true, given // the other elements keep their order
	}
	return ok
}

// frozen returns a set as a frozenset, so that it can be an element. It returns other values
// unchanged.
func frozen(v pyValue) pyValue {
	if s, ok := v.(*pySet); ok {
		return &pySet{frozen: true, items: s.items, index: s.index}
	}
	return v
}

func setDiscard(ev *evaluation, a *arguments) pyValue {
	args := a.only(2, 2)
	args[0].(*pySet).takeOut(ev, args[1])
	return pyNone{}
}

func setRemove(ev *evaluation, a *arguments) pyValue {
	args := a.only(2, 2)
	if !args[0].(*pySet).takeOut(ev, args[1]) {
		panic(raised("KeyError", "%s", ev.repr(args[1])))
	}
	return pyNone{}
}

// setPop removes an element. It refuses a set with several elements: their hashes determine which
// one is removed, and a repr does not show hashes.
func setPop(ev *evaluation, a *arguments) pyValue {
	s := a.only(1, 1)[0].(*pySet)
	switch len(s.items) {
	case 0:
		panic(raised("KeyError", "'pop from an empty set'"))
	case 1:
		item := s.items[0]
		*s = *ev.newSet(false, nil)
		return item
	}
	panic(outside(".pop", "takes an element that the text of a set does not tell, and is not done"))
}

// setChange implements a method such as update, which changes a set by an operation with any
// iterables.
func setChange(op string) builtinFunc {
	return func(ev *evaluation, a *arguments) pyValue {
		most := 1 << 20
		if op == "^" {
			most = 2
		}
		args := a.only(1, most)
		s := args[0].(*pySet)
		for _, other := range args[1:] {
			ev.runsNothing("update", other)
			torn := s.torn || s.shown || op != "|" || s.merges(other)
			*s = *ev.binary(op, s, ev.newSet(false, ev.collect(other))).(*pySet)
			s.torn = torn
		}
		return pyNone{}
	}
}
