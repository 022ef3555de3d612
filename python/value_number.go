package python

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// intBits limits the size of an int to about 2**1000000.
const intBits = 1 << 20

// toInt converts an int or bool. The second result is false for other values.
func toInt(v pyValue) (*big.Int, bool) {
	switch v := v.(type) {
	case *big.Int:
		return v, true
	case bool:
		if v {
			return big.NewInt(1), true
		}
		return new(big.Int), true
	}
	return nil, false
}

// isReal reports whether v is an int, bool or float.
func isReal(v pyValue) bool {
	switch v.(type) {
	case bool, *big.Int, float64:
		return true
	}
	return false
}

// toFloat converts a real number to the nearest float.
func toFloat(v pyValue) float64 {
	if f, ok := v.(float64); ok {
		return f
	}
	i, _ := toInt(v)
	f := nearest(i)
	if math.IsInf(f, 0) {
		panic(raised("OverflowError", "int too large to convert to float"))
	}
	return f
}

// nearest converts an int to the nearest float, or to an infinity if it is too large.
func nearest(i *big.Int) float64 {
	f, _ := new(big.Float).SetInt(i).Float64()
	return f
}

// toComplex converts any number to a complex number.
func toComplex(v pyValue) complex128 {
	if c, ok := v.(complex128); ok {
		return c
	}
	return complex(toFloat(v), 0)
}

// number returns i and counts its memory. It panics if i is too large.
func (ev *evaluation) number(i *big.Int) *big.Int {
	if i.BitLen() > intBits {
		panic(tooLarge("a number of %d bits", i.BitLen()))
	}
	ev.spend(i.BitLen() / 8)
	return i
}

// floorDivMod implements divmod for ints: the remainder has the sign of the divisor.
func floorDivMod(a, b *big.Int) (q, r *big.Int) {
	q, r = new(big.Int).QuoRem(a, b, new(big.Int))
	if r.Sign() != 0 && r.Sign() != b.Sign() {
		q.Sub(q, big.NewInt(1))
		r.Add(r, b)
	}
	return q, r
}

// trueDiv returns a / b for ints, correctly rounded.
func trueDiv(a, b *big.Int) float64 {
	if a.Sign() == 0 {
		return math.Copysign(0, float64(b.Sign()))
	}
	// Compute 66 bits or more of the quotient, and set the last bit if there is a remainder.
	// Rounding this to a float gives the same result as rounding the exact quotient.
	shift := 66 - a.BitLen() + b.BitLen()
	if shift > 0 {
		a = new(big.Int).Lsh(a, uint(shift))
	} else {
		b = new(big.Int).Lsh(b, uint(-shift))
	}
	q, r := new(big.Int).QuoRem(a, b, new(big.Int))
	if r.Sign() != 0 {
		negative := q.Sign() < 0
		if q.SetBit(q.Abs(q), 0, 1); negative {
			q.Neg(q)
		}
	}
	exact := new(big.Float).SetInt(q)
	f, _ := exact.SetMantExp(exact, -shift).Float64()
	if math.IsInf(f, 0) {
		panic(raised("OverflowError", "integer division result too large for a float"))
	}
	return f
}

// floatDivMod implements divmod for floats (CPython, Objects/floatobject.c).
func floatDivMod(a, b float64) (q, r float64) {
	r = math.Mod(a, b)
	q = (a - r) / b
	if r != 0 {
		if (b < 0) != (r < 0) {
			r += b
			q--
		}
	} else {
		r = math.Copysign(0, b)
	}
	if q != 0 {
		floor := math.Floor(q)
		if q-floor > 0.5 {
			floor++
		}
		return floor, r
	}
	return math.Copysign(0, a/b), r
}

// compareReal returns -1, 0 or 1. It compares ints with floats exactly. ok is false if one of them
// is NaN.
func compareReal(a, b pyValue) (order int, ok bool) {
	af, aIsFloat := a.(float64)
	bf, bIsFloat := b.(float64)
	if af != af || bf != bf {
		return 0, false
	}
	switch {
	case aIsFloat && bIsFloat:
		switch {
		case af < bf:
			return -1, true
		case af > bf:
			return 1, true
		}
		return 0, true
	case aIsFloat:
		bi, _ := toInt(b)
		return -compareIntFloat(bi, af), true
	case bIsFloat:
		ai, _ := toInt(a)
		return compareIntFloat(ai, bf), true
	}
	ai, _ := toInt(a)
	bi, _ := toInt(b)
	return ai.Cmp(bi), true
}

func compareIntFloat(i *big.Int, f float64) int {
	if math.IsInf(f, 0) {
		if f > 0 {
			return -1
		}
		return 1
	}
	return new(big.Float).SetInt(i).Cmp(big.NewFloat(f))
}

// floatText returns repr(f): the shortest digits that read back as f, with an exponent below 1e-4
// and from 1e16 on (CPython, Python/pystrtod.c, format code r).
func floatText(f float64) string {
	text := shortest(f)
	if !strings.ContainsAny(text, ".en") {
		text += ".0"
	}
	return text
}

