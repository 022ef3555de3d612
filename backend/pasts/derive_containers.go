package pasts

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/npdb/npdb/python"
)

// mostCounted is the largest int that is tried as a length or a count.
const mostCounted = 200

// ofInt adds the values derived from an int n: results of arithmetic, and values of length n.
func (d *deriver) ofInt(n int64) {
	d.add("arithmetic", ints(n+1, n-1, n*2, n/2, -n, n+2, n-2, n*10)...)
	if n > -1e6 && n < 1e6 {
		d.add("arithmetic", ints(n*n, int64(math.Sqrt(math.Abs(float64(n)))))...)
	}
	self, text := python.PlainInt(n), strconv.FormatInt(n, 10)
	d.add("wrapped", python.PlainStr(text), list(self), list(self, self), list(self, python.PlainInt(0)), list(python.PlainInt(1), self), list(python.PlainStr(text)))
	d.addDict("wrapped", []value{python.PlainStr("a")}, []value{self})
	d.addDict("wrapped", []value{self}, []value{self})
	d.addDict("wrapped", []value{self}, []value{python.PlainStr("a")})
	d.addText("wrapped", characters(text)...)
	if n < 0 || n > mostCounted {
		return
	}
	for _, k := range []int64{n, n + 1, n - 1, n * 2, n / 2} {
		if k >= 0 && k <= mostCounted {
			d.counted(int(k))
		}
	}
	for _, l := range d.strings {
		d.addText("length", strings.Repeat(l, int(n)), text+l)
		d.add("length", list(repeat(python.PlainStr(l), int(n))...))
		if n > 0 && n < 40 {
			d.addText("length", strings.Join(characters(letters(int(n))), l), strings.Join(characters(letters(int(n)+1)), l))
		}
	}
}

const filler = "hello world the quick brown fox jumps over the lazy dog "

// letters returns n characters of readable text.
func letters(n int) string {
	text := strings.Repeat(filler, n/len(filler)+1)[:n]
	if strings.HasSuffix(text, " ") {
		text = text[:n-1] + "s"
	}
	return text
}

// counted adds values of length n.
func (d *deriver) counted(n int) {
	var ascending, descending []value
	indexed := value{Kind: python.DictKind}
	for i := range n {
		ascending = append(ascending, python.PlainInt(int64(i+1)))
		descending = append(descending, python.PlainInt(int64(n-i)))
		indexed.Keys = append(indexed.Keys, python.PlainStr(name(i)))
		indexed.Items = append(indexed.Items, python.PlainInt(int64(i+1)))
	}
	d.addText("length", letters(n), strings.ReplaceAll(letters(n), " ", ""), strings.Repeat("a", n), strings.Repeat("1", n), strings.Repeat(" ", n), strings.Repeat("A", n))
	d.add("length", list(ascending...), list(descending...), list(indexed.Keys...), list(repeat(python.PlainInt(1), n)...), list(repeat(python.PlainStr("a"), n)...), indexed)
}

// name returns the i-th of a, b, … z, aa, …: a name for the i-th item.
func name(i int) string {
	if i < 26 {
		return string(rune('a' + i))
	}
	return name(i/26-1) + name(i%26)
}

// ofItems adds the values derived from a list, tuple or set.
func (d *deriver) ofItems(wanted value) {
	items := wanted.Items
	n := len(items)
	turned, unique := slices.Clone(items), distinct(items)
	slices.Reverse(turned)
	sorted := slices.Clone(items)
	slices.SortStableFunc(sorted, order)
	d.add("reversed", list(items...), list(turned...), list(sorted...), list(unique...), value{Kind: python.TupleKind, Items: items})
	texts := make([]string, n)
	for i, v := range items {
		texts[i] = v.Text()
		if v.Kind == python.StrKind {
			texts[i] = v.Str
		}
	}
	for _, separator := range slices.Concat([]string{""}, d.strings, []string{"\n"}) {
		d.addText("joined", strings.Join(texts, separator))
	}
	d.slices(items)
	d.extended(items)
	d.mapped(items)
	d.paired(items)
	d.add("wrapped", list(wanted), list(flat(items)...))
	d.add("piece", items...)
	d.add("length", ints(int64(n), int64(n+1), int64(n-1))...)
}

// order compares two numbers or two texts. Other values count as equal, so sorting keeps their order.
func order(a, b value) int {
	switch {
	case isNumber(a) && isNumber(b):
		return int(max(-1, min(1, number(a)-number(b))))
	case a.Kind == python.StrKind && b.Kind == python.StrKind:
		return strings.Compare(a.Str, b.Str)
	}
	return 0
}

