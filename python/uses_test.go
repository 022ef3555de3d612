package python_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/python"
)

// TestReadPlain checks that the repr of a parsed literal equals its source.
func TestReadPlain(t *testing.T) {
	for _, text := range []string{
		"None", "True", "-3", "1.5", "1e+22", "'a\\n\"'", `"it's"`, "[1, [2.0, 'x'], ()]", "(1,)", "{}", "{'a': {1: None}}", "set()", "{1, 2}",
		"b'x'", "(1+2j)", "123456789012345678901234567890", "frozenset({1})", "inf", "nan",
	} {
		p, ok := python.ReadPlain(text)
		if !ok || p.Text() != text {
			t.Errorf("%s is read as %+v, %v, written %s", text, p, ok, p.Text())
		}
	}
	for _, text := range []string{"", "<object>", "f(1)", "[1", "Point(x=1)"} {
		if p, ok := python.ReadPlain(text); ok {
			t.Errorf("%q is read as %+v", text, p)
		}
	}
	a, _ := python.ReadPlain("{'b', 'a'}")
	b, _ := python.ReadPlain("{'a', 'b'}")
	if a.Text() != b.Text() {
		t.Errorf("%s and %s", a.Text(), b.Text())
	}
}

// TestReadUses checks the types that are inferred for parameters.
func TestReadUses(t *testing.T) {
	for _, c := range []struct {
		source, wanted string
		want           string // the types of the parameters, and of their items
	}{
		{"def f(x): return x.upper()", "'A'", "str"},
		{"def f(x):\n    x.append(1)\n    return x", "[1]", "list of int"},
		{"def f(p, q): return p.items(), q - 1", "None", "dict int"},
		{"def f(p):\n    for k, v in p.items():\n        k.strip(v)\n", "None", "dict of str"},
		{"def f(p):\n    out = []\n    for e in p:\n        out.append(e)\n    return out", "[1, 2]", "list of int"},
		{"def f(p: 'list[float]', q: str | None, r={}): pass", "None", "list of float str dict"},
		{"def f(a, b):\n    return a.replace(b, '', 1)", "'x'", "str str"},
		{"def f(x):\n    return [e * 2 for e in x if e > 10]", "[30]", "list of int"},
		{"def f(rows):\n    return sorted(rows, key=lambda e: e.lower())", "['a']", "list of str"},
		{"def f(*x, **y): pass", "None", "tuple dict"},
		{"def f(words):\n    return len(words)", "3", "list"},
		{"def f(x, y):\n    if x in ('a', 'b'):\n        return y == 3.5", "True", "str float"},
	} {
		wanted, _ := python.ReadPlain(c.wanted)
		u, ok := python.ReadUses([]byte(c.source+"\n"), 1, wanted)
		if !ok {
			t.Fatalf("%s: no function", c.source)
		}
		var got []string
		for _, e := range u.Params {
			best, _ := e.Best()
			text := best.String()
			if inner, ok := e.Elements().Best(); ok && best != python.StrKind {
				text += " of " + inner.String()
			}
			got = append(got, text)
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%s: %s, want %s", c.source, text, c.want)
		}
	}
	if _, ok := python.ReadUses([]byte("x = 1\n"), 1, python.Plain{}); ok {
		t.Error("a line without a function has one")
	}
}

// TestCallsAndLiterals checks the calls that are found in the source and in docstrings, and the
// constants of the body.
func TestCallsAndLiterals(t *testing.T) {
	const source = `class A:
    def go(self, n, s='x'):
        """
        >>> A().go(5)
        1
        """
        if n > 100 and s != "ab":
            return self.go(n - 1)
        return [n, 100]

def test():
    assert A().go(7, s='b') == A().go(7, s='b')
`
	u, ok := python.ReadUses([]byte(source), 2, python.Plain{})
	if !ok {
		t.Fatal("no function")
	}
	if want := []string{"go(5)", "go(n - 1)", "go(7, s='b')"}; !slices.Equal(u.Calls, want) {
		t.Errorf("calls %q", u.Calls)
	}
	if got, want := python.ReadCalls([]byte("import a\na.A().go(1)\nstop(2)\n"), "go"), []string{"go(1)"}; !slices.Equal(got, want) {
		t.Errorf("calls in another file %q", got)
	}
	var literals []string
	for _, l := range u.Literals {
		literals = append(literals, l.Text())
	}
	if want := []string{"100", "'ab'", "1"}; !slices.Equal(literals, want) {
		t.Errorf("literals %q", literals)
	}
	if !u.Params[1].Read || len(u.Params[2].Equal) != 2 {
		t.Errorf("%+v %+v", u.Params[1], u.Params[2])
	}
}

// FuzzReadUses checks that the functions of any source can be read.
func FuzzReadUses(f *testing.F) {
	f.Add("def f(a, b=[1]):\n    for x, (y, *z) in a.items():\n        b[x:y] += z\n    with b as c: return (yield c)\n", "{'a': [1]}")
	f.Add("async def f(*a: int, k=None, **kw):\n    try:\n        return [await x async for x in a if (t := x)]\n    except* E as e: del a[k]\n", "3")
	f.Fuzz(func(t *testing.T, source, value string) {
		wanted, _ := python.ReadPlain(value)
		for _, function := range python.Read([]byte(source)).Functions() {
			if u, ok := python.ReadUses([]byte(source), function.Line, wanted); ok && len(u.Params) != len(u.Signature.Params) {
				t.Errorf("%d of %d parameters", len(u.Params), len(u.Signature.Params))
			}
		}
	})
}
