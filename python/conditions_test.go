package python_test

import (
	"errors"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/npdb/npdb/python"
)

// TestConditionsAreEvaluated checks that a compiled condition has the same value, or raises the
// same exception, as Eval of its expression. It skips expressions that either of them refuses: a
// condition refuses only names that it reads during the evaluation, Eval all names in the
// expression.
func TestConditionsAreEvaluated(t *testing.T) {
	texts := map[string]python.Datum{}
	for _, l := range state.List {
		texts[l.Name] = python.ReadDatum(l.Value)
	}
	lookup := func(name string) (python.Datum, bool) {
		d, ok := texts[name]
		return d, ok
	}
	exprs := append(conditionsOf(7, 2000), "{x, 1} == {1, 3}", "{x} < {x, y}", "(x, [y]) == (3, [2.5])", "not {x}")
	same := 0
	for _, expr := range exprs {
		c, err := python.Compile(expr)
		if err != nil {
			continue
		}
		want, wrong := python.Eval(t.Context(), expr, state)
		d, err := c.Value(t.Context(), lookup)
		got := ""
		if err == nil {
			got, err = d.Text()
		}
		var refused *python.RefusedError
		switch {
		case errors.As(err, &refused), errors.As(wrong, &refused):
		case err == nil && (wrong != nil || got != want), err != nil && (wrong == nil || err.Error() != wrong.Error()):
			t.Errorf("%s: %s, %v; want %s, %v", expr, got, err, want, wrong)
		default:
			same++
		}
	}
	t.Logf("%d of %d are the same", same, len(exprs))
	if same < len(exprs)/2 {
		t.Errorf("only %d of %d are the same", same, len(exprs))
	}
}

// conditionsOf returns expressions over state like those of breakpoints: the table, and count
// random ones made from a seed.
func conditionsOf(seed uint64, count int) []string {
	g := conditions{rand.New(rand.NewPCG(seed, seed+1))}
	out := append([]string(nil), conditionTable...)
	for len(out) < len(conditionTable)+count {
		out = append(out, g.condition(len(out)%4))
	}
	return out
}

var conditionTable = []string{
	"x == 3", "x == 3.0", "x != 3", "x is None", "nothing is None", "nothing is not None", "x is 3", "flag is True", "flag == 1", "flag is 1",
	"x > 2 and s == \"it's\"", "x > 3 and missing", "x > 3 or missing", "missing", "not missing", "1 < x < 4", "1 < x < 3 < missing", "3 == x == 3.0 == flag + 2",
	"big == 123456789012345678901234567890", "big > 1e29", "big < 1e30", "big == float(big)", "big + 0.5 > big", "2 ** 53 + 1 == 2.0 ** 53", "9007199254740993 == 9007199254740992.0",
	"x / 0", "x // 0", "x % 0", "y // 0", "y % 0.0", "x / 0 == 1", "flag or x / 0", "x % 2 == 1", "-x % 5 == 2", "-7 // 2 == -4", "7 % -3 == -2", "-7.5 // 2", "-7.5 % 2 == 0.5",
	"inf > big", "-inf < x", "inf == inf", "numbers[2] == numbers[2]", "numbers[2] != numbers[2]", "numbers[2] in numbers", "-0.0 == 0", "numbers[3] is None",
	"3 in xs", "4 not in xs", "3.0 in xs", "True in xs", "'a' in d", "1 in d", "'it' in s", "3 in s", "'' in s", "x in x", "[] in d", "{} in st", "'a' in st", "1 in fs", "b'x' in raw", "0 in raw", "256 in raw",
	"len(xs) == 3", "len(s) > 3", "len(d) < len(st)", "len(x)", "len()", "len(xs, t)", "len(empty) == 0", "len", "max == 7", "max(1, 2)", "type == 'kind'", "type(x)",
	"xs[0] == 3", "xs[-1]", "xs[3]", "xs[-4]", "xs['a']", "xs[True]", "xs[0:2] == [3, 1]", "d['b']", "d['a'][1]['c'] is None", "d['zz']", "d[xs]", "s[0] == 'i'", "s[9]", "t[0]", "st[0]", "x[0]", "raw[1] == 255",
	"s < 'j'", "s < x", "x < None", "xs < [3, 2]", "t < (1, 0)", "t < xs", "st < {'a', 'b', 'c', 'd'}", "st <= st", "d == {'a': [2, {'c': None}], 'b': 1}", "fs == {1, 3}", "fs == frozenset([3, 1])", "d < d", "raw > b''",
	"x if flag else missing", "missing if not flag else x", "not x", "not empty", "not xs == []", "x and y and s", "nothing or 0 or ''",
	"s.startswith('it')", "s.upper() == \"IT'S\"", "x.append", "s.nope", "self.balance > 3", "self is None", "self is not None", "v is None", "f is None", "self == 1", "x == 3 or self == 1", "self", "not v", "long", "cycle is None", "cycle == 1",
	"isinstance(x, int)", "isinstance(s, (int, str))", "isinstance(self, int)", "abs(-x) == 3", "min(xs) == 1", "sum(xs) == 6", "round(y) == 2", "int('3') == x", "str(x) == '3'", "sorted(st) == ['a', 'b', 'c']", "bool(xs)", "any(xs)", "all([])",
	"x + s", "s + x", "s * 2 == \"it'sit's\"", "xs + [1] == [3, 1, 2, 1]", "xs + t", "-s", "~x == -4", "~y", "+nothing", "x << 2 == 12", "x << -1", "x >> 1 == 1", "x & 1", "x | 4 == 7", "x ^ 1", "y & 1", "2 ** x == 8", "2 ** -1 == 0.5", "(-8) ** (1/3)", "0 ** -1",
	"c == -2j", "c", "c < 1", "x @ x", "'%d' % x == '3'", "f'{x}' == '3'", "[i for i in xs] == xs", "lambda: 0", "(n := x) == 3", "x is x", "xs is xs", "x ==", "x = 3", "", "__name__ == '__main__'", "__doc__", "print(x)", "ValueError", "_private == 1", "raw == 'x'", "1 if", "xs == list(t)",
	"x == True", "1 == True", "flag + flag == 2", "flag and 1", "None < 1", "None == None", "... is ...", "deep == []", "len(deep) == 1", "sum2 == 3", "call == set()", "text == s", "x == '3'", "{1, 2} == {2, 1}", "{[]}", "[*xs] == xs", "(x, y) == (3, 2.5)", "(x,) < (4,)",
	"'\\ud800' in text", "text > 'it'", "s[::-1] == \"s'ti\"", "xs[::0]", "not (x > 2 and y > 3)", "x in (1, 2, 3)", "x in [1, 2] or s in ('a', \"it's\")", "x not in {1, 2}", "y == 2.5", "y * 2 == 5", "y - 2.5 == 0", "1e308 * 10 == inf", "10 ** 400 > 1e308", "10 ** 400 + 0.5", "10 ** 400 / 10 ** 399 == 10",
}

