package python

import (
	"iter"
	"math/big"
)

// iterable tells whether iter(v) works.
func iterable(v pyValue) bool {
	switch v.(type) {
	case pyStr, pyBytes, *pyList, *pyTuple, *pyDict, *pyView, *pySet, *pyRange, *pyIter:
		return true
	}
	return false
}

// iter is iter(v).
func (ev *evaluation) iter(v pyValue) *pyIter {
	switch v := v.(type) {
	case *pyIter:
		return v
	case *pyList:
		return iterateItems("list_iterator", v.items)
	case *pyTuple:
		return iterateItems("tuple_iterator", v.items)
	case *pyDict:
		return iterateItems("dict_keyiterator", v.keys)
	case *pyView:
		return iterateItems(map[string]string{
			"dict_keys": "dict_keyiterator", "dict_values": "dict_valueiterator", "dict_items": "dict_itemiterator",
		}[v.kind], v.items())
	case *pySet:
		return iterateItems("set_iterator", v.items)
	case pyStr:
		kind, rest := "str_iterator", v
		if v.ascii() {
			kind = "str_ascii_iterator"
		}
		return &pyIter{kind, func() (pyValue, bool) {
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
		return &pyIter{"bytes_iterator", func() (pyValue, bool) {
			i++
			if i >= len(v) {
				return nil, false
			}
			return newInt(int(v[i])), true
		}}
	case *pyRange:
		i := new(big.Int)
		return &pyIter{"range_iterator", func() (pyValue, bool) {
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
	return &pyIter{kind, func() (pyValue, bool) {
		if i >= len(items) {
			return nil, false
		}
		i++
		return items[i-1], true
	}}
}

// item is r[i] for an i below r.n.
func (r *pyRange) item(i *big.Int) *big.Int {
	v := new(big.Int).Mul(i, r.step)
	return v.Add(v, r.start)
}

// each goes through what iter(v) gives.
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

// collect is list(v).
func (ev *evaluation) collect(v pyValue) []pyValue {
	out := []pyValue{}
	for item := range ev.each(v) {
		ev.spend(valueSize)
		out = append(out, item)
	}
	return out
}

// sized is the length of v; ok is false for what has none.
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

// newRange is range(start, stop, step) for a step that is not 0.
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
