package python

import (
	"math/big"
	"slices"
	"strings"
)

func (ev *evaluation) unary(op string, v pyValue) pyValue {
	if i, ok := toInt(v); ok {
		switch op {
		case "-":
			return ev.number(new(big.Int).Neg(i))
		case "~":
			return ev.number(new(big.Int).Not(i))
		}
		return i
	}
	switch v := v.(type) {
	case float64:
		switch op {
		case "-":
			return -v
		case "+":
			return v
		}
	case complex128:
		switch op {
		case "-":
			return -v
		case "+":
			return v
		}
	}
	panic(raised("TypeError", "bad operand type for unary %s: '%s'", op, typeName(v)))
}

// binary returns the value of a OP b.
func (ev *evaluation) binary(op string, a, b pyValue) pyValue {
	ev.step()
	if result, ok := ev.arithmetic(op, a, b); ok {
		return result
	}
	if result, ok := ev.setOperation(op, a, b); ok {
		return result
	}
	switch op {
	case "+":
		if result, ok := ev.concat(a, b); ok {
			return result
		}
	case "*":
		if n, ok := toInt(b); ok && isSequence(a) {
			return ev.repeat(a, n)
		}
		if n, ok := toInt(a); ok && isSequence(b) {
			return ev.repeat(b, n)
		}
		if isSequence(a) || isSequence(b) {
			other := b
			if !isSequence(a) {
				other = a
			}
			panic(raised("TypeError", "can't multiply sequence by non-int of type '%s'", typeName(other)))
		}
	case "%":
		switch a := a.(type) {
		case pyStr:
			return ev.percent(a, b)
		case pyBytes:
			panic(outside("%", "bytes are not formatted"))
		}
	case "|":
		x, ok := a.(*pyDict)
		y, too := b.(*pyDict)
		if ok && too {
			d := newDict()
			for _, part := range []*pyDict{x, y} {
				for i, key := range part.keys {
					d.put(ev, key, part.values[i])
				}
			}
			return d
		}
		if isTypeLike(a) && isTypeLike(b) {
			panic(outside("|", "unions of types are not made"))
		}
	}
	if op == "**" {
		op = "** or pow()"
	}
	panic(raised("TypeError", "unsupported operand type(s) for %s: '%s' and '%s'", op, typeName(a), typeName(b)))
}

func isTypeLike(v pyValue) bool {
	switch v.(type) {
	case *pyType, pyNone:
		return true
	}
	return false
}

// arithmetic returns the value of a OP b for numbers. ok is false if these operands do not support
// it.
func (ev *evaluation) arithmetic(op string, a, b pyValue) (result pyValue, ok bool) {
	x, xInt := toInt(a)
	y, yInt := toInt(b)
	if xInt && yInt {
		result, ok = ev.intOperation(op, x, y)
		_, xBool := a.(bool)
		_, yBool := b.(bool)
		if i, isInt := result.(*big.Int); isInt && xBool && yBool && slices.Contains([]string{"&", "|", "^"}, op) {
			return i.Sign() != 0, true
		}
		return result, ok
	}
	if isReal(a) && isReal(b) {
		return ev.floatOperation(op, a, b)
	}
	_, xComplex := a.(complex128)
	_, yComplex := b.(complex128)
	if (xComplex || isReal(a)) && (yComplex || isReal(b)) {
		return complexOperation(op, a, b)
	}
	return nil, false
}

func (ev *evaluation) intOperation(op string, a, b *big.Int) (pyValue, bool) {
	switch op {
	case "+":
		return ev.number(new(big.Int).Add(a, b)), true
	case "-":
		return ev.number(new(big.Int).Sub(a, b)), true
	case "*":
		if a.BitLen()+b.BitLen() > intBits+1 {
			panic(tooLarge("a number of %d bits", a.BitLen()+b.BitLen()))
		}
		return ev.number(new(big.Int).Mul(a, b)), true
	case "/":
		if b.Sign() == 0 {
			panic(raised("ZeroDivisionError", "division by zero"))
		}
		return trueDiv(a, b), true
	case "//", "%":
		switch {
		case b.Sign() != 0:
		case op == "%":
			panic(raised("ZeroDivisionError", "integer modulo by zero"))
		default:
			panic(raised("ZeroDivisionError", "integer division or modulo by zero"))
		}
		q, r := floorDivMod(a, b)
		if op == "//" {
			return ev.number(q), true
		}
		return ev.number(r), true
	case "**":
		if b.Sign() < 0 {
			return ev.powFloat(toFloat(a), toFloat(b)), true
		}
		return ev.powInt(a, b), true
	case "<<", ">>":
		return ev.shift(op, a, b), true
	case "&":
		return ev.number(new(big.Int).And(a, b)), true
	case "|":
		return ev.number(new(big.Int).Or(a, b)), true
	case "^":
		return ev.number(new(big.Int).Xor(a, b)), true
	}
	return nil, false
}

