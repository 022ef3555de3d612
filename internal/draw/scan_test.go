package draw

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// both lists the measures of this package, each with the function of another package that must return
// the same width.
var both = []struct {
	name    string
	measure Measure
	width   func(string) int
}{
	{"runes", Runes, ansi.StringWidthWc},
	{"clusters", Clusters, ansi.StringWidth},
}

const (
	family = "👨\u200d👩\u200d👧"
	heart  = "\u2764\ufe0f"
	wave   = "👋🏽"
	flag   = "🇩🇪"
	keycap = "1\ufe0f\u20e3"
)

func TestDrawn(t *testing.T) {
	for _, tt := range []struct {
		name, text      string
		runes, clusters string // as drawn with each measure; clusters is "" if both are equal
	}{
		{"ascii", "x = 'a b'", "x = 'a b'", ""},
		{"wide", "a漢字b", "a漢字b", ""},
		{"combining", "e\u0301te\u0301", "été", ""},
		{"combining without a character of its own", "x\u0302y\u0302\u0302", `x\u0302` + "ŷ\u0302", ""},
		{"combining on more than ASCII", "я\u0301", "я\u0301", ""},
		{"escape sequence", "\x1b[31mred", `\x1b[31mred`, ""},
		{"osc", "\x1b]52;c;aGk=\x07", `\x1b]52;c;aGk=\x07`, ""},
		{"c1", "\u009b31m", `\x9b31m`, ""},
		{"carriage return, backspace, delete", "a\rb\bc\x7f", `a\x0db\x08c\x7f`, ""},
		{"line end", "a\nb", `a\nb`, ""},
		{"bidi", "a\u202eb\u2066c", `a\u202eb\u2066c`, ""},
		{"zero width space and byte order mark", "a\u200bb\ufeff", `a\u200bb\ufeff`, ""},
		{"line separator", "a\u2028b", `a\u2028b`, ""},
		{"not utf-8", "a\xffb\xc3", `a\xffb\xc3`, ""},
		{"private use", "\ue000", `\ue000`, ""},
		{"mark without a letter", "\u0301a", `\u0301a`, ""},
		{"joiner without a letter", "\u200da", `\u200da`, ""},
		{"half a flag", "🇩", `\U0001f1e9`, ""},
		{"flag", flag, flag, ""},
		{"flags and a half", flag + "🇫", flag + `\U0001f1eb`, ""},
		{"tag flag", "🏴\U000e0067\U000e007f", `🏴\U000e0067\U000e007f`, ""},
		{"family", family, `👨\u200d👩\u200d👧`, family},
		{"skin tone", wave, `👋\U0001f3fd`, wave},
		{"emoji style", heart, "\u2764", heart},
		{"keycap", keycap, `1\ufe0f\u20e3`, ""},
		{"devanagari conjunct", "क्षि", "क्षि", ""},
		{"zero width non-joiner in persian", "می\u200cخ", "می\u200cخ", ""},
		{"spelled korean", "\u1100\u1161\u11a8", "\uac01", "\u1100\u1161\u11a8"},
		{"spelled korean without a character of its own", "\u1140\u1161", "\u1140" + `\u1161`, "\u1140\u1161"},
		{"korean vowel alone", "\u1161", `\u1161`, ""},
		{"prefix without a word", "\u0d4e", `\u0d4e`, ""},
		{"tab", "\tx", "        x", ""},
		{"tab stop", "ab\tx", "ab      x", ""},
		{"tab after wide", "漢\tx", "漢      x", ""},
		{"tab after escape", "\x1b\tx", `\x1b    x`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, m := range both {
				want := tt.runes
				if m.measure == Clusters && tt.clusters != "" {
					want = tt.clusters
				}
				c := NewCanvas(40, 1, m.measure)
				n := c.Sub(Rect{0, 0, 40, 1}).Text(0, 0, tt.text, Style{})
				row := c.Render()
				if got := strings.TrimRight(row, " "); got != want {
					t.Errorf("%s: drawn %+q, want %+q", m.name, got, want)
				}
				if got := m.width(row); got != 40 {
					t.Errorf("%s: the row %+q is %d columns wide, want 40", m.name, row, got)
				}
				if w := m.width(want); n != w || m.measure.Width(tt.text) != w {
					t.Errorf("%s: %d columns returned, Width %d, want %d", m.name, n, m.measure.Width(tt.text), w)
				}
			}
		})
	}
}

func TestClusterIsBounded(t *testing.T) {
	pile := "a" + strings.Repeat("\u0301", 1000)
	for _, m := range both {
		c := NewCanvas(80, 1, m.measure)
		c.Sub(Rect{0, 0, 80, 1}).Text(0, 0, pile, Style{})
		row := c.Render()
		if !strings.Contains(row, `\u0301`) || m.width(row) != 80 {
			t.Errorf("%s: %+q, want marks that are escaped in a row of 80 columns", m.name, row)
		}
	}
}

