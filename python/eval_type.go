package python

import (
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

// construct calls a type, like int(…) or dict(…).
func (ev *evaluation) construct(t *pyType, a *arguments) pyValue {
	switch t.name {
	case "bool":
		args := a.only(0, 1)
		return len(args) == 1 && truth(args[0])
	case "int":
		return ev.newInt(a)
	case "float":
		args := a.only(0, 1)
		if len(args) == 0 {
			return 0.0
		}
		return floatOf(args[0])
	case "complex":
		return newComplex(a)
	case "str":
		args := a.take("object?", "encoding?", "errors?")
		switch {
		case args[1] != nil || args[2] != nil:
			panic(outside("str", "bytes are decoded by their method decode"))
		case args[0] == nil:
			return pyStr("")
		}
		return ev.text(string(ev.str(args[0])))
	case "bytes":
		return ev.newBytes(a)
	case "list":
		return &pyList{ev.optionalItems(a)}
	case "tuple":
		return &pyTuple{ev.optionalItems(a)}
	case "set", "frozenset":
		s := ev.newSet(t.name == "frozenset", ev.optionalItems(a)).inTableOrder(ev)
		s.torn = len(a.positional) > 0 && (&pySet{}).merges(a.positional[0])
		return s
	case "dict":
		return ev.newDict(a)
	case "range":
		return newRangeOf(a)
	case "slice":
		args := a.only(1, 3)
		switch len(args) {
		case 1:
			return &pySlice{pyNone{}, args[0], pyNone{}}
		case 2:
			return &pySlice{args[0], args[1], pyNone{}}
		}
		return &pySlice{args[0], args[1], args[2]}
	case "type":
		if len(a.positional) != 1 || len(a.names) > 0 {
			panic(loosely("TypeError", "type() takes 1 argument here"))
		}
		switch v := a.positional[0].(type) {
		case *pyInstance:
			return v.class()
		case *pyClass, opaque:
			panic(refused("type", "is not known here"))
		case *pyType, *pyBuiltin, *pyMethod, *pyLambda:
			panic(refused("type", "the type of "+shorten(ev.repr(v))+" is no type of values known from their text"))
		default:
			return typeOf(v)
		}
	case "enumerate", "filter", "map", "reversed", "zip":
		return ev.newIter(t.name, a)
	}
	panic(raised("TypeError", "cannot create '%s' instances", t.name))
}

func (ev *evaluation) optionalItems(a *arguments) []pyValue {
	args := a.only(0, 1)
	if len(args) == 0 {
		return nil
	}
	return ev.collect(args[0])
}

// newInt implements int(…).
func (ev *evaluation) newInt(a *arguments) pyValue {
	args := a.take("/x?", "base?")
	if args[0] == nil {
		if args[1] != nil {
			panic(raised("TypeError", "int() missing string argument"))
		}
		return new(big.Int)
	}
	var text string
	switch v := args[0].(type) {
	case pyStr:
		text = string(v)
	case pyBytes:
		text = string(v)
	case float64:
		if args[1] == nil {
			return wholeOf(math.Trunc(v))
		}
	default:
		if i, ok := toInt(v); ok && args[1] == nil {
			return i
		}
		if args[1] == nil {
			panic(raised("TypeError", "int() argument must be a string, a bytes-like object or a real number, not '%s'", typeName(v)))
		}
	}
	base := 10
	if args[1] != nil {
		i := indexOf(args[1])
		if !i.IsInt64() || i.Int64() != 0 && (i.Int64() < 2 || i.Int64() > 36) {
			panic(raised("ValueError", "int() base must be >= 2 and <= 36, or 0"))
		}
		base = int(i.Int64())
	}
	if _, isText := args[0].(pyStr); !isText {
		if _, isBytes := args[0].(pyBytes); !isBytes {
			panic(raised("TypeError", "int() can't convert non-string with explicit base"))
		}
	}
	if i := parseInt(text, base); i != nil {
		return ev.number(i)
	}
	panic(raised("ValueError", "invalid literal for int() with base %d: %s", base, ev.repr(args[0])))
}

var digitsWithUnderscores = regexp.MustCompile(`^_?[0-9a-zA-Z]+(_[0-9a-zA-Z]+)*$`)

// parseInt parses an integer like int(text, base). It returns nil if int would raise ValueError.
func parseInt(text string, base int) *big.Int {
	text = strings.TrimFunc(text, isSpace)
	sign := ""
	if text != "" && (text[0] == '+' || text[0] == '-') {
		sign, text = text[:1], text[1:]
	}
	prefixed := false
	for letter, b := range map[string]int{"x": 16, "o": 8, "b": 2} {
		if len(text) > 1 && text[0] == '0' && strings.ToLower(text[1:2]) == letter && (base == b || base == 0) {
			base, text, prefixed = b, text[2:], true
			break
		}
	}
	if !digitsWithUnderscores.MatchString(text) || !prefixed && text[0] == '_' || len(text) > intBits {
		return nil
	}
	text = strings.ReplaceAll(text, "_", "")
	if base == 0 {
		if text[0] == '0' && strings.Trim(text, "0") != "" {
			return nil
		}
		base = 10
	}
	i, ok := new(big.Int).SetString(sign+text, base)
	if !ok {
		return nil
	}
	return i
}

var floatForm = regexp.MustCompile(`^[+-]?(\d+(_\d+)*(\.(\d+(_\d+)*)?)?|\.\d+(_\d+)*)([eE][+-]?\d+(_\d+)*)?$|^[+-]?(?i:inf|infinity|nan)$`)

// parseFloat parses a number like float(text). The second result is false if float would raise
// ValueError.
func parseFloat(text string) (float64, bool) {
	text = strings.TrimFunc(text, isSpace)
	if !floatForm.MatchString(text) {
		return 0, false
	}
	if strings.HasSuffix(strings.ToLower(text), "nan") {
		return math.NaN(), true
	}
	f, _ := strconv.ParseFloat(strings.ReplaceAll(text, "_", ""), 64) // infinite if out of range
	return f, true
}

func floatOf(v pyValue) float64 {
	text, isText := "", true
	switch v := v.(type) {
	case pyStr:
		text = string(v)
	case pyBytes:
		text = string(v)
	default:
		isText = false
	}
	if isText {
		f, ok := parseFloat(text)
		if !ok {
			var b strings.Builder
			if s, ok := v.(pyStr); ok {
				writeStrRepr(&b, s)
			} else {
				writeBytesRepr(&b, v.(pyBytes))
			}
			panic(raised("ValueError", "could not convert string to float: %s", b.String()))
		}
		return f
	}
	if !isReal(v) {
		panic(raised("TypeError", "float() argument must be a string or a real number, not '%s'", typeName(v)))
	}
	return toFloat(v)
}

// newComplex implements complex(…) for two real numbers, or for one complex number.
func newComplex(a *arguments) pyValue {
	args := a.take("real?", "imag?")
	if c, ok := args[0].(complex128); ok && args[1] == nil {
		return c
	}
	part := func(v pyValue, which string) float64 {
		switch v.(type) {
		case nil:
			return 0
		case complex128, pyStr:
			panic(outside("complex", "a complex number is only made of real ones"))
		}
		if !isReal(v) {
			panic(loosely("TypeError", "complex() %s must be a number, not '%s'", which, typeName(v)))
		}
		return toFloat(v)
	}
	return complex(part(args[0], "first argument"), part(args[1], "second arg"))
}

// newBytes implements bytes(…).
func (ev *evaluation) newBytes(a *arguments) pyValue {
	args := a.take("source?", "encoding?", "errors?")
	if _, isText := args[0].(pyStr); !isText && (args[1] != nil || args[2] != nil) {
		panic(loosely("TypeError", "encoding without a string argument"))
	}
	switch v := args[0].(type) {
	case nil:
		return pyBytes("")
	case pyStr:
		if args[1] == nil {
			panic(loosely("TypeError", "string argument without an encoding"))
		}
		return encode(v, args[1])
	case pyBytes:
		return v
	default:
		if _, ok := toInt(v); ok {
			n := smallIndex(v)
			if n < 0 {
				panic(raised("ValueError", "negative count"))
			}
			ev.spend(n)
			return pyBytes(make([]byte, n))
		}
		if !iterable(v) {
			panic(raised("TypeError", "cannot convert '%s' object to bytes", typeName(v)))
		}
		var out []byte
		for item := range ev.each(v) {
			i := indexOf(item)
			if !i.IsInt64() || i.Int64() < 0 || i.Int64() > 255 {
				panic(raised("ValueError", "bytes must be in range(0, 256)"))
			}
			ev.spend(1)
			out = append(out, byte(i.Int64()))
		}
		return pyBytes(out)
	}
}

// newDict implements dict(…).
func (ev *evaluation) newDict(a *arguments) pyValue {
	d := newDict()
	if len(a.positional) > 1 {
		panic(raised("TypeError", "%s expected at most 1 argument, got %d", strings.TrimPrefix(a.name, "dict."), len(a.positional)))
	}
	if len(a.positional) == 1 {
		if other, ok := a.positional[0].(*pyDict); ok {
			for i, key := range other.keys {
				d.put(ev, key, other.values[i])
			}
		} else {
			i := 0
			for pair := range ev.each(a.positional[0]) {
				if !iterable(pair) {
					panic(raised("TypeError", "cannot convert dictionary update sequence element #%d to a sequence", i))
				}
				items := ev.collect(pair)
				if len(items) != 2 {
					panic(raised("ValueError", "dictionary update sequence element #%d has length %d; 2 is required", i, len(items)))
				}
				d.put(ev, items[0], items[1])
				i++
			}
		}
	}
	for _, name := range a.names {
		d.put(ev, pyStr(name), a.named[name])
	}
	return d
}

func newRangeOf(a *arguments) pyValue {
	args := a.only(1, 3)
	parts := []*big.Int{new(big.Int), nil, big.NewInt(1)}
	if len(args) == 1 {
		parts[1] = indexOf(args[0])
	} else {
		for i, arg := range args {
			parts[i] = indexOf(arg)
		}
	}
	if parts[2].Sign() == 0 {
		panic(raised("ValueError", "range() arg 3 must not be zero"))
	}
	return newRange(parts[0], parts[1], parts[2])
}
