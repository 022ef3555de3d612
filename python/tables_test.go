package python_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
)

// locals returns Names. The arguments are names and reprs in turn.
func locals(namesAndTexts ...string) python.Names {
	var out python.Names
	for i := 0; i < len(namesAndTexts); i += 2 {
		out.List = append(out.List, dsl.Local{Name: namesAndTexts[i], Value: namesAndTexts[i+1]})
	}
	return out
}

// state contains the names that the expressions of the tables read.
var state = locals(
	"x", "3", "y", "2.5", "big", "123456789012345678901234567890",
	"s", `'it\'s'`, "text", `"it's \x1b \ud800 é"`, "raw", `b'\x00\xff'`,
	"xs", "[3, 1, 2]", "t", "(1,)", "d", "{'b': 1, 'a': [2, {'c': None}]}",
	"st", "{'b', 'a', 'c'}", "empty", "set()", "fs", "frozenset({3, 1})", "fe", "frozenset()",
	"inf", "inf", "numbers", "[inf, -inf, nan, -0.0, 1e+300]", "c", "(-0-2j)", "cs", "[-2j, (1+infj), (nan+nanj), 1j]", "nan", "nan",
	"flag", "True", "nothing", "None", "max", "7", "type", "'kind'", "_private", "1", "__name__", "'__main__'",
	"self", "Account(owner='ann', balance=3)", "v", "<object object>", "cycle", "[1, [...]]", "f", "<function f>",
	"long", "[1, 2, … +1,234 chars", "call", "set([1])", "sum2", "1 + 2", "joined", "f'{x}'", "deep", strings.Repeat("[", 150)+strings.Repeat("]", 150),
	"deepest", strings.Repeat("[", 1000)+strings.Repeat("]", 1000),
)

// answer is an expression over state, and the repr of its value.
type answer [2]string

// wantAnswers checks that expressions have the expected values.
func wantAnswers(t *testing.T, rows []answer) {
	t.Helper()
	for _, row := range rows {
		expr, want := row[0], row[1]
		if got, err := python.Eval(t.Context(), expr, state); err != nil || got != want {
			t.Errorf("%s: got %s, %v; want %s", expr, got, err, want)
		}
	}
}

// refusal is an expression over state that is refused, the Name of the error, and a part of its
// Reason.
type refusal [3]string

// wantRefused checks that expressions are refused with the expected error.
func wantRefused(t *testing.T, rows []refusal) {
	t.Helper()
	for _, row := range rows {
		expr, name, reason := row[0], row[1], row[2]
		got, err := python.Eval(t.Context(), expr, state)
		var refused *python.RefusedError
		if !errors.As(err, &refused) || refused.Name != name || !strings.Contains(refused.Reason, reason) {
			t.Errorf("%s: got %s, %v; want %s refused: %s", expr, got, err, name, reason)
		}
	}
}

// raise is an expression over state that raises an exception, the exception's type ("" for any),
// and a part of its message.
type raise [3]string

// wantRaised checks that expressions raise the expected exceptions.
func wantRaised(t *testing.T, rows []raise) {
	t.Helper()
	for _, row := range rows {
		expr, kind, message := row[0], row[1], row[2]
		got, err := python.Eval(t.Context(), expr, state)
		var raised *python.EvalError
		if !errors.As(err, &raised) || kind != "" && raised.Type != kind || !strings.Contains(raised.Message, message) {
			t.Errorf("%q: got %s, %v; want %s: %s", expr, got, err, kind, message)
		}
	}
}

