package values

import (
	"strings"
	"testing"
	"time"
)

// mark writes pieces as the new text with marks: {+added+}, [-removed-] and
// <old|new>.
func mark(pieces []Piece) string {
	var b strings.Builder
	for _, p := range pieces {
		switch p.Kind {
		case Same:
			b.WriteString(p.Text)
		case Added:
			b.WriteString("{+" + p.Text + "+}")
		case Removed:
			b.WriteString("[-" + p.Text + "-]")
		case Changed:
			b.WriteString("<" + p.Old + "|" + p.Text + ">")
		}
	}
	return b.String()
}

func TestDiff(t *testing.T) {
	for _, c := range []struct{ old, text, want string }{
		{`1`, `1`, `1`},
		{`214`, `215`, `<214|215>`},
		{`None`, `3`, `<None|3>`},
		{`'apple'`, `'pear'`, `'<apple|pear>'`},
		{`'apple'`, `'apples'`, `'apple{+s+}'`},
		{`[1, 2]`, `[1, 2, 3]`, `[1, 2{+, 3+}]`},
		{`[1, 2, 3]`, `[2, 3]`, `[[-1, -]2, 3]`},
		{`[1, 2, 3]`, `[1, 3]`, `[1, [-2, -]3]`},
		{`[1, 2, 3]`, `[1, 7, 3]`, `[1, <2|7>, 3]`},
		{`[]`, `[1]`, `[{+1+}]`},
		{`[1]`, `[]`, `[[-1-]]`},
		{`[1, 2, 3, 4, 5, 6]`, `[0, 1, 2, 4, 5, 7, 6]`, `[{+0, +}1, 2, [-3, -]4, 5, {+7, +}6]`},
		{`{'a': 1, 'b': 2}`, `{'a': 1, 'b': 3}`, `{'a': 1, 'b': <2|3>}`},
		{`{'a': 1, 'b': 2}`, `{'b': 3, 'c': 2}`, `{[-'a': 1, -]'b': <2|3>{+, 'c': 2+}}`},
		{`{'a': [1, 2]}`, `{'a': [1, 3]}`, `{'a': [1, <2|3>]}`},
		{`Account(owner='ann', balance=3)`, `Account(owner='ann', balance=13)`, `Account(owner='ann', balance=<3|13>)`},
		{`{1, 2}`, `{1, 2, 3}`, `{1, 2{+, 3+}}`},
		{`[1]`, `(1,)`, `<[1]|(1,)>`},
		{`(1,)`, `(1, 2)`, `(1,{+ 2+})`},
		{`'one two three four'`, `'one 2 three 4'`, `'one <two|2> three <four|4>'`},
		{`'a\x1bb'`, `'a\x1cb'`, `'a<\x1b|\x1c>b'`},
		{`'a\\n'`, `'a\\t'`, `'a\\<n|t>'`},
		{`'e'`, "'e\u0301'", "'<e|e\u0301>'"},
		{`'abc'… +5 chars not stored`, `'abc'… +6 chars not stored`, `'abc'… +<5|6> chars not stored`},
		{`[… +2 items not stored]`, `[… +2 items not stored]`, `[… +2 items not stored]`},
	} {
		if got := mark(Diff(c.old, c.text)); got != c.want {
			t.Errorf("%s → %s\n got %s\nwant %s", c.old, c.text, got, c.want)
		}
	}
}

// both joins the pieces to the old and the new text.
func both(pieces []Piece) (old, text string) {
	var o, n strings.Builder
	for _, p := range pieces {
		switch p.Kind {
		case Same:
			o.WriteString(p.Text)
			n.WriteString(p.Text)
		case Added:
			n.WriteString(p.Text)
		case Removed:
			o.WriteString(p.Text)
		case Changed:
			o.WriteString(p.Old)
			n.WriteString(p.Text)
		}
	}
	return o.String(), n.String()
}

