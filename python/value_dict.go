package python

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
)

// A hashKey is a comparable Go value that is equal for values that are the same key in Python: 1,
// 1.0 and True have the same hashKey.
type hashKey any

type (
	noneKey     struct{}
	ellipsisKey struct{}
	bigKey      string
	compoundKey string
)

// pyDict is a dict. It preserves the order of insertion.
type pyDict struct {
	keys, values []pyValue
	index        map[hashKey]int
}

func newDict() *pyDict { return &pyDict{index: map[hashKey]int{}} }

// put sets an entry. Call it only for a dict that is being created.
func (d *pyDict) put(ev *evaluation, key, value pyValue) {
	k := ev.dictKey(key)
	if i, ok := d.index[k]; ok {
		d.values[i] = value
		return
	}
	ev.spend(entrySize)
	d.index[k] = len(d.keys)
	d.keys = append(d.keys, key)
	d.values = append(d.values, value)
}

func (d *pyDict) get(ev *evaluation, key pyValue) (pyValue, bool) {
	i, ok := d.index[ev.dictKey(key)]
	if !ok {
		return nil, false
	}
	return d.values[i], true
}

// items returns the pairs of d, as tuples.
func (d *pyDict) items() []pyValue {
	out := make([]pyValue, len(d.keys))
	for i, key := range d.keys {
		out[i] = newTuple(key, d.values[i])
	}
	return out
}

// pyView is the value of d.keys(), d.values() or d.items().
type pyView struct {
	kind string // "dict_keys", "dict_values", "dict_items"
	dict *pyDict
}

func (v *pyView) items() []pyValue {
	switch v.kind {
	case "dict_keys":
		return v.dict.keys
	case "dict_values":
		return v.dict.values
	}
	return v.dict.items()
}

// pySet is a set. Its items are in CPython's order where that is known, else in the order of
// insertion: CPython's order depends on the set's history.
type pySet struct {
	frozen bool
	shown  bool      // it was read from a repr, which shows the set's order
	given  bool      // its repr may come from the user, so its order may differ from CPython's
	order  []pyValue // order of insertion, if known
	torn   bool      // its hash table may depend on more than the order of insertion
	items  []pyValue
	index  map[hashKey]int
}

func (s *pySet) typeName() string {
	if s.frozen {
		return "frozenset"
	}
	return "set"
}

func (ev *evaluation) newSet(frozen bool, items []pyValue) *pySet {
	s := &pySet{frozen: frozen, index: make(map[hashKey]int, len(items))}
	for _, item := range items {
		s.add(ev, item)
	}
	return s
}

// add adds an element. Call it only for a set that is being created.
func (s *pySet) add(ev *evaluation, item pyValue) {
	k := ev.element(item)
	if _, ok := s.index[k]; ok {
		return
	}
	ev.spend(entrySize)
	s.index[k] = len(s.items)
	s.items = append(s.items, item)
}

func (s *pySet) has(ev *evaluation, item pyValue) bool {
	if inner, ok := item.(*pySet); ok && !inner.frozen {
		item = &pySet{frozen: true, items: inner.items, index: inner.index} // an unhashable set is looked up as the equal frozenset
	}
	_, ok := s.index[ev.element(item)]
	return ok
}

// merges reports whether CPython, when it adds the elements of v, may resize the set's table at
// once, which gives another order than adding one element after the other (Objects/setobject.c,
// set_merge).
func (s *pySet) merges(v pyValue) bool {
	more := 0
	switch v := v.(type) {
	case *pySet:
		more = len(v.items)
	case *pyDict:
		more = len(v.keys)
	}
	return more > 0 && len(s.items)+more >= 5
}

// filter returns the elements of s that are in t, or if in is false, those that are not.
func (s *pySet) filter(ev *evaluation, t *pySet, in bool) *pySet {
	var items []pyValue
	for _, item := range s.items {
		if _, ok := t.index[ev.element(item)]; ok == in {
			items = append(items, item)
		}
	}
	return ev.newSet(s.frozen, items)
}

func (s *pySet) union(ev *evaluation, t *pySet) *pySet {
	return ev.newSet(s.frozen, append(slices.Clone(s.items), t.items...))
}

// dictKey returns the hashKey of a value as a dict key.
func (ev *evaluation) dictKey(v pyValue) hashKey { return ev.keyFor("a dict key", v) }

// element returns the hashKey of a value as a set element.
func (ev *evaluation) element(v pyValue) hashKey { return ev.keyFor("a set element", v) }

