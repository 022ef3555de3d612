package python_test

import (
	"fmt"
	"strings"
	"testing"
)

// methodGrid is a set of method calls: each receiver with each method and each list of arguments.
type methodGrid struct {
	receivers, methods, arguments []string
}

// spans are the optional bounds of a search.
var spans = []string{"", ", 1", ", -2", ", 1, 3", ", None, 2", ", -3, -1", ", 2, 1", ", 9", ", 0, 99"}

// searched returns an argument list for each text and each pair of bounds.
func searched(texts ...string) (list []string) {
	for _, text := range texts {
		for _, span := range spans {
			list = append(list, text+span)
		}
	}
	return list
}

// counted returns an argument list for each first argument and each limit.
func counted(firsts ...string) (list []string) {
	for _, first := range firsts {
		for _, most := range []string{"", ", -1", ", 0", ", 1", ", 2", ", 9"} {
			list = append(list, first+most)
		}
	}
	return list
}

var (
	someTexts = []string{`''`, `'abcabc'`, `' a  b\tc '`, `'a,b,,c'`, `'Äb ß'`, `'x\r\ny\nz\x0b'`, `'1²٣'`, `"iT's"`, `'a\x1cb\x85'`, `'日本'`, `'-07'`}
	someBytes = []string{`b''`, `b'abcabc'`, `b' a  b\tc '`, `b'a,b,,c'`, `b'\xe9b\xff\x00'`, `b'x\r\ny\nz'`, `b"iT's"`, `b'-07'`}

	plainMethods = []string{
		"upper", "lower", "title", "swapcase", "capitalize", "strip", "lstrip", "rstrip", "split", "rsplit", "splitlines", "isdigit", "isalpha",
		"isalnum", "isupper", "islower", "isspace", "istitle", "isascii", "expandtabs",
	}
	fillMethods = []string{"center", "ljust", "rjust", "zfill"}
)

// inBytes returns texts with b before each quotation mark that begins a literal.
func inBytes(texts []string) (list []string) {
	for _, text := range texts {
		begin := true
		var b strings.Builder
		for _, c := range text {
			if c == '\'' {
				if begin {
					b.WriteByte('b')
				}
				begin = !begin
			}
			b.WriteRune(c)
		}
		list = append(list, b.String())
	}
	return list
}

