//go:build unix

package provenance_test

import (
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
)

// ordered are programs with a statement whose parts change what its other parts read or where they
// store, each with an expression and its chain. All values are equal, so that only the order tells.
var ordered = []struct{ source, expr, want string }{
	{"s = [1, 1]\na, b = s.pop(), s[-1]\n", "b", "element b=1:2?; creation s[-1]=1:1; literal"},
	{"s = [1, 1]\na, b = s.pop(), s.pop()\n", "a", "element a=1:2; creation s[1]=1:1; literal"},
	{"s = [1, 1]\na, b = s.pop(), s.pop()\n", "b", "element b=1:2?; creation s[1]=1:1; literal"},
	{"s = [1, 1]\nr = [s.pop(0), s[0]]\n", "r[1]", "creation r[1]=1:2?; creation s[0]=1:1; literal"},
	{"s = [1, 1]\ni = 0\nr = [i := 1, s[i]]\n", "r[1]", "creation r[1]=1:3?; creation s[i]=1:1; literal"},
	{"d = {'k': 1}\na, b = d.pop('k'), d.setdefault('k', 1)\n", "b", "element b=1:2?; creation d['k']=1:1; literal"},
	{"v = 1\ndef f():\n    global v\n    v = 1\n    return 1\na, b = f(), v\n", "b", "copy b=1:6?; assignment v=1:1; literal"},
	{"v = 1\ndef f():\n    return 1\na, b = f(), v\n", "b", "copy b=1:4; assignment v=1:1; literal"},
	{"s = [1, 1]\nt = [1]\na, b = t.pop(), s[-1]\n", "b", "element b=1:3; creation s[-1]=1:1; literal"},
	{"i = 0\nd = {0: 1, 5: 1}\ni, d[i] = 5, 1\n", "d[0]", "creation d[0]=1:2?; literal"},
	{"i = 0\nd = {0: 1, 5: 1}\nd[i], i = 1, 5\n", "d[0]", "mutation d[0]=1:3; literal"},
	{"i = 0\ns = [1, 1]\ns[i] = (i := 1)\n", "s[0]", "creation s[0]=1:2?; literal"},
	{"i = 0\ndef f():\n    global i\n    i = 1\n    return 1\ns = [1, 1]\ns[i] = f()\n", "s[0]", "creation s[0]=1:6?; literal"},
	{"s = [1, 1]\ns[0], s[1] = s[1], s[0]\n", "s[0]", "mutation s[0]=1:2; creation s[1]=1:1; literal"},
	{
		"class N:\n    next = None\nhead = tail = N()\nfor i in range(2):\n    tail.next = tail = N()\nnode = head\nnode = node.next = N()\n", "head.next",
		"mutation head.next=N(next=N()):5; mutation head.next=N():5?; constructor",
	},
	{
		"class A:\n    def f(self):\n        self.v = 1\n        return 1\n    def g(self):\n        self.v = self.f()\na = A()\na.g()\n", "a.v",
		"mutation a.v=1:6; return f()=1:4; literal",
	},
	{"s = [0]\ndef f():\n    s[0] = 1\n    return 1\ns[0] = f()\n", "s[0]", "mutation s[0]=1:5; return f()=1:4; literal"},
	{
		"class A:\n    def f(self):\n        self.s = [1]\n        return 1\n    def g(self):\n        self.s = [1]\n        self.s[0] = self.f()\na = A()\na.g()\n", "a.s[0]",
		"creation a.s[0]=1:3?; literal",
	},
	{"s = [1, 1, 1]\nr = [s.pop(), list(s)]\n", "r[1][0]", "creation r[1][0]=1:2?; creation s[2]=1:1; literal"},
	{"a = 1\nb = 1\nr = list(reversed([int(a), int(b)]))\n", "r[0]", "creation r[0]=1:3; assignment b=1:2; literal"},
	{"def keep(v):\n    global kept\n    kept = v\n    return 1\ndef f(x, y):\n    return [x, keep([y, 1])]\nr = f(1, 1)\n", "kept[0]", "creation kept[0]=1:6; unknown"},
	{"t = (1, 1)\n", "t[0]", "assignment t[0]=1:0; assignment t=(1, 1):1; constructor"},
}

// TestOrder checks that a hop is certain only if no earlier part of its statement may have changed what
// it reads, and that the last statement to store a value is found.
func TestOrder(t *testing.T) {
	for _, c := range ordered {
		tree := record(t, pythons.Any(t), c.source)
		if got := describe(find(t, tree, tree.Len()-1, c.expr)); got != c.want {
			t.Errorf("%s of\n%shas the chain %s\nwant            %s", c.expr, c.source, got, c.want)
		}
	}
}

// TestOrderOfManyLines checks a statement of several lines.
func TestOrderOfManyLines(t *testing.T) {
	source := strings.Join([]string{"class A:", "    def f(self):", "        self.v = 1", "        return 1", "    def g(self):", "        self.v = (", "            self.f()", "        )", "a = A()", "a.g()", ""}, "\n")
	tree := record(t, pythons.Any(t), source)
	if got, want := describe(find(t, tree, tree.Len()-1, "a.v")), "mutation a.v=1:7; return f()=1:4; literal"; got != want {
		t.Errorf("the chain is %s, want %s", got, want)
	}
}
