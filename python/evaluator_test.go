package python

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/npdb/npdb/dsl"
)

// locals makes locals of names and texts in turn.
func locals(namesAndTexts ...string) []dsl.Local {
	var out []dsl.Local
	for i := 0; i < len(namesAndTexts); i += 2 {
		out = append(out, dsl.Local{Name: namesAndTexts[i], Value: namesAndTexts[i+1]})
	}
	return out
}

// state is what the expressions of the tables see.
var state = locals(
	"x", "3", "y", "2.5", "big", "123456789012345678901234567890",
	"s", `'it\'s'`, "text", `"it's \x1b \ud800 é"`, "raw", `b'\x00\xff'`,
	"xs", "[3, 1, 2]", "t", "(1,)", "d", "{'b': 1, 'a': [2, {'c': None}]}",
	"st", "{'b', 'a', 'c'}", "empty", "set()", "fs", "frozenset({3, 1})", "fe", "frozenset()",
	"inf", "inf", "numbers", "[inf, -inf, nan, -0.0, 1e+300]", "c", "(-0-2j)", "cs", "[-2j, (1+infj), (nan+nanj), 1j]",
	"flag", "True", "nothing", "None", "max", "7", "type", "'kind'", "_private", "1", "__name__", "'__main__'",
	"self", "Account(owner='ann', balance=3)", "v", "<object object>", "cycle", "[1, [...]]", "f", "<function f>",
	"long", "[1, 2, … +1,234 chars", "call", "set([1])", "sum2", "1 + 2", "joined", "f'{x}'", "deep", strings.Repeat("[", 150)+strings.Repeat("]", 150),
	"deepest", strings.Repeat("[", 1000)+strings.Repeat("]", 1000),
)

