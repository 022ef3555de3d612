//go:build unix

package provenance_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/provenance"
	"github.com/npdb/npdb/trace/query"
	"github.com/npdb/npdb/trace/statetree"
)

// record runs a program to its end and returns its recording.
func record(t testing.TB, python, source string) *statetree.Tree {
	t.Helper()
	script := filepath.Join(t.TempDir(), "prog.py")
	if err := os.WriteFile(script, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	rec, _, err := trace.Start(t.Context(), trace.Options{Python: python, Script: script, Reprs: trace.ReprsAsked, Stdin: strings.NewReader("typed\n")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = rec.Close() })
	if _, err := rec.Move(t.Context(), trace.Position{}, dsl.Action{Move: dsl.Continue}); err != nil {
		t.Fatal(err)
	}
	return rec.Tree()
}

// find returns the chain of an expression at an event.
func find(t testing.TB, tree *statetree.Tree, event int, expr string, via ...string) []provenance.Hop {
	t.Helper()
	p := query.Of(tree)
	hops, err := provenance.New(p, via, provenance.DefaultLimits, func() bool { return false }).Find(expr, p.ScopeAt(event), event)
	if err != nil {
		t.Fatalf("%s: %v", expr, err)
	}
	return hops
}

// describe writes a chain as "KIND EXPRESSION=VALUE:LINE; … END". A hop that is not certain has a
// "?", one that stands for several their number.
func describe(hops []provenance.Hop) string {
	var parts []string
	for _, h := range hops {
		text := fmt.Sprintf("%s %s=%s:%d", h.Kind, h.Expression, h.Value.Text, h.By.Line)
		if !h.Certain {
			text += "?"
		}
		if h.Times > 1 {
			text += fmt.Sprintf("*%d", h.Times)
		}
		parts = append(parts, text)
	}
	if n := len(hops); n > 0 && hops[n-1].End != "" {
		parts = append(parts, string(hops[n-1].End))
	}
	return strings.Join(parts, "; ")
}

// chains are programs, with the chains of expressions at their ends.
var chains = []struct {
	source string
	want   [][2]string // an expression, or one with the inputs to follow behind "via", and its chain
}{
	{"a = 5\nb = a\nc = b\n", [][2]string{{"c", "copy c=5:3; copy b=5:2; assignment a=5:1; literal"}}},
	{"a = 5\nb = 7\nc = a\nc = b\nc = a\n", [][2]string{{"c", "copy c=5:5; assignment a=5:1; literal"}}},
	{"a = 5\nb = 5\nc = a\nc = b\n", [][2]string{{"c", "copy c=5:4; assignment b=5:2; literal"}}},
	{"a = 5\nb = a + 1\nc = b * a\n", [][2]string{
		{"b", "assignment b=6:2; assignment a=5:1; literal"},
		{"c", "assignment c=30:3; fork"},
		{"c via b", "assignment c=30:3; assignment b=6:2; assignment a=5:1; literal"},
	}},
	{"def f(x):\n    y = x\n    return y\na = 3\nb = f(a)\n", [][2]string{
		{"b", "assignment b=3:5; return f()=3:3; copy y=3:2; parameter x=3:5; assignment a=3:4; literal"},
	}},
	{"def f(x, y=9, *, z=8):\n    return x, y, z\na, b, c = f(1)\nd, e, g = f(2, z=a)\n", [][2]string{
		{"a", "element a=1:3; return f()[0]=1:2; parameter x=1:3; literal"},
		{"b", "element b=9:3; return f()[1]=9:2; default y=9:1; literal"},
		{"g", "element g=1:4; return f()[2]=1:2; parameter z=1:4; element a=1:3; return f()[0]=1:2; parameter x=1:3; literal"},
	}},
	{"total = 0\nfor x in [1, 2, 3]:\n    total += x\n", [][2]string{
		{"total", "augmented total=6:3*3; assignment total=0:1; literal"},
		{"x", "element x=3:2; literal"},
	}},
	{"xs = [1, 2]\na = 7\nxs.append(a)\nfor x in xs:\n    y = x\n", [][2]string{
		{"y", "copy y=7:5; element x=7:4; mutation xs[2]=7:3; assignment a=7:2; literal"},
		{"xs[0]", "creation xs[0]=1:1; literal"},
		{"xs", "mutation xs=[1, 2, 7]:3; assignment xs=[1, 2]:1; constructor"},
	}},
	{"class A:\n    def __init__(self, v):\n        self.v = v\n    def get(self):\n        return self.v\nn = 4\no = A(n)\np = o\nq = p.get()\nr = o.v\n", [][2]string{
		{"q", "assignment q=4:9; return get()=4:5; mutation self.v=4:3; parameter v=4:7; assignment n=4:6; literal"},
		{"r", "field r=4:10; mutation o.v=4:3; parameter v=4:7; assignment n=4:6; literal"},
		{"p", "copy p=A(v=4):8; assignment o=A(v=4):7; constructor"},
	}},
	{"d = {}\nk = 'a'\nd[k] = 3\nd['b'] = d[k]\nx = d.get('b')\n", [][2]string{
		{"x", "element x=3:5; mutation d['b']=3:4; mutation d[k]=3:3; literal"},
	}},
	{"text = input()\nwords = text.split()\n", [][2]string{
		{"text", "assignment text='typed':1; input"},
		{"words", "assignment words=['typed']:2; assignment text='typed':1; input"},
	}},
	{"def g():\n    for n in [4, 5]:\n        yield n\nfor x in g():\n    y = x\n", [][2]string{
		{"y", "copy y=5:5; element x=5:4; yield g()=5:3; element n=5:2; literal"},
	}},
	{"count = 0\ndef bump(by):\n    global count\n    count = by\nbump(3)\nx = count\n", [][2]string{
		{"x", "copy x=3:6; copy count=3:4; parameter by=3:5; literal"},
	}},
	{"def outer():\n    n = 6\n    def inner():\n        return n\n    return inner()\nx = outer()\n", [][2]string{
		{"x", "assignment x=6:6; return outer()=6:5; return inner()=6:4; assignment n=6:2; literal"},
	}},
	{"import math as m\ndef f(): pass\nclass C: pass\nx = m\ntry:\n    raise ValueError('no')\nexcept ValueError as e:\n    y = e\n", [][2]string{
		{"f", "definition f=<function f>:2; definition"},
		{"y", "copy y=ValueError('no'):8; except e=ValueError('no'):7; except raise=ValueError('no'):6; raised"},
	}},
	{"a = 0\nb = 5\nc = a or b\nd = a if b else c\n", [][2]string{
		{"c", "copy c=5:3; assignment b=5:2; literal"},
		{"d", "copy d=0:4; assignment a=0:1; literal"},
	}},
	{"xs = [10, 20, 30]\nxs.insert(0, 5)\nx = xs[2]\nys = [x for x in xs]\ny = ys[3]\n", [][2]string{
		{"x", "element x=20:3; creation xs[2]=20:1; literal"},
		{"y", "element y=30:5; creation ys[3]=30:4; creation xs[3]=30:1; literal"},
	}},
	{"text = 'a b'\nfor word in text.split():\n    x, y = word.partition('z')[:2]\n", [][2]string{
		{"word", "element word='b':2; assignment text='a b':1; literal"},
	}},
	{"class A:\n    def __init__(self, v):\n        self.v = v\n    def me(self):\n        return self\no = A(1).me()\n", [][2]string{
		{"o", "assignment o=A(v=1):6; return me()=A(v=1):5; parameter self=A(v=1):6; constructor"},
	}},
	{"a = 1\nb = 1\nxs = [0, 0]\nxs[0] = a\nxs.insert(0, b)\nxs[0] = a\nxs.reverse()\n", [][2]string{
		{"xs[2]", "mutation xs[2]=1:6?; assignment a=1:1; literal"},
		{"xs[1]", "mutation xs[1]=1:4?; assignment a=1:1; literal"},
	}},
	{"a = 1\nif a > 1: a = 1\nb = a\n", [][2]string{{"b", "copy b=1:3; assignment a=1:1; literal"}}},
	{"def f(x, seen=[]):\n    seen.append(x)\n    return seen[0]\ny = f(1)\nz = f(2)\n", [][2]string{
		{"z", "assignment z=1:5; return f()=1:3; mutation seen[0]=1:2; parameter x=1:4; literal"},
	}},
	{"def g():\n    yield 7\n    yield 8\nxs = list(g())\nn = xs[0]\n", [][2]string{
		{"n", "element n=7:5; creation xs[0]=7:4; yield g()=7:2; literal"},
	}},
	{"class V:\n    def __init__(self, n):\n        self.n = n\n    def __add__(self, other):\n        return V(self.n + other.n)\na = V(1) + V(2)\n", [][2]string{
		{"a via V(1)", "assignment a=V(n=3):6; assignment V(1)=:6; constructor"},
	}},
	{"class N:\n    next = 0\ndef link(p, q):\n    p.next = q\na = N()\nb = N()\nlink(a, b)\nlink(b, 5)\nx = a.next\n", [][2]string{
		{"x", "field x=N(next=5):9; mutation a.next=N(next=5):4; mutation a.next=N():4; parameter q=N():7; assignment b=N():6; constructor"},
	}},
	{"from queue import Queue\nclass N:\n    def __init__(self, v):\n        self.v = v\nn = N(4)\nq = Queue()\nq.put(n)\nm = q.get()\nx = m.v\n", [][2]string{
		{"x", "field x=4:9; mutation m.v=4:4; parameter v=4:5; literal"},
	}},
	{"a = 1\nb = 1\nc = a; b = a\nd = b\nc = d; e = c\n", [][2]string{
		{"d", "copy d=1:4; copy b=1:3?; assignment a=1:1; literal"},
		{"e", "copy e=1:5?; unknown"},
	}},
	{"class C:\n    def __init__(self, v):\n        self.v = v\n    def get(self, n):\n        return self.v\nn = 0\nx = C(4).get(\n    n\n)\n", [][2]string{
		{"x", "assignment x=4:7; return get()=4:5; mutation self.v=4:3; parameter v=4:7; literal"},
	}},
	{"def f(*args):\n    return g(*args)\ndef g(a, b):\n    return b\nx = f(1, 2)\n", [][2]string{
		{"x", "assignment x=2:5; return f()=2:2; return g()=2:4; parameter b=2:2; parameter args[1]=2:5; literal"},
	}},
}

func TestChains(t *testing.T) {
	for _, c := range chains {
		tree := record(t, pythons.Any(t), c.source)
		for _, w := range c.want {
			expr, via, _ := strings.Cut(w[0], " via ")
			got := describe(find(t, tree, tree.Len()-1, expr, strings.Fields(via)...))
			if got != w[1] {
				t.Errorf("%s of\n%s\nhas the chain %s\nwant            %s", w[0], c.source, got, w[1])
			}
		}
	}
}

// TestChainsOfComprehensions follows values through lines with comprehensions. From Python 3.12 on such a
// line has an event for each iteration.
func TestChainsOfComprehensions(t *testing.T) {
	const source = "ys = [1, 2, 3]\nys = [y for y in ys]\nn = 0\nn += sum([y for y in ys])\nx = ys[0]\n"
	for _, py := range pythons.All(t) {
		tree := record(t, py.Path, source)
		for expr, want := range map[string]string{
			"x": "element x=1:5; creation ys[0]=1:2; creation ys[0]=1:1; literal",
			"n": "augmented n=6:4; assignment n=0:3; literal",
		} {
			if got := describe(find(t, tree, tree.Len()-1, expr)); got != want {
				t.Errorf("%v: %s has the chain %s\nwant            %s", py, expr, got, want)
			}
		}
	}
}
