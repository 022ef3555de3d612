package python

import (
	"math/big"
	"slices"
	"sync"
	"unicode/utf8"
)

// builtinTable holds the built-in functions whose result depends only on their arguments. Types are
// in the table types.
var builtinTable = sync.OnceValue(func() map[string]*pyBuiltin {
	table := map[string]*pyBuiltin{}
	for name, call := range map[string]builtinFunc{
		"abs": builtinAbs, "all": builtinAll, "any": builtinAny, "ascii": builtinASCII, "bin": builtinDigits(2, "0b"),
		"chr": builtinChr, "divmod": builtinDivmod, "format": builtinFormat, "hex": builtinDigits(16, "0x"),
		"isinstance": builtinIsInstance, "issubclass": builtinIsSubclass, "iter": builtinIter, "len": builtinLen,
		"max": builtinExtreme(">"), "min": builtinExtreme("<"), "next": builtinNext, "oct": builtinDigits(8, "0o"),
		"ord": builtinOrd, "pow": builtinPow, "repr": builtinRepr, "round": builtinRound, "sorted": builtinSorted,
		"sum": builtinSum,
	} {
		table[name] = &pyBuiltin{name, call}
	}
	return table
})

func builtinAll(ev *evaluation, a *arguments) pyValue {
	values := a.only(1, 1)[0]
	for item := range ev.each(values) {
		if !ev.truth(item) {
			ev.interp.leaveOff(values)
			return false
		}
	}
	return true
}

func builtinAny(ev *evaluation, a *arguments) pyValue {
	values := a.only(1, 1)[0]
	for item := range ev.each(values) {
		if ev.truth(item) {
			ev.interp.leaveOff(values)
			return true
		}
	}
	return false
}

func builtinRepr(ev *evaluation, a *arguments) pyValue {
	return ev.reprText(a.only(1, 1)[0])
}

// reprText returns repr(v). If v is an object of an interpreted program, its __repr__ is called.
func (ev *evaluation) reprText(v pyValue) pyStr {
	if ev.interp != nil {
		if text, ok := ev.interp.reprOf(v); ok {
			return text
		}
	}
	return ev.text(ev.repr(v))
}

func builtinASCII(ev *evaluation, a *arguments) pyValue {
	return ev.text(asciiText(string(ev.reprText(a.only(1, 1)[0]))))
}

// builtinDigits implements bin, oct and hex.
func builtinDigits(base int, prefix string) builtinFunc {
	return func(ev *evaluation, a *arguments) pyValue {
		i := indexOf(a.only(1, 1)[0])
		ev.spend(i.BitLen())
		if i.Sign() < 0 {
			return pyStr("-" + prefix + new(big.Int).Abs(i).Text(base))
		}
		return pyStr(prefix + i.Text(base))
	}
}

// indexOf returns operator.index(v): an int, or else a TypeError.
func indexOf(v pyValue) *big.Int {
	i, ok := toInt(v)
	if !ok {
		panic(raised("TypeError", "'%s' object cannot be interpreted as an integer", typeName(v)))
	}
	return i
}

// smallIndex is like indexOf for a count or a position, which must fit into 64 bits.
func smallIndex(v pyValue) int {
	i := indexOf(v)
	if !i.IsInt64() {
		panic(raised("OverflowError", "Python int too large to convert to C ssize_t"))
	}
	return int(i.Int64())
}

func builtinChr(ev *evaluation, a *arguments) pyValue {
	i := indexOf(a.only(1, 1)[0])
	if i.BitLen() > 31 {
		panic(loosely("OverflowError", "Python int too large to convert to C int"))
	}
	if i.Int64() < 0 || i.Int64() > utf8.MaxRune {
		panic(raised("ValueError", "chr() arg not in range(0x110000)"))
	}
	return strOf([]rune{rune(i.Int64())})
}

func builtinOrd(ev *evaluation, a *arguments) pyValue {
	n := 0
	switch v := a.only(1, 1)[0].(type) {
	case pyStr:
		if n = v.length(); n == 1 {
			r, _ := decodeRune(v)
			return newInt(int(r))
		}
	case pyBytes:
		if n = len(v); n == 1 {
			return newInt(int(v[0]))
		}
	default:
		panic(raised("TypeError", "ord() expected string of length 1, but %s found", typeName(v)))
	}
	panic(raised("TypeError", "ord() expected a character, but string of length %d found", n))
}

func builtinIsInstance(ev *evaluation, a *arguments) pyValue {
	args := a.only(2, 2)
	if ev.interp != nil {
		if is, ok := ev.interp.isInstance(args[0], args[1]); ok {
			return is
		}
	}
	refuseInstance(args[0])
	return ev.isOneOf(typeName(args[0]), args[1], "isinstance() arg 2 must be a type, a tuple of types, or a union")
}

