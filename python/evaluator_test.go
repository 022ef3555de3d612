package python_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/npdb/npdb/python"
)

func TestEvaluator(t *testing.T) {
	wantAnswers(t, answers)
	wantRefused(t, refusals)
	wantRaised(t, raises)
}

func TestEval(t *testing.T) {
	wantAnswers(t, []answer{
		// Expressions.
		{"x\n", "3"},
		{"x # a comment", "3"},
		{"f\"{'a' + f'{x}'}\"", "'a3'"},
		{"not x == 4", "True"},
		{"-x ** 2, 2 ** -1, 2 ** 3 ** 2", "(-9, 0.5, 512)"},
		{"1if x else 2", "1"},
		// Scopes: a bound name hides the recorded one.
		{"(lambda a, /, b=2, *c, d, **e: (a, b, c, d, e))(1, d=4, f=5)", "(1, 2, (), 4, {'f': 5})"},
		{"[(a, b) for a, *b in [(1, 2, 3)]]", "[(1, [2, 3])]"},
		{"any(1 / i for i in [1, 0])", "True"},
		// Pure builtins.
		{"d.keys(), d.get('z', 5), list(d.items())[0]", "(dict_keys(['b', 'a']), 5, ('b', 1))"},
		{"sorted(xs, key=lambda i: -i), min(xs, key=str)", "([3, 2, 1], 1)"},
		// Reprs: without addresses.
		{"(lambda: (missing + x\n)) and None", "None"},
		{"[xs.count]", "[<built-in method count of list object>]"},
	})
	// The builtin type, if no name hides it.
	for expr, want := range map[string]string{
		"list(map(type, [1, 'a']))":          "[<class 'int'>, <class 'str'>]",
		"type":                               "<class 'type'>",
		"type(x) is type(y)":                 "False",
		"type(x) is int, int is not type(y)": "(True, True)",
		"sorted([3, 1], key=lambda i: -i)":   "[3, 1]",
	} {
		if got, err := python.Eval(t.Context(), expr, locals("x", "1", "y", "''")); err != nil || got != want {
			t.Errorf("%s: got %s, %v; want %s", expr, got, err, want)
		}
	}
}

func TestEvalRefuses(t *testing.T) {
	wantRefused(t, []refusal{
		{"long", "long", "[1, 2, … +1,234 chars was cut"},
		{"deepest", "deepest", "nested too deeply"},
		// Expressions that are refused.
		{"{1, 2}.pop()", ".pop", "does not tell"},
		{"xs.append(xs)", "", "contains itself"},
		{"xs.append(1) or d", ".append", "may share"},
		{"d['a'].append(1) or d", ".append", "may share"},
		{"xs.append({1: [xs]})", "", "contains itself"},
		{"'a'.translate({})", ".translate", "docs/expressions.md"},
		{`'\N{DIGIT ONE}'`, `\N`, "names of characters"},
		{`t'{xs!r:>{x}}'`, "t''", "template strings"},
		{`len(Rt"""a""" t'b')`, "t''", "template strings"},
		{`f'{t"a"}'`, "t''", "template strings"},
		{"c * 2", "*", "only added and subtracted"},
		{"(-8) ** 0.5", "**", "is complex"},
		{"complex('1j')", "complex", "real ones"},
	})
	for _, expr := range []string{"type(int)", "type(lambda: 0)", "list(map(type, [int]))"} {
		var refused *python.RefusedError
		if _, err := python.Eval(t.Context(), expr, python.Names{}); !errors.As(err, &refused) || refused.Name != "type" {
			t.Errorf("%s: got %v, want type refused", expr, err)
		}
	}
}