func TestEval(t *testing.T) {
	tests := []struct{ expr, want string }{
		// Every literal comes back as it was.
		{"x", "3"},
		{"y", "2.5"},
		{"big", "123456789012345678901234567890"},
		{"s", `"it's"`},
		{"text", `"it's \x1b \ud800 é"`},
		{"raw", `b'\x00\xff'`},
		{"xs", "[3, 1, 2]"},
		{"t", "(1,)"},
		{"d", "{'b': 1, 'a': [2, {'c': None}]}"},
		{"st", "{'b', 'a', 'c'}"},
		{"[st, [st]]", "[{'b', 'a', 'c'}, [{'b', 'a', 'c'}]]"},
		{"empty", "set()"},
		{"fs", "frozenset({3, 1})"},
		{"fe", "frozenset()"},
		{"inf", "inf"},
		{"numbers", "[inf, -inf, nan, -0.0, 1e+300]"},
		{"c", "(-0-2j)"},
		{"cs", "[-2j, (1+infj), (nan+nanj), 1j]"},
		{"deep == []", "False"},
		{"__name__", "'__main__'"},
		{"_private", "1"},
		// Expressions.
		{"x + 1", "4"},
		{"  x  ", "3"},
		{"x\n", "3"},
		{"x # a comment", "3"},
		{"x if flag else missing", "3"},
		{"flag or missing", "True"},
		{"xs[0] * len(xs)", "9"},
		{"xs[::-1], xs[1:]", "([2, 1, 3], [1, 2])"},
		{"d['a'][1]['c'] is None", "True"},
		{"sorted(st)", "['a', 'b', 'c']"},
		{"{**d, 'z': 0}", "{'b': 1, 'a': [2, {'c': None}], 'z': 0}"},
		{"[*xs, *t]", "[3, 1, 2, 1]"},
		{"f'{x:>4}|{y!r}|{x=}'", "'   3|2.5|x=3'"},
		{"f\"{'a' + f'{x}'}\"", "'a3'"},
		{"'%d-%s' % (x, s)", `"3-it's"`},
		{"'{0[0]}:{1:{2}}'.format(xs, x, 4)", "'3:   3'"},
		{"s.upper().split(\"'\")", `['IT', 'S']`},
		{"b'ab'.hex() + raw.hex()", "'616200ff'"},
		{"str.join('-', ['a', 'b'])", "'a-b'"},
		{"dict.fromkeys(xs, 0)", "{3: 0, 1: 0, 2: 0}"},
		{"(c.real, c.imag)", "(-0.0, -2.0)"},
		{"2 ** 200 % 1000", "376"},
		{"len(str(10 ** 20000)), int('1' * 20000) % 7", "(20001, 4)"},
		{"x < 4 <= 10 and not nothing", "True"},
		{"not x == 4", "True"},
		{"-x ** 2, 2 ** -1, 2 ** 3 ** 2", "(-9, 0.5, 512)"},
		{"1if x else 2", "1"},
		// Scopes: a bound name is not the recorded one.
		{"[self for self in xs]", "[3, 1, 2]"},
		{"(lambda self, k=x: self + k)(1)", "4"},
		{"(lambda a, /, b=2, *c, d, **e: (a, b, c, d, e))(1, d=4, f=5)", "(1, 2, (), 4, {'f': 5})"},
		{"[x for x in xs] + [x]", "[3, 1, 2, 3]"},
		{"[(n := i) for i in xs] + [n]", "[3, 1, 2, 2]"},
		{"{k: [j for j in range(x) if j != k] for k in xs}", "{3: [0, 1, 2], 1: [0, 2], 2: [0, 1]}"},
		{"sum(i * x for i in xs)", "18"},
		{"[(a, b) for a, *b in [(1, 2, 3)]]", "[(1, [2, 3])]"},
		{"any(1 / i for i in [1, 0])", "True"},
		// A recorded name shadows a builtin.
		{"max + x", "10"},
		{"type.upper()", "'KIND'"},
		// Pure builtins.
		{"abs(-x), all(xs), any([]), divmod(7, x), pow(2, 3), round(y)", "(3, True, False, (2, 1), 8, 2)"},
		{"[ascii('é'), bin(x), hex(255), oct(8), chr(97), ord('a'), repr(s)]", `["'\\xe9'", '0b11', '0xff', '0o10', 'a', 97, '"it\'s"']`},
		{"bool(x), bytes(2), complex(1, 2), float('nan'), format(x, '03')", `(True, b'\x00\x00', (1+2j), nan, '003')`},
		{"list(enumerate(zip(xs, t))), list(map(str, xs)), list(filter(None, [0, 1]))", "([(0, (3, 1))], ['3', '1', '2'], [1])"},
		{"list(reversed(xs)), set(), frozenset({x}), tuple(xs), dict(a=1)", "([2, 1, 3], set(), frozenset({3}), (3, 1, 2), {'a': 1})"},
		{"isinstance(x, (int, str)), issubclass(bool, int), next(iter(xs)), min(xs), range(x)", "(True, True, 3, 1, range(0, 3))"},
		{"slice(1, None, x)", "slice(1, None, 3)"},
		{"d.keys(), d.get('z', 5), list(d.items())[0]", "(dict_keys(['b', 'a']), 5, ('b', 1))"},
		{"sorted(xs, key=lambda i: -i), min(xs, key=str)", "([3, 2, 1], 1)"},
		// Rendering: addresses dropped.
		{"lambda: 0", "<function <lambda>>"},
		{"(lambda: (missing + x\n)) and None", "None"},
		{"[xs.count]", "[<built-in method count of list object>]"},
		{"' at 0x12>', (i for i in xs)", "(' at 0x12>', <generator object <genexpr>>)"},
		{"int", "<class 'int'>"},
		{"'\\ud800' + chr(0x10ffff) + '\\n'", `'\ud800\U0010ffff\n'`},
	}
	e := NewEvaluator()
	for _, test := range tests {
		got, err := e.Eval(t.Context(), test.expr, state)
		if err != nil || got != test.want {
			t.Errorf("%s: got %s, %v; want %s", test.expr, got, err, test.want)
		}
	}
	// The builtin type where nothing shadows it.
	for expr, want := range map[string]string{
		"list(map(type, [1, 'a']))":          "[<class 'int'>, <class 'str'>]",
		"type":                               "<class 'type'>",
		"type(x) is type(y)":                 "False",
		"type(x) is int, int is not type(y)": "(True, True)",
		"sorted([3, 1], key=lambda i: -i)":   "[3, 1]",
	} {
		if got, err := e.Eval(t.Context(), expr, locals("x", "1", "y", "''")); err != nil || got != want {
			t.Errorf("%s: got %s, %v; want %s", expr, got, err, want)
		}
	}
}