// conditions generates random conditions, most of which have a value.
type conditions struct{ *rand.Rand }

func (g conditions) pick(words ...string) string { return words[g.IntN(len(words))] }

func (g conditions) number() string {
	switch g.IntN(6) {
	case 0:
		return g.pick("x", "y", "big", "flag", "inf", "xs[0]", "xs[1]", "len(xs)", "len(s)", "d['b']", "numbers[4]", "max", "-x", "raw[0]", "t[0]")
	case 1:
		return strconv.FormatInt(g.Int64()-g.Int64(), 10)
	case 2:
		return strconv.FormatFloat(g.NormFloat64()*10, 'g', 3, 64)
	case 3:
		return g.pick("0", "1", "2", "3", "-1", "0.0", "-0.0", "1e300", "2 ** 64", "-2 ** 63", "True", "False", "9007199254740993", "9007199254740992.0", "5e-324")
	default:
		return strconv.Itoa(g.IntN(21) - 10)
	}
}

func (g conditions) value(depth int) string {
	if depth > 0 && g.IntN(2) == 0 {
		return "(" + g.value(depth-1) + " " + g.pick("+", "-", "*", "/", "//", "%", "&", "|", "^") + " " + g.value(depth-1) + ")"
	}
	switch g.IntN(10) {
	case 0:
		return g.pick("s", "'a'", "''", "text", "s[0]", "s + 'x'", "'it'", "s.upper()", "'b'", "\"it's\"")
	case 1:
		return g.pick("xs", "t", "[]", "(1,)", "[3, 1, 2]", "d", "st", "fs", "empty", "d['a']", "{'a'}", "(x, s)", "[x, y]", "{x}", "xs[1:]", "raw")
	case 2:
		return g.pick("None", "nothing", "flag", "True", "False", "missing", "self", "self.owner", "v", "...")
	default:
		return g.number()
	}
}

func (g conditions) condition(depth int) string {
	if depth > 0 {
		switch g.IntN(5) {
		case 0:
			return "(" + g.condition(depth-1) + ")" + g.pick(" and ", " or ") + g.condition(depth-1)
		case 1:
			return "not (" + g.condition(depth-1) + ")"
		case 2:
			return "(" + g.condition(depth-1) + ") if (" + g.condition(depth-1) + ") else " + g.condition(depth-1)
		}
	}
	var b strings.Builder
	b.WriteString(g.value(depth))
	for range 1 + g.IntN(2)*g.IntN(2) {
		b.WriteString(g.pick(" == ", " != ", " < ", " <= ", " > ", " >= ", " in ", " not in ", " is ", " is not ") + g.value(depth))
	}
	return b.String()
}

// TestConditionsOfObjects checks conditions over objects whose attributes and entries are known.
func TestConditionsOfObjects(t *testing.T) {
	for _, expr := range []string{"n[0:2]", "[x for x in n]", "lambda: n", "f'{n}'"} {
		if c, err := python.Compile(expr); err == nil || c != nil {
			t.Errorf("%s is compiled: %v, %v", expr, c, err)
		}
	}
	texts := map[string]string{"T": "<class 'int'>", "e": "Ellipsis", "n": "<Node>"}
	lookup := func(name string) (python.Datum, bool) {
		text, ok := texts[name]
		return python.ReadDatum(text), ok
	}
	for expr, want := range map[string]string{"T is int": "", "int is T": "", "e is ...": "", "T is None": "False", "n is True": "False"} {
		c, err := python.Compile(expr)
		if err != nil {
			t.Fatal(err)
		}
		d, err := c.Value(t.Context(), lookup)
		got := ""
		if err == nil {
			got, err = d.Text()
		}
		if got != want || (want == "") != (err != nil) {
			t.Errorf("%s: %q, %v, want %q", expr, got, err, want)
		}
	}
}
