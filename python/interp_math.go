package python

import (
	"math"
	"math/big"
)

// mathFunctions holds the functions of math whose result does not depend on the C library. Of the
// functions that C does not round exactly, it holds those with an error below 0.54 units in the
// last place in glibc: pow, exp, log and log2.
var mathFunctions = map[string]builtinFunc{
	"sqrt": func(_ *evaluation, a *arguments) pyValue {
		x := realOf(a.only(1, 1)[0])
		if x < 0 {
			panic(refused("math.sqrt", "of a negative number")) // the error message depends on the version
		}
		return math.Sqrt(x)
	},
	"fabs": func(_ *evaluation, a *arguments) pyValue { return math.Abs(realOf(a.only(1, 1)[0])) },
	"floor": func(_ *evaluation, a *arguments) pyValue {
		v := a.only(1, 1)[0]
		if i, ok := toInt(v); ok {
			return i
		}
		return wholeOf(math.Floor(realOf(v)))
	},
	"ceil": func(_ *evaluation, a *arguments) pyValue {
		v := a.only(1, 1)[0]
		if i, ok := toInt(v); ok {
			return i
		}
		return wholeOf(math.Ceil(realOf(v)))
	},
	"trunc": func(_ *evaluation, a *arguments) pyValue {
		v := a.only(1, 1)[0]
		if i, ok := toInt(v); ok {
			return i
		}
		return wholeOf(math.Trunc(realOf(v)))
	},
	"radians":  func(_ *evaluation, a *arguments) pyValue { return finite(realOf(a.only(1, 1)[0])) * (math.Pi / 180) },
	"degrees":  func(_ *evaluation, a *arguments) pyValue { return finite(realOf(a.only(1, 1)[0])) * (180 / math.Pi) },
	"isnan":    func(_ *evaluation, a *arguments) pyValue { return math.IsNaN(realOf(a.only(1, 1)[0])) },
	"isinf":    func(_ *evaluation, a *arguments) pyValue { return math.IsInf(realOf(a.only(1, 1)[0]), 0) },
	"isfinite": func(_ *evaluation, a *arguments) pyValue { return !math.IsNaN(realOf(a.only(1, 1)[0]) * 0) },
	"copysign": func(_ *evaluation, a *arguments) pyValue {
		args := a.only(2, 2)
		return math.Copysign(realOf(args[0]), realOf(args[1]))
	},
	"pow": func(ev *evaluation, a *arguments) pyValue {
		args := a.only(2, 2)
		x, y := finite(realOf(args[0])), finite(realOf(args[1]))
		if x <= 0 {
			panic(refused("math.pow", "of this base"))
		}
		return ev.powFloat(x, y)
	},
	"exp": func(_ *evaluation, a *arguments) pyValue {
		x := finite(realOf(a.only(1, 1)[0]))
		if math.Abs(x) > 600 {
			panic(refused("math.exp", "of this number"))
		}
		return surely("math.exp", expBig(newFloat(x)))
	},
	"log": func(_ *evaluation, a *arguments) pyValue {
		args := a.only(1, 2)
		log := surely("math.log", logOf(args[0]))
		if len(args) == 1 {
			return log
		}
		base := surely("math.log", logOf(args[1]))
		if base == 0 {
			panic(refused("math.log", "with this base"))
		}
		return log / base
	},
	"log2": func(_ *evaluation, a *arguments) pyValue {
		log := logOf(a.only(1, 1)[0])
		return surely("math.log2", log.Quo(log, logBig(2)))
	},
	"lcm": func(_ *evaluation, a *arguments) pyValue {
		result := big.NewInt(1)
		for _, v := range a.positional {
			i := new(big.Int).Abs(indexOf(v))
			if i.Sign() == 0 || result.Sign() == 0 {
				result = new(big.Int)
				continue
			}
			result.Div(new(big.Int).Mul(result, i), new(big.Int).GCD(nil, nil, result, i))
		}
		return result
	},
	"comb": func(_ *evaluation, a *arguments) pyValue {
		args := a.only(2, 2)
		n, k := smallIndex(args[0]), smallIndex(args[1])
		if n < 0 || k < 0 || n > 2000 {
			panic(refused("math.comb", "of these numbers"))
		}
		return new(big.Int).Binomial(int64(n), int64(k))
	},
	"gcd": func(_ *evaluation, a *arguments) pyValue {
		result := new(big.Int)
		for _, v := range a.positional {
			result.GCD(nil, nil, result, new(big.Int).Abs(indexOf(v)))
		}
		return result
	},
	"isqrt": func(_ *evaluation, a *arguments) pyValue {
		i := indexOf(a.only(1, 1)[0])
		if i.Sign() < 0 {
			panic(raised("ValueError", "isqrt() argument must be nonnegative"))
		}
		return new(big.Int).Sqrt(i)
	},
	"factorial": func(ev *evaluation, a *arguments) pyValue {
		n := smallIndex(a.only(1, 1)[0])
		if n < 0 {
			panic(raised("ValueError", "factorial() not defined for negative values"))
		}
		if n > 2000 {
			panic(tooLarge("the factorial of %d", n))
		}
		return new(big.Int).MulRange(1, int64(max(n, 1)))
	},
}

// finite refuses infinities and NaN.
func finite(x float64) float64 {
	if math.IsNaN(x * 0) {
		panic(refused("math", "of what is not finite"))
	}
	return x
}

// logOf returns the natural logarithm of a positive number.
func logOf(v pyValue) *big.Float {
	x := finite(realOf(v))
	if x <= 0 {
		panic(refused("math.log", "of a number that is not positive"))
	}
	return logBig(x)
}

// surely returns the float to which any C library rounds an exact result. It refuses a result close
// to halfway between two floats, since C libraries may round it either way.
func surely(function string, exact *big.Float) float64 {
	rounded, _ := exact.Float64()
	if halfway(exact, rounded) {
		panic(refused(function, "may be rounded up or down"))
	}
	return rounded
}

// realOf converts a real number to a float.
func realOf(v pyValue) float64 {
	if !isReal(v) {
		panic(refused("math", "of what is no number"))
	}
	return floatOf(v)
}
