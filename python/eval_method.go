package python

import (
	"math"
	"math/big"
	"slices"
	"strings"
	"sync"
)

// methodTable holds the methods that do not change their object, by type and name.
var methodTable = sync.OnceValue(func() map[string]map[string]builtinFunc {
	return map[string]map[string]builtinFunc{
		"str": strMethods(), "bytes": bytesMethods(), "int": intMethods(), "bool": intMethods(), "float": floatMethods(),
		"complex": {"conjugate": func(_ *evaluation, a *arguments) pyValue {
			c := a.only(1, 1)[0].(complex128)
			return complex(real(c), -imag(c))
		}},
		"list":  {"index": methodIndex, "count": methodCount, "copy": listCopy},
		"tuple": {"index": methodIndex, "count": methodCount},
		"range": {"index": func(ev *evaluation, a *arguments) pyValue {
			a.only(2, 2)
			return methodIndex(ev, a)
		}, "count": methodCount},
		"dict": {
			"get": dictGet, "keys": dictView("dict_keys"), "values": dictView("dict_values"), "items": dictView("dict_items"),
			"copy": dictCopy, "fromkeys": dictFromKeys,
		},
		"set": setMethods(), "frozenset": setMethods(),
	}
})

// knownMethods holds the public attributes of the literal types (dir(str), …). Any other attribute
// is one of an object, which reprs do not show.
var knownMethods = func() map[string]bool {
	known := map[string]bool{}
	for name := range strings.FieldsSeq(`capitalize casefold center count encode endswith expandtabs find format
		format_map index isalnum isalpha isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace
		istitle isupper join ljust lower lstrip maketrans partition removeprefix removesuffix replace rfind rindex
		rjust rpartition rsplit rstrip split splitlines startswith strip swapcase title translate upper zfill
		decode fromhex hex as_integer_ratio bit_count bit_length conjugate denominator from_bytes imag is_integer
		numerator real to_bytes from_number append clear copy extend insert pop remove reverse sort fromkeys get items
		keys popitem setdefault update values add difference difference_update discard intersection
		intersection_update isdisjoint issubset issuperset symmetric_difference symmetric_difference_update union`) {
		known[name] = true
	}
	return known
}()

// unmade lists, by type, the methods that are not implemented.
var unmade = map[string]string{
	"str": " maketrans translate ", "bytes": " maketrans translate fromhex ",
	"float": " hex fromhex from_number ",
}

// attribute returns v.name.
func (ev *evaluation) attribute(v pyValue, name string) pyValue {
	if ev.interp != nil {
		if found, ok := ev.interp.getAttribute(v, name); ok {
			return found
		}
		if strings.HasPrefix(name, "__") {
			panic(refused("."+name, "is not computed"))
		}
	}
	if found, ok := ofInstance(v, name); ok {
		return found
	}
	if i, ok := toInt(v); ok {
		switch name {
		case "real", "numerator":
			return i
		case "imag":
			return new(big.Int)
		case "denominator":
			return big.NewInt(1)
		}
	}
	switch v := v.(type) {
	case float64:
		switch name {
		case "real":
			return v
		case "imag":
			return 0.0
		}
	case complex128:
		switch name {
		case "real":
			return real(v)
		case "imag":
			return imag(v)
		}
	case *pyRange:
		if part, ok := map[string]*big.Int{"start": v.start, "stop": v.stop, "step": v.step}[name]; ok {
			return part
		}
	}
	owner := typeName(v)
	t, isType := v.(*pyType)
	if isType {
		owner = t.name
	}
	if call, ok := ev.methods[owner][name]; ok {
		if name == "fromkeys" || name == "from_bytes" {
			v = pyNone{} // a class method gets no self
		}
		return &pyMethod{v, name, call}
	}
	if call, ok := ev.changers[owner][name]; ok {
		if !ev.changes {
			panic(outside("."+name, "changes its value, and what changes a value is not done"))
		}
		if ev.mayShare(v) {
			panic(refused("."+name, "changes a value that other values in the expression may share, which texts do not show"))
		}
		if ev.interp != nil {
			call = ev.interp.noting(v, call)
		}
		return &pyMethod{v, name, call}
	}
	switch {
	case strings.Contains(unmade[owner], " "+name+" "):
		panic(outside("."+name, "is not evaluated"))
	case isType:
		panic(raised("AttributeError", "type object '%s' has no attribute '%s'", owner, name))
	}
	panic(raised("AttributeError", "'%s' object has no attribute '%s'", owner, name))
}

