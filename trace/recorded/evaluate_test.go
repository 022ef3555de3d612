package recorded

import (
	"errors"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/python"
)

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
		// Every literal comes back as it was recorded.
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
		{"x if flag else missing", "3"},
		{"flag or missing", "True"},
		{"xs[0] * len(xs)", "9"},
		{"xs[::-1], xs[1:]", "([2, 1, 3], [1, 2])"},
		{"d['a'][1]['c'] is None", "True"},
		{"sorted(st)", "['a', 'b', 'c']"},
		{"{**d, 'z': 0}", "{'b': 1, 'a': [2, {'c': None}], 'z': 0}"},
		{"[*xs, *t]", "[3, 1, 2, 1]"},
		{"f'{x:>4}|{y!r}|{x=}'", "'   3|2.5|x=3'"},
		{"'%d-%s' % (x, s)", `"3-it's"`},
		{"'{0[0]}:{1:{2}}'.format(xs, x, 4)", "'3:   3'"},
		{"'{a}'.format_map({'a': 1})", "'1'"},
		{"s.upper().split(\"'\")", `['IT', 'S']`},
		{"b'ab'.hex() + raw.hex()", "'616200ff'"},
		{"str.join('-', ['a', 'b'])", "'a-b'"},
		{"int.from_bytes(raw, 'big')", "255"},
		{"dict.fromkeys(xs, 0)", "{3: 0, 1: 0, 2: 0}"},
		{"(c.real, c.imag)", "(-0.0, -2.0)"},
		{"2 ** 200 % 1000", "376"},
		{"len(str(10 ** 20000)), int('1' * 20000) % 7", "(20001, 4)"},
		{"x < 4 <= 10 and not nothing", "True"},
		// Scopes: a bound name is not the recorded one.
		{"[self for self in xs]", "[3, 1, 2]"},
		{"(lambda self, k=x: self + k)(1)", "4"},
		{"[x for x in xs] + [x]", "[3, 1, 2, 3]"},
		{"[(n := i) for i in xs] + [n]", "[3, 1, 2, 2]"},
		{"{k: [j for j in range(x) if j != k] for k in xs}", "{3: [0, 1, 2], 1: [0, 2], 2: [0, 1]}"},
		{"sum(i * x for i in xs)", "18"},
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
		// Rendering: as npdb renders values, addresses dropped.
		{"lambda: 0", "<function <lambda>>"},
		{"[xs.append]", "[<built-in method append of list object>]"},
		{"' at 0x12>', (i for i in xs)", "(' at 0x12>', <generator object <genexpr>>)"},
		{"int", "<class 'int'>"},
		{"[a := [1], a.append(a), a][0]", "[1, [...]]"},
		{"[a := {}, a.update(k=a), a][0]", "{'k': {...}}"},
		{"'\\ud800' + chr(0x10ffff) + '\\n'", `'\ud800\U0010ffff\n'`},
		{"xs.sort() or xs", "[1, 2, 3]"},
	}
	onEachPython(t, func(t *testing.T, p pythons.Python) {
		e := newEvaluator(t, p)
		for _, test := range tests {
			got, err := e.Eval(patient(t), test.expr, state)
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
		} {
			if got, err := e.Eval(patient(t), expr, locals("x", "1", "y", "''")); err != nil || got != want {
				t.Errorf("%s: got %s, %v; want %s", expr, got, err, want)
			}
		}
		// What an expression changed is gone with it.
		if got, err := e.Eval(patient(t), "xs", state); err != nil || got != "[3, 1, 2]" {
			t.Errorf("after xs.sort(): got %s, %v", got, err)
		}
	})
}

