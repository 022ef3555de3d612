package pasts

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/npdb/npdb/python"
)

// made is a value with a description of how it was derived.
type made struct {
	value value
	from  string
}

// deriver collects values derived from the wanted result, the most direct ones first.
type deriver struct {
	literals []value
	strings  []string // short str literals of the program, and common separators
	out      []made
	seen     map[string]bool
}

const (
	mostDerived  = 2500
	twiceDerived = 60 // number of derived values from which further ones are derived
	perDerived   = 20 // values derived from each of them
)

// derive returns values from which a function may have computed the wanted one: the value itself,
// parts of it, containers that hold it, and values that common operations turn into it.
func derive(wanted value, literals []value) []made {
	d := &deriver{literals: literals, seen: map[string]bool{}}
	for _, l := range literals {
		if n := utf8.RuneCountInString(l.Str); l.Kind == python.StrKind && n > 0 && n < 12 {
			d.strings = append(d.strings, l.Str)
		}
	}
	for _, s := range []string{" ", ","} {
		if !slices.Contains(d.strings, s) {
			d.strings = append(d.strings, s)
		}
	}
	d.add(fromItself, wanted)
	d.of(wanted)
	for _, m := range slices.Clone(d.out[:min(len(d.out), twiceDerived)]) {
		if m.from == fromItself {
			continue
		}
		again := &deriver{literals: literals, strings: d.strings, seen: map[string]bool{}}
		again.of(m.value)
		for _, n := range again.out[:min(len(again.out), perDerived)] {
			d.add(fromTwice, n.value)
		}
	}
	return d.out
}

// of adds the values derived from v.
func (d *deriver) of(v value) {
	switch v.Kind {
	case python.StrKind:
		d.ofText(v.Str)
	case python.IntKind:
		d.ofInt(v.Int)
	case python.FloatKind:
		if f := math.Trunc(v.Float); math.Abs(f) < 1e15 {
			d.ofInt(int64(f))
		}
		d.add("arithmetic", floats(v.Float*2, v.Float/2, -v.Float)...)
	case python.ListKind, python.TupleKind, python.SetKind:
		d.ofItems(v)
	case python.DictKind:
		d.ofDict(v)
	case python.BoolKind:
		d.add("opposite", python.PlainBool(v.Int == 0))
	}
	d.leaves(v)
}

func (d *deriver) add(from string, values ...value) {
	for _, v := range values {
		text := v.Text()
		if len(d.out) < mostDerived && len(text) < mostText && !d.seen[text] {
			d.seen[text] = true
			d.out = append(d.out, made{v, from})
		}
	}
}

func (d *deriver) addText(from string, texts ...string) {
	for _, s := range texts {
		d.add(from, python.PlainStr(s))
	}
}

func list(items ...value) value { return value{Kind: python.ListKind, Items: items} }

func listOf(texts []string) value { return list(textsOf(texts)...) }

func textsOf(texts []string) []value {
	out := make([]value, len(texts))
	for i, s := range texts {
		out[i] = python.PlainStr(s)
	}
	return out
}

func floats(list ...float64) []value {
	out := make([]value, len(list))
	for i, f := range list {
		out[i] = value{Kind: python.FloatKind, Float: f}
	}
	return out
}

func ints(list ...int64) []value {
	out := make([]value, len(list))
	for i, n := range list {
		out[i] = python.PlainInt(n)
	}
	return out
}

// dict returns a dict of keys and values, which are parallel lists. A later key overwrites an equal one.
// ok is false if a key is not hashable.
func dict(keys, values []value) (value, bool) {
	at, out := map[string]int{}, value{Kind: python.DictKind}
	for i, k := range keys {
		if k.Kind >= python.ListKind && k.Kind != python.TupleKind {
			return value{}, false
		}
		text := k.Text()
		if j, ok := at[text]; ok {
			out.Items[j] = values[i]
			continue
		}
		at[text] = len(out.Keys)
		out.Keys, out.Items = append(out.Keys, k), append(out.Items, values[i])
	}
	return out, true
}

func (d *deriver) addDict(from string, keys, values []value) {
	if v, ok := dict(keys, values); ok {
		d.add(from, v)
	}
}

// repeat returns a list that contains v n times.
func repeat(v value, n int) []value { return slices.Repeat([]value{v}, n) }

func reversed(s string) string {
	runes := []rune(s)
	slices.Reverse(runes)
	return string(runes)
}

func swapcase(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, s)
}

func title(s string) string {
	start := true
	return strings.Map(func(r rune) rune {
		letter := unicode.IsLetter(r)
		if letter && start {
			r = unicode.ToUpper(r)
		} else {
			r = unicode.ToLower(r)
		}
		start = !letter
		return r
	}, s)
}