var answers = []answer{
	// A literal is returned unchanged.
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
	{"s.upper().split(\"'\")", `['IT', 'S']`},
	{"b'ab'.hex() + raw.hex()", "'616200ff'"},
	{"str.join('-', ['a', 'b'])", "'a-b'"},
	{"dict.fromkeys(xs, 0)", "{3: 0, 1: 0, 2: 0}"},
	{"(c.real, c.imag)", "(-0.0, -2.0)"},
	{"2 ** 200 % 1000", "376"},
	{"len(str(10 ** 20000)), int('1' * 20000) % 7", "(20001, 4)"},
	{"x < 4 <= 10 and not nothing", "True"},
	// Scopes: a bound name hides the recorded one.
	{"[self for self in xs]", "[3, 1, 2]"},
	{"(lambda self, k=x: self + k)(1)", "4"},
	{"[x for x in xs] + [x]", "[3, 1, 2, 3]"},
	{"[(n := i) for i in xs] + [n]", "[3, 1, 2, 2]"},
	{"{k: [j for j in range(x) if j != k] for k in xs}", "{3: [0, 1, 2], 1: [0, 2], 2: [0, 1]}"},
	{"sum(i * x for i in xs)", "18"},
	// A recorded name hides a builtin.
	{"max + x", "10"},
	{"type.upper()", "'KIND'"},
	// Pure builtins.
	{"abs(-x), all(xs), any([]), divmod(7, x), pow(2, 3), round(y)", "(3, True, False, (2, 1), 8, 2)"},
	{"[ascii('é'), bin(x), hex(255), oct(8), chr(97), ord('a'), repr(s)]", `["'\\xe9'", '0b11', '0xff', '0o10', 'a', 97, '"it\'s"']`},
	{"bool(x), bytes(2), complex(1, 2), float('nan'), format(x, '03')", `(True, b'\x00\x00', (1+2j), nan, '003')`},
	{"list(enumerate(zip(xs, t))), list(map(str, xs)), list(filter(None, [0, 1]))", "([(0, (3, 1))], ['3', '1', '2'], [1])"},
	{"list(reversed(xs)), set(), frozenset({x}), tuple(xs), dict(a=1)", "([2, 1, 3], set(), frozenset({3}), (3, 1, 2), {'a': 1})"},
	{"isinstance(x, (int, str)), issubclass(bool, int), next(iter(xs)), min(xs), range(x)", "(True, True, 3, 1, range(0, 3))"},
	{"bool(), bytes(), complex(), float(), int(), list(), str(), tuple()", "(False, b'', 0j, 0.0, 0, [], '', ())"},
	{"slice(1, None, x)", "slice(1, None, 3)"},
	// Reprs: without addresses.
	{"lambda: 0", "<function <lambda>>"},
	{"' at 0x12>', (i for i in xs)", "(' at 0x12>', <generator object <genexpr>>)"},
	{"int", "<class 'int'>"},
	{"'\\ud800' + chr(0x10ffff) + '\\n'", `'\ud800\U0010ffff\n'`},
}

var refusals = []refusal{
	{"self", "self", "Account(owner='ann', balance=3) is known only as text"},
	{"x + len(v)", "v", "<object object> is known only as text"},
	{"f(3)", "f", "<function f> is known only as text"},
	{"cycle", "cycle", "[1, [...]] holds itself"},
	{"call", "call", "set([1]) is known only as text"},
	{"sum2", "sum2", "1 + 2 is known only as text"},
	{"joined", "joined", "f'{x}' is known only as text"},
	{"[self for x in xs]", "self", "is known only as text"},
	// Builtins that have side effects or depend on more than their arguments.
	{"print(x)", "print", "builtin"},
	{"hash(s)", "hash", "builtin"},
	{"[globals for i in xs]", "globals", "builtin"},
	{"ValueError", "ValueError", "builtin"},
	// Attributes.
	{"().__class__.__bases__", ".__bases__", "no attributes but the public methods"},
	{"x.__class__", ".__class__", "no attributes but the public methods"},
	{"(i for i in xs).gi_frame", ".gi_frame", "no attributes but the public methods"},
	{"[0 for x.real in xs]", ".real", "cannot be assigned"},
	{"'{0.real}'.format(x)", "format", "attribute"},
	{"'{0[0].real}'.format(xs)", "format", "attribute"},
	// Names with two underscores at each end.
	{"__import__('os')", "__import__", "Python's own"},
	{"(lambda __builtins__: 0)(1)", "__builtins__", "Python's own"},
	{"[0 for __builtins__ in [{}]]", "__builtins__", "Python's own"},
	// What a repr does not show.
	{"nan in numbers", "nan", "identity"},
	{"float('nan') in numbers", "nan", "identity"},
	{"numbers == numbers", "nan", "identity"},
	{"numbers < numbers", "nan", "identity"},
	{"numbers.index(nan)", "nan", "identity"},
	{"numbers.count(nan)", "nan", "identity"},
	{"(nan,) == (nan,)", "nan", "identity"},
	{"{nan}", "nan", "identity"},
	{"{(1, nan): 2}", "nan", "identity"},
	{"nan in {1, 2}", "nan", "identity"},
	{"cs == cs", "nan", "identity"},
	{"{cs[2]}", "nan", "identity"},
	{"xs is xs", "is", "=="},
	{"x is not 3", "is", "=="},
	{"await x", "", "await"},
	{"(yield)", "", "yield"},
}

var raises = []raise{
	{"1 / 0", "ZeroDivisionError", "division by zero"},
	{"d['no']", "KeyError", "'no'"},
	{"xs[9]", "IndexError", "list index out of range"},
	{"{}[lambda: 0]", "KeyError", "<function <lambda>>"},
	{"x.append(1)", "AttributeError", "'int' object has no attribute 'append'"},
	{"next(iter([]))", "StopIteration", ""},
	{"x = 1", "SyntaxError", ""},
	{"", "SyntaxError", ""},
	{"import os", "SyntaxError", ""},
	{"x; y", "SyntaxError", ""},
	{"\xff", "SyntaxError", ""},
}