func listCopy(_ *evaluation, a *arguments) pyValue {
	return &pyList{a.only(1, 1)[0].(*pyList).items}
}

func dictCopy(_ *evaluation, a *arguments) pyValue {
	d := *a.only(1, 1)[0].(*pyDict)
	return &d
}

func setCopy(_ *evaluation, a *arguments) pyValue {
	s := *a.only(1, 1)[0].(*pySet)
	s.torn = s.torn || s.shown || len(s.items) > 4 // the copy's table may have another size
	s.shown = false
	return &s
}

func methodCount(ev *evaluation, a *arguments) pyValue {
	args := a.only(2, 2)
	n := 0
	for item := range ev.each(args[0]) {
		if ev.same(item, args[1]) {
			n++
		}
	}
	return newInt(n)
}

func methodIndex(ev *evaluation, a *arguments) pyValue {
	args := a.only(2, 4)
	items := ev.collect(args[0])
	start, stop := bounds(args[2:], len(items))
	for i := start; i < stop; i++ {
		if ev.same(items[i], args[1]) {
			return newInt(i)
		}
	}
	switch v := args[0].(type) {
	case *pyTuple:
		panic(raised("ValueError", "tuple.index(x): x not in tuple"))
	default:
		panic(raised("ValueError", "%s is not in %s", ev.repr(args[1]), typeName(v)))
	}
}

// bounds converts optional start and stop arguments to indexes into n items.
func bounds(args []pyValue, n int) (start, stop int) {
	s := &pySlice{pyNone{}, pyNone{}, pyNone{}}
	if len(args) > 0 && args[0] != nil {
		s.start = args[0]
	}
	if len(args) > 1 && args[1] != nil {
		s.stop = args[1]
	}
	from, to, _ := sliceIndices(s, newInt(n))
	return int(from.Int64()), int(to.Int64())
}

func dictGet(ev *evaluation, a *arguments) pyValue {
	args := a.only(2, 3)
	if v, ok := args[0].(*pyDict).get(ev, args[1]); ok {
		return v
	}
	if len(args) == 3 {
		return args[2]
	}
	return pyNone{}
}

func dictView(kind string) builtinFunc {
	return func(_ *evaluation, a *arguments) pyValue {
		return &pyView{kind, a.only(1, 1)[0].(*pyDict)}
	}
}

func dictFromKeys(ev *evaluation, a *arguments) pyValue {
	args := a.only(2, 3)
	var value pyValue = pyNone{}
	if len(args) == 3 {
		value = args[2]
	}
	d := newDict()
	for key := range ev.each(args[1]) {
		d.put(ev, key, value)
	}
	return d
}

// setMethods returns the methods of set and frozenset. Unlike the operators they accept any
// iterable.
func setMethods() map[string]builtinFunc {
	table := map[string]builtinFunc{"copy": setCopy}
	for name, op := range map[string]string{"union": "|", "intersection": "&", "difference": "-"} {
		table[name] = func(ev *evaluation, a *arguments) pyValue {
			args := a.only(1, 1<<20)
			result := args[0]
			for _, other := range args[1:] {
				result = ev.binary(op, result, ev.newSet(false, ev.collect(other)))
			}
			return result
		}
	}
	table["symmetric_difference"] = func(ev *evaluation, a *arguments) pyValue {
		args := a.only(2, 2)
		return ev.binary("^", args[0], ev.newSet(false, ev.collect(args[1])))
	}
	for name, op := range map[string]string{"issubset": "<=", "issuperset": ">="} {
		table[name] = func(ev *evaluation, a *arguments) pyValue {
			args := a.only(2, 2)
			return ev.ordered(op, args[0], ev.newSet(false, ev.collect(args[1])))
		}
	}
	table["isdisjoint"] = func(ev *evaluation, a *arguments) pyValue {
		args := a.only(2, 2)
		return len(args[0].(*pySet).filter(ev, ev.newSet(false, ev.collect(args[1])), true).items) == 0
	}
	return table
}