func (ev *evaluation) shift(op string, a, b *big.Int) *big.Int {
	switch {
	case b.Sign() < 0:
		panic(raised("ValueError", "negative shift count"))
	case op == ">>" && !b.IsInt64(), op == ">>" && b.Int64() > intBits:
		return new(big.Int).Rsh(a, intBits)
	case op == ">>":
		return ev.number(new(big.Int).Rsh(a, uint(b.Int64())))
	case a.Sign() == 0:
		return a
	case !b.IsInt64() || b.Int64() > intBits:
		panic(tooLarge("a number of more than %d bits", intBits))
	}
	return ev.number(new(big.Int).Lsh(a, uint(b.Int64())))
}

func (ev *evaluation) floatOperation(op string, a, b pyValue) (pyValue, bool) {
	if !slices.Contains([]string{"+", "-", "*", "/", "//", "%", "**"}, op) {
		return nil, false
	}
	x, y := toFloat(a), toFloat(b)
	switch op {
	case "+":
		return x + y, true
	case "-":
		return x - y, true
	case "*":
		return x * y, true
	case "**":
		return ev.powFloat(x, y), true
	}
	if y == 0 {
		panic(raised("ZeroDivisionError", "%s", map[string]string{
			"/": "float division by zero", "//": "float floor division by zero", "%": "float modulo",
		}[op]))
	}
	switch op {
	case "/":
		return x / y, true
	case "//":
		q, _ := floatDivMod(x, y)
		return q, true
	}
	_, r := floatDivMod(x, y)
	return r, true
}

func complexOperation(op string, a, b pyValue) (pyValue, bool) {
	switch op {
	case "+":
		return toComplex(a) + toComplex(b), true
	case "-":
		return toComplex(a) - toComplex(b), true
	case "*", "/", "**": // the result depends on the version and on the C library
		panic(outside(op, "complex numbers are only added and subtracted"))
	}
	return nil, false
}

// concat returns the value of a + b for two sequences of one type.
func (ev *evaluation) concat(a, b pyValue) (pyValue, bool) {
	switch x := a.(type) {
	case pyStr:
		if y, ok := b.(pyStr); ok {
			ev.spend(len(x) + len(y))
			return x + y, true
		}
		panic(raised("TypeError", `can only concatenate str (not "%s") to str`, typeName(b)))
	case pyBytes:
		if y, ok := b.(pyBytes); ok {
			ev.spend(len(x) + len(y))
			return x + y, true
		}
		panic(raised("TypeError", "can't concat %s to bytes", typeName(b)))
	case *pyList:
		if y, ok := b.(*pyList); ok {
			return ev.list(slices.Concat(x.items, y.items)), true
		}
		panic(raised("TypeError", `can only concatenate list (not "%s") to list`, typeName(b)))
	case *pyTuple:
		if y, ok := b.(*pyTuple); ok {
			return ev.tuple(slices.Concat(x.items, y.items)), true
		}
		panic(raised("TypeError", `can only concatenate tuple (not "%s") to tuple`, typeName(b)))
	}
	return nil, false
}

func isSequence(v pyValue) bool {
	switch v.(type) {
	case pyStr, pyBytes, *pyList, *pyTuple:
		return true
	}
	return false
}

// repeat returns the value of v * n for a sequence.
func (ev *evaluation) repeat(v pyValue, count *big.Int) pyValue {
	size := 0
	switch v := v.(type) {
	case pyStr:
		size = len(v)
	case pyBytes:
		size = len(v)
	case *pyList:
		size = len(v.items) * valueSize
	case *pyTuple:
		size = len(v.items) * valueSize
	}
	n := 0
	if count.Sign() > 0 && size > 0 {
		if !count.IsInt64() || count.Int64() > memoryLimit/int64(size) {
			panic(tooLarge("more than %d MiB of memory", memoryLimit>>20))
		}
		n = int(count.Int64())
	}
	ev.spend(size * n)
	switch v := v.(type) {
	case pyStr:
		return pyStr(strings.Repeat(string(v), n))
	case pyBytes:
		return pyBytes(strings.Repeat(string(v), n))
	case *pyTuple:
		return &pyTuple{slices.Repeat(v.items, n)}
	}
	return &pyList{slices.Repeat(v.(*pyList).items, n)}
}

// outside returns the error for an operation that the evaluator does not support.
func outside(name, reason string) *RefusedError {
	return refused(name, reason+" without Python (docs/expressions.md says what is evaluated)")
}
