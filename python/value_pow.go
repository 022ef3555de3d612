package python

import (
	"math"
	"math/big"
)

// powPrecision is how many bits powers are computed with before they are
// rounded. C's pow is off by little more than half a unit in the last place, so
// that rounding correctly gives its result nearly always; Go's math.Pow is not
// that exact.
const powPrecision = 160

// powInt is a ** b for ints, b not negative.
func (ev *evaluation) powInt(a, b *big.Int) *big.Int {
	if a.BitLen() > 1 && (!b.IsInt64() || b.Int64() > intBits || int64(a.BitLen()-1)*b.Int64() > intBits) {
		panic(tooLarge("a power of more than %d bits", intBits))
	}
	if a.BitLen() <= 1 && b.BitLen() > 1 { // 0, 1 and -1
		b = new(big.Int).Or(big.NewInt(2), new(big.Int).And(b, big.NewInt(1)))
	}
	return ev.number(new(big.Int).Exp(a, b, nil))
}

// powFloat is a ** b for floats (CPython, Objects/floatobject.c, float_pow). A
// negative number to a power that is not whole is complex.
func powFloat(a, b float64) pyValue {
	if a == 0 && b < 0 {
		panic(raised("ZeroDivisionError", "0.0 cannot be raised to a negative power"))
	}
	if a < 0 && !math.IsInf(a, 0) && !math.IsInf(b, 0) && b != math.Floor(b) {
		return powComplex(complex(a, 0), complex(b, 0))
	}
	f := math.Pow(a, b)
	if math.IsInf(a, 0) || a != a || math.IsInf(b, 0) || b != b || a == 0 || a == 1 || b == 0 {
		return f
	}
	if math.IsInf(f, 0) || f == 0 || math.Abs(f) < 1e-300 || math.Abs(f) > 1e300 {
		if math.IsInf(f, 0) {
			panic(raised("OverflowError", "(34, 'Numerical result out of range')"))
		}
		return f
	}
	exact := expBig(new(big.Float).SetPrec(powPrecision).Mul(big.NewFloat(b), logBig(math.Abs(a))))
	rounded, _ := exact.Float64()
	return math.Copysign(rounded, f)
}

// logBig is the natural logarithm of a positive float: ln(m·2^e) by the series
// of the inverse hyperbolic tangent.
func logBig(f float64) *big.Float {
	m, e := math.Frexp(f)
	if m < math.Sqrt2/2 {
		m, e = 2*m, e-1
	}
	ln2 := atanhTwice(newFloat(1), newFloat(3)) // ln 2 = 2·atanh(1/3)
	part := atanhTwice(new(big.Float).SetPrec(powPrecision).Sub(newFloat(m), newFloat(1)),
		new(big.Float).SetPrec(powPrecision).Add(newFloat(m), newFloat(1)))
	return part.Add(part, ln2.Mul(ln2, newFloat(float64(e))))
}

func newFloat(f float64) *big.Float { return new(big.Float).SetPrec(powPrecision).SetFloat64(f) }

// atanhTwice is 2·atanh(a/b) for |a/b| ≤ 1/3.
func atanhTwice(a, b *big.Float) *big.Float {
	z := new(big.Float).SetPrec(powPrecision).Quo(a, b)
	square := new(big.Float).SetPrec(powPrecision).Mul(z, z)
	sum := newFloat(0)
	power := newFloat(2)
	power.Mul(power, z)
	for k := 1; power.Sign() != 0 && (sum.Sign() == 0 || power.MantExp(nil) > sum.MantExp(nil)-powPrecision); k += 2 {
		sum.Add(sum, new(big.Float).SetPrec(powPrecision).Quo(power, newFloat(float64(k))))
		power.Mul(power, square)
	}
	return sum
}

// expBig is e**x: the series for a small part of x, squared back up.
func expBig(x *big.Float) *big.Float {
	const halvings = 16
	shift := max(0, x.MantExp(nil)) + halvings
	small := new(big.Float).SetPrec(powPrecision).SetMantExp(x, -shift)
	sum, term := newFloat(1), newFloat(1)
	for k := 1; term.Sign() != 0 && term.MantExp(nil) > -powPrecision; k++ {
		term.Mul(term, small)
		term.Quo(term, newFloat(float64(k)))
		sum.Add(sum, term)
	}
	for range shift {
		sum.Mul(sum, sum)
	}
	return sum
}

// powComplex is a ** b (CPython, Objects/complexobject.c, complex_pow).
func powComplex(a, b complex128) complex128 {
	if imag(b) == 0 && real(b) == math.Floor(real(b)) && math.Abs(real(b)) <= 100 {
		n := int(real(b))
		power := complex(1, 0)
		if n == 0 {
			return power
		}
		base := a
		for m := uint(max(n, -n)); m > 0; m >>= 1 {
			if m&1 != 0 {
				power = mulComplex(power, base)
			}
			base = mulComplex(base, base)
		}
		if n > 0 {
			return power
		}
		if a == 0 {
			panic(raised("ZeroDivisionError", "0.0 to a negative or complex power"))
		}
		return divComplex(1, power)
	}
	switch {
	case b == 0:
		return 1
	case a == 0 && (imag(b) != 0 || real(b) < 0):
		panic(raised("ZeroDivisionError", "0.0 to a negative or complex power"))
	case a == 0:
		return 0
	}
	// Sine and cosine differ in their last digits from C's.
	panic(outside("**", "a complex number to a power that is not whole is not evaluated"))
}