func TestEvalRefuses(t *testing.T) {
	tests := []struct{ expr, name, reason string }{
		{"self", "self", "Account(owner='ann', balance=3) is no literal"},
		{"x + len(v)", "v", "<object object> is no literal"},
		{"f(3)", "f", "<function f> is no literal"},
		{"cycle", "cycle", "[1, [...]] holds itself"},
		{"long", "long", "[1, 2, … +1,234 chars was cut when it was recorded"},
		{"call", "call", "set([1]) is no literal"},
		{"sum2", "sum2", "1 + 2 is no literal"},
		{"joined", "joined", "f'{x}' is no literal"},
		{"deepest", "deepest", ""},
		{"[self for x in xs]", "self", "is no literal"},
		// Builtins that are not pure.
		{"print(x)", "print", "builtin"},
		{"open('f')", "open", "builtin"},
		{"hash(s)", "hash", "builtin"},
		{"id(x)", "id", "builtin"},
		{"getattr(x, 'real')", "getattr", "builtin"},
		{"eval('1')", "eval", "builtin"},
		{"[globals for i in xs]", "globals", "builtin"},
		{"ValueError", "ValueError", "builtin"},
		// Attributes.
		{"().__class__.__bases__", ".__bases__", "no public method"},
		{"x.__class__", ".__class__", "no public method"},
		{"(i for i in xs).gi_frame", ".gi_frame", "no public method"},
		{"(lambda: 0).__globals__", ".__globals__", "no public method"},
		{"int.mro()", ".mro", "no public method"},
		{"(lambda k=().__class__: k)()", ".__class__", "no public method"},
		{"f'{().__class__}'", ".__class__", "no public method"},
		{"[0 for x.real in xs]", ".real", "cannot be assigned"},
		// Formats that reach for attributes.
		{"'{0.__class__}'.format(x)", "format", "attribute"},
		{"'{0.real}'.format(x)", "format", "attribute"},
		{"'{0[0].real}'.format(xs)", "format", "attribute"},
		{"'{:{0.__class__}}'.format(x)", "format", "attribute"},
		{"'{a.__class__}'.format_map({'a': 1})", "format_map", "attribute"},
		{"str.format('{0.__class__}', x)", "format", "method of a text"},
		{"list(map(str.format, ['{0.__class__}'], xs))", "format", "method of a text"},
		{"(k := '{0.__class__}').format(x)", "format", "attribute"},
		// Names of Python's own.
		{"__builtins__", "__builtins__", "Python's own"},
		{"__import__('os')", "__import__", "Python's own"},
		{"(lambda __builtins__: 0)(1)", "__builtins__", "Python's own"},
		{"[0 for __builtins__ in [{}]]", "__builtins__", "Python's own"},
		{"__debug__", "__debug__", "Python's own"},
		{"(lambda: __import__)()", "__import__", "Python's own"},
		// What text cannot tell.
		{"xs is xs", "is", "=="},
		{"x is not 3", "is", "=="},
		{"await x", "", "await"},
		{"(yield)", "", "yield"},
		{"lambda: (yield)", "", "yield"},
		{"lambda: (yield from xs)", "", "yield"},
	}
	onEachPython(t, func(t *testing.T, p pythons.Python) {
		e := newEvaluator(t, p)
		for _, test := range tests {
			got, err := e.Eval(patient(t), test.expr, state)
			var refused *python.RefusedError
			if !errors.As(err, &refused) || refused.Name != test.name || !strings.Contains(refused.Reason, test.reason) {
				t.Errorf("%s: got %s, %v; want %s refused: %s", test.expr, got, err, test.name, test.reason)
			}
		}
		plain := []struct{ expr, name string }{
			{"type(int)", "type"},
			{"type(int)('A', (), {})", "type"},
			{"type(lambda: 0)", "type"},
			{"list(map(type, [int]))", "type"},
		}
		for _, test := range plain {
			_, err := e.Eval(patient(t), test.expr, nil)
			var refused *python.RefusedError
			if !errors.As(err, &refused) || refused.Name != test.name {
				t.Errorf("%s: got %v, want %s refused", test.expr, err, test.name)
			}
		}
		// A recorded __builtins__ gives no builtins back.
		if got, err := e.Eval(patient(t), "__builtins__", locals("__builtins__", "{'x': 1}")); err == nil {
			t.Errorf("__builtins__: got %s", got)
		}
	})
}