func shortest(f float64) string {
	switch {
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	case f != f:
		return "nan"
	case f != 0 && (math.Abs(f) < 1e-4 || math.Abs(f) >= 1e16):
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}

// complexText returns repr(c).
func complexText(c complex128) string {
	if real(c) == 0 && !math.Signbit(real(c)) {
		return shortest(imag(c)) + "j"
	}
	tail := shortest(imag(c))
	if !strings.HasPrefix(tail, "-") {
		tail = "+" + tail
	}
	return "(" + shortest(real(c)) + tail + "j)"
}

// roundTo returns round(f, digits): the exact value of f, rounded half to even.
func roundTo(f float64, digits int) float64 {
	switch {
	case f == 0 || math.IsInf(f, 0) || f != f || digits > 323:
		return f
	case digits < -308:
		return math.Copysign(0, f)
	case digits >= 0:
		rounded, _ := strconv.ParseFloat(strconv.FormatFloat(f, 'f', digits, 64), 64)
		return rounded
	}
	exact := new(big.Rat)
	exact.SetFloat64(f)
	scale := new(big.Int).Exp(big.NewInt(10), newInt(-digits), nil)
	exact.Quo(exact, new(big.Rat).SetInt(scale))
	whole := roundHalfEven(exact.Num(), exact.Denom())
	rounded := nearest(whole.Mul(whole, scale))
	if math.IsInf(rounded, 0) {
		panic(raised("OverflowError", "rounded value too large to represent"))
	}
	if rounded == 0 {
		return math.Copysign(0, f)
	}
	return rounded
}

// roundHalfEven returns the int nearest to a / b, for a positive b.
func roundHalfEven(a, b *big.Int) *big.Int {
	q, r := floorDivMod(a, b)
	switch twice := new(big.Int).Lsh(r, 1); {
	case twice.Cmp(b) > 0, twice.Cmp(b) == 0 && q.Bit(0) == 1:
		q.Add(q, big.NewInt(1))
	}
	return q
}

// powPrecision is the number of bits with which powers are computed before they are rounded. The
// error of C's pow is only slightly above half a unit in the last place, so correct rounding nearly
// always gives the same result. Go's math.Pow is less exact.
const powPrecision = 160

// powInt returns a ** b for ints, if b is not negative.
func (ev *evaluation) powInt(a, b *big.Int) *big.Int {
	if a.BitLen() > 1 && (!b.IsInt64() || b.Int64() > intBits || int64(a.BitLen()-1)*b.Int64() > intBits) {
		panic(tooLarge("a power of more than %d bits", intBits))
	}
	if a.BitLen() <= 1 && b.BitLen() > 1 { // 0, 1 and -1
		b = new(big.Int).Or(big.NewInt(2), new(big.Int).And(b, big.NewInt(1)))
	}
	return ev.number(new(big.Int).Exp(a, b, nil))
}

// powFloat returns a ** b for floats (CPython, Objects/floatobject.c, float_pow). It refuses a
// negative number to a power that is not whole, since the result is complex.
func (ev *evaluation) powFloat(a, b float64) pyValue {
	if a == 0 && b < 0 {
		panic(raised("ZeroDivisionError", "0.0 cannot be raised to a negative power"))
	}
	if a < 0 && !math.IsInf(a, 0) && !math.IsInf(b, 0) && b != math.Floor(b) {
		panic(outside("**", "a negative number to a power that is not whole, which is complex, is not evaluated"))
	}
	f := math.Pow(a, b)
	if math.IsInf(a, 0) || a != a || math.IsInf(b, 0) || b != b || a == 0 || a == 1 || b == 0 {
		return f
	}
	if math.IsInf(f, 0) || f == 0 || math.Abs(f) < 1e-300 || math.Abs(f) > 1e300 {
		if math.IsInf(f, 0) {
			panic(loosely("OverflowError", "(34, 'Numerical result out of range')"))
		}
		return f
	}
	exact := expBig(new(big.Float).SetPrec(powPrecision).Mul(big.NewFloat(b), logBig(math.Abs(a))))
	rounded, _ := exact.Float64()
	if ev.interp != nil && halfway(exact, rounded) {
		panic(refused("**", "may be rounded up or down"))
	}
	return math.Copysign(rounded, f)
}

// halfway reports whether an exact value is so close to the middle between two floats that C's pow
// may return either of them; its error is below 0.54 units in the last place (glibc, pow.c).
func halfway(exact *big.Float, rounded float64) bool {
	_, e := math.Frexp(rounded)
	unit := math.Ldexp(1, e-53)
	distance, _ := new(big.Float).Sub(exact, newFloat(rounded)).Float64()
	return math.Abs(distance)/unit > 0.46
}

// logBig returns the natural logarithm of a positive float m·2^e, by the series of the inverse
// hyperbolic tangent.
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

// atanhTwice returns 2·atanh(a/b) for |a/b| ≤ 1/3.
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

// expBig returns e**x: it computes the series for x divided by a power of two, and squares the
// result.
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
