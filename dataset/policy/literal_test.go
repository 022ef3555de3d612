package policy

import (
	"encoding/json"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
)

// literals are reprs that are read and written as they are.
var literals = []string{
	"None", "True", "False", "0", "-7", "12345678901234567890123", "1.5", "-0.0", "1e-07", "1.7976931348623157e+308",
	"''", "'a'", `"it's"`, `'a\n\t\\\'"'`, `'é😀'`, `'\x1b\xad'`, `'\u2028\U000e0001'`, "b''", `b'\x00a'`, `b"'"`,
	"[]", "[1]", "[1, 'a', [None]]", "()", "(1,)", "(1, 2)", "((1,), [])", "{}", "{1: 2}", "{'a': [1], 'b': {}}", "set()", "{1}", "{1, 'a'}", "{(1, 2)}", "{(1,): {2}}",
	strings.Repeat("[", 8) + strings.Repeat("]", 8),
}

// notLiterals look like some.
var notLiterals = []string{
	"", "none", "None ", "07", "00", "-", "+1", "--1", "1.", ".5", "1e", "1_0", "0x10", "inf", "nan", "1j", "(1+2j)",
	"'", `'a`, "'a\n'", `'\q'`, `'\x1'`, `'\xAF'`, `b'é'`, `b'\u0041'`, "'a' 'b'", "'\x7f'", "'\xff'",
	"[", "[1", "[1,2]", "[1, ]", "[1, 2,]", "(1)", "(,)", "(1, 2,)", "{1: 2, 3}", "{1, 2: 3}", "{1:2}", "{,}", "{1: }",
	"<object>", "frozenset({1})", "[<f>]", "[...]", "range(3)", "x", "Account(1)", strings.Repeat("[", 9) + strings.Repeat("]", 9),
}

func TestReadLiteral(t *testing.T) {
	for _, text := range literals {
		if l, ok := readLiteral(text); !ok || l.text() != text {
			t.Errorf("%s is read as %s, %v", text, l.text(), ok)
		}
	}
	for _, text := range notLiterals {
		if l, ok := readLiteral(text); ok {
			t.Errorf("%s is read as %s", text, l.text())
		}
	}
}

// What is near a literal is one of the same kind, and mostly another one.
func FuzzLiteral(f *testing.F) {
	for _, text := range append(literals, notLiterals...) {
		f.Add(text, uint64(1))
	}
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		l, ok := readLiteral(text)
		if !ok {
			return
		}
		if l.text() != text {
			t.Fatalf("%q is written %q", text, l.text())
		}
		rng := rand.New(rand.NewPCG(seed, 0))
		for range 5 {
			near := l.near(rng)
			again, ok := readLiteral(near.text())
			if !ok || again.kind != l.kind || again.text() != near.text() {
				t.Fatalf("near %q is %q, read as %+v, %v", text, near.text(), again, ok)
			}
			if l.text() != text {
				t.Fatalf("what is near %q has changed it", text)
			}
			l, text = near, near.text()
		}
	})
}

func TestNear(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, text := range literals {
		l, ok := readLiteral(text)
		if !ok {
			t.Fatal(text)
		}
		found := map[string]bool{}
		for range 50 {
			found[l.near(rng).text()] = true
		}
		delete(found, text)
		least := 3
		switch text {
		case "None", "{}":
			least = 0
		case "True", "False", "()":
			least = 1
		case "-0.0": // ±1.0, 0.0
			least = 3
		}
		if len(found) < least {
			t.Errorf("near %s are only %v", text, found)
		}
	}
}

// Python reads what is near a literal, as a value of the same type, and floats as they are.
func TestNearInPython(t *testing.T) {
	python := pythons.Any(t)
	rng := rand.New(rand.NewPCG(3, 4))
	var pairs [][2]string
	for _, text := range literals {
		l, _ := readLiteral(text)
		for range 30 {
			l = l.near(rng)
			pairs = append(pairs, [2]string{text, l.text()})
		}
	}
	in, err := json.Marshal(pairs)
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(python, "-I", "-c", `
import ast, json, sys
for old, new in json.loads(sys.stdin.buffer.read()):
    a, b = (set() if text == "set()" else ast.literal_eval(text) for text in (old, new))
    if type(a) is not type(b) or type(b) in (int, float) and repr(b) != new:
        print(old, new)
`)
	c.Stdin = strings.NewReader(string(in))
	out, err := c.CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
}