func distinct(items []value) []value {
	seen := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(items), func(v value) bool {
		text := v.Text()
		defer func() { seen[text] = true }()
		return seen[text]
	})
}

// flat returns the items of all containers in items, in one list.
func flat(items []value) (out []value) {
	for _, v := range items {
		out = append(out, v.Items...)
	}
	return out
}

func (d *deriver) slices(items []value) {
	n := len(items)
	var even, odd []value
	for i, v := range items {
		if i%2 == 0 {
			even = append(even, v)
		} else {
			odd = append(odd, v)
		}
	}
	d.add("trimmed", list(items[min(1, n):]...), list(items[:max(0, n-1)]...), list(items[min(2, n):]...), list(items[:max(0, n-2)]...),
		list(items[:n/2]...), list(items[n/2:]...), list(even...), list(odd...))
	for k := 1; k <= min(3, n-2); k++ {
		d.add("rotated", list(slices.Concat(items[k:], items[:k])...), list(slices.Concat(items[n-k:], items[:n-k])...))
	}
}

// extended adds the list with one more item at its beginning or end.
func (d *deriver) extended(items []value) {
	more := slices.Concat(ints(0, 1), textsOf([]string{"a"}), d.literals[:min(6, len(d.literals))], items[:min(3, len(items))])
	for _, v := range more {
		d.add("affix", list(append(slices.Clone(items), v)...), list(append([]value{v}, items...)...))
	}
}

// mapped adds the list with one operation applied to each item.
func (d *deriver) mapped(items []value) {
	for _, f := range itemMaps {
		out := make([]value, 0, len(items))
		for _, v := range items {
			if w, ok := f(v); ok {
				out = append(out, w)
			}
		}
		if len(out) != len(items) || len(out) == 0 {
			continue
		}
		d.add("mapped", list(out...))
		if out[0].Kind == python.StrKind {
			text := ""
			for _, v := range out {
				text += v.Str
			}
			d.addText("mapped", text)
		}
	}
}

// leaves adds v with one operation applied to all texts or numbers in it, at any depth.
func (d *deriver) leaves(v value) {
	if !slices.ContainsFunc(v.Items, func(item value) bool { return item.Kind >= python.ListKind }) {
		return
	}
	for _, f := range itemMaps[:leafMaps] {
		d.add("mapped", mapLeaves(v, f))
	}
}

func mapLeaves(v value, f func(value) (value, bool)) value {
	if v.Kind < python.ListKind {
		w, _ := f(v)
		return w
	}
	out := value{Kind: v.Kind, Keys: v.Keys}
	for _, item := range v.Items {
		out.Items = append(out.Items, mapLeaves(item, f))
	}
	return out
}

func ofInt(f func(int64) value) func(value) (value, bool) {
	return func(v value) (value, bool) {
		if v.Kind != python.IntKind {
			return v, false
		}
		return f(v.Int), true
	}
}

func ofText(f func(string) value) func(value) (value, bool) {
	return func(v value) (value, bool) {
		if v.Kind != python.StrKind {
			return v, false
		}
		return f(v.Str), true
	}
}

func textMap(f func(string) string) func(value) (value, bool) {
	return ofText(func(s string) value { return python.PlainStr(f(s)) })
}

// leafMaps is the number of itemMaps at the front that apply to single texts and numbers.
const leafMaps = 11

// itemMaps lists the operations that mapped applies.
var itemMaps = []func(value) (value, bool){
	textMap(strings.ToLower), textMap(strings.ToUpper), textMap(swapcase), textMap(capitalize), textMap(reversed), textMap(strings.TrimSpace),
	ofInt(func(n int64) value { return python.PlainInt(n + 1) }),
	ofInt(func(n int64) value { return python.PlainInt(n - 1) }),
	ofInt(func(n int64) value { return python.PlainInt(n / 2) }),
	ofInt(func(n int64) value { return python.PlainInt(n * 2) }),
	ofInt(func(n int64) value { return python.PlainInt(-n) }),
	ofInt(func(n int64) value { return python.PlainStr(strconv.FormatInt(n, 10)) }),
	ofInt(func(n int64) value { return python.PlainStr(letters(int(max(0, min(n, mostCounted))))) }),
	ofText(func(s string) value {
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			return python.PlainInt(int64(utf8.RuneCountInString(s)))
		}
		return python.PlainInt(n)
	}),
	func(v value) (value, bool) { return list(v), true },
	func(v value) (value, bool) { return value{Kind: python.TupleKind, Items: []value{v, v}}, true },
	func(v value) (value, bool) { return list(v.Items...), v.Kind == python.TupleKind },
	func(v value) (value, bool) { return itemOf(v, 0) },
	func(v value) (value, bool) { return itemOf(v, -1) },
}

