package recorded

import (
	"errors"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/python/evaltest"
)

func TestEvaluator(t *testing.T) {
	onEachPython(t, func(t *testing.T, p pythons.Python) { evaltest.Run(t, newEvaluator(t, p)) })
}

func TestEval(t *testing.T) {
	tests := []evaltest.Answer{
		// Expressions.
		{"'{a}'.format_map({'a': 1})", "'1'"},
		{"int.from_bytes(raw, 'big')", "255"},
		// Rendering: as npdb renders values, addresses dropped.
		{"[xs.append]", "[<built-in method append of list object>]"},
		{"[a := [1], a.append(a), a][0]", "[1, [...]]"},
		{"[a := {}, a.update(k=a), a][0]", "{'k': {...}}"},
		{"xs.sort() or xs", "[1, 2, 3]"},
	}
	onEachPython(t, func(t *testing.T, p pythons.Python) {
		e := newEvaluator(t, p)
		evaltest.Answers(t, e, tests)
		// The builtin type where nothing shadows it.
		for expr, want := range map[string]string{
			"list(map(type, [1, 'a']))":          "[<class 'int'>, <class 'str'>]",
			"type":                               "<class 'type'>",
			"type(x) is type(y)":                 "False",
			"type(x) is int, int is not type(y)": "(True, True)",
		} {
			if got, err := e.Eval(patient(t), expr, evaltest.Locals("x", "1", "y", "''")); err != nil || got != want {
				t.Errorf("%s: got %s, %v; want %s", expr, got, err, want)
			}
		}
		// What an expression changed is gone with it.
		if got, err := e.Eval(patient(t), "xs", evaltest.State); err != nil || got != "[3, 1, 2]" {
			t.Errorf("after xs.sort(): got %s, %v", got, err)
		}
	})
}

func TestEvalRefuses(t *testing.T) {
	tests := []evaltest.Refusal{
		{"long", "long", "[1, 2, … +1,234 chars was cut when it was recorded"},
		{"deepest", "deepest", ""},
		// Builtins that are not pure.
		{"open('f')", "open", "builtin"},
		{"id(x)", "id", "builtin"},
		{"getattr(x, 'real')", "getattr", "builtin"},
		{"eval('1')", "eval", "builtin"},
		// Attributes.
		{"(lambda: 0).__globals__", ".__globals__", "no public method"},
		{"int.mro()", ".mro", "no public method"},
		{"(lambda k=().__class__: k)()", ".__class__", "no public method"},
		{"f'{().__class__}'", ".__class__", "no public method"},
		// Formats that reach for attributes.
		{"'{0.__class__}'.format(x)", "format", "attribute"},
		{"'{:{0.__class__}}'.format(x)", "format", "attribute"},
		{"'{a.__class__}'.format_map({'a': 1})", "format_map", "attribute"},
		{"str.format('{0.__class__}', x)", "format", "method of a text"},
		{"list(map(str.format, ['{0.__class__}'], xs))", "format", "method of a text"},
		{"(k := '{0.__class__}').format(x)", "format", "attribute"},
		// Names of Python's own.
		{"__builtins__", "__builtins__", "Python's own"},
		{"__debug__", "__debug__", "Python's own"},
		{"(lambda: __import__)()", "__import__", "Python's own"},
		// What text cannot tell.
		{"lambda: (yield)", "", "yield"},
		{"lambda: (yield from xs)", "", "yield"},
	}
	onEachPython(t, func(t *testing.T, p pythons.Python) {
		e := newEvaluator(t, p)
		evaltest.Refuses(t, e, tests)
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
		var raised *python.EvalError
		if _, err := e.Eval(patient(t), "type(1, 2)", nil); !errors.As(err, &raised) || raised.Type != "TypeError" {
			t.Errorf("type(1, 2): %v, want a TypeError", err)
		}
		// A recorded __builtins__ gives no builtins back.
		if got, err := e.Eval(patient(t), "__builtins__", evaltest.Locals("__builtins__", "{'x': 1}")); err == nil {
			t.Errorf("__builtins__: got %s", got)
		}
	})
}

func TestEvalRaises(t *testing.T) {
	tests := []evaltest.Raise{
		{"missing", "NameError", "name 'missing' was not recorded here"},
		{"[missing for i in xs]", "NameError", "name 'missing' was not recorded here"},
		{"(lambda: missing)()", "NameError", "name 'missing' was not recorded here"},
		{"(lambda g: g(g))(lambda g: g(g))", "RecursionError", ""},
		{"x +", "SyntaxError", ""},
		{"x\x00", "", "null byte"},
	}
	onEachPython(t, func(t *testing.T, p pythons.Python) {
		evaltest.Raises(t, newEvaluator(t, p), tests)
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
			if got, err := e.Whatis(patient(t), expr, evaltest.State); err != nil || got != want {
				t.Errorf("whatis %s: got %s, %v; want %s", expr, got, err, want)
			}
		}
		for expr, want := range truth {
			if got, err := e.Truth(patient(t), expr, evaltest.State); err != nil || got != want {
				t.Errorf("truth of %s: got %t, %v; want %t", expr, got, err, want)
			}
		}
		for expr, want := range pretty {
			if got, err := e.Pretty(patient(t), expr, evaltest.State); err != nil || got != want {
				t.Errorf("pp %s: got %s, %v; want %s", expr, got, err, want)
			}
		}
		if _, err := e.Truth(patient(t), "self.balance > 2", evaltest.State); err == nil {
			t.Error("the truth of self.balance: no error")
		}
	})
}
