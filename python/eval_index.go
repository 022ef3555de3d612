package python

import "math/big"

// subscript returns v[index].
func (ev *evaluation) subscript(v, index pyValue) pyValue {
	switch v := v.(type) {
	case *pyDict:
		value, ok := v.get(ev, index)
		if !ok {
			panic(raised("KeyError", "%s", ev.repr(index)))
		}
		return value
	case *pyType:
		panic(outside("[…]", "generic types are not made"))
	case pyStr, pyBytes, *pyList, *pyTuple, *pyRange:
	default:
		panic(raised("TypeError", "'%s' object is not subscriptable", typeName(v)))
	}
	size, _ := sized(v)
	if s, ok := index.(*pySlice); ok {
		start, stop, step := sliceIndices(s, size)
		return ev.slice(v, newRange(start, stop, step))
	}
	i, ok := toInt(index)
	if !ok {
		what := "indices must be integers or slices"
		if typeName(v) == "str" {
			panic(raised("TypeError", "string indices must be integers, not '%s'", typeName(index)))
		}
		if typeName(v) == "bytes" {
			panic(raised("TypeError", "byte %s, not %s", what, typeName(index)))
		}
		panic(raised("TypeError", "%s %s, not %s", typeName(v), what, typeName(index)))
	}
	if i.Sign() < 0 {
		i = new(big.Int).Add(i, size)
	}
	if i.Sign() < 0 || i.Cmp(size) >= 0 {
		name := typeName(v)
		switch name {
		case "str":
			name = "string"
		case "bytes":
			panic(raised("IndexError", "index out of range"))
		case "range":
			name = "range object"
		}
		panic(raised("IndexError", "%s index out of range", name))
	}
	return itemAt(v, i)
}

// itemAt returns v[i] for an index within v.
func itemAt(v pyValue, i *big.Int) pyValue {
	if r, ok := v.(*pyRange); ok {
		return r.item(i)
	}
	at := int(i.Int64())
	switch v := v.(type) {
	case pyStr:
		return v.at(at)
	case pyBytes:
		return newInt(int(v[at]))
	case *pyList:
		return v.items[at]
	}
	return v.(*pyTuple).items[at]
}

// sliceIndices returns s.indices(size): where a slice of a sequence of this length begins and ends
// (CPython, Objects/sliceobject.c).
func sliceIndices(s *pySlice, size *big.Int) (start, stop, step *big.Int) {
	part := func(v pyValue) *big.Int {
		if _, ok := v.(pyNone); ok {
			return nil
		}
		i, ok := toInt(v)
		if !ok {
			panic(raised("TypeError", "slice indices must be integers or None or have an __index__ method"))
		}
		return i
	}
	start, stop, step = part(s.start), part(s.stop), part(s.step)
	if step == nil {
		step = big.NewInt(1)
	}
	if step.Sign() == 0 {
		panic(raised("ValueError", "slice step cannot be zero"))
	}
	low, high := new(big.Int), size
	if step.Sign() < 0 {
		low, high = big.NewInt(-1), new(big.Int).Sub(size, big.NewInt(1))
	}
	clamp := func(i, otherwise *big.Int) *big.Int {
		if i == nil {
			return otherwise
		}
		if i.Sign() < 0 {
			i = new(big.Int).Add(i, size)
		}
		if i.Cmp(low) < 0 {
			return low
		}
		if i.Cmp(high) > 0 {
			return high
		}
		return i
	}
	if step.Sign() < 0 {
		return clamp(start, high), clamp(stop, low), step
	}
	return clamp(start, low), clamp(stop, high), step
}

// slice returns the items of v at the indexes in r, which are all valid.
func (ev *evaluation) slice(v pyValue, r *pyRange) pyValue {
	if whole, ok := v.(*pyRange); ok {
		return newRange(whole.item(r.start), whole.item(r.stop), new(big.Int).Mul(whole.step, r.step))
	}
	n, start, step := int(r.n.Int64()), int(r.start.Int64()), 0
	if n > 1 {
		step = int(r.step.Int64())
	}
	pick := func(items []pyValue) []pyValue {
		ev.spend(n * valueSize)
		out := make([]pyValue, n)
		for i := range out {
			out[i] = items[start+i*step]
		}
		return out
	}
	switch v := v.(type) {
	case *pyList:
		return &pyList{pick(v.items)}
	case *pyTuple:
		return &pyTuple{pick(v.items)}
	case pyBytes:
		ev.spend(n)
		out := make([]byte, n)
		for i := range out {
			out[i] = v[start+i*step]
		}
		return pyBytes(out)
	}
	s := v.(pyStr)
	if n == 0 {
		return pyStr("")
	}
	ev.spend(len(s))
	if s.ascii() && (step == 1 || n < 2) {
		return s[start : start+n]
	}
	runes := s.runes()
	out := make([]rune, n)
	for i := range out {
		out[i] = runes[start+i*step]
	}
	return strOf(out)
}