func capitalize(s string) string {
	_, size := utf8.DecodeRuneInString(s)
	return strings.ToUpper(s[:size]) + strings.ToLower(s[size:])
}

func characters(s string) []string { return strings.Split(s, "") }

// ofText adds the values derived from a str.
func (d *deriver) ofText(t string) {
	d.addText("case", strings.ToLower(t), strings.ToUpper(t), swapcase(t), title(t), capitalize(t))
	words := strings.Fields(t)
	turned := slices.Clone(words)
	slices.Reverse(turned)
	d.addText("reversed", reversed(t), strings.Join(turned, " "))
	one, none := python.PlainInt(1), python.PlainStr("")
	self := python.PlainStr(t)
	d.add("split", listOf(characters(t)), listOf(words), list(self), listOf(strings.Split(t, ",")))
	d.addDict("wrapped", []value{self}, []value{self})
	d.addDict("wrapped", []value{self}, []value{one})
	d.addDict("wrapped", []value{one}, []value{self})
	d.add("split", listOf(characters(reversed(t))), list(self, none), listOf(strings.Split(t, "\n")), list(self, self))
	d.cuts(t)
	d.affixes(t)
	d.addText("doubled", t+t, strings.TrimSpace(t))
	d.addText("padded", " "+t+" ", "  "+t+"  ", "   "+t+"   ", "  "+t, t+"  ", t+"\n")
	if n, err := strconv.ParseInt(t, 10, 64); err == nil {
		d.add("parsed", ints(n)...)
		d.add("parsed", list(python.PlainInt(n)))
	}
	if v, ok := python.ReadPlain(t); ok {
		d.add("parsed", v)
	}
	d.digits(t)
	n := int64(utf8.RuneCountInString(t))
	d.add("length", ints(n, n+1, n-1)...)
	if n == 1 {
		r, _ := utf8.DecodeRuneInString(t)
		d.add("length", python.PlainInt(int64(r)))
	}
	d.addText("piece", words...)
	d.addText("piece", characters(t)...)
	d.addText("case", d.recased(t)...)
}

// recased returns t with the case of some letters changed.
func (d *deriver) recased(t string) []string {
	alternate := func(odd int) string {
		i := -1
		return strings.Map(func(r rune) rune {
			if i++; i%2 == odd {
				return unicode.ToUpper(r)
			}
			return unicode.ToLower(r)
		}, t)
	}
	return []string{alternate(0), alternate(1)}
}

// digits adds lists of the numbers that a text contains.
func (d *deriver) digits(t string) {
	var numbers []value
	for _, part := range strings.FieldsFunc(t, func(r rune) bool { return r < '0' || r > '9' }) {
		if n, err := strconv.ParseInt(part, 10, 64); err == nil {
			numbers = append(numbers, python.PlainInt(n))
		}
	}
	if len(numbers) > 0 {
		d.add("parsed", list(numbers...))
		d.add("piece", numbers...)
	}
}

// cuts adds texts with the characters of t in part or in another order: without the beginning or
// end, rotated, or every second one.
func (d *deriver) cuts(t string) {
	runes := []rune(t)
	n := len(runes)
	for k := 1; k <= 5 && k < n; k++ {
		d.addText("trimmed", string(runes[k:]), string(runes[:n-k]))
		if 2*k < n {
			d.addText("trimmed", string(runes[k:n-k]))
		}
	}
	d.addText("trimmed", string(runes[:n/2]), string(runes[n/2:]))
	for k := 1; k <= min(5, n-2); k++ {
		d.addText("rotated", string(runes[k:])+string(runes[:k]), string(runes[n-k:])+string(runes[:n-k]))
	}
	var even, odd []rune
	for i, r := range runes {
		if i%2 == 0 {
			even = append(even, r)
		} else {
			odd = append(odd, r)
		}
	}
	d.addText("trimmed", string(even), string(odd))
}

// affixes adds texts with a literal of the program added or removed at either end, or split and joined
// at it.
func (d *deriver) affixes(t string) {
	for _, l := range d.strings {
		d.addText("affix", t+l, l+t, l+t+l)
		d.addText("replaced", strings.ReplaceAll(t, l, ""), strings.Trim(t, l))
		if strings.Contains(t, l) {
			d.add("split", listOf(strings.Split(t, l)))
			if after, ok := strings.CutPrefix(t, l); ok {
				d.addText("trimmed", after)
			}
			if before, ok := strings.CutSuffix(t, l); ok {
				d.addText("trimmed", before)
			}
			d.addText("piece", strings.Split(t, l)...)
		}
		d.addText("joined", strings.Join(characters(t), l))
		for _, m := range d.strings {
			if l != m {
				d.addText("replaced", strings.ReplaceAll(t, l, m))
			}
		}
	}
}
