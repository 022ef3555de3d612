package compare

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

var (
	// deepList has more open brackets than a matcher remembers.
	deepList = strings.Repeat("[", maxOpen+1) + "1" + strings.Repeat("]", maxOpen+1)
	long199  = strings.Repeat("x", 199)
)

// sets returns nested sets, each of a number and the next set.
func sets(n int, numberFirst bool) string {
	text := "0"
	for i := range n {
		if numberFirst {
			text = fmt.Sprintf("{%d, %s}", i+1, text)
		} else {
			text = fmt.Sprintf("{%s, %d}", text, i+1)
		}
	}
	return text
}

// TestValue checks the verdict of each case with all rules, and that it differs without a
// needed rule. The verdict must be symmetric.
func TestValue(t *testing.T) {
	for _, c := range []struct {
		predicted, real string
		want            string // the kind, then the rules
	}{
		{"42", "42", "same"},
		{"41", "42", "differs"},
		{"42", "42.0", "differs"},
		{"True", "1", "differs"},
		{"[1,2]", "[1, 2]", "differs"},
		{`"a"`, "'a'", "differs"},
		{"'a'", "b'a'", "differs"},
		{"", "0", "differs"},
		{"[1, 2]", "[1, 2, 3]", "differs"},
		{"[1, 2]", "(1, 2)", "differs"},
		{"'it's'", "'it's '", "differs"},

		{"0.30000000000000004", "0.3", "same float-noise"},
		{"[0.1, 2.675]", "[0.1, 2.6750000000000003]", "same float-noise"},
		{"1e3", "1000.0", "differs"},
		{"0.50", "0.5", "differs"},
		{"5e-324", "1e-323", "same float-noise"},
		{"(1+0.30000000000000004j)", "(1+0.3j)", "same float-noise"},
		{"-0.30000000000000004", "-0.3", "same float-noise"},
		{"0.3", "-0.3", "differs"},
		{"0.1", "0.2", "differs"},
		{"3.14159", "3.1416", "differs"},
		{"0.0", "5.551115123125783e-17", "differs"},
		{"0.0", "-0.0", "differs"},
		{"inf", "1.7976931348623157e+308", "differs"},
		{"1e999", "1.7976931348623157e+308", "differs"},
		{"1000000000001", "1000000000002", "differs"},
		{"'0.30000000000000004'", "'0.3'", "differs"},
		{"<V 1.2.3>", "<V 1.2.4>", "differs"},
		{"1.0000000000005", "1.0", "same float-noise"},
		{"1.000000000002", "1.0", "differs"},
		{"1000000.0000005", "1000000.0", "same float-noise"},
		{"0.0010000000005", "0.001", "differs"},
		{"0.3j", "0.3", "differs"},
		{"3j", "3.0000000000000004j", "same float-noise"},
		{"3j", "4j", "differs"},

		{"{1, 2, 3}", "{3, 1, 2}", "same set-order"},
		{"{1, 2, 3}", "{3, 1, 4}", "differs"},
		{"{1, 2}", "{2, 1, 3}", "differs"},
		{"frozenset({'b', 'a'})", "frozenset({'a', 'b'})", "same set-order"},
		{"{'a', 'b'}", "frozenset({'a', 'b'})", "differs"},
		{"{frozenset({1, 2}), frozenset({3, 4})}", "{frozenset({4, 3}), frozenset({1, 2})}", "same set-order"},
		{"{frozenset({1, 2}), frozenset({3, 4})}", "{frozenset({4, 2}), frozenset({1, 3})}", "differs"},
		{"[{1, 2}, {1, 2}]", "[{2, 1}, {2, 1}]", "same set-order"},
		{"[{1, 2}, 5]", "[{2, 1}, 6]", "differs"},
		{"{'k': {1, 2}, 'l': 3}", "{'k': {2, 1}, 'l': 3}", "same set-order"},
		{"{'a': 1, 'b': 2}", "{'b': 2, 'a': 1}", "differs"},
		{"{('a', 1), ('b', 2)}", "{('b', 2), ('a', 1)}", "same set-order"},
		{"{<C.A: 1>, <C.B: 2>}", "{<C.B: 2>, <C.A: 1>}", "same set-order"},
		{"{<class 'int'>, <class 'str'>}", "{<class 'str'>, <class 'int'>}", "same set-order"},
		{"{'a, b', 'c: d'}", "{'c: d', 'a, b'}", "same set-order"},
		{"{'}', '{'}", "{'{', '}'}", "same set-order"},
		{"Matrix{1, 2}", "Matrix{2, 1}", "differs"},
		{"'{1, 2}'", "'{2, 1}'", "differs"},
		{"{0.3, 1}", "{1, 0.30000000000000004}", "same set-order, float-noise"},
		{"G(nodes={2, 1}, w=0.3)", "G(nodes={1, 2}, w=0.30000000000000004)", "same set-order, float-noise"},
		{"{A(), A(), B()}", "{A(), B(), B()}", "differs"},
		{sets(maxDepth, true), sets(maxDepth, false), "same set-order"},
		{sets(maxDepth+1, true), sets(maxDepth+1, false), "differs"},
		{"{<A x=<B>, c>, 1}", "{1, <A x=<B>, c>}", "same set-order"},
		{"{<A:<B>, c>, 1}", "{1, <A:<B>, c>}", "same set-order"},
		{"{<<B>, c>, 1}", "{1, <<B>, c>}", "same set-order"},
		{"{<A <B>, c>, 1}", "{1, <A <B>, c>}", "same set-order"},
		{"{(<a, 1), 2}", "{2, (<a, 1)}", "same set-order"},
		{"{(1, <a), 2}", "{2, (1, <a)}", "same set-order"},
		{"{1 < 2, 3}", "{3, 1 < 2}", "same set-order"},
		{"{a<b, c}", "{c, a<b}", "same set-order"},
		{"{1, 2]", "{2, 1]", "differs"},
		{"{1, 2", "{2, 1", "differs"},
		{"{}", "{1}", "differs"},
		{"{1,2}", "{2,1}", "same set-order"},
		{"[{1, 2}, {3: {4, 5}}]", "[{2, 1}, {3: {5, 4}}]", "same set-order"},
		{"{1, 2}, {3: 4}", "{2, 1}, {4: 3}", "differs"},
		{deepList + ", {1, 2}", deepList + ", {2, 1}", "same set-order"},
		{"[" + deepList + ", {1, 2}]", "[" + deepList + ", {2, 1}]", "same set-order"},

		{"<A object at 0x7f01>", "<A object at 0x7f02>", "same addresses"},
		{"<A object at 0x7f01>", "<A object>", "same addresses"},
		{"<A object>", "<B object>", "differs"},
		{"<A object at 0x7f01>", "<B object at 0x7f02>", "differs"},
		{`<code object f at 0x7f0102, file "x.py", line 1>`, `<code object f at 0x7f0304, file "x.py", line 1>`, "same addresses"},
		{`<code object f at 0x7f0102, file "x.py", line 1>`, `<code object f at 0x7f0304, file "x.py", line 2>`, "differs"},
		{"[<A at 0x1>, <A at 0x1>]", "[<A at 0x2>, <A at 0x2>]", "same addresses"},
		{"[<A at 0x1>, <A at 0x1>]", "[<A at 0x2>, <A at 0x3>]", "differs"},
		{"[<A at 0x1>, <A at 0x2>]", "[<A at 0x2>, <A at 0x1>]", "same addresses"},
		{"'<A object at 0x7f01>'", "'<A object at 0x7f02>'", "same addresses"},
		{"'<A object at 0x7f01> = 1'", "'<A object at 0x7f02> = 2'", "differs"},
		{"'jump at 0x400000'", "'jump at 0x400010'", "differs"},
		{"Page at 0x10", "Page at 0x20", "differs"},
		{"0x400000", "0x400010", "differs"},
		{"<Flag: 0x400000>", "<Flag: 0x400010>", "differs"},
		{"<A at 0x7F0A>", "<A at 0x7f0b>", "same addresses"},
		{"<A at 0x7g01>", "<A at 0x7g02>", "differs"},
		{"<A at 0x7f01>", "<A at 0x7g02>", "differs"},
		{"<A at 0x>", "<A>", "differs"},
		{"<A at 0x09afAF>", "<A>", "same addresses"},
		{"<A at 0x7f/>", "<A>", "differs"},
		{"<A at 0x7f:>", "<A>", "differs"},
		{"<A at 0x7f@>", "<A>", "differs"},
		{"<A at 0x7fG>", "<A>", "differs"},
		{"<A at 0x7f`>", "<A>", "differs"},
		{"<A at 0x7fg>", "<A>", "differs"},
		{"<A at 0x7f01!>", "<A!>", "differs"},
		{`<code object f at 0x7f010, file "x.py", line 1>`, `<code object f at 0x7f020, file "x.py", line 1>`, "differs"},
		{"[<A at 0x1>, <A at 0x2>]", "[<A at 0x2>, <A at 0x2>]", "differs"},
		{"[{<A at 0x1>, 2}, <A at 0x1>, <A at 0x1>]", "[{2, <A at 0x3>}, <A at 0x4>, <A at 0x5>]", "same addresses, set-order"},
		{"'A at 0x7f01>'", "'A at 0x7f02>'", "differs"},
		{"'<A object at 0x7f01>'", "'<A object>'", "same addresses"},
		{"'<A object at 0x7f01, 2>'", "'<A object at 0x7f02, 2>'", "differs"},
		{"'<" + long199 + " at 0x7f01>'", "'<" + long199 + " at 0x7f02>'", "same addresses"},
		{"'<x" + long199 + " at 0x7f01>'", "'<x" + long199 + " at 0x7f02>'", "differs"},

		{"140347012345680", "140347099999984", "same ids"},
		{"{140347012345680: 'a'}", "{140347099999984: 'a'}", "same ids"},
		{"{140347012345680: 'a'}", "{140347099999984: 'b'}", "differs"},
		{"(140347012345680, 140347012345680)", "(140347099999984, 140347099999968)", "differs"},
		{"140347012345681", "140347099999984", "differs"},
		{"140347012345680", "42", "differs"},
		{"20000000000000", "20000000000016", "differs"},
		{"[140347012345680, 0.30000000000000004]", "[140347012345680, 0.3]", "same float-noise"},
		{"[140347012345680, 140347012345680]", "[140347099999984, 140347012345680]", "differs"},
		{"<Task name='Task-1'>", "<Task name='Task-2'>", "differs"},

		{"1712345678.123456", "1795297837.98765", "same clocks"},
		{"1712345678.0", "1795297837.98765", "same clocks"},
		{"1712345678.0", "1795297837.5", "differs"},
		{"1712345678", "1795297837", "differs"},
		{"712345678.123456", "795297837.98765", "differs"},
		{"1500000000.1234", "2499999999.1234", "same clocks"},
		{"1499999999.9999", "1712345678.1234", "differs"},
		{"2500000000.0", "1712345678.1234", "differs"},
		{"1712345678.123", "1795297837.987", "differs"},
		{"1712345678.123", "1795297837.9876", "same clocks"},
		{"1.7123456781234e9", "1795297837.9876", "differs"},
		{"datetime.datetime(2024, 5, 1, 12, 0, 7, 123456)", "datetime.datetime(2026, 11, 21, 20, 30, 37, 987654)", "same clocks"},
		{"datetime.datetime(2024, 5, 1, 12, 0)", "datetime.datetime(2026, 11, 21, 20, 30, 37, 987654)", "same clocks"},
		{"datetime.datetime(2026, 11, 21, 20, 30)", "datetime.datetime(2026, 11, 21, 20, 30, 37, 987654)", "same clocks"},
		{"datetime.datetime(2024, 5, 1, 12, 0)", "datetime.datetime(2026, 11, 21, 20, 30)", "differs"},
		{"datetime.datetime(2024, 5, 1, 12, 0, 7, 1, tzinfo=utc)", "datetime.datetime(2024, 5, 1, 12, 0, 7, 2, tzinfo=cet)", "differs"},
		{"datetime.datetime(2024, 5, 1, 12, 0, 7, 1, tzinfo=utc)", "datetime.datetime(2024, 5, 1, 12, 0, 7, 2, tzinfo=utc)", "same clocks"},
		{"datetime.date(2024, 5, 1)", "datetime.date(2026, 11, 21)", "differs"},
		{"datetime.datetime(2024, 5, 1, 12, 0, 7, 1, fold=1)", "datetime.datetime(2024, 5, 1, 12, 0, 7, 2, fold=1)", "same clocks"},
		{"datetime.datetime(2024, 5, 1, 12, 0, 7, 1, 5)", "datetime.datetime(2024, 5, 1, 12, 0, 7, 2, 5)", "differs"},
		{"datetime.datetime(1824, 5, 1, 12, 0, 7, 1)", "datetime.datetime(2024, 5, 1, 12, 0, 7, 2)", "differs"},
		{"datetime.datetime(2024, 5, 1, 12)", "datetime.datetime(2026, 11, 21, 20, 30, 37, 987654)", "differs"},
		{"datetime.datetime(min)", "datetime.datetime(max)", "differs"},
		{"datetime.datetime[2024, 5, 1, 12, 0, 7, 1]", "datetime.datetime[2024, 5, 1, 12, 0, 7, 2]", "differs"},
		{"[datetime.datetime(2024, 5, 1, 12, 0, 7, 1), 1]", "[datetime.datetime(2024, 5, 1, 12, 0, 7, 2), 2]", "differs"},
		{"A(2024, 5, 1, 12, 0, 7, 1)", "A(2024, 5, 1, 12, 0, 7, 2)", "differs"},
		{"'2024-05-01T12:00:00.123456'", "'2026-11-21T20:30:37.987654'", "same clocks"},
		{"'at 2024-05-01 12:00:00,123: ok'", "'at 2026-11-21 20:30:37,987: ok'", "same clocks"},
		{"'at 2024-05-01 12:00:00,123: ok'", "'at 2026-11-21 20:30:37,987: no'", "differs"},
		{"'2024-05-01T12:00'", "'2026-11-21T20:30:37.987654'", "same clocks"},
		{"'2024-05-01T12:00:00'", "'2026-11-21T20:30:37'", "differs"},
		{"'2024-05-01 12:00:00.123456'", "'2024-05-01T12:00:00.123456'", "differs"},
		{"'2024-05-01'", "'2026-11-21'", "differs"},
		{"'2024-05-01T12:00:00.123456+00:00'", "'2024-05-01T12:00:00.123457+02:00'", "differs"},
		{"'2024-13-01T12:00:00.123456'", "'2024-05-01T12:00:00.123456'", "differs"},
		{"'1970-01-01T00:00:00.123'", "'2099-12-31T23:59:59.987'", "same clocks"},
		{"'1969-12-31T12:00:00.123'", "'2024-05-01T12:00:00.123'", "differs"},
		{"'2100-01-01T12:00:00.123'", "'2024-05-01T12:00:00.123'", "differs"},
		{"'2024-00-01T12:00:00.123'", "'2024-05-01T12:00:00.123'", "differs"},
		{"'2024-05-00T12:00:00.123'", "'2024-05-01T12:00:00.123'", "differs"},
		{"'2024-05-32T12:00:00.123'", "'2024-05-01T12:00:00.123'", "differs"},
		{"'2024-05-01T24:00:00.123'", "'2024-05-01T12:00:00.123'", "differs"},
		{"'2024-05-01T12:60:00.123'", "'2024-05-01T12:00:00.123'", "differs"},
		{"'2024-05-01_12:01:00.123'", "'2024-05-01_12:00:00.123'", "differs"},
		{"'2024-05-01T12:00:00.12'", "'2026-11-21T20:30:37.98'", "differs"},
		{"'2024-05-01T12:00:00.12'", "'2026-11-21T20:30:37.987'", "differs"},
		{"'2024-05-01T12:00:00'", "'2026-11-21T20:30:37.987'", "same clocks"},
		{"'2024-05-01T12:00:0'", "'2026-11-21T20:30:37.987'", "differs"},
		{"'2024-05-01T12:00:0x.123'", "'2026-05-01T12:00:0x.987'", "differs"},
		{"'2024-05-01T12:0'", "'2026-11-21T20:30:37.987'", "differs"},
		{"'2024-05-01T12:001'", "'2026-11-21T20:30:37.987654'", "differs"},
		{"'12024-05-01T12:00:00.123'", "'12026-05-01T12:00:00.123'", "differs"},
		{"'2024-05-01T12:00:00.123xxxxxxxxxxT'", "'xxxxxxxxxxT'", "differs"},
		{"2024-05-01T12:00:00.123", "2024-05-01T12:00:00.987", "differs"},

		{"[1, 2, … +3 items not stored]", "[1, 2, … +3 items not stored]", "incomparable"},
		{"[1, 2, 3, 4, 5]", "[1, 2, … +3 items not stored]", "incomparable"},
		{"[1, 9, 3, 4, 5]", "[1, 2, … +3 items not stored]", "differs"},
		{"[1, 2, … +4 items not stored]", "[1, 2, … +3 items not stored]", "differs"},
		{"[1, 2]", "[1, 2, … +3 items not stored]", "differs"},
		{"[[1, 2, [3], 4], 5]", "[[1, 2, … +2 items not stored], 5]", "incomparable"},
		{"[[1, 2, [3], 4], 5]", "[[1, 2, … +2 items not stored], 6]", "differs"},
		{"{1, 2, 3, 4}", "{2, 4, … +2 items not stored}", "incomparable set-order"},
		{"{1, 2, 3, 4}", "{2, 5, … +2 items not stored}", "differs"},
		{"{1, 2}", "{2, 1, … +2 items not stored}", "differs"},
		{"'aaab'", "'aaa'… +1 chars not stored", "incomparable"},
		{"'aabb'", "'aaa'… +1 chars not stored", "differs"},
		{"['aaab', 2]", "['aaa'… +1 chars not stored, 2]", "incomparable"},
		{"['aaab', 2]", "['aaa'… +1 chars not stored, 3]", "differs"},
		{"['aaa', 2]", "['aaa'… +1 chars not stored, 2]", "differs"},
		{"[1, 23, 45]", "[1, 2… +1,234 chars not stored", "incomparable"},
		{"[1, 'abc', 45]", "[1, 'a… +1,234 chars", "incomparable"},
		{"[1, 33, 45]", "[1, 2… +1,234 chars not stored", "differs"},
		{"['xabx', 3]", "[ab… +1,234 chars not stored", "differs"},
		{"[1, 2… +1,235 chars not stored", "[1, 2… +1,234 chars not stored", "differs"},
		{"[… nested deeper]", "[… nested deeper]", "incomparable"},
		{"[[1]]", "[[… nested deeper]]", "incomparable"},
		{"'… +3 items not stored'", "'… +3 items not stored'", "same"},
		{"'… +3 items not stored'", "'… +4 items not stored'", "differs"},
		{"[… +3]", "[… +3]", "same"},
		{"[… +3 pears]", "[… +3 pears]", "same"},
		{"[… +items]", "[… +items]", "same"},
		{"[… more]", "[… more]", "same"},
		{"[… +3 items]", "[… +3 items]", "incomparable"},
		{"[… +1,239 items]", "[… +1,239 items]", "incomparable"},
		{"A(… +3 attributes not stored)", "A(… +3 attributes not stored)", "incomparable"},
		{"[abc… nested deeper, 1]", "[abc… nested deeper, 1]", "incomparable"},
		{"[abc… nested deeper, 1]", "[abd… nested deeper, 1]", "differs"},
		{"[]", "[… +3 items not stored]", "differs"},
		{"[(1, [2]), 3]", "[… +3 items not stored]", "incomparable"},
		{"{1, 2, … +2 items not stored}", "{2, 1, … +2 items not stored}", "incomparable set-order"},
		{"{1, 3, … +2 items not stored}", "{2, 1, … +2 items not stored}", "incomparable set-order"},
		{"{1, 2, … +3 items not stored}", "{2, 1, … +2 items not stored}", "incomparable set-order"},
		{"['aaa'… +1 chars not stored, 2]", "['aab'… +1 chars not stored, 2]", "differs"},
		{"['aaa'… +2 chars not stored, 2]", "['aaab'… +1 chars not stored, 2]", "differs"},
		{"[b'aaab', 2]", "[b'aaa'… +1 chars not stored, 2]", "incomparable"},
	} {
		for _, turned := range []bool{false, true} {
			p, r := c.predicted, c.real
			if turned {
				p, r = r, p
			}
			v := Values(p, r, All())
			if got := strings.TrimSpace(v.Kind.String() + " " + v.Rule); got != c.want {
				t.Errorf("%s | %s: %s, want %s", p, r, got, c.want)
			}
			if (v.Reason != "") != (v.Kind == Incomparable) {
				t.Errorf("%s | %s: %s with the reason %q", p, r, v.Kind, v.Reason)
			}
			for name := range strings.SplitSeq(v.Rule, ", ") {
				if name == "" {
					continue
				}
				rules := All()
				if err := rules.Set(name, false); err != nil {
					t.Fatal(err)
				}
				if v := compareValue(p, r, rules); v.Kind == Same {
					t.Errorf("%s | %s without %s: %v", p, r, name, v.Kind)
				}
			}
		}
	}
}