func TestEvalRaises(t *testing.T) {
	wantRaised(t, []raise{
		{"missing", "NameError", "name 'missing' has no value here"},
		{"[missing for i in xs]", "NameError", "name 'missing' has no value here"},
		{"(lambda: missing)()", "NameError", "name 'missing' has no value here"},
		{"1 + 'a'", "TypeError", "unsupported operand type(s) for +: 'int' and 'str'"},
		{"'a' + 1", "TypeError", `can only concatenate str (not "int") to str`},
		{"1 < 'a'", "TypeError", "'<' not supported between instances of 'int' and 'str'"},
		{"{[]: 1}", "TypeError", "unhashable type: 'list'"},
		{"int('x')", "ValueError", "invalid literal for int() with base 10: 'x'"},
		{"(lambda g: g(g))(lambda g: g(g))", "RecursionError", "maximum recursion depth exceeded"},
		{"(lambda a: a)()", "TypeError", "<lambda>() missing 1 required positional argument: 'a'"},
		{"x +", "SyntaxError", "invalid syntax"},
		{"(x", "SyntaxError", "'(' was never closed"},
		{"x)", "SyntaxError", "unmatched ')'"},
		{"'a", "SyntaxError", "unterminated string literal"},
		{"x\x00", "SyntaxError", "null bytes"},
		{"012", "SyntaxError", "leading zeros"},
		{"(lambda: (x +\n)) and None", "SyntaxError", ""},
	})
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
	for expr, want := range whatis {
		if got, err := python.Whatis(t.Context(), expr, state); err != nil || got != want {
			t.Errorf("whatis %s: got %s, %v; want %s", expr, got, err, want)
		}
	}
	for expr, want := range truth {
		if got, err := python.Truth(t.Context(), expr, state); err != nil || got != want {
			t.Errorf("truth of %s: got %t, %v; want %t", expr, got, err, want)
		}
	}
	for expr, want := range pretty {
		if got, err := python.Pretty(t.Context(), expr, state); err != nil || got != want {
			t.Errorf("pp %s: got %s, %v; want %s", expr, got, err, want)
		}
	}
	if _, err := python.Truth(t.Context(), "self.balance > 2", state); err == nil {
		t.Error("the truth of self.balance: no error")
	}
}

// TestEvalIsBounded checks that excessive expressions end with a LimitError.
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
		{"the smallest modular power", "pow(3, 1 << 4095, 1 << 4096)"},
		{"an expression", "1" + strings.Repeat(" ", 70<<10)},
	}
	for _, test := range tests {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		got, err := python.Eval(ctx, test.expr, python.Names{})
		cancel()
		var limit *python.LimitError
		if !errors.As(err, &limit) {
			t.Errorf("%s: got %.100s, %v; want a LimitError", test.name, got, err)
		}
	}
	half := "'" + strings.Repeat("a", 3<<20) + "'"
	var limit *python.LimitError
	if _, err := python.Eval(t.Context(), "x + y", locals("x", half, "y", half)); !errors.As(err, &limit) {
		t.Errorf("texts: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := python.Eval(ctx, "1", python.Names{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestEvalOfBrokenTexts checks that an expression is refused if the repr that it reads is not a
// literal, for many kinds of invalid reprs.
func TestEvalOfBrokenTexts(t *testing.T) {
	texts := []string{
		strings.Repeat("-", 100000) + "1", strings.Repeat("(", 100000), strings.Repeat("[", 90) + "1" + strings.Repeat(",", 3),
		strings.Repeat("1+", 50000) + "1j", "{[]: 1}", "{{}}", "'" + strings.Repeat("\\", 9999), "\x00", "\xff\xfe", "1 if 1 else 2",
		"{**{}}", "[*[1]]", "frozenset(*[1])", "frozenset({1}, **{})", "set(*[])", "-'a'", "-None", "1j+1j", "1+1", "j", "...",
		"lambda: 0", "__import__('os')", "[x for x in y]", "f''", "`", "", " ", "\n", "1\n2", "…", "1… +3 chars", "<a>", "\u2028",
		"not 1", "1 < 2", "x", "True + 1j", "(yield)", "await x", `'\N{DIGIT ONE}'`, "-True",
	}
	for _, text := range texts {
		got, err := python.Eval(t.Context(), "value", locals("value", text))
		var refused *python.RefusedError
		if !errors.As(err, &refused) {
			t.Errorf("%.40q: got %.100s, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{"0x10": "16", "1_0": "10", " 1": "1", "'a' 'b'": "'ab'"} {
		if got, err := python.Eval(t.Context(), "value", locals("value", text)); err != nil || got != want {
			t.Errorf("%s: got %s, %v", text, got, err)
		}
	}
}

func TestStringOf(t *testing.T) {
	for _, c := range []struct {
		literal, want string
		ok            bool
	}{
		{`'a'`, "a", true},
		{`"a"`, "a", true},
		{`''`, "", true},
		{`'\n\t\\'`, "\n\t\\", true},
		{`'\x80\u20ac'`, "\u0080\u20ac", true},
		{`"it's"`, "it's", true},
		{`'say "it"'`, `say "it"`, true},
		{`'it\'s "x"'`, `it's "x"`, true},
		{`'\ud800a'`, `\ud800a`, true},
		{`'a', 'b'`, "", false},
		{`'a"`, "", false},
		{`'`, "", false},
		{``, "", false},
		{`a`, "", false},
		{`1`, "", false},
		{`'a\'`, "", false},
	} {
		if got, ok := python.StringOf(c.literal); got != c.want || ok != c.ok {
			t.Errorf("%s is %q, %v; want %q, %v", c.literal, got, ok, c.want, c.ok)
		}
	}
}
