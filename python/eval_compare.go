package python

import (
	"math"
	"math/big"
	"math/cmplx"
	"slices"
	"strings"
)

// compare returns the value of a OP b for a comparison operator.
func (ev *evaluation) compare(op string, a, b pyValue) pyValue {
	switch op {
	case "==":
		return ev.equal(a, b)
	case "!=":
		return !ev.equal(a, b)
	case "in":
		return ev.contains(b, a)
	case "not in":
		return !ev.contains(b, a)
	case "is":
		return ev.identical(a, b)
	case "is not":
		return !ev.identical(a, b)
	}
	return ev.ordered(op, a, b)
}

// identical reports whether a is b. The rules have checked that one of them is a unique object,
// such as None.
func (ev *evaluation) identical(a, b pyValue) bool {
	if ev.interp != nil {
		return ev.interp.identical(a, b)
	}
	switch x := a.(type) {
	case *pyType:
		y, ok := b.(*pyType)
		return ok && x.name == y.name
	case pyNone, pyEllipsis, bool:
		return a == b
	}
	return false
}

// equal reports whether a == b.
func (ev *evaluation) equal(a, b pyValue) bool {
	defer ev.enter()()
	if ev.interp != nil {
		if same, ok := ev.interp.equal(a, b); ok {
			return same
		}
	}
	refuseInstance(a)
	refuseInstance(b)
	switch x := a.(type) {
	case pyNone, pyEllipsis, pyStr, pyBytes:
		return a == b
	case bool, *big.Int, float64, complex128:
		return equalNumbers(a, b)
	case *pyList:
		y, ok := b.(*pyList)
		return ok && ev.equalItems(x.items, y.items)
	case *pyTuple:
		y, ok := b.(*pyTuple)
		return ok && ev.equalItems(x.items, y.items)
	case *pyDict:
		y, ok := b.(*pyDict)
		return ok && ev.equalDicts(x, y)
	case *pyRange:
		y, ok := b.(*pyRange)
		return ok && x.key() == y.key()
	case *pySlice:
		y, ok := b.(*pySlice)
		return ok && ev.equalItems([]pyValue{x.start, x.stop, x.step}, []pyValue{y.start, y.stop, y.step})
	case *pyType:
		return ev.identical(a, b)
	case *pyMethod:
		y, ok := b.(*pyMethod)
		return ok && x.name == y.name && isType(x.self) && ev.equal(x.self, y.self)
	}
	if isSetLike(a) && isSetLike(b) {
		return ev.setOrder("==", a, b)
	}
	return a == b // functions and iterators are compared by pointer
}

func isType(v pyValue) bool {
	_, ok := v.(*pyType)
	return ok
}

func equalNumbers(a, b pyValue) bool {
	_, aComplex := a.(complex128)
	_, bComplex := b.(complex128)
	if !aComplex && !bComplex {
		order, ok := 0, isReal(a) && isReal(b)
		if ok {
			order, ok = compareReal(a, b)
		}
		return ok && order == 0
	}
	if !aComplex {
		a, b = b, a
	}
	c := a.(complex128)
	if d, ok := b.(complex128); ok {
		return c == d
	}
	return isReal(b) && imag(c) == 0 && equalNumbers(real(c), b)
}

// nanIdentity is the refusal of a search for a nan in a container: the container compares a nan by
// identity.
var nanIdentity = refused("nan", "a container compares it by identity, which text does not tell")

// same reports whether a is b or a == b, as containers compare their items.
func (ev *evaluation) same(a, b pyValue) bool {
	if isNaN(a) && isNaN(b) {
		panic(nanIdentity)
	}
	return ev.equal(a, b)
}

// isNaN reports whether v is a float or complex number that contains a NaN.
func isNaN(v pyValue) bool {
	switch v := v.(type) {
	case float64:
		return math.IsNaN(v)
	case complex128:
		return cmplx.IsNaN(v)
	}
	return false
}

func (ev *evaluation) equalItems(a, b []pyValue) bool {
	return slices.EqualFunc(a, b, ev.same)
}

func (ev *evaluation) equalDicts(a, b *pyDict) bool {
	if len(a.keys) != len(b.keys) {
		return false
	}
	for key, i := range a.index {
		j, ok := b.index[key]
		if !ok || !ev.same(a.values[i], b.values[j]) {
			return false
		}
	}
	return true
}

// contains reports whether item is in v.
func (ev *evaluation) contains(v, item pyValue) bool {
	switch v := v.(type) {
	case pyStr:
		s, ok := item.(pyStr)
		if !ok {
			panic(raised("TypeError", "'in <string>' requires string as left operand, not %s", typeName(item)))
		}
		ev.spend(len(s) / 64)
		return strings.Contains(string(v), string(s))
	case pyBytes:
		if s, ok := item.(pyBytes); ok {
			return strings.Contains(string(v), string(s))
		}
		i, ok := toInt(item)
		if !ok {
			panic(raised("TypeError", "a bytes-like object is required, not '%s'", typeName(item)))
		}
		if !i.IsInt64() || i.Int64() < 0 || i.Int64() > 255 {
			panic(raised("ValueError", "byte must be in range(0, 256)"))
		}
		return strings.IndexByte(string(v), byte(i.Int64())) >= 0
	case *pyDict:
		_, ok := v.get(ev, item)
		return ok
	case *pySet:
		return v.has(ev, item)
	case *pyView:
		if v.kind != "dict_values" {
			return ev.viewHas(v, item)
		}
	case *pyRange:
		if i, ok := toInt(item); ok {
			return v.has(i)
		}
	}
	if !iterable(v) {
		panic(raised("TypeError", "argument of type '%s' is not iterable", typeName(v)))
	}
	for other := range ev.each(v) {
		if ev.same(other, item) {
			return true
		}
	}
	return false
}

