package values

import (
	"fmt"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/draw"
)

func TestSummary(t *testing.T) {
	hundred := "[" + strings.TrimSuffix(strings.Repeat("1, ", 100), ", ") + "]"
	for _, c := range []struct {
		text    string
		columns int
		want    string
	}{
		{`[('apple', 3), ('pear', 9), ('fig', 1)]`, 39, `[('apple', 3), ('pear', 9), ('fig', 1)]`},
		{`[('apple', 3), ('pear', 9), ('fig', 1)]`, 38, `[('apple', 3), ('pear', 9), … +1]`},
		{hundred, 20, `[1, 1, 1, 1, … +96]`},
		{hundred, 6, `[1, 1…`},
		{hundred, 7, `[1, 1,…`},
		{hundred, 0, ``},
		{hundred, 1, `…`},
		{`{'a': ` + hundred + `, 'b': 2}`, 30, `{'a': [1, 1, 1, … +97], … +1}`},
		{`Account(owner='ann', balance=3)`, 28, `Account(owner='ann', … +1)`},
		{`OrderedDict([('a', 1), ('bbbbbbbbbbbbb', 2)])`, 30, `OrderedDict([('a', 1), … +1])`},
		{`'` + strings.Repeat("x", 2000) + `'`, 30, `'xxxxxxxxxxxxxxx… +1,985 chars`},
		{`'` + strings.Repeat("x", 2000) + `'`, 17, `'xxxxxxxxxxxxxxx…`},
		{`'` + strings.Repeat("x", 50) + `'… +1,234 chars not stored`, 30, `'xxxxxxxxxxxxxxx… +1,270 chars`},
		{`[1, 2, 3, … +1,234 items not stored]`, 20, `[1, 2, 3, … +1,234]`},
		{`[1, 2, 3, … +1,234 items not stored]`, 17, `[1, 2, … +1,235]`},
		{`[1, 2, 3, … +1,234 items not stored]`, 36, `[1, 2, 3, … +1,234 items not stored]`},
		{`'日本語日本語日本語日本語日本語'`, 20, `'日本語日… +11 chars`},
		{"array([[1, 2],\n       [3, 4]])", 30, "array([[1, 2], [3, 4]])"},
		{"array([[1, 2],\n       [3, 4]])", 20, "array([… +2])"},
		{"'a\x1bb'", 7, "'a\x1b…"}, // the text has \x1b, which takes four columns
		{``, 5, ``},
		// An escape sequence counts as one character of a text, or one byte of bytes.
		{`'` + strings.Repeat(`\n`, 100) + `'`, 30, `'\n\n\n\n\n\n\n\n… +92 chars`},
		{`b'` + strings.Repeat(`\x00`, 64) + `'`, 30, `b'\x00\x00\x00\x00… +60 bytes`},
		{`b'` + strings.Repeat(`\x00`, 64) + `'`, 28, `b'\x00\x00\x00… +61 bytes`},
		{`b'` + strings.Repeat(`\x00`, 64) + `'… +10 chars not stored`, 28, `b'\x00\x00\x00… +255 chars`},
		{`['` + strings.Repeat("a", 40) + `', 2]`, 24, `['aaaaaaaaaaaaaa…, … +1]`},
	} {
		got := Parse(c.text).Summary(c.columns, draw.Runes)
		if got != c.want {
			t.Errorf("%.60q in %d:\n got %s\nwant %s", c.text, c.columns, got, c.want)
		}
	}
}

// FuzzSummary checks that a summary never takes more columns than allowed, and takes one
// line.
func FuzzSummary(f *testing.F) {
	for i, s := range seeds {
		f.Add(s, i)
		f.Add("["+strings.Repeat(s+", ", 20)+"]", 3*i)
	}
	f.Fuzz(func(t *testing.T, text string, columns int) {
		columns = min(max(columns, -1), 200)
		for _, m := range []draw.Measure{draw.Runes, draw.Clusters} {
			got := Parse(text).Summary(columns, m)
			if w := m.Width(got); w > max(columns, 0) {
				t.Fatalf("%q takes %d of %d columns", got, w, columns)
			}
			if strings.ContainsAny(got, "\r\n") {
				t.Fatalf("%q has several lines", got)
			}
		}
	})
}

// bigDict returns the text of a dictionary of n entries.
func bigDict(n int) string {
	var b strings.Builder
	b.WriteString("{")
	for i := range n {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "'key-%d': [%d, {'name': 'n%d'}]", i, i, i)
	}
	b.WriteString("}")
	return b.String()
}

func BenchmarkOpen(b *testing.B) {
	text := bigDict(10_000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if n := Parse(text); n.Len() != 10_000 {
			b.Fatal(n.Len())
		}
	}
}

func BenchmarkPage(b *testing.B) {
	n := Parse(bigDict(10_000))
	for b.Loop() {
		for i := 5_000; i < 5_060; i++ {
			n.Child(i).Node.Summary(60, draw.Runes)
		}
	}
}

func BenchmarkSummary(b *testing.B) {
	text := bigDict(10_000)
	for b.Loop() {
		Parse(text).Summary(60, draw.Runes)
	}
}

func BenchmarkFind(b *testing.B) {
	text := bigDict(10_000)
	for b.Loop() {
		if found := Parse(text).Find("N9999", true, 10); len(found) != 1 {
			b.Fatal(found)
		}
	}
}