func methodGrids() []methodGrid {
	find := []string{"find", "rfind", "index", "rindex", "count", "startswith", "endswith"}
	finds := searched(`'b'`, `'bc'`, `''`, `'c'`)
	ends := []string{`('a', 'c')`, `('b', ''), 1`, `()`}
	splits := append(counted(`','`, `None`, `'bc'`, `' '`), `''`, `sep=','`, `maxsplit=1`, `sep='b', maxsplit=1`, `None, maxsplit=0`)
	parts := []string{`','`, `'b'`, `'zz'`, `''`}
	strips := []string{`'a'`, `'c a'`, `None`, `''`}
	replaced := counted(`'b', 'xy'`, `'', '-'`, `'abc', ''`)
	fills := []string{"0", "6", "7", "12", "-1"}
	filled := []string{"8, '*'", "9, 'é'", "8, ''", "8, '**'"}
	joined := []string{`['1', '2', '']`, `[]`, `'ab'`, `('x',)`, `[1]`, `(c for c in ['a', 'b'])`, `{'a': 1}`, `{'x'}`, `5`}
	return []methodGrid{
		{someTexts, append([]string{"casefold", "isidentifier", "isdecimal", "isnumeric", "isprintable", "encode"}, plainMethods...), []string{""}},
		{someTexts, find, finds},
		{someTexts, []string{"startswith", "endswith"}, ends},
		{someTexts, []string{"split", "rsplit"}, splits},
		{someTexts, []string{"partition", "rpartition", "removeprefix", "removesuffix"}, parts},
		{someTexts, []string{"strip", "lstrip", "rstrip"}, strips},
		{someTexts, []string{"replace"}, replaced},
		{someTexts, fillMethods, fills},
		{someTexts, []string{"center", "ljust", "rjust"}, filled},
		{someTexts, []string{"join"}, joined},
		{someTexts, []string{"splitlines"}, []string{"True", "keepends=True", "False"}},
		{someTexts, []string{"expandtabs"}, []string{"4", "0", "-1"}},
		{
			[]string{`'{} {}'`, `'{1}{0}'`, `'{a[0]}{b}'`, `'{0!r:>{1}}'`, `'{:{:{}}}'`, `'{:{}{}}'`, `'{{}}'`, `'{'`, `'}'`, `'{0[a]}'`, `'{:{:{:{}}}}'`},
			[]string{"format"},
			[]string{"", "1, 2", "'x', 8, 3", "*[1, 2]", "a=[1], b=2", "1, 2, 3, 4", "{'a': 1}"},
		},
		{[]string{`'{a} {1}'`, `'{a:{b}}'`, `'{a:{b:{a}}}'`, `'{}'`}, []string{"format_map"}, []string{"{'a': 1, 'b': 5, '1': 2}", "{}"}},

		{someTexts, []string{"encode"}, []string{"'ascii'", "'latin1'", "'UTF_8'", "encoding='us-ascii'"}},
		{[]string{`'a\ud800\udfffb'`, `'\ud800'`, `'ab\u0100\U00020000c\xff'`}, []string{"encode"}, []string{"", "'latin_1'", "'ascii'"}},

		{someBytes, append([]string{"decode", "hex"}, plainMethods...), []string{""}},
		{append([]string{`b'\xc0\x80'`, `b'a\xe2\x82'`, `b'\xf8'`}, someBytes...), []string{"decode"}, []string{"", "'ascii'", "'latin1'"}},
		{someBytes, find, inBytes(finds)},
		{someBytes, []string{"find", "index", "count", "rfind", "rindex"}, []string{"97", "0", "256", "-1", "98, 2"}},
		{someBytes, []string{"startswith", "endswith"}, inBytes(ends)},
		{someBytes, []string{"split", "rsplit"}, inBytes(splits)},
		{someBytes, []string{"partition", "rpartition", "removeprefix", "removesuffix"}, inBytes(parts)},
		{someBytes, []string{"strip", "lstrip", "rstrip"}, inBytes(strips)},
		{someBytes, []string{"replace"}, inBytes(replaced)},
		{someBytes, fillMethods, fills},
		{someBytes, []string{"center", "ljust"}, []string{"8, b'*'", "8, b''", "8, '*'"}},
		{someBytes, []string{"join"}, append(inBytes(joined), "['a']")},

		{[]string{"[3, 1, 2, 1]", "(3, 1, 2, 1)", "[]", "[1.0, True, None]"}, []string{"index", "count"}, []string{"1", "2", "None", "1, 2", "1, -1", "1, 0, 2", "9"}},
		{[]string{"{'a': 1, 2: 'b'}", "{}"}, []string{"get"}, []string{"'a'", "2", "2.0", "'z'", "'z', 0", "[]"}},
		{[]string{"{'a': 1, 2: 'b'}", "{}"}, []string{"keys", "values", "items", "copy"}, []string{""}},
		{
			[]string{"{1, 2, 3}", "set()", "frozenset((2, 3))"},
			[]string{"union", "intersection", "difference", "symmetric_difference", "issubset", "issuperset", "isdisjoint"},
			[]string{"{2, 3}", "[2, 5]", "()", "{1, 2, 3, 4}", "1"},
		},
		{[]string{"(0)", "(255)", "(-256)", "(10**20)", "True"}, []string{"bit_length", "conjugate", "as_integer_ratio"}, []string{""}},
		{[]string{"(0)", "(255)", "(-256)", "(10**20)"}, []string{"to_bytes"}, []string{"2, 'big'", "9, 'little'", "2, 'big', signed=True", "1, 'big'", "2, 'x'"}},
		{[]string{"0.5", "-3.0", "1e22", "float('inf')", "float('nan')", "0.1"}, []string{"is_integer", "as_integer_ratio", "hex", "conjugate"}, []string{""}},
	}
}

// TestMethodsAgreeWithPython checks that each method that is evaluated has CPython's value, or
// raises CPython's exception, for each of its optional arguments; and the operators of views.
func TestMethodsAgreeWithPython(t *testing.T) {
	var texts []string
	for _, g := range methodGrids() {
		for _, receiver := range g.receivers {
			for _, method := range g.methods {
				for _, arguments := range g.arguments {
					texts = append(texts, fmt.Sprintf("%s.%s(%s)", receiver, method, arguments))
				}
			}
		}
	}
	views := []string{"{1: 2}.keys()", "{1: 2, 3: 4}.items()", "{1: 2}.values()"}
	for _, view := range views {
		for _, other := range []string{"5", "None", "[1]", "(1, 2)", "{1}", "'a'", "{3: 4}", "[[]]", "{1: 2}.keys()", "{1: []}.items()"} {
			for _, op := range []string{"+", "<", "<=", "==", ">"} {
				texts = append(texts, view+" "+op+" "+other, other+" "+op+" "+view)
			}
			for _, op := range []string{"|", "&", "-", "^"} { // the order depends on the hashes of texts
				texts = append(texts, "sorted("+view+" "+op+" "+other+", key=repr)", "sorted("+other+" "+op+" "+view+", key=repr)")
			}
		}
	}
	compare(t, texts, 1)
}