// itemOf returns the i-th item of a list or character of a text, or the last one if i is -1.
func itemOf(v value, i int) (value, bool) {
	items := v.Items
	if v.Kind == python.StrKind {
		items = textsOf(characters(v.Str))
	}
	if len(items) == 0 || v.Kind == python.DictKind {
		return v, false
	}
	return items[(i+len(items))%len(items)], true
}

// paired adds dicts with the items as keys or values.
func (d *deriver) paired(items []value) {
	var keys, values, even, odd, names, numbers []value
	for i, v := range items {
		if len(v.Items) == 2 && v.Kind != python.DictKind {
			keys, values = append(keys, v.Items[0]), append(values, v.Items[1])
		}
		if i%2 == 1 {
			even, odd = append(even, items[i-1]), append(odd, v)
		}
		names, numbers = append(names, python.PlainStr(name(i))), append(numbers, python.PlainInt(int64(i+1)))
	}
	if len(items) > 0 && len(keys) == len(items) {
		d.addDict("wrapped", keys, values)
		d.addDict("wrapped", values, keys)
	}
	d.addDict("wrapped", items, numbers)
	d.addDict("wrapped", items, repeat(python.PlainInt(1), len(items)))
	d.addDict("wrapped", names, items)
	d.addDict("wrapped", even, odd)
	d.addDict("wrapped", numbers, items)
	d.addDict("wrapped", []value{python.PlainStr("a")}, []value{list(items...)})
}

// ofDict adds the values derived from a dict.
func (d *deriver) ofDict(wanted value) {
	keys, values := wanted.Keys, wanted.Items
	var pairs []value
	for i, k := range keys {
		pairs = append(pairs, value{Kind: python.TupleKind, Items: []value{k, values[i]}})
	}
	turnedKeys, turnedValues := slices.Clone(keys), slices.Clone(values)
	slices.Reverse(turnedKeys)
	slices.Reverse(turnedValues)
	d.add("wrapped", list(keys...), list(values...), list(pairs...), list(turnedKeys...), list(turnedValues...))
	for _, separator := range slices.Concat([]string{""}, d.strings) {
		d.addText("joined", joined(keys, separator), joined(values, separator))
	}
	d.addDict("reversed", values, keys)
	d.addDict("reversed", turnedKeys, turnedValues)
	d.expanded(keys, values)
	for i := range keys {
		d.addDict("trimmed", slices.Delete(slices.Clone(keys), i, i+1), slices.Delete(slices.Clone(values), i, i+1))
	}
	for _, l := range slices.Concat(textsOf([]string{"a"}), ints(1), d.literals[:min(4, len(d.literals))]) {
		v := python.PlainInt(1)
		if len(values) > 0 {
			v = values[0]
		}
		d.addDict("affix", append(slices.Clone(keys), l), append(slices.Clone(values), v))
	}
	for _, f := range itemMaps {
		out := make([]value, 0, len(values))
		for _, v := range values {
			if w, ok := f(v); ok {
				out = append(out, w)
			}
		}
		if len(out) == len(values) {
			d.addDict("mapped", keys, out)
		}
	}
	d.add("piece", keys...)
	d.add("piece", values...)
	d.add("length", python.PlainInt(int64(len(keys))))
}

func joined(items []value, separator string) string {
	texts := make([]string, len(items))
	for i, v := range items {
		texts[i] = v.Text()
		if v.Kind == python.StrKind {
			texts[i] = v.Str
		}
	}
	return strings.Join(texts, separator)
}

// expanded adds lists and texts that have each key as often as its count says: the dict may have
// been computed by counting their items.
func (d *deriver) expanded(keys, counts []value) {
	var out, round []value
	most := int64(0)
	for i, k := range keys {
		if n := counts[i]; n.Kind != python.IntKind || n.Int < 0 || n.Int > mostCounted {
			return
		}
		most = max(most, counts[i].Int)
		out = append(out, repeat(k, int(counts[i].Int))...)
	}
	for at := range most {
		for i, k := range keys {
			if counts[i].Int > at {
				round = append(round, k)
			}
		}
	}
	d.add("counted", list(round...), list(out...))
	d.addText("counted", joined(out, ""), joined(round, ""), joined(out, " "), joined(round, " "))
}