func TestEvalRefuses(t *testing.T) {
	tests := []struct{ expr, name, reason string }{
		{"self", "self", "Account(owner='ann', balance=3) is no literal"},
		{"x + len(v)", "v", "<object object> is no literal"},
		{"f(3)", "f", "<function f> is no literal"},
		{"cycle", "cycle", "[1, [...]] holds itself"},
		{"long", "long", "[1, 2, … +1,234 chars was cut"},
		{"call", "call", "set([1]) is no literal"},
		{"sum2", "sum2", "1 + 2 is no literal"},
		{"joined", "joined", "f'{x}' is no literal"},
		{"deepest", "deepest", "nested too deeply"},
		{"[self for x in xs]", "self", "is no literal"},
		// Builtins that are not pure.
		{"print(x)", "print", "builtin"},
		{"hash(s)", "hash", "builtin"},
		{"[globals for i in xs]", "globals", "builtin"},
		{"ValueError", "ValueError", "builtin"},
		// Attributes.
		{"().__class__.__bases__", ".__bases__", "no public method"},
		{"x.__class__", ".__class__", "no public method"},
		{"(i for i in xs).gi_frame", ".gi_frame", "no public method"},
		{"[0 for x.real in xs]", ".real", "cannot be assigned"},
		{"'{0.real}'.format(x)", "format", "attribute"},
		{"'{0[0].real}'.format(xs)", "format", "attribute"},
		// Names of Python's own.
		{"__import__('os')", "__import__", "Python's own"},
		{"(lambda __builtins__: 0)(1)", "__builtins__", "Python's own"},
		{"[0 for __builtins__ in [{}]]", "__builtins__", "Python's own"},
		// What text cannot tell.
		{"xs is xs", "is", "=="},
		{"x is not 3", "is", "=="},
		{"await x", "", "await"},
		{"(yield)", "", "yield"},
		// What the subset lacks.
		{"xs.append(4)", ".append", "changes its value"},
		{"xs.sort() or xs", ".sort", "docs/expressions.md"},
		{"'a'.translate({})", ".translate", "docs/expressions.md"},
		{`'\N{DIGIT ONE}'`, `\N`, "names of characters"},
	}
	e := NewEvaluator()
	for _, test := range tests {
		got, err := e.Eval(t.Context(), test.expr, state)
		var refused *RefusedError
		if !errors.As(err, &refused) || refused.Name != test.name || !strings.Contains(refused.Reason, test.reason) {
			t.Errorf("%s: got %s, %v; want %s refused: %s", test.expr, got, err, test.name, test.reason)
		}
	}
	for _, expr := range []string{"type(int)", "type(lambda: 0)", "list(map(type, [int]))"} {
		var refused *RefusedError
		if _, err := e.Eval(t.Context(), expr, nil); !errors.As(err, &refused) || refused.Name != "type" {
			t.Errorf("%s: got %v, want type refused", expr, err)
		}
	}
}