func builtinIsSubclass(ev *evaluation, a *arguments) pyValue {
	args := a.only(2, 2)
	t, ok := args[0].(*pyType)
	if !ok {
		refuseInstance(args[0]) // its class may be one of the program's
		panic(raised("TypeError", "issubclass() arg 1 must be a class"))
	}
	return ev.isOneOf(t.name, args[1], "issubclass() arg 2 must be a class, a tuple of classes, or a union")
}

func (ev *evaluation) isOneOf(name string, of pyValue, complaint string) bool {
	defer ev.enter()()
	switch of := of.(type) {
	case *pyType:
		return isSubclass(name, of.name)
	case *pyTuple:
		return slices.ContainsFunc(of.items, func(t pyValue) bool { return ev.isOneOf(name, t, complaint) })
	}
	panic(raised("TypeError", "%s", complaint))
}

func builtinIter(ev *evaluation, a *arguments) pyValue {
	args := a.only(1, 2)
	if len(args) == 2 {
		panic(outside("iter", "a function is not called until it gives a value"))
	}
	return ev.iter(args[0])
}

func builtinNext(ev *evaluation, a *arguments) pyValue {
	args := a.only(1, 2)
	it, ok := args[0].(*pyIter)
	if !ok {
		panic(raised("TypeError", "'%s' object is not an iterator", typeName(args[0])))
	}
	if item, ok := it.next(); ok {
		return item
	}
	if len(args) == 2 {
		return args[1]
	}
	panic(raised("StopIteration", ""))
}

func builtinLen(ev *evaluation, a *arguments) pyValue {
	v := a.only(1, 1)[0]
	n, ok := sized(v)
	if !ok {
		panic(raised("TypeError", "object of type '%s' has no len()", typeName(v)))
	}
	if !n.IsInt64() {
		panic(raised("OverflowError", "Python int too large to convert to C ssize_t"))
	}
	return n
}

// builtinExtreme implements max and min. If several items are equally large or small, it returns
// the first one.
func builtinExtreme(op string) builtinFunc {
	return func(ev *evaluation, a *arguments) pyValue {
		for _, name := range a.names {
			if name != "key" && name != "default" {
				panic(raised("TypeError", "%s() got an unexpected keyword argument '%s'", a.name, name))
			}
		}
		key, otherwise := a.named["key"], a.named["default"]
		var values pyValue
		switch {
		case len(a.positional) == 0:
			panic(raised("TypeError", "%s expected at least 1 argument, got 0", a.name))
		case len(a.positional) == 1:
			values = a.positional[0]
		case otherwise != nil:
			panic(raised("TypeError", "Cannot specify a default for %s() with multiple positional arguments", a.name))
		default:
			values = newTuple(a.positional...)
		}
		var best, bestKey pyValue
		for item := range ev.each(values) {
			itemKey := ev.keyed(key, item)
			if best == nil || ev.ordered(op, itemKey, bestKey) {
				best, bestKey = item, itemKey
			}
		}
		switch {
		case best != nil:
			return best
		case otherwise != nil:
			return otherwise
		}
		panic(raised("ValueError", "%s() iterable argument is empty", a.name))
	}
}

// keyed returns key(item), or the item itself if there is no key function.
func (ev *evaluation) keyed(key, item pyValue) pyValue {
	if _, ok := key.(pyNone); ok || key == nil {
		return item
	}
	return ev.callWith(key, item)
}

func builtinSorted(ev *evaluation, a *arguments) pyValue {
	args := a.take("/iterable", "*key?", "*reverse?")
	items := ev.collect(args[0])
	reverse := false
	if args[2] != nil {
		reverse = indexOf(args[2]).Sign() != 0
	}
	return ev.list(ev.sort(items, args[1], reverse))
}

// sort sorts items stably. Equal items keep their order also with reverse.
func (ev *evaluation) sort(items []pyValue, key pyValue, reverse bool) []pyValue {
	type entry struct{ key, item pyValue }
	entries := make([]entry, len(items))
	for i, item := range items {
		entries[i] = entry{ev.keyed(key, item), item}
	}
	if reverse {
		slices.Reverse(entries)
	}
	slices.SortStableFunc(entries, func(x, y entry) int {
		switch {
		case ev.ordered("<", x.key, y.key):
			return -1
		case ev.ordered("<", y.key, x.key):
			return 1
		}
		return 0
	})
	if reverse {
		slices.Reverse(entries)
	}
	out := make([]pyValue, len(items))
	for i, e := range entries {
		out[i] = e.item
	}
	return out
}

func builtinFormat(ev *evaluation, a *arguments) pyValue {
	args := a.only(1, 2)
	spec := pyStr("")
	if len(args) == 2 {
		s, ok := args[1].(pyStr)
		if !ok {
			panic(raised("TypeError", "format() argument 2 must be str, not %s", typeName(args[1])))
		}
		spec = s
	}
	return ev.format(args[0], string(spec))
}