func TestCut(t *testing.T) {
	for _, tt := range []struct {
		text    string
		columns int
		want    string
	}{
		{"hello", 5, "hello"},
		{"hello", 4, "hel…"},
		{"hello", 1, "…"},
		{"hello", 0, ""},
		{"hello", -3, ""},
		{"", 3, ""},
		{"漢字漢字", 8, "漢字漢字"},
		{"漢字漢字", 7, "漢字漢…"},
		{"漢字漢字", 6, "漢字…"},
		{"a\x1b[31m", 4, "a…"},
		{"a\x1b[31m", 6, "a\x1b…"},
		{"ab\tc", 8, "ab…"},
		{"e\u0301e\u0301e\u0301", 2, "e\u0301…"},
		{"abc\ndef", 5, "abc…"},
	} {
		for _, m := range both {
			if got := m.measure.Cut(tt.text, tt.columns); got != tt.want {
				t.Errorf("%s: Cut(%q, %d) = %q, want %q", m.name, tt.text, tt.columns, got, tt.want)
			}
		}
	}
}

func TestCutFront(t *testing.T) {
	for _, c := range []struct {
		line    string
		columns int
		want    string
	}{
		{"lib/json.py:353", 15, "lib/json.py:353"},
		{"lib/json.py:353", 14, "…b/json.py:353"},
		{"lib/json.py:353", 4, "…353"},
		{"lib/json.py:353", 1, "…"},
		{"lib/json.py:353", 0, ""},
		{"", 0, ""},
		{"日本語.py:3", 8, "…語.py:3"},
		{"日本語.py:3", 9, "…語.py:3"},
		{"a\nb.py:3", 7, "…b.py:3"},
	} {
		if got := Runes.CutFront(c.line, c.columns); got != c.want {
			t.Errorf("%q in %d columns is %q, not %q", c.line, c.columns, got, c.want)
		}
	}
}

func TestCutSpans(t *testing.T) {
	line := []Span{{"was ", Style{Attr: Faint}}, {"'apple'", Style{}}, {" x", Style{Attr: Bold}}}
	for _, tt := range []struct {
		columns int
		want    []Span
	}{
		{13, line},
		{12, []Span{line[0], line[1], {"…", line[2].Style}}},
		{6, []Span{line[0], {"'…", line[1].Style}}},
		{4, []Span{{"was…", line[0].Style}}},
		{0, nil},
	} {
		if got := Runes.CutSpans(line, tt.columns); !slices.Equal(got, tt.want) {
			t.Errorf("CutSpans(…, %d) = %q, want %q", tt.columns, got, tt.want)
		}
	}
	if line[1].Text != "'apple'" {
		t.Error("CutSpans changed its argument")
	}
}

func TestCutOfLongTextIsShort(t *testing.T) {
	long := strings.Repeat("x", 100<<20)
	if n := testing.AllocsPerRun(5, func() { Runes.Cut(long, 10) }); n > 10 {
		t.Errorf("%v allocations", n)
	}
}

func TestWrap(t *testing.T) {
	for _, tt := range []struct {
		text    string
		columns int
		want    []string
	}{
		{"", 5, []string{""}},
		{"one two three", 20, []string{"one two three"}},
		{"one two three", 8, []string{"one two ", "three"}},
		{"one two three", 7, []string{"one ", "two ", "three"}},
		{"abcdefgh", 3, []string{"abc", "def", "gh"}},
		{"a\n\nb\r\n", 3, []string{"a", "", "b"}},
		{"漢字漢字", 5, []string{"漢字", "漢字"}},
		{"漢字", 1, []string{"漢", "字"}},
		{"ab", 0, []string{"a", "b"}},
		{"[1, 2, 3]", 5, []string{"[1, ", "2, 3]"}},
		{"ab\x1bcd", 4, []string{"ab", "\x1b", "cd"}},
	} {
		if got := slices.Collect(Runes.Wrap(tt.text, tt.columns)); !slices.Equal(got, tt.want) {
			t.Errorf("Wrap(%q, %d) = %q, want %q", tt.text, tt.columns, got, tt.want)
		}
	}
}

func FuzzMeasure(f *testing.F) {
	for _, s := range []string{"", "a b", "漢字\t" + family + flag, "\x1b]0;x\a", "e\u0301\u0301", "क्षि \xff\u0d4e" + keycap} {
		f.Add(s, 7)
	}
	f.Fuzz(func(t *testing.T, text string, columns int) {
		columns %= 200
		for _, m := range both {
			line := strings.ReplaceAll(text, "\n", "")
			w := m.measure.Width(line)
			cut := m.measure.Cut(line, columns)
			if got := m.measure.Width(cut); got > max(columns, 0) {
				t.Errorf("%s: Cut(%+q, %d) = %+q takes %d columns", m.name, line, columns, cut, got)
			}
			if w <= columns && cut != line {
				t.Errorf("%s: Cut(%+q, %d) = %+q, but it fits", m.name, line, columns, cut)
			}
			var all strings.Builder
			for row := range m.measure.Wrap(line, columns) {
				all.WriteString(row)
				if got := m.measure.Width(row); columns >= 16 && got > columns {
					t.Errorf("%s: row %+q of Wrap(%+q, %d) takes %d columns", m.name, row, line, columns, got)
				}
			}
			if want := strings.TrimSuffix(line, "\r"); all.String() != want {
				t.Errorf("%s: Wrap(%+q, %d) holds %+q", m.name, line, columns, all.String())
			}
			if utf8.ValidString(line) && !utf8.ValidString(cut) {
				t.Errorf("%s: Cut(%+q, %d) = %q cuts through a character", m.name, line, columns, cut)
			}
		}
	})
}
