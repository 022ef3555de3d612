package python

import (
	"math"
	"math/big"
)

func builtinDivmod(ev *evaluation, a *arguments) pyValue {
	args := a.only(2, 2)
	x, y := args[0], args[1]
	if !isReal(x) || !isReal(y) {
		panic(raised("TypeError", "unsupported operand type(s) for divmod(): '%s' and '%s'", typeName(x), typeName(y)))
	}
	_, isFloat := x.(float64)
	_, byFloat := y.(float64)
	if (isFloat || byFloat) && !ev.truth(y) {
		panic(raised("ZeroDivisionError", "float divmod()"))
	}
	return newTuple(ev.binary("//", x, y), ev.binary("%", x, y))
}

// hypot returns the length of the vector (x, y), correctly rounded, like recent C libraries.
func hypot(x, y float64) float64 {
	if x-x != 0 || y-y != 0 {
		return math.Hypot(x, y) // infinite or NaN
	}
	a, b := big.NewFloat(x).SetPrec(2200), big.NewFloat(y).SetPrec(2200)
	length, _ := new(big.Float).SetPrec(2200).Sqrt(a.Add(a.Mul(a, a), b.Mul(b, b))).Float64()
	return length
}

func builtinAbs(ev *evaluation, a *arguments) pyValue {
	v := a.only(1, 1)[0]
	if i, ok := toInt(v); ok {
		return new(big.Int).Abs(i)
	}
	switch v := v.(type) {
	case float64:
		return math.Abs(v)
	case complex128:
		return hypot(real(v), imag(v))
	}
	panic(raised("TypeError", "bad operand type for abs(): '%s'", typeName(v)))
}

func builtinPow(ev *evaluation, a *arguments) pyValue {
	args := a.take("base", "exp", "mod?")
	if _, none := args[2].(pyNone); args[2] == nil || none {
		return ev.binary("**", args[0], args[1])
	}
	base, ok1 := toInt(args[0])
	exp, ok2 := toInt(args[1])
	mod, ok3 := toInt(args[2])
	if !ok1 || !ok2 || !ok3 {
		if isReal(args[0]) && isReal(args[1]) && isReal(args[2]) {
			panic(raised("TypeError", "pow() 3rd argument not allowed unless all arguments are integers"))
		}
		panic(raised("TypeError", "unsupported operand type(s) for ** or pow(): '%s', '%s', '%s'", typeName(args[0]), typeName(args[1]), typeName(args[2])))
	}
	if mod.Sign() == 0 {
		panic(raised("ValueError", "pow() 3rd argument cannot be 0"))
	}
	if mod.BitLen()*exp.BitLen() > 1<<24 {
		panic(tooLarge("more time than an expression has"))
	}
	size := new(big.Int).Abs(mod)
	base = new(big.Int).Mod(base, size)
	if exp.Sign() < 0 {
		if base = new(big.Int).ModInverse(base, size); base == nil {
			panic(raised("ValueError", "base is not invertible for the given modulus"))
		}
		exp = new(big.Int).Neg(exp)
	}
	result := new(big.Int).Exp(base, exp, size)
	_, result = floorDivMod(result, mod)
	return result
}

func builtinRound(ev *evaluation, a *arguments) pyValue {
	args := a.take("number", "ndigits?")
	_, none := args[1].(pyNone)
	whole := args[1] == nil || none
	if i, ok := toInt(args[0]); ok {
		if whole || indexOf(args[1]).Sign() >= 0 {
			return i
		}
		digits := smallIndex(args[1])
		if -digits > i.BitLen() {
			return new(big.Int)
		}
		scale := new(big.Int).Exp(big.NewInt(10), newInt(-digits), nil)
		return new(big.Int).Mul(roundHalfEven(i, scale), scale)
	}
	f, ok := args[0].(float64)
	if !ok {
		panic(raised("TypeError", "type %s doesn't define __round__ method", typeName(args[0])))
	}
	if !whole {
		return roundTo(f, smallIndex(args[1]))
	}
	return wholeOf(math.RoundToEven(f))
}

// wholeOf converts a float without a fractional part to an int.
func wholeOf(f float64) *big.Int {
	switch {
	case f != f:
		panic(raised("ValueError", "cannot convert float NaN to integer"))
	case math.IsInf(f, 0):
		panic(raised("OverflowError", "cannot convert float infinity to integer"))
	}
	i, _ := big.NewFloat(f).Int(nil)
	return i
}

// builtinSum implements sum(). It compensates the rounding errors of floats, as Python does since
// 3.12 (CPython, Python/bltinmodule.c, cs_add).
func builtinSum(ev *evaluation, a *arguments) pyValue {
	args := a.take("/iterable", "start?")
	total := args[1]
	switch start := total.(type) {
	case nil:
		total = new(big.Int)
	case pyStr:
		panic(raised("TypeError", "sum() can't sum strings [use ''.join(seq) instead]"))
	case pyBytes:
		panic(raised("TypeError", "sum() can't sum bytes [use b''.join(seq) instead]"))
	default:
		total = start
	}
	compensation := 0.0
	settle := func() {
		if f, ok := total.(float64); ok && compensation != 0 && !math.IsInf(compensation, 0) && compensation == compensation {
			total = f + compensation
		}
		compensation = 0
	}
	for item := range ev.each(args[0]) {
		f, ok := total.(float64)
		x, isFloat := item.(float64)
		if !ok || !isFloat && !isReal(item) {
			settle()
			total = ev.binary("+", total, item)
			continue
		}
		if !isFloat {
			total = f + toFloat(item)
			continue
		}
		t := f + x
		if ev.interp != nil && ev.interp.version.Minor < 12 {
			total = t // 3.12 and later compensate rounding errors
			continue
		}
		if math.Abs(f) >= math.Abs(x) {
			compensation += (f - t) + x
		} else {
			compensation += (x - t) + f
		}
		total = t
	}
	settle()
	return total
}