func TestEvalRaises(t *testing.T) {
	tests := []struct{ expr, kind, message string }{
		{"missing", "NameError", "name 'missing' is not among the values of this state"},
		{"[missing for i in xs]", "NameError", "name 'missing' is not among the values of this state"},
		{"(lambda: missing)()", "NameError", "name 'missing' is not among the values of this state"},
		{"1 / 0", "ZeroDivisionError", "division by zero"},
		{"d['no']", "KeyError", "'no'"},
		{"xs[9]", "IndexError", "list index out of range"},
		{"{}[lambda: 0]", "KeyError", "<function <lambda>>"},
		{"x.append(1)", "AttributeError", "'int' object has no attribute 'append'"},
		{"1 + 'a'", "TypeError", "unsupported operand type(s) for +: 'int' and 'str'"},
		{"'a' + 1", "TypeError", `can only concatenate str (not "int") to str`},
		{"1 < 'a'", "TypeError", "'<' not supported between instances of 'int' and 'str'"},
		{"{[]: 1}", "TypeError", "unhashable type: 'list'"},
		{"int('x')", "ValueError", "invalid literal for int() with base 10: 'x'"},
		{"next(iter([]))", "StopIteration", ""},
		{"(lambda g: g(g))(lambda g: g(g))", "RecursionError", "maximum recursion depth exceeded"},
		{"(lambda a: a)()", "TypeError", "<lambda>() missing 1 required positional argument: 'a'"},
		{"x = 1", "SyntaxError", ""},
		{"x +", "SyntaxError", "invalid syntax"},
		{"(x", "SyntaxError", "'(' was never closed"},
		{"x)", "SyntaxError", "unmatched ')'"},
		{"'a", "SyntaxError", "unterminated string literal"},
		{"", "SyntaxError", ""},
		{"import os", "SyntaxError", ""},
		{"x; y", "SyntaxError", ""},
		{"x\x00", "SyntaxError", "null bytes"},
		{"\xff", "SyntaxError", ""},
		{"012", "SyntaxError", "leading zeros"},
		{"(lambda: (x +\n)) and None", "SyntaxError", ""},
	}
	e := NewEvaluator()
	for _, test := range tests {
		got, err := e.Eval(t.Context(), test.expr, state)
		var raised *EvalError
		if !errors.As(err, &raised) || raised.Type != test.kind || !strings.Contains(raised.Message, test.message) {
			t.Errorf("%q: got %s, %v; want %s: %s", test.expr, got, err, test.kind, test.message)
		}
	}
}