func intMethods() map[string]builtinFunc {
	self := func(f func(i *big.Int) pyValue) builtinFunc {
		return func(_ *evaluation, a *arguments) pyValue {
			i, _ := toInt(a.only(1, 1)[0])
			return f(i)
		}
	}
	return map[string]builtinFunc{
		"bit_length": self(func(i *big.Int) pyValue { return newInt(i.BitLen()) }),
		"bit_count": self(func(i *big.Int) pyValue {
			return newInt(strings.Count(new(big.Int).Abs(i).Text(2), "1"))
		}),
		"from_bytes":       intFromBytes,
		"to_bytes":         intToBytes,
		"conjugate":        self(func(i *big.Int) pyValue { return i }),
		"is_integer":       self(func(*big.Int) pyValue { return true }),
		"as_integer_ratio": self(func(i *big.Int) pyValue { return newTuple(i, big.NewInt(1)) }),
	}
}

// byteOrder reports whether the byteorder argument is "big".
func byteOrder(v pyValue) bool {
	switch v {
	case nil, pyStr("big"):
		return true
	case pyStr("little"):
		return false
	}
	panic(raised("ValueError", "byteorder must be either 'little' or 'big'"))
}

func intFromBytes(ev *evaluation, a *arguments) pyValue {
	args := a.take("/type", "bytes", "byteorder?", "*signed?")
	raw, ok := args[1].(pyBytes)
	if !ok {
		raw = ev.newBytes(&arguments{name: a.name, positional: args[1:2]}).(pyBytes)
	}
	digits := []byte(raw)
	if !byteOrder(args[2]) {
		slices.Reverse(digits)
	}
	i := new(big.Int).SetBytes(digits)
	if args[3] != nil && truth(args[3]) && len(digits) > 0 && digits[0] >= 0x80 {
		i.Sub(i, new(big.Int).Lsh(big.NewInt(1), uint(8*len(digits))))
	}
	return ev.number(i)
}

// intToBytes implements int.to_bytes, with the defaults of Python 3.11.
func intToBytes(ev *evaluation, a *arguments) pyValue {
	args := a.take("/self", "length?", "byteorder?", "*signed?")
	i, _ := toInt(args[0])
	n := 1
	if args[1] != nil {
		n = smallIndex(args[1])
	}
	bigEndian := byteOrder(args[2])
	signed := args[3] != nil && truth(args[3])
	switch {
	case n < 0:
		panic(raised("ValueError", "length argument must be non-negative"))
	case i.Sign() < 0 && !signed:
		panic(raised("OverflowError", "can't convert negative int to unsigned"))
	}
	ev.spend(n)
	bits := i.BitLen()
	if signed {
		if i.Sign() < 0 {
			bits = new(big.Int).Not(i).BitLen()
		}
		bits++
	}
	if bits > 8*n && (i.Sign() != 0 || n > 0) {
		panic(raised("OverflowError", "int too big to convert"))
	}
	if i.Sign() < 0 {
		i = new(big.Int).Add(i, new(big.Int).Lsh(big.NewInt(1), uint(8*n)))
	}
	out := i.FillBytes(make([]byte, n))
	if !bigEndian {
		slices.Reverse(out)
	}
	return pyBytes(out)
}

func floatMethods() map[string]builtinFunc {
	self := func(f func(x float64) pyValue) builtinFunc {
		return func(_ *evaluation, a *arguments) pyValue { return f(a.only(1, 1)[0].(float64)) }
	}
	return map[string]builtinFunc{
		"is_integer": self(func(x float64) pyValue { return x == math.Trunc(x) && !math.IsInf(x, 0) }),
		"conjugate":  self(func(x float64) pyValue { return x }),
		"as_integer_ratio": self(func(x float64) pyValue {
			switch {
			case x != x:
				panic(raised("ValueError", "cannot convert NaN to integer ratio"))
			case math.IsInf(x, 0):
				panic(raised("OverflowError", "cannot convert Infinity to integer ratio"))
			}
			exact := new(big.Rat)
			exact.SetFloat64(x)
			return newTuple(exact.Num(), exact.Denom())
		}),
	}
}
