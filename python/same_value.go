package python

import (
	"context"
	"math"
	"math/big"
	"regexp"
	"slices"
)

// SameValue reports whether two reprs stand for equal values of the same types. The order of
// elements in sets, and the spelling of numbers and strings, do not matter. Reprs that are not
// literals are compared part by part. decided is false if a repr was shortened, so that the rest of
// the value is unknown.
func SameValue(a, b string) (same, decided bool) {
	if cutForm.MatchString(a) || cutForm.MatchString(b) {
		return false, false
	}
	if a == b || address.ReplaceAllString(a, ">") == address.ReplaceAllString(b, ">") {
		return true, true
	}
	err := within(context.Background(), Names{}, func(ev *evaluation) {
		x, errX := parseExpression(a)
		y, errY := parseExpression(b)
		if errX == nil && errY == nil {
			same = sameness{ev}.nodes(x, y)
		}
	})
	return same, err == nil
}

// address matches the address in the repr of an object.
var address = regexp.MustCompile(` at 0x[0-9a-fA-F]+>`)

// sameness compares values.
type sameness struct{ ev *evaluation }

// nodes compares the parsed expressions of two reprs.
func (s sameness) nodes(a, b *node) bool {
	defer s.ev.enter()()
	x, okX := s.literal(a)
	y, okY := s.literal(b)
	if okX || okY {
		return okX && okY && s.values(x, y)
	}
	if a.kind != b.kind || a.text != b.text || len(a.kids) != len(b.kids) {
		return false
	}
	if a.kind == nodeSet {
		return s.anyOrder(a.kids, slices.Clone(b.kids))
	}
	for i, k := range a.kids {
		if (k == nil) != (b.kids[i] == nil) || k != nil && !s.nodes(k, b.kids[i]) {
			return false
		}
	}
	return len(a.kids) > 0 || a.kind == nodeName || a.value == b.value
}

// anyOrder compares the elements of two sets that are not literals.
func (s sameness) anyOrder(a, b []*node) bool {
	for _, x := range a {
		at := slices.IndexFunc(b, func(y *node) bool { return s.nodes(x, y) })
		if at < 0 {
			return false
		}
		b = slices.Delete(b, at, at+1)
	}
	return true
}

// literal returns the value of an expression. ok is false if it is not a literal.
func (s sameness) literal(e *node) (v pyValue, ok bool) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case notLiteral, *EvalError:
			v, ok = nil, false
		default:
			panic(e)
		}
	}()
	return s.ev.literal(e), true
}

// values compares the values of two literals.
func (s sameness) values(a, b pyValue) bool {
	switch x := a.(type) {
	case *big.Int:
		y, ok := b.(*big.Int)
		return ok && x.Cmp(y) == 0
	case float64:
		y, ok := b.(float64)
		return ok && sameFloat(x, y)
	case complex128:
		y, ok := b.(complex128)
		return ok && sameFloat(real(x), real(y)) && sameFloat(imag(x), imag(y))
	case *pyList:
		y, ok := b.(*pyList)
		return ok && slices.EqualFunc(x.items, y.items, s.values)
	case *pyTuple:
		y, ok := b.(*pyTuple)
		return ok && slices.EqualFunc(x.items, y.items, s.values)
	case *pyDict:
		y, ok := b.(*pyDict)
		return ok && slices.EqualFunc(x.keys, y.keys, s.values) && slices.EqualFunc(x.values, y.values, s.values)
	case *pySet:
		y, ok := b.(*pySet)
		return ok && s.sets(x, y)
	}
	return a == b
}

func (s sameness) sets(x, y *pySet) bool {
	if x.frozen != y.frozen || len(x.items) != len(y.items) {
		return false
	}
	for _, item := range x.items {
		if at, ok := y.index[s.ev.element(item)]; !ok || !s.values(item, y.items[at]) {
			return false
		}
	}
	return true
}

// sameFloat reports whether two floats have the same repr.
func sameFloat(x, y float64) bool {
	return math.Float64bits(x) == math.Float64bits(y) || math.IsNaN(x) && math.IsNaN(y)
}
