package policy

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
)

// literals are reprs that are unchanged after parsing and writing.
var literals = []string{
	"None", "True", "False", "0", "-7", "12345678901234567890123", "1.5", "-0.0", "1e-07", "1.7976931348623157e+308",
	"''", "'a b'", `"it's"`, `'a\n\t\r\\\'"'`, `'é😀'`, `'\x1b\xad'`, `'\u2028\U000e0001'`, "b''", `b'\x00a'`, `b'\xff'`, `b"'"`,
	"[]", "[1]", "[1, 'a', [None]]", "()", "(1,)", "(1, 2)", "((1,), [])", "{}", "{1: 2}", "{'a': [1], 'b': {}}", "set()", "{1}", "{1, 'a'}", "{(1, 2)}", "{(1,): {2}}",
	strings.Repeat("[", 8) + strings.Repeat("]", 8),
}

// notLiterals are texts that only look like reprs of literals.
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

// FuzzLiteral checks that near returns a literal of the same kind that usually differs.
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
		case "()":
			least = 0
		case "True", "False":
			least = 1
		case "-0.0": // ±1.0, 0.0
			least = 3
		}
		if len(found) < least {
			t.Errorf("near %s are only %v", text, found)
		}
	}
}

func TestFloatText(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0.0", 2: "2.0", -0.5: "-0.5", 0.0001: "0.0001", 0.00012: "0.00012", 0.00001: "1e-05", 9999999999999998: "9999999999999998.0",
		1e16: "1e+16", 1.5e300: "1.5e+300", 5e-324: "5e-324", 123456.789: "123456.789", 1e22: "1e+22", 1e100: "1e+100",
	} {
		if got := floatText(x); got != want {
			t.Errorf("%v is written %s, want %s", x, got, want)
		}
	}
}

// TestAllNear checks all literals near a number, and samples of those near a text and a container.
func TestAllNear(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	near := func(text string) map[string]bool {
		l, ok := readLiteral(text)
		if !ok {
			t.Fatal(text)
		}
		found := map[string]bool{}
		for range 5000 {
			found[l.near(rng).text()] = true
		}
		return found
	}
	want := map[string]bool{"-100": true, "-1": true, "0": true, "1": true, "200": true}
	for n := 90; n <= 110; n++ {
		want[strconv.Itoa(n)] = true
	}
	if got := near("100"); !maps.Equal(got, want) {
		t.Errorf("near 100 are %v", slices.Sorted(maps.Keys(got)))
	}
	if got := near("3.5"); !maps.Equal(got, map[string]bool{"4.5": true, "2.5": true, "-3.5": true, "0.0": true, "7.0": true, "1.75": true}) {
		t.Errorf("near 3.5 are %v", slices.Sorted(maps.Keys(got)))
	}
	if got := near("98765432109876543210"); len(got) != 18*9+1 || got["08765432109876543210"] || !got["98065432109876543210"] || !got["98765432109876543219"] {
		t.Errorf("near a long number are %d", len(got))
	}
	if got := near("9007199254740993"); len(got) != 14*9+1 || got["18014398509481986"] {
		t.Errorf("near a number beyond all floats' are %d", len(got))
	}
	if got := near("-9007199254740993"); got["9007199254740993"] || got["-18014398509481986"] {
		t.Error("near a number below all floats' is a far one")
	}
	for text, some := range map[string][]string{
		"'aB'":   {"''", "'a'", "'B'", "'aaB'", "'aBB'", "'aa'", "'BB'", "'xB'", "'ax'", "'aBx'", "'Ba'", "'Ab'"},
		"''":     {"'a'", "'z'"},
		"[1, 5]": {"[1]", "[5]", "[5, 1]", "[2, 5]", "[1, 6]", "[1, 5, 6]", "[1, 5, 2]"},
		"[]":     {"[0]", "[9]"},
		"(1, 5)": {"(2, 5)", "(1, 6)", "(1,)", "(1, 5, 6)"},
		"(1,)":   {"(2,)", "()"},
		"{1: 5}": {"{1: 6}", "{}"},
		"{3}":    {"{4}", "set()", "{3, 4}"},
		"{1, 2}": {"{2}", "{1}", "{1, 3}"},
		"[None]": {"[None, None]", "[]"},
		"True":   {"False"},
	} {
		got := near(text)
		for _, one := range some {
			if !got[one] {
				t.Errorf("near %s is not %s", text, one)
			}
		}
	}
	for _, pair := range [][2]string{{"{1: 5}", "{2: 5}"}, {"{1, 2}", "{1, 1}"}, {"{1, 2}", "{2, 2}"}, {"{1, 2}", "{2, 1}"}, {"(1, 5)", "(5, 1)"}} {
		if near(pair[0])[pair[1]] {
			t.Errorf("near %s is %s", pair[0], pair[1])
		}
	}
}

// TestNearInPython checks that Python parses a near literal as a value of the same type, and that floats
// are unchanged.
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