func TestEvalRaises(t *testing.T) {
	tests := []struct{ expr, kind, message string }{
		{"missing", "NameError", "name 'missing' was not recorded here"},
		{"[missing for i in xs]", "NameError", "name 'missing' was not recorded here"},
		{"(lambda: missing)()", "NameError", "name 'missing' was not recorded here"},
		{"1 / 0", "ZeroDivisionError", "division by zero"},
		{"d['no']", "KeyError", "'no'"},
		{"xs[9]", "IndexError", "list index out of range"},
		{"{}[lambda: 0]", "KeyError", "<function <lambda>>"},
		{"x.append(1)", "AttributeError", "'int' object has no attribute 'append'"},
		{"next(iter([]))", "StopIteration", ""},
		{"(lambda g: g(g))(lambda g: g(g))", "RecursionError", ""},
		{"type(1, 2)", "TypeError", ""},
		{"x = 1", "SyntaxError", ""},
		{"x +", "SyntaxError", ""},
		{"", "SyntaxError", ""},
		{"import os", "SyntaxError", ""},
		{"x; y", "SyntaxError", ""},
		{"x\x00", "", "null byte"},
		{"\xff", "SyntaxError", ""},
	}
	onEachPython(t, func(t *testing.T, p pythons.Python) {
		e := newEvaluator(t, p)
		for _, test := range tests {
			var visible []dsl.Local
			for _, l := range state {
				if l.Name != "type" {
					visible = append(visible, l)
				}
			}
			got, err := e.Eval(patient(t), test.expr, visible)
			var raised *python.EvalError
			if !errors.As(err, &raised) || test.kind != "" && raised.Type != test.kind || !strings.Contains(raised.Message, test.message) {
				t.Errorf("%q: got %s, %v; want %s: %s", test.expr, got, err, test.kind, test.message)
			}
		}
	})
}

func TestWhatisTruthPretty(t *testing.T) {
	whatis := map[string]string{
		"x": "<class 'int'>", "st": "<class 'set'>", "nothing": "<class 'NoneType'>", "lambda: 0": "Function <lambda>",
		"int": "Class builtins.int", "xs.append": "<class 'builtin_function_or_method'>",
	}
	truth := map[string]bool{"x > 2": true, "x > 3": false, "xs": true, "''": false, "nothing": false, "'False'": true}
	pretty := map[string]string{
		"x": "3", "fs": "frozenset({1, 3})", "{'b': 1, 'a': 2}": "{'a': 2, 'b': 1}", "text": `"it's \x1b \ud800 é"`,
		"[lambda: 0, {'b': 1, 'a': 2}]":                                          "[<function <lambda>>, {'b': 1, 'a': 2}]",
		"['" + strings.Repeat("a", 50) + "', '" + strings.Repeat("b", 50) + "']": "['" + strings.Repeat("a", 50) + "',\n '" + strings.Repeat("b", 50) + "']",
		"[a := [1], a.append(a)][:1][0] == 0":                                    "False",
	}
	onEachPython(t, func(t *testing.T, p pythons.Python) {
		e := newEvaluator(t, p)
		for expr, want := range whatis {
			if got, err := e.Whatis(patient(t), expr, state); err != nil || got != want {
				t.Errorf("whatis %s: got %s, %v; want %s", expr, got, err, want)
			}
		}
		for expr, want := range truth {
			if got, err := e.Truth(patient(t), expr, state); err != nil || got != want {
				t.Errorf("truth of %s: got %t, %v; want %t", expr, got, err, want)
			}
		}
		for expr, want := range pretty {
			if got, err := e.Pretty(patient(t), expr, state); err != nil || got != want {
				t.Errorf("pp %s: got %s, %v; want %s", expr, got, err, want)
			}
		}
		if _, err := e.Truth(patient(t), "self.balance > 2", state); err == nil {
			t.Error("the truth of self.balance: no error")
		}
	})
}