// has reports whether a range contains an int.
func (r *pyRange) has(i *big.Int) bool {
	at := new(big.Int).Sub(i, r.start)
	at, rest := floorDivMod(at, r.step)
	return rest.Sign() == 0 && at.Sign() >= 0 && at.Cmp(r.n) < 0
}

// ordered reports whether a OP b, for <, <=, > and >=.
func (ev *evaluation) ordered(op string, a, b pyValue) bool {
	defer ev.enter()()
	holds := func(order int) bool {
		switch op {
		case "<":
			return order < 0
		case "<=":
			return order <= 0
		case ">":
			return order > 0
		}
		return order >= 0
	}
	if isReal(a) && isReal(b) {
		order, ok := compareReal(a, b)
		return ok && holds(order)
	}
	switch x := a.(type) {
	case pyStr:
		if y, ok := b.(pyStr); ok {
			return holds(strings.Compare(string(x), string(y)))
		}
	case pyBytes:
		if y, ok := b.(pyBytes); ok {
			return holds(strings.Compare(string(x), string(y)))
		}
	case *pyList:
		if y, ok := b.(*pyList); ok {
			return ev.orderedItems(op, x.items, y.items, holds)
		}
	case *pyTuple:
		if y, ok := b.(*pyTuple); ok {
			return ev.orderedItems(op, x.items, y.items, holds)
		}
	case *pySlice:
		if y, ok := b.(*pySlice); ok {
			return ev.orderedItems(op, []pyValue{x.start, x.stop, x.step}, []pyValue{y.start, y.stop, y.step}, holds)
		}
	}
	if isSetLike(a) && isSetLike(b) {
		return ev.setOrder(op, a, b)
	}
	panic(raised("TypeError", "'%s' not supported between instances of '%s' and '%s'", op, typeName(a), typeName(b)))
}

// orderedItems compares two sequences: by the first items that differ, or else by length.
func (ev *evaluation) orderedItems(op string, a, b []pyValue, holds func(order int) bool) bool {
	for i := range min(len(a), len(b)) {
		if !ev.same(a[i], b[i]) {
			return ev.ordered(op, a[i], b[i])
		}
	}
	return holds(len(a) - len(b))
}

// inTableOrder orders the elements of a new set as CPython iterates over them, if they are ints,
// whose hash is their value. Like CPython it inserts them one by one into a hash table
// (set_add_entry, Objects/setobject.c). The order can differ for sets that CPython builds from
// other sets, if ints are large or negative. Sets with other elements keep the order of insertion.
func (s *pySet) inTableOrder(ev *evaluation) *pySet {
	hashes := make([]uint64, len(s.items))
	for i, item := range s.items {
		n, ok := toInt(item)
		if !ok {
			return s
		}
		hashes[i] = uint64(intHash(n))
	}
	ev.spend(len(s.items) * 8 * valueSize)
	table := newHashTable(8)
	for i, hash := range hashes {
		table.insert(hash, i)
		if used := i + 1; used*5 >= (len(table)-1)*3 {
			least := used * 4
			if used > 50000 {
				least = used * 2
			}
			size := 8
			for size <= least {
				size <<= 1
			}
			grown := newHashTable(size)
			for _, at := range table {
				if at >= 0 {
					grown.insert(hashes[at], at)
				}
			}
			table = grown
		}
	}
	ordered := make([]pyValue, 0, len(s.items))
	for _, at := range table {
		if at >= 0 {
			ordered = append(ordered, s.items[at])
		}
	}
	made := ev.newSet(s.frozen, ordered)
	made.order = s.items
	return made
}

// merged orders the elements of a set that CPython copies from another set: CPython first allocates
// a table of the final size, and then inserts the elements in the other set's order (set_merge,
// Objects/setobject.c).
func (s *pySet) merged(ev *evaluation) *pySet {
	used := len(s.items)
	if used*5 < 7*3 {
		return s // CPython copies the table
	}
	size := 8
	for size <= used*2 {
		size <<= 1
	}
	table := newHashTable(size)
	for i, item := range s.items {
		n, ok := toInt(item)
		if !ok {
			return s
		}
		table.insert(uint64(intHash(n)), i)
	}
	ordered := make([]pyValue, 0, used)
	for _, at := range table {
		if at >= 0 {
			ordered = append(ordered, s.items[at])
		}
	}
	made := ev.newSet(s.frozen, ordered)
	made.shown = true // the order of these elements is known, but not the order after another one is added
	return made
}

// hashTable is a hash table with open addressing. Each slot holds the index of an element, or -1 if
// it is free.
type hashTable []int

func newHashTable(size int) hashTable {
	t := make(hashTable, size)
	for i := range t {
		t[i] = -1
	}
	return t
}

// insert puts an element into the first free slot for its hash.
func (t hashTable) insert(hash uint64, at int) {
	const linearProbes, perturbShift = 9, 5
	mask := uint64(len(t) - 1)
	perturb := hash
	i := hash & mask
	for {
		last := i
		if i+linearProbes <= mask {
			last = i + linearProbes
		}
		for j := i; j <= last; j++ {
			if t[j] < 0 {
				t[j] = at
				return
			}
		}
		perturb >>= perturbShift
		i = (i*5 + 1 + perturb) & mask
	}
}

// intHash returns hash(n) on 64-bit machines: n modulo 2**61-1 with the sign of n, and -2 instead
// of -1.
func intHash(n *big.Int) int64 {
	modulus := big.NewInt(1<<61 - 1)
	hash := new(big.Int).Rem(n, modulus).Int64()
	if hash == -1 {
		return -2
	}
	return hash
}