// keyFor returns the hashKey of a value. use is how the value is used: Python's message for an
// unhashable value contains it since 3.14.
func (ev *evaluation) keyFor(use string, v pyValue) hashKey {
	defer func() {
		e := recover()
		if err, ok := e.(*EvalError); ok && err.newer == "" {
			err.newer = fmt.Sprintf("cannot use '%s' as %s (%s)", typeName(v), use, err.Message)
		}
		if e != nil {
			panic(e)
		}
	}()
	return ev.keyOf(v)
}

// keyOf returns the hashKey of a value. An unhashable value raises TypeError.
func (ev *evaluation) keyOf(v pyValue) hashKey {
	switch v := v.(type) {
	case pyNone:
		return noneKey{}
	case pyEllipsis:
		return ellipsisKey{}
	case bool:
		if v {
			return int64(1)
		}
		return int64(0)
	case *big.Int:
		if v.IsInt64() {
			return v.Int64()
		}
		return bigKey(v.Text(62))
	case float64:
		return floatKey(v)
	case complex128:
		if imag(v) == 0 {
			return floatKey(real(v))
		}
		if isNaN(v) {
			panic(nanIdentity)
		}
		return compoundKey(fmt.Sprintf("c%v,%v", real(v), imag(v)))
	case pyStr, pyBytes:
		return v
	case *pyTuple:
		return ev.compoundKey("t", v.items)
	case *pyRange:
		return v.key()
	case *pySet:
		if v.frozen {
			return ev.frozenKey(v)
		}
	case *pyType:
		return v.name
	case *instance:
		if v.class.overrides("__eq__", "__hash__") || v.born == wasRead || ev.interp.unsure[v] {
			refuseInstance(v)
		}
		return v
	case *class, *function:
		return v
	case *pySlice:
		if ev.since(12) {
			panic(outside("slice", "it is not a key")) // a slice is hashable here
		}
	case *pyBuiltin, *pyMethod, *pyLambda, *pyIter:
		return v
	case *pyView:
		if v.kind == "dict_values" {
			return v
		}
	}
	panic(raised("TypeError", "unhashable type: '%s'", typeName(v)))
}

func floatKey(f float64) hashKey {
	switch {
	case math.IsNaN(f):
		panic(nanIdentity)
	case f != math.Trunc(f) || math.IsInf(f, 0):
		return f
	case math.Abs(f) < 1<<62:
		return int64(f)
	}
	i, _ := big.NewFloat(f).Int(nil)
	if i.IsInt64() {
		return i.Int64()
	}
	return bigKey(i.Text(62))
}

func (r *pyRange) key() hashKey {
	switch {
	case r.n.Sign() == 0:
		return compoundKey("r")
	case r.n.Cmp(big.NewInt(1)) == 0:
		return compoundKey("r" + r.start.String())
	}
	return compoundKey("r" + r.start.String() + "," + r.n.String() + "," + r.step.String())
}

// compoundKey combines the hashKeys of items into one, so that different sequences have different
// keys.
func (ev *evaluation) compoundKey(kind string, items []pyValue) compoundKey {
	defer ev.enter()()
	var b strings.Builder
	b.WriteString(kind)
	for _, item := range items {
		part := keyText(ev.keyOf(item))
		ev.spend(len(part))
		fmt.Fprintf(&b, "%d:%s", len(part), part)
	}
	return compoundKey(b.String())
}

func (ev *evaluation) frozenKey(s *pySet) compoundKey {
	defer ev.enter()()
	parts := make([]string, 0, len(s.items))
	for k := range s.index {
		parts = append(parts, keyText(k))
		ev.spend(len(parts[len(parts)-1]))
	}
	slices.Sort(parts)
	var b strings.Builder
	b.WriteString("f")
	for _, part := range parts {
		fmt.Fprintf(&b, "%d:%s", len(part), part)
	}
	return compoundKey(b.String())
}

func keyText(k hashKey) string {
	switch k := k.(type) {
	case pyStr:
		return "s" + string(k)
	case pyBytes:
		return "b" + string(k)
	case compoundKey:
		return string(k)
	case bigKey:
		return "i" + string(k)
	case string:
		return "T" + k
	case *pyBuiltin, *pyMethod, *pyLambda, *pyIter, *pyView:
		return fmt.Sprintf("p%p", k)
	}
	return fmt.Sprintf("%T%v", k, k)
}
