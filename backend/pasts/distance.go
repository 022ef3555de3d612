package pasts

import (
	"math"

	"github.com/npdb/npdb/python"
)

// value is a value that the search reads, builds and compares.
type value = python.Plain

// far is the distance between values of different types.
const far = 1.5

// distance measures how different a result is from the wanted one: 0 if they are equal, mostly below 1
// if they have the same type.
func distance(got, want value) float64 {
	if got.Kind != want.Kind && (!isNumber(got) || !isNumber(want)) {
		return far + 0.5*textDistance(got.Text(), want.Text())
	}
	return within(got, want)
}

func isNumber(v value) bool { return v.Kind == python.IntKind || v.Kind == python.FloatKind }

func number(v value) float64 {
	if v.Kind == python.FloatKind {
		return v.Float
	}
	return float64(v.Int)
}

// within returns the distance between two values of the same type.
func within(got, want value) float64 {
	switch want.Kind {
	case python.IntKind, python.FloatKind:
		d := math.Abs(number(got) - number(want))
		switch {
		case d == 0 && got.Kind == want.Kind:
			return 0
		case !(d < math.Inf(1)):
			return 1
		}
		return 0.05 + min(0.95, math.Log1p(d)/8)
	case python.StrKind:
		return textDistance(got.Str, want.Str)
	case python.DictKind:
		return dictDistance(got, want)
	case python.ListKind, python.TupleKind:
		return listDistance(got.Items, want.Items)
	case python.SetKind:
		return bagDistance(got.Items, want.Items)
	}
	if got.Text() == want.Text() {
		return 0
	}
	return 1
}

// part returns the distance between two items of containers.
func part(got, want value) float64 {
	if got.Kind != want.Kind && (!isNumber(got) || !isNumber(want)) {
		return far
	}
	return within(got, want)
}

func textDistance(a, b string) float64 {
	if a == b {
		return 0
	}
	x, y := []rune(a), []rune(b)
	lengths := math.Abs(float64(len(x)-len(y))) / float64(max(len(x), len(y), 1))
	return 1.02 - likeness(x, y) + 0.2*lengths
}

// listDistance sums three differences of two lists: item by item, in length, and regardless of order.
func listDistance(a, b []value) float64 {
	longer, shorter := max(len(a), len(b)), min(len(a), len(b))
	if longer == 0 {
		return 0
	}
	sum := 0.0
	for i := range shorter {
		sum += part(a[i], b[i])
	}
	return 0.5*sum/float64(longer) + float64(longer-shorter)/float64(longer) + 0.5*bagDistance(a, b)
}

// bagDistance returns the share of items that only one of the two lists contains, regardless of order.
func bagDistance(a, b []value) float64 {
	counts := map[string]int{}
	for _, v := range a {
		counts[v.Text()]++
	}
	for _, v := range b {
		counts[v.Text()]--
	}
	apart := 0
	for _, n := range counts {
		apart += max(n, -n)
	}
	return float64(apart) / float64(max(1, len(a)+len(b)))
}

func dictDistance(got, want value) float64 {
	keys, at := map[string]bool{}, map[string]int{}
	for i, k := range got.Keys {
		at[k.Text()] = i
		keys[k.Text()] = true
	}
	sum, order := 0.0, 0.0
	for i, k := range want.Keys {
		text := k.Text()
		keys[text] = true
		j, ok := at[text]
		if !ok {
			sum += far
			continue
		}
		delete(at, text)
		sum += part(got.Items[j], want.Items[i])
		if i != j {
			order = 0.1
		}
	}
	sum += far * float64(len(at))
	if len(keys) == 0 {
		return 0
	}
	return sum/float64(len(keys)) + order
}
