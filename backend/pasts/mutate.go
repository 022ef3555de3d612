package pasts

import (
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/npdb/npdb/python"
)

// mutator changes arguments: at random (a mutation), or by the difference between their result and
// the wanted value (a residual).
type mutator struct {
	random *rand.Rand
	pieces []value // parts of the wanted value, literals of the program, and common values
	wanted value
}

// leaves appends v and all its parts to out, down to single characters and words.
func leaves(v value, out []value) []value {
	out = append(out, v)
	switch {
	case v.Kind == python.StrKind && len(v.Str) > 1:
		for _, r := range v.Str {
			out = append(out, python.PlainStr(string(r)))
		}
		for _, w := range strings.Fields(v.Str) {
			out = append(out, python.PlainStr(w))
		}
	default:
		for _, k := range v.Keys {
			out = leaves(k, out)
		}
		for _, item := range v.Items {
			out = leaves(item, out)
		}
	}
	return out
}

func (m *mutator) piece() value { return m.pieces[m.random.IntN(len(m.pieces))] }

func (m *mutator) chance(p float64) bool { return m.random.Float64() < p }

const typed = "abcxyzABC019 .,-_"

// mutate returns v with one random change.
func (m *mutator) mutate(v value) value {
	switch v.Kind {
	case python.NoneKind, python.BoolKind:
		return []value{python.PlainBool(true), python.PlainBool(false), {Kind: python.NoneKind}, python.PlainInt(1)}[m.random.IntN(4)]
	case python.IntKind:
		return m.number(v.Int)
	case python.FloatKind:
		f := v.Float
		return value{Kind: python.FloatKind, Float: []float64{f + 1, f - 1, f * 2, -f, f / 2, f + 0.5}[m.random.IntN(6)]}
	case python.StrKind:
		runes := []rune(v.Str)
		p := []rune(asText(m.piece()))
		if m.chance(0.3) {
			p = []rune(typed[m.random.IntN(len(typed)):][:1])
		}
		return python.PlainStr(string(cut(m, runes, p, func(part []rune) []rune { return []rune(swapcase(string(part))) })))
	case python.ListKind, python.TupleKind, python.SetKind:
		p := m.piece()
		if m.chance(0.3) && len(v.Items) > 0 {
			p = m.mutate(v.Items[m.random.IntN(len(v.Items))])
		}
		changed := func(part []value) []value {
			out := slices.Clone(part)
			for i := range out {
				out[i] = m.mutate(out[i])
			}
			return out
		}
		out := value{Kind: v.Kind, Items: cut(m, v.Items, []value{p}, changed)}
		if v.Kind == python.SetKind {
			out.Items = distinct(out.Items)
		}
		return out
	case python.DictKind:
		return m.dict(v)
	}
	return v
}

func asText(v value) string {
	if v.Kind == python.StrKind {
		return v.Str
	}
	return v.Text()
}

func (m *mutator) number(n int64) value {
	choices := []int64{n + 1, n - 1, n * 2, -n, n / 2, n + 10, m.random.Int64N(26) - 5}
	for _, p := range m.pieces[:min(40, len(m.pieces))] {
		if p.Kind == python.IntKind && len(choices) < 15 {
			choices = append(choices, p.Int)
		}
	}
	return python.PlainInt(choices[m.random.IntN(len(choices))])
}

// cut returns x after a random edit: it inserts an item of p, or replaces, removes, repeats, reverses or
// changes a part of x.
func cut[T any](m *mutator, x, p []T, changed func([]T) []T) []T {
	i, j := m.random.IntN(len(x)+1), m.random.IntN(len(x)+1)
	if i > j {
		i, j = j, i
	}
	next := min(i+1, len(x))
	switch m.random.IntN(11) {
	case 0:
		return slices.Concat(x[:i], p, x[i:])
	case 1:
		return slices.Concat(x[:i], p, x[next:])
	case 2:
		return slices.Concat(x[:i], x[next:])
	case 3:
		return slices.Concat(x[:i], x[j:])
	case 4:
		return slices.Concat(x, p)
	case 5:
		return slices.Concat(p, x)
	case 6:
		turned := slices.Clone(x[i:j])
		slices.Reverse(turned)
		return slices.Concat(x[:i], turned, x[j:])
	case 7:
		return slices.Clone(x[i:j])
	case 8:
		return slices.Concat(x[:j], x[i:])
	case 9:
		return slices.Concat(x[i:], x[:i])
	}
	return slices.Concat(x[:i], changed(x[i:next]), x[next:])
}

func (m *mutator) dict(v value) value {
	keys, values := slices.Clone(v.Keys), slices.Clone(v.Items)
	p, q := m.piece(), m.piece()
	if len(keys) == 0 || m.chance(0.3) {
		keys, values = append(keys, p), append(values, q)
	} else {
		i := m.random.IntN(len(keys))
		switch m.random.IntN(5) {
		case 0:
			keys, values = slices.Delete(keys, i, i+1), slices.Delete(values, i, i+1)
		case 1:
			values[i] = m.mutate(values[i])
		case 2:
			keys[i] = p
		case 3:
			values[i] = q
		default:
			keys, values = slices.Insert(keys, i, p), slices.Insert(values, i, q)
		}
	}
	if out, ok := dict(keys, values); ok {
		return out
	}
	return v
}
