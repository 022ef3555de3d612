package python_test

import (
	"strings"
	"testing"

	"github.com/npdb/npdb/python"
)

func TestAssign(t *testing.T) {
	here := locals("x", "3", "xs", "[1, [2, 3]]", "d", "{'a': [1], 'b': 2}", "t", "(1,)", "self", "Account(owner='ann')", "s", "{1}")
	tests := []struct{ statement, name, text string }{
		{"x = 4", "x", "4"},
		{"x=x+1", "x", "4"},
		{" x = [x, 'a']", "x", "[3, 'a']"},
		{"new = x == 3", "new", "True"},
		{"self = None", "self", "None"},
		{"x += 2", "x", "5"},
		{"x **= 2", "x", "9"},
		{"x //= 2", "x", "1"},
		{"x <<= 2", "x", "12"},
		{"x = 1, 2", "x", "(1, 2)"},
		{"xs[0] = 'a'", "xs", "['a', [2, 3]]"},
		{"xs[-1][0] = 9", "xs", "[1, [9, 3]]"},
		{"xs[1] += (4,)", "xs", "[1, [2, 3, 4]]"},
		{"d['a'][0] *= 5", "d", "{'a': [5], 'b': 2}"},
		{"d['c'] = {}", "d", "{'a': [1], 'b': 2, 'c': {}}"},
		{"s |= {2}", "s", "{1, 2}"},
		{"del x", "x", ""},
		{"del xs[0]", "xs", "[[2, 3]]"},
		{"del d['a']", "d", "{'b': 2}"},
	}
	for _, test := range tests {
		name, text, err := python.Assign(t.Context(), test.statement, here)
		if err != nil || name != test.name || text != test.text {
			t.Errorf("%s: got %s, %s, %v; want %s, %s", test.statement, name, text, err, test.name, test.text)
		}
		if text, err := python.Eval(t.Context(), "xs, d", here); err != nil || text != "([1, [2, 3]], {'a': [1], 'b': 2})" {
			t.Errorf("after %s the locals are %s, %v", test.statement, text, err)
		}
	}
	failures := []struct{ statement, want string }{
		{"x", "only an assignment"},
		{"x == 3", "only an assignment"},
		{"", "invalid syntax"},
		{"x =", "invalid syntax"},
		{"x = y = 3", "one assignment at a time"},
		{"x = 1; y = 2", "one assignment at a time"},
		{"x: int = 3", "without annotation"},
		{"a, b = 1, 2", "each name"},
		{"self.owner = 1", "whole new value"},
		{"3 = x", "cannot assign"},
		{"f() = 1", "cannot assign"},
		{"x = missing", "NameError"},
		{"missing += 1", "NameError"},
		{"del missing", "NameError"},
		{"t[0] = 2", "TypeError: 'tuple' object does not support item assignment"},
		{"del t[0]", "TypeError: 'tuple' object does not support item deletion"},
		{"xs[9] = 1", "IndexError: list assignment index out of range"},
		{"xs['a'] = 1", "TypeError: list indices must be integers or slices, not str"},
		{"d['z'] += 1", "KeyError: 'z'"},
		{"del d['z']", "KeyError: 'z'"},
		{"d[[]] = 1", "TypeError: unhashable"},
		{"xs[0:1] = []", "slices are not assigned"},
		{"self[0] = 1", "is known only as text"},
		{"__x = 1", "Python's own"},
	}
	for _, test := range failures {
		if name, text, err := python.Assign(t.Context(), test.statement, here); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %s, %s, %v; want %s", test.statement, name, text, err, test.want)
		}
	}
}
