package python_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// change returns an expression that changes a value by one to three methods. Its value contains the
// changed value and the results of the methods.
func (g generator) change() string {
	list := []string{
		"append(%s)", "extend(%s)", "insert(1, %s)", "insert(-1, %s)", "remove(%s)", "pop()", "pop(0)", "pop(-2)", "pop(7)", "reverse()",
		"sort()", "sort(reverse=True)", "sort(key=str)", "sort(key=lambda i: -i)", "clear()", "copy()", "index(%s)",
	}
	dict := []string{
		"pop('a')", "pop('z', %s)", "pop(1)", "popitem()", "setdefault('a', %s)", "setdefault('n', %s)", "update({'a': %s, 'm': 1})",
		"update([('q', %s)])", "update(k=%s)", "clear()", "copy()", "update(%s)",
	}
	set := []string{
		"add(3)", "add(0)", "discard(2)", "remove(1)", "remove(9)", "update([1, 5])", "clear()", "intersection_update({1, 2})",
		"difference_update([2])", "symmetric_difference_update({2, 4})", "copy()",
	}
	value, methods := g.pick("xs", "[3, 1, 2]", "list('bca')", "[0, 1.5, True, -1]", "[[2], [1]]"), list
	switch g.IntN(4) {
	case 0:
		value, methods = g.pick("d", "{'a': 1, 1: 'b'}", "{}", "dict(a=[1], z=2)"), dict
	case 1:
		value, methods = g.pick("{1, 2, 3}", "set()", "{2}"), set
	}
	var calls []string
	for range 1 + g.IntN(3) {
		call := methods[g.IntN(len(methods))]
		if strings.Contains(call, "%s") {
			call = fmt.Sprintf(call, g.expr(g.IntN(2)))
		}
		calls = append(calls, "v."+call)
	}
	return "(lambda v: (" + strings.Join(calls, ", ") + ", v))(" + value + ")"
}

// TestChangesAgreeWithPython checks methods that change their object, and rare methods of bytes and
// int, against CPython.
func TestChangesAgreeWithPython(t *testing.T) {
	g := generator{rand.New(rand.NewPCG(5, 6))}
	texts := []string{
		"[(xs.append(i), len(xs)) for i in xs if len(xs) < 9]", "{k: d.pop(k) for k in d}", "[d.update(z=1) for k in d]", "xs.sort() or xs",
		"[xs.pop() for _ in range(5)]", "(lambda a, b: (a.append(1), b))(*[[[]] * 2][0])", "[list.append(xs, 4), xs]", "(1).to_bytes(2)",
		"(300).to_bytes(2, 'little')", "(-2).to_bytes(3, 'big', signed=True)", "(300).to_bytes(1)", "(-1).to_bytes(1)", "(128).to_bytes(1, 'big', signed=True)",
		"int.from_bytes(b'\\xff\\x01', 'little')", "int.from_bytes(b'\\xff\\x01', signed=True)", "int.from_bytes([1, 2])", "(5).from_bytes(b'a')",
		"'{a} {b[0]!r:>5}'.format_map({'a': 1, 'b': xs})", "'{0}'.format_map({'0': 1})", "'{z}'.format_map({})", "(0).to_bytes(0)", "True.to_bytes(1)",
	}
	for range 3000 {
		texts = append(texts, g.change())
	}
	for _, raw := range []string{"b'abc'", "b''", "b'Hello World\\n x'", "b'a,b,,c'", "b'  12 '"} {
		for _, call := range []string{
			"capitalize()", "center(9)", "center(9, b'*')", "expandtabs()", "isalnum()", "isalpha()", "isascii()", "isdigit()", "islower()", "isspace()",
			"istitle()", "isupper()", "ljust(8)", "rjust(8, b'.')", "partition(b',')", "rpartition(b',')", "removeprefix(b'a')", "removesuffix(b'c')",
			"rsplit()", "rsplit(b',', 1)", "splitlines()", "splitlines(True)", "swapcase()", "title()", "zfill(7)",
		} {
			texts = append(texts, raw+"."+call)
		}
	}
	compare(t, texts, 1)
}
