package python

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
)

func signatureOf(t testing.TB, def string) Signature {
	t.Helper()
	s, ok := Read([]byte(def + "\n    pass\n")).Function("f")
	if !ok {
		t.Fatalf("no function f in %s", def)
	}
	return s
}

func TestBind(t *testing.T) {
	tests := []struct {
		def, call string
		want      string // name=value, in order; ? for a missing value
	}{
		{"def f(x):", "f([1, 2])", "x=[1, 2]"},
		{"def f(x, y=2, *args, k=None, **kw):", "f(1)", "x=1 y=2 k=None args=() kw={}"},
		{"def f(x, y=2, *args, k=None, **kw):", "f(1, 2, 3, 4, k='a', z=[5])", "x=1 y=2 k='a' args=(3, 4) kw={'z': [5]}"},
		{"def f(x, y):", "f(y=1, x=2)", "x=2 y=1"},
		{"def f(x, y):", "f(*[1, 2])", "x=1 y=2"},
		{"def f(x, y):", "f(**{'y': 1, 'x': 2})", "x=2 y=1"},
		{"def f(x, /, y, *, z):", "f(1, 2, z=3)", "x=1 y=2 z=3"},
		{"def f(x, /, **kw):", "f(1, x=2)", "x=1 kw={'x': 2}"},
		{"def f(x, y):", "f(_, y=3)", "x=? y=3"},
		{"def f(x, y):", "f(y=_, x=1)", "x=1 y=?"},
		{"def f(*a, **k):", "f(_, 1)", "a=? k={}"},
		{"def f(**k):", "f(a=_)", "k=?"},
		{"def f(x=[], y=-1.5, z=(1, 'a'), w=1 << 3):", "f()", "x=[] y=-1.5 z=(1, 'a') w=8"},
		{"def f(x=now(), y=LIMIT):", "f()", "x=? y=?"},
		{"def f(x=now()):", "f(1)", "x=1"},
		{"def f(x):", "f({'a': {1, 2}})", "x={'a': {1, 2}}"},
		{"def f(x):", "f(list(range(3)) + [10 ** 2])", "x=[0, 1, 2, 100]"},
		{"def f():", "f()", ""},
	}
	for _, test := range tests {
		c, err := ParseCall(test.call)
		if err != nil {
			t.Errorf("%s: %v", test.call, err)
			continue
		}
		locals, missing, err := c.Bind(signatureOf(t, test.def))
		var got []string
		for i, l := range locals {
			value := l.Value
			if slices.Contains(missing, i) {
				if value != "" {
					t.Errorf("%s: the missing %s has the value %s", test.call, l.Name, value)
				}
				value = "?"
			}
			got = append(got, l.Name+"="+value)
		}
		if err != nil || strings.Join(got, " ") != test.want || c.Function != "f" {
			t.Errorf("%s %s: got %q, %v; want %q", test.def, test.call, got, err, test.want)
		}
	}
}

func TestParseCallFails(t *testing.T) {
	tests := []struct{ text, want string }{
		{"f", "f is no call"},
		{"f(", "'(' was never closed"},
		{"f(x)", "no names before the call"},
		{"f(*_)", "how many there are must be known"},
		{"f(1)(2)", "must be a name"},
		{"f(a=1, a=2)", "keyword argument repeated: a"},
		{"f(a=1, **{'a': 2})", "f() got multiple values for keyword argument 'a'"},
		{"f(a=1, 2)", "positional argument follows keyword argument"},
		{"f(print(1))", "builtin"},
		{"f(1 / 0)", "ZeroDivisionError"},
		{"f(2 ** 10 ** 9)", "bits"},
		{"", "invalid syntax"},
	}
	for _, test := range tests {
		if c, err := ParseCall(test.text); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %+v, %v; want %s", test.text, c, err, test.want)
		}
	}
	if c, err := ParseCall("Account.pay(_, 3)"); err != nil || c.Function != "Account.pay" {
		t.Errorf("got %+v, %v", c, err)
	}
}

const bindWitness = `
import sys, json
for line in sys.stdin:
    source, call = json.loads(line)
    space = {}
    exec(source + "\n    return locals()", space)
    try:
        print(json.dumps(" ".join("%s=%r" % item for item in eval(call, space).items())))
    except TypeError as error:
        print(json.dumps("TypeError: %s" % error))
`

// TestBindAgreesWithPython checks that calls of several functions bind as in Python, or fail with
// the same message.
func TestBindAgreesWithPython(t *testing.T) {
	defs := []string{
		"def f():", "def f(a):", "def f(a, b=2):", "def f(a, b, c):", "def f(a, /, b):", "def f(a, /, b=2, *, c):", "def f(*a, b, c=3):",
		"def f(a, *b, c=1, **d):", "def f(*, a, b, c):", "def f(a, b=1, /, **c):", "def f(a, b, /):", "def f(**a):",
	}
	calls := []string{
		"f()", "f(1)", "f(1, 2)", "f(1, 2, 3)", "f(1, 2, 3, 4)", "f(a=1)", "f(b=1)", "f(1, a=2)", "f(1, b=2)", "f(1, c=2)", "f(1, 2, c=3)",
		"f(a=1, b=2)", "f(a=1, b=2, c=3)", "f(1, 2, c=3, d=4)", "f(1, z=2)", "f(*[1, 2], **{'c': 3})", "f(1, 2, 3, c=3)", "f(1, c=1, b=2)", "f(c=1)",
	}
	var in bytes.Buffer
	encoder := json.NewEncoder(&in)
	for _, def := range defs {
		for _, call := range calls {
			if err := encoder.Encode([2]string{def, call}); err != nil {
				t.Fatal(err)
			}
		}
	}
	cmd := exec.Command(pythons.Any(t), "-I", "-c", bindWitness)
	cmd.Stdin = &in
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	for i, def := range defs {
		for j, call := range calls {
			var want string
			if err := json.Unmarshal([]byte(lines[i*len(calls)+j]), &want); err != nil {
				t.Fatal(err)
			}
			c, err := ParseCall(call)
			if err != nil {
				t.Fatal(err)
			}
			locals, _, err := c.Bind(signatureOf(t, def))
			var parts []string
			for _, l := range locals {
				parts = append(parts, l.Name+"="+l.Value)
			}
			got := strings.Join(parts, " ")
			if err != nil {
				got = err.Error()
			}
			if got != want {
				t.Errorf("%s %s\n got %s\nwant %s", def, call, got, want)
			}
		}
	}
}