// TestUnrendered checks that a value that CPython could not write cannot be compared,
// whatever was predicted, and that a prediction of such a text is wrong.
func TestUnrendered(t *testing.T) {
	const text = "<Tree: too deep to render>"
	if v := compareValue("Tree(...)", text, All()); v.Kind != Incomparable || v.Reason == "" {
		t.Errorf("real: %+v", v)
	}
	if v := compareValue(text, "Tree(...)", All()); v.Kind != Differs {
		t.Errorf("predicted: %+v", v)
	}
}

// TestIDs checks that a possible id of an object is a multiple of 16 in the range of a
// process's memory.
func TestIDs(t *testing.T) {
	for _, r := range idRanges {
		for n, want := range map[uint64]bool{
			r[0]: true, r[0] + 16: true, r[1] - 16: r[1]%16 == 0, r[0] - 16: false, r[0] + 8: false, (r[1] + 15) &^ 15: false,
		} {
			if got := looksLikeID(strconv.FormatUint(n, 10)); got != want {
				t.Errorf("%#x may be an id: %v", n, got)
			}
		}
	}
}

// TestPlace checks that the position of a difference is the first one that no rule
// explains.
func TestPlace(t *testing.T) {
	for _, c := range []struct {
		predicted, real string
		p, r            int
	}{
		{"41", "42", 0, 0},
		{"[1, 2, 3]", "[1, 2, 4]", 7, 7},
		{"[<A at 0x7f01>, 2]", "[<A>, 3]", 16, 6},
		{"[{1, 2}, 'abcd']", "[{2, 1}, 'abxd']", 12, 12},
		{"'ä€'", "'äé'", 3, 3},
		{"[1]", "[1, 2]", 2, 2},
		{"", "x", 0, 0},
		{"'aä'", "'aö'", 2, 2},
		{"<A at 0x7f01>[1… +1,234 chars", "<A>[1… +1,235 chars", 15, 5},
		{"'<A at 0x7f01> x'", "'<A> y'", 15, 5},
		{"[<A at 0x1>, <A at 0x2>]", "[<A at 0x2>, <A at 0x2>]", 19, 19},
		{"[1, 23… +1,234 chars", "[1, 23… +1,235 chars", 6, 6},
		{"['aaa'… +2 chars, 2]", "['aaab'… +1 chars, 2]", 1, 1},
	} {
		v := compareValue(c.predicted, c.real, All())
		if v.Kind != Differs || v.PredictedAt != c.p || v.RealAt != c.r {
			t.Errorf("%s | %s: %s at %d, %d, want %d, %d", c.predicted, c.real, v.Kind, v.PredictedAt, v.RealAt, c.p, c.r)
		}
	}
}