func FuzzDiff(f *testing.F) {
	for i, s := range seeds {
		f.Add(s, seeds[(i+1)%len(seeds)])
		f.Add(s, "["+s+", "+s+"]")
		f.Add("["+s+", "+s+"]", "["+s+", 1, "+strings.ToUpper(s)+"]")
	}
	f.Add("[1, 2, 3, 1, 2, 3, 4]", "[3, 2, 1, 4, 1, 2, 3, 5]")
	f.Add("'kitten sitting abcabba'", "'sitting kitten cbabac'")
	f.Fuzz(func(t *testing.T, old, text string) {
		pieces := Diff(old, text)
		o, n := both(pieces)
		if o != old || n != text {
			t.Fatalf("%q → %q\n%s", old, text, mark(pieces))
		}
		for i, p := range pieces {
			if p.Text == "" || p.Kind == Changed && p.Old == "" || i > 0 && p.Kind == pieces[i-1].Kind {
				t.Fatalf("piece %d of %s", i, mark(pieces))
			}
		}
		if old == text && len(pieces) > 1 {
			t.Fatalf("nothing differs: %s", mark(pieces))
		}
	})
}

// TestCommon compares the result with the textbook's longest common subsequence.
func TestCommon(t *testing.T) {
	for _, c := range []struct {
		a, b string
		most int
		want int // how many items are common, or -1 if the values differ too much
	}{
		{"abcabba", "cbabac", 99, 4},
		{"", "", 9, 0},
		{"abc", "", 9, 0},
		{"", "abc", 9, 0},
		{"abc", "abc", 0, 3},
		{"abc", "xyz", 5, -1},
		{"abc", "xyz", 6, 0},
		{"xaxbxcx", "abc", 4, 3},
		{"abc", "xaxbxcx", 4, 3},
		{"abcdefgh", "abxdefyh", 4, 6},
	} {
		runs, ok := common(len(c.a), len(c.b), func(i, j int) bool { return c.a[i] == c.b[j] }, c.most)
		n, i, j := 0, 0, 0
		for _, r := range runs {
			if r.a < i || r.b < j || c.a[r.a:r.a+r.n] != c.b[r.b:r.b+r.n] || r.n == 0 {
				t.Errorf("%s, %s: %+v", c.a, c.b, runs)
			}
			n, i, j = n+r.n, r.a+r.n, r.b+r.n
		}
		if !ok {
			n = -1
		}
		if n != c.want {
			t.Errorf("%s, %s: %d, want %d", c.a, c.b, n, c.want)
		}
	}
}

// TestLarge checks that no value of a program makes the comparison hang. Each case takes a
// fraction of a second; a quadratic algorithm would take hours.
func TestLarge(t *testing.T) {
	const size = 2 << 20
	fill := func(s string) string { return strings.Repeat(s, size/len(s)) }
	numbers := "[" + fill("1234567, ") + "0]"
	for name, c := range map[string][2]string{
		"strings":   {"'" + fill("ab") + "'", "'x" + fill("ba") + "y'"},
		"all other": {numbers, strings.ReplaceAll(numbers, "7", "8")},
		"one more":  {numbers, numbers[:size/2-size/2%9+1] + "5, " + numbers[size/2-size/2%9+1:]},
		"periods":   {"[" + fill("1, 2, ") + "3]", "[0, " + fill("2, 1, ") + "4]"},
		"nested":    {fill("["), "x" + fill("[")},
		"closed":    {fill("[")[:size/2] + fill("]")[:size/2], fill("[")[:size/2] + "1" + fill("]")[:size/2]},
		"angles":    {"[" + fill("<a<b>, ") + "]", "[" + fill("<a<b>, ") + "1]"},
		"quotes":    {"[" + fill("it's \", "), "[" + fill("it's \", ") + "1]"},
		"slashes":   {"'" + fill(`\`), "'" + fill(`\`) + "x"},
		"notes":     {fill("… +"), fill("… +") + "1"},
		"accents":   {"'" + fill("\u0301"), "'" + fill("\u0301") + "\u0302"},
	} {
		began := time.Now()
		old, text := both(Diff(c[0], c[1]))
		if old != c[0] || text != c[1] {
			t.Errorf("%s: the texts are not those", name)
		}
		n := Parse(c[1])
		n.Find("1, 2", true, 100)
		n.Len()
		t.Logf("%s: %v", name, time.Since(began).Round(time.Millisecond))
	}
}

func BenchmarkDiffLarge(b *testing.B) {
	old := bigDict(250_000) // 10 MB
	text := strings.Replace(old, "'n125000'", "'m125000'", 1)
	b.SetBytes(int64(len(old)))
	for b.Loop() {
		if n := len(Diff(old, text)); n != 3 {
			b.Fatal(n)
		}
	}
}
