package highlight

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		text, pattern string
		ignoreCase    bool
		want          string
	}{
		{"count = count + Count", "count", false, "[{0 5} {8 13}]"},
		{"count = count + Count", "COUNT", true, "[{0 5} {8 13} {16 21}]"},
		{"aaaa", "aa", false, "[{0 2} {2 4}]"},
		{"aaaa", "AA", true, "[{0 2} {2 4}]"},
		{"abc", "", false, "[]"},
		{"abc", "", true, "[]"},
		{"abc", "abcd", true, "[]"},
		{"Größe GRÖSSE größe", "GRÖßE", true, "[{0 7} {16 23}]"},
		{"Ünder ünder", "ÜN", true, "[{0 3} {7 10}]"},
		{"\u212aelvin kelvin", "kel", true, "[{0 5} {9 12}]"},
		{"a\xffb\ufffdb", "\xffb", true, "[{1 3}]"},
		{"a\xffb\ufffdb", "\ufffdB", true, "[{3 7}]"},
		{"1 + 1", "1", true, "[{0 1} {4 5}]"},
		{"ab", "b", true, "[{1 2}]"},
	} {
		if got := fmt.Sprint(Match(c.text, c.pattern, c.ignoreCase)); got != c.want {
			t.Errorf("%q in %q (%t): %s, want %s", c.pattern, c.text, c.ignoreCase, got, c.want)
		}
		if got := Contains(c.text, c.pattern, c.ignoreCase); got != (c.want != "[]") {
			t.Errorf("%q in %q (%t): %t", c.pattern, c.text, c.ignoreCase, got)
		}
	}
}

func FuzzMatch(f *testing.F) {
	f.Add("count = Count", "COUNT", true)
	f.Add("\u212akK\u017fsS", "ks", true)
	f.Add("a\xff\ufffd", "\xff", true)
	f.Add("aaa", "aa", false)
	f.Fuzz(func(t *testing.T, text, pattern string, ignoreCase bool) {
		end := 0
		for _, r := range Match(text, pattern, ignoreCase) {
			if r.Start < end || r.End <= r.Start || r.End > len(text) {
				t.Fatalf("%+v after %d", r, end)
			}
			part := text[r.Start:r.End]
			if part != pattern && (!ignoreCase || !strings.EqualFold(part, pattern)) {
				t.Fatalf("%q is no %q", part, pattern)
			}
			end = r.End
		}
		found := strings.Contains(text, pattern) || ignoreCase && strings.Contains(strings.ToLower(text), strings.ToLower(pattern)) && utf8.ValidString(text+pattern)
		if found && pattern != "" && end == 0 && !strings.ContainsFunc(text+pattern, func(r rune) bool { return r >= utf8.RuneSelf }) {
			t.Fatalf("%q is in %q", pattern, text)
		}
	})
}

func BenchmarkMatchIgnoringCase(b *testing.B) {
	text := strings.Repeat("'key': [1, 2, 3], ", 600_000) // 10 MB
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if Match(text, "KEYS", true) != nil {
			b.Fatal("found")
		}
	}
}