func TestWhatisTruthPretty(t *testing.T) {
	whatis := map[string]string{
		"x": "<class 'int'>", "st": "<class 'set'>", "nothing": "<class 'NoneType'>", "lambda: 0": "Function <lambda>",
		"int": "Class builtins.int", "xs.count": "<class 'builtin_function_or_method'>",
	}
	truth := map[string]bool{"x > 2": true, "x > 3": false, "xs": true, "''": false, "nothing": false, "'False'": true}
	pretty := map[string]string{
		"x": "3", "fs": "frozenset({3, 1})", "{'b': 1, 'a': 2}": "{'a': 2, 'b': 1}", "text": `"it's \x1b \ud800 é"`,
		"[lambda: 0, {'b': 1, 'a': 2}]":                                          "[<function <lambda>>, {'b': 1, 'a': 2}]",
		"['" + strings.Repeat("a", 50) + "', '" + strings.Repeat("b", 50) + "']": "['" + strings.Repeat("a", 50) + "',\n '" + strings.Repeat("b", 50) + "']",
	}
	e := NewEvaluator()
	for expr, want := range whatis {
		if got, err := e.Whatis(t.Context(), expr, state); err != nil || got != want {
			t.Errorf("whatis %s: got %s, %v; want %s", expr, got, err, want)
		}
	}
	for expr, want := range truth {
		if got, err := e.Truth(t.Context(), expr, state); err != nil || got != want {
			t.Errorf("truth of %s: got %t, %v; want %t", expr, got, err, want)
		}
	}
	for expr, want := range pretty {
		if got, err := e.Pretty(t.Context(), expr, state); err != nil || got != want {
			t.Errorf("pp %s: got %s, %v; want %s", expr, got, err, want)
		}
	}
	if _, err := e.Truth(t.Context(), "self.balance > 2", state); err == nil {
		t.Error("the truth of self.balance: no error")
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
}

// What asks for too much ends with a LimitError.
func TestEvalIsBounded(t *testing.T) {
	double := "(lambda p: [p, p])"
	tests := []struct{ name, expr string }{
		{"a text", "'a' * 10**10"},
		{"a list", "[0] * 10**12"},
		{"a number", "2**10**9"},
		{"a tower", "10**10**10"},
		{"a shift", "1 << 10**9"},
		{"a loop", "sum(range(10**13))"},
		{"a generator that gives nothing", "any(False for i in range(10**13))"},
		{"a filter", "list(filter(None, map(bool, [0] * 10**6 * 10)))" + " * 10**9"},
		{"loops in loops", "[[[0 for i in range(10**4)] for j in range(10**4)] for k in range(10**4)]"},
		{"doubling", "[s := 'a'] + [s := s + s for i in range(60)]"},
		{"a width", "f'{1:{10**10}}'"},
		{"an old format's width", "'%*d' % (10**9, 1)"},
		{"a shared value's text", strings.Repeat(double+"(", 60) + "1" + strings.Repeat(")", 60)},
		{"a shared value's equality", "(lambda a, b: a == b)(" + strings.Repeat(double+"(", 60) + "1" + strings.Repeat(")", 60) + ", " + strings.Repeat(double+"(", 60) + "1" + strings.Repeat(")", 60) + ")"},
		{"a result", "'a' * (5 << 20)"},
		{"a replacement", "('a' * 10**6).replace('a', 'b' * 10**6)"},
		{"a modular power", "pow(3, 1 << 10**6, (1 << 10**6) + 1)"},
		{"an expression", "1" + strings.Repeat(" ", 70<<10)},
	}
	e := NewEvaluator()
	for _, test := range tests {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		began := time.Now()
		got, err := e.Eval(ctx, test.expr, nil)
		cancel()
		var limit *LimitError
		if !errors.As(err, &limit) {
			t.Errorf("%s: got %.100s, %v; want a LimitError", test.name, got, err)
		}
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("%s: took %v", test.name, took)
		}
	}
	half := "'" + strings.Repeat("a", 3<<20) + "'"
	var limit *LimitError
	if _, err := e.Eval(t.Context(), "x + y", locals("x", half, "y", half)); !errors.As(err, &limit) {
		t.Errorf("texts: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Eval(ctx, "1", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// Texts that are no literals are refused, whatever is wrong with them.
func TestEvalOfBrokenTexts(t *testing.T) {
	texts := []string{
		strings.Repeat("-", 100000) + "1", strings.Repeat("(", 100000), strings.Repeat("[", 90) + "1" + strings.Repeat(",", 3),
		strings.Repeat("1+", 50000) + "1j", "{[]: 1}", "{{}}", "'" + strings.Repeat("\\", 9999), "\x00", "\xff\xfe", "1 if 1 else 2",
		"{**{}}", "[*[1]]", "frozenset(*[1])", "frozenset({1}, **{})", "set(*[])", "-'a'", "-None", "1j+1j", "1+1", "j", "...",
		"lambda: 0", "__import__('os')", "[x for x in y]", "f''", "`", "", " ", "\n", "1\n2", "…", "1… +3 chars", "<a>", "\u2028",
		"not 1", "1 < 2", "x", "True + 1j", "(yield)", "await x", `'\N{DIGIT ONE}'`, "-True",
	}
	e := NewEvaluator()
	for _, text := range texts {
		got, err := e.Eval(t.Context(), "value", locals("value", text))
		var refused *RefusedError
		if !errors.As(err, &refused) {
			t.Errorf("%.40q: got %.100s, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{"0x10": "16", "1_0": "10", " 1": "1", "'a' 'b'": "'ab'"} {
		if got, err := e.Eval(t.Context(), "value", locals("value", text)); err != nil || got != want {
			t.Errorf("%s: got %s, %v", text, got, err)
		}
	}
}
