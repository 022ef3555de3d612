package pasts

import (
	"slices"
	"strings"

	"github.com/npdb/npdb/python"
)

// residual returns an argument changed by the difference between its result and the wanted one.
func (m *mutator) residual(arg, got value) value {
	want := m.wanted
	switch {
	case arg.Kind == python.IntKind && got.Kind == python.IntKind && want.Kind == python.IntKind:
		return m.residualInt(arg.Int, got.Int, want.Int)
	case got.Kind == python.DictKind && want.Kind == python.DictKind && arg.Kind == python.DictKind:
		return residualDict(arg, got, want)
	case got.Kind == python.IntKind && want.Kind == python.IntKind:
		return resized(arg, want.Int-got.Int)
	}
	if arg.Kind == python.StrKind {
		from, ok := runesOf(got)
		to, also := runesOf(want)
		if !ok || !also {
			return arg
		}
		return python.PlainStr(string(transfer(m, []rune(arg.Str), from, to)))
	}
	from, to := itemsOf(got), itemsOf(want)
	if arg.Kind != python.ListKind && arg.Kind != python.TupleKind || from == nil && to == nil {
		return arg
	}
	keyed := func(items []value) []keyedValue {
		out := make([]keyedValue, len(items))
		for i, v := range items {
			out[i] = keyedValue{v.Text()}
		}
		return out
	}
	by := map[keyedValue]value{}
	for _, v := range slices.Concat(arg.Items, from, to) {
		by[keyedValue{v.Text()}] = v
	}
	out := value{Kind: arg.Kind}
	for _, k := range transfer(m, keyed(arg.Items), keyed(from), keyed(to)) {
		out.Items = append(out.Items, by[k])
	}
	return out
}

// keyedValue represents a value by its repr, so that values can be compared with ==.
type keyedValue struct{ text string }

func runesOf(v value) ([]rune, bool) {
	switch v.Kind {
	case python.StrKind:
		return []rune(v.Str), true
	case python.DictKind:
		return []rune(joined(v.Keys, "")), true
	case python.ListKind, python.TupleKind, python.SetKind:
		return []rune(joined(v.Items, "")), true
	}
	return nil, false
}

func itemsOf(v value) []value {
	switch v.Kind {
	case python.StrKind:
		return textsOf(characters(v.Str))
	case python.DictKind:
		return v.Keys
	}
	return v.Items
}

func (m *mutator) residualInt(arg, got, want int64) value {
	switch m.random.IntN(3) {
	case 0:
		return python.PlainInt(arg + want - got)
	case 1:
		return python.PlainInt(arg - want + got)
	}
	if got == 0 || want > 1<<30 || want < -1<<30 || arg > 1<<30 || arg < -1<<30 {
		return python.PlainInt(arg)
	}
	return python.PlainInt(arg * want / got)
}

// residualDict adds to the argument the entries that its result lacks, and removes those that only the
// result contains.
func residualDict(arg, got, want value) value {
	has := func(v value) map[string]string {
		out := map[string]string{}
		for i, k := range v.Keys {
			out[k.Text()] = v.Items[i].Text()
		}
		return out
	}
	inGot, inWant := has(got), has(want)
	var keys, values []value
	for i, k := range arg.Keys {
		_, wanted := inWant[k.Text()]
		if _, was := inGot[k.Text()]; wanted || !was {
			keys, values = append(keys, k), append(values, arg.Items[i])
		}
	}
	for i, k := range want.Keys {
		if text, ok := inGot[k.Text()]; !ok || text != want.Items[i].Text() {
			keys, values = append(keys, k), append(values, want.Items[i])
		}
	}
	if out, ok := dict(keys, values); ok {
		return out
	}
	return arg
}

const mostGrown = 50

// resized lengthens or shortens an argument by the number by which its result is too small or too large.
func resized(arg value, by int64) value {
	by = max(-mostGrown, min(mostGrown, by))
	grow := func(n int) int { return max(0, n+int(by)) }
	switch arg.Kind {
	case python.StrKind:
		runes := []rune(arg.Str)
		if len(runes) > 0 && by > 0 {
			return python.PlainStr(arg.Str + strings.Repeat(string(runes[len(runes)-1:]), int(by)))
		}
		return python.PlainStr(string(runes[:min(len(runes), grow(len(runes)))]))
	case python.ListKind, python.TupleKind:
		if n := len(arg.Items); n > 0 && by > 0 {
			return value{Kind: arg.Kind, Items: slices.Concat(arg.Items, repeat(arg.Items[n-1], int(by)))}
		}
		return value{Kind: arg.Kind, Items: arg.Items[:min(len(arg.Items), grow(len(arg.Items)))]}
	}
	return arg
}

// transfer applies one or all of the edits that turn got into want to arg. It applies an edit where arg
// contains the edited items, or at the same distance from the beginning or the end.
func transfer[T comparable](m *mutator, arg, got, want []T) []T {
	all := edits(got, want)
	if len(all) == 0 {
		return arg
	}
	if m.chance(0.5) {
		all = []edit{all[m.random.IntN(len(all))]}
	}
	shift := 0
	for _, e := range all {
		old, new := got[e.from:e.to], want[e.begin:e.end]
		at := e.from + shift
		switch {
		case len(old) > 0 && m.chance(0.5):
			at = index(arg, old)
		case m.chance(0.3):
			at = len(arg) - (len(got) - e.from)
		}
		if at < 0 || at > len(arg) {
			continue
		}
		arg = slices.Concat(arg[:at], new, arg[min(len(arg), at+len(old)):])
		shift += len(new) - len(old)
	}
	return arg
}

// index returns the index at which part first occurs in list, or -1.
func index[T comparable](list, part []T) int {
	for i := 0; i+len(part) <= len(list); i++ {
		if slices.Equal(list[i:i+len(part)], part) {
			return i
		}
	}
	return -1
}