// TestLarge checks that the time is linear in the text, or limited.
func TestLarge(t *testing.T) {
	var ascending, descending, other []string
	for i := range 20_000 {
		ascending = append(ascending, fmt.Sprintf("'key %d'", i))
		descending = append(descending, fmt.Sprintf("'key %d'", 19_999-i))
		other = append(other, fmt.Sprintf("'yek %d'", i))
	}
	set := func(list []string) string { return "{" + strings.Join(list, ", ") + "}" }
	var pairs, turned []string
	for i := range 20_000 {
		pairs = append(pairs, fmt.Sprintf("frozenset({%d, -%d})", i, i+1))
		turned = append(turned, fmt.Sprintf("frozenset({-%d, %d})", 20_000-i, 19_999-i))
	}
	for _, c := range []struct {
		name            string
		predicted, real string
		want            Kind
	}{
		{"set in another order", set(ascending), set(descending), Same},
		{"another set", set(ascending), set(other), Differs},
		{"sets of sets", set(pairs), set(turned), Incomparable},
		{"open brackets", strings.Repeat("[", 1<<20) + "1", strings.Repeat("[", 1<<20) + "2", Differs},
		{"open braces", strings.Repeat("{", 1<<20) + "1", strings.Repeat("{", 1<<20) + "2", Differs},
		{"open quotes", strings.Repeat(`'\`, 1<<20), strings.Repeat(`'\`, 1<<20) + "2", Differs},
		{"stamps", "'" + strings.Repeat("2024-05-01 12:00:00,123 ", 1<<15) + "'", "'" + strings.Repeat("2026-05-01 12:00:00,123 ", 1<<15) + "'", Same},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := compareValue(c.predicted, c.real, All())
			if v.Kind != c.want {
				t.Errorf("%s (%s), want %s", v.Kind, v.Reason, c.want)
			}
		})
	}
}
