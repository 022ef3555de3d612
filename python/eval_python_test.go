package python_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/python"
)

// evalWitness is a Python program. It evaluates each line of its input, a JSON string, and prints
// the repr of the value or the name of the exception. It sorts the elements of sets, because their
// order depends on a hash table.
const evalWitness = `
import sys, json, pprint, warnings
warnings.simplefilter("ignore")
if hasattr(sys, "set_int_max_str_digits"):
    sys.set_int_max_str_digits(0)
for line in sys.stdin:
    mode, text = json.loads(line)
    try:
        value = eval(text, {"x": 3, "s": "it's", "xs": [3, 1, 2], "d": {"a": 1, "b": [2]}})
        answer = pprint.pformat(value) if mode == "pretty" else repr(value)
    except BaseException as error:
        answer = "!" + type(error).__name__ + ": " + str(error)
    try:
        print(json.dumps(answer), flush=False)
    except Exception:
        print(json.dumps("?"))
`

// askPython runs texts through evalWitness with a real Python.
func askPython(t *testing.T, mode string, texts []string) []string {
	t.Helper()
	var in bytes.Buffer
	encoder := json.NewEncoder(&in)
	for _, text := range texts {
		if err := encoder.Encode([2]string{mode, text}); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(pythons.Any(t), "-I", "-c", evalWitness)
	cmd.Stdin = &in
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var answers []string
	for line := range bytes.Lines(out) {
		var answer string
		if err := json.Unmarshal(line, &answer); err != nil {
			t.Fatal(err)
		}
		answers = append(answers, answer)
	}
	if len(answers) != len(texts) {
		t.Fatalf("%d answers to %d texts", len(answers), len(texts))
	}
	return answers
}

// generator generates random expressions, most of which have a value.
type generator struct{ *rand.Rand }

func (g generator) pick(words ...string) string { return words[g.IntN(len(words))] }

func (g generator) number() string {
	switch g.IntN(12) {
	case 0:
		return fmt.Sprint(g.IntN(10))
	case 1:
		return fmt.Sprint(g.Int64() - g.Int64())
	case 2:
		return g.pick("0", "1", "-1", "2", "True", "False", "10**20", "-7", "255", "1_000", "0x1f", "0b101", "0o17")
	case 3:
		return g.pick("0.0", "-0.0", "0.1", "1.5", "2.5", "-3.75", "1e100", "1e-7", "1e16", "123456789.125", "1e22", "5e-324", ".5", "3.")
	case 4:
		return fmt.Sprint(g.NormFloat64())
	case 5:
		return fmt.Sprintf("%g", g.NormFloat64()*1e17)
	case 6:
		return g.pick("1j", "(1+2j)", "-2j", "complex(0, -0.0)", "(0.5-1j)")
	case 7:
		return "x"
	default:
		return fmt.Sprint(g.IntN(200) - 100)
	}
}

func (g generator) text() string {
	return g.pick(`'abc'`, `''`, `"it's"`, `'a\nb\tc'`, `'Hello World'`, `'é日本'`, `'a,b,,c'`, `'  x y  '`, `'123'`, `'\x00\x7f\xa0'`,
		`'\ud800'`, `'ß\u0130ǅ'`, `'\'"'`, `r'\n'`, `'x' 'y'`, "s", `'aAbB'`, `'abcabc'`, `'\u200b\U0001f600'`, `'1.5'`, `'-12'`, `f'{x}!'`, `f'{x:03d}'`)
}

func (g generator) bytes() string { return g.pick(`b'abc'`, `b''`, `b'\x00\xff'`, `b"it's"`, `b'a,b'`) }

func (g generator) list(depth int) string {
	if g.IntN(4) == 0 {
		return g.pick("xs", "[]", "()", "list(range(5))", "(1,)", "['b', 'a']", "range(10)", "range(5, 0, -2)", "[[1], [2, 3]]")
	}
	var items []string
	for range g.IntN(4) {
		items = append(items, g.expr(depth-1))
	}
	if g.IntN(3) == 0 {
		if len(items) == 1 {
			return "(" + items[0] + ",)"
		}
		return "(" + strings.Join(items, ", ") + ")"
	}
	return "[" + strings.Join(items, ", ") + "]"
}

func (g generator) dict(depth int) string {
	if g.IntN(3) == 0 {
		return "d"
	}
	var items []string
	for range g.IntN(3) {
		items = append(items, g.pick("1", "'a'", "'b'", "(1, 2)", "None", "1.0", "True")+": "+g.expr(depth-1))
	}
	return "{" + strings.Join(items, ", ") + "}"
}

// set returns a set whose order follows from its elements: any ints, added one by one, or small
// ones, which are in ascending order.
func (g generator) set() string {
	var wide, small []string
	for range 1 + g.IntN(12) {
		wide = append(wide, fmt.Sprint(g.IntN(60)-g.IntN(20)*g.IntN(20)))
		small = append(small, fmt.Sprint(g.IntN(4)))
	}
	if g.IntN(3) == 0 {
		list := "[" + strings.Join(wide, ", ") + "]"
		return g.pick("set("+list+")", "frozenset("+list+")", "{i * 7 for i in "+list+"}")
	}
	one, two := strings.Join(small, ", "), strings.Join(small[len(small)/2:], ", ")
	return "{" + one + "}" + g.pick("", " | {2, "+two+"}", " & {"+two+"}", " - {"+two+"}", " ^ {"+two+"}", " <= {"+two+"}", ".union(["+two+"], [1])")
}

// expr returns an expression with at most this depth of nesting.
func (g generator) expr(depth int) string {
	if depth <= 0 {
		switch g.IntN(8) {
		case 0, 1, 2:
			return g.number()
		case 3, 4:
			return g.text()
		case 5:
			return g.bytes()
		case 6:
			return g.pick("None", "True", "False")
		default:
			return g.list(0)
		}
	}
	sub := func() string { return g.expr(depth - 1) }
	switch g.IntN(24) {
	case 0, 1, 2, 3:
		return "(" + g.number() + " " + g.pick("+", "-", "*", "/", "//", "%") + " " + g.number() + ")"
	case 4:
		return "(" + sub() + " " + g.pick("+", "*", "-", "&", "|", "^", "/", "%", "//") + " " + sub() + ")"
	case 5:
		return "(" + g.number() + ")" + " ** " + g.pick("2", "3", "0.5", "-1", "0", "-2.0", "1.5", "10", "1j")
	case 6:
		return sub() + g.pick(" < ", " == ", " != ", " >= ", " in ", " not in ", " > ") + sub()
	case 7:
		return "(" + sub() + " if " + sub() + " else " + sub() + ")"
	case 8:
		return g.pick("not ", "-", "~", "+") + sub()
	case 9:
		return "(" + sub() + g.pick(" and ", " or ") + sub() + ")"
	case 10:
		return g.pick(g.list(depth), g.text(), g.bytes()) + "[" + g.pick("0", "-1", "1:", ":2", "::-1", "1:5:2", "-2:", "5", "'a'", "::0", "-1::-2") + "]"
	case 11:
		return g.pick("len", "abs", "sum", "sorted", "int", "float", "str", "repr", "bool", "list", "tuple", "any", "all", "min", "max", "bin", "hex",
			"round", "ord", "chr", "ascii", "dict", "complex", "bytes", "oct", "type", "isinstance", "enumerate", "frozenset") + "(" + sub() + ")"
	case 12:
		return g.text() + "." + g.pick("upper()", "lower()", "title()", "strip()", "split()", "split(',')", "rsplit(',', 1)", "capitalize()", "swapcase()",
			"isdigit()", "isalpha()", "isalnum()", "isupper()", "islower()", "isspace()", "istitle()", "splitlines()", "find('b')", "rfind('b')", "index('b')",
			"count('a')", "count('')", "replace('a', 'xy')", "replace('', '-')", "replace('a', '', 1)", "startswith('a')", "endswith(('c', 'd'))", "zfill(6)", "center(9, '*')",
			"ljust(6)", "rjust(6)", "partition(',')", "rpartition(',')", "encode()", "encode('ascii')", "lstrip('a')", "rstrip('c ')", "isidentifier()", "isdecimal()",
			"expandtabs()", "casefold()", "removeprefix('a')", "join(['1', '2'])", "join([1])", "find('', 2)", "isascii()", "isprintable()", "isnumeric()", "format(1, a=2)")
	case 13:
		return g.dict(depth) + "." + g.pick("get('a')", "keys()", "values()", "items()", "get(1, 2)", "copy()")
	case 14:
		return g.dict(depth) + "[" + g.pick("'a'", "1", "None", "(1, 2)", "[]") + "]"
	case 15:
		return "f'{" + g.pick(g.number(), "x", "len(xs)") + g.pick("", "!r", ":>8", ":08.3f", ":,", ":+d", ":e", ":.2%", ":x", ":^10", ":g", ":.3", ":_", ":#x", "=", ":b", ":010,", ":.0f", ":n", ":c", ":G") + "}'"
	case 16:
		return "'%" + g.pick("d", "s", "r", "5d", "-5d", "05d", ".2f", "x", "e", "g", "%", "+d", "c", "i", "8.3f", "#x", ".3s") + "' % " + g.pick(g.number(), g.text(), "("+g.number()+",)")
	case 17:
		return "round(" + g.number() + ", " + g.pick("0", "1", "2", "-1", "-2", "5") + ")"
	case 18:
		return "[" + g.pick("i", "i * 2", "(i, i)", "str(i)") + " for i in " + g.list(depth) + g.pick("", " if i", " if i != 1") + "]"
	case 19:
		return "divmod(" + g.number() + ", " + g.number() + ")"
	case 21, 22:
		return g.set()
	case 20:
		return g.list(depth) + "." + g.pick("count(1)", "index(1)", "index(2, 1)")
	default:
		return g.list(depth)
	}
}

// TestExpressionsAgreeWithPython checks that random expressions have CPython's repr, or raise
// CPython's exception.
func TestExpressionsAgreeWithPython(t *testing.T) {
	const count = 6000
	g := generator{rand.New(rand.NewPCG(1, 2))}
	texts := make([]string, count)
	for i := range texts {
		texts[i] = g.expr(i % 4)
	}
	compare(t, texts, 0.998)
}

// compare evaluates texts here and with a real Python. Types and values must be equal. want is the
// share of texts that must agree. Equal messages are only counted.
func compare(t *testing.T, texts []string, want float64) {
	t.Helper()
	answers := askPython(t, "repr", texts)
	mixed := askPython(t, "repr", []string{"__import__('sys').version_info >= (3, 14)"})[0] == "True"
	here := locals("x", "3", "s", `"it's"`, "xs", "[3, 1, 2]", "d", "{'a': 1, 'b': [2]}")
	same, values, refusals, messages, exceptions, shown := 0, 0, 0, 0, 0, 0
	for i, text := range texts {
		got, err := python.Eval(t.Context(), text, here)
		var raised *python.EvalError
		var refused *python.RefusedError
		var limit *python.LimitError
		kind, message, failed := strings.Cut(strings.TrimPrefix(answers[i], "!"), ": ")
		failed = failed && strings.HasPrefix(answers[i], "!")
		switch {
		case errors.As(err, &refused), errors.As(err, &limit):
			refusals++
			continue
		case errors.As(err, &raised):
			if failed && raised.Type == kind {
				same++
				exceptions++
				if raised.Message == message {
					messages++
				}
				continue
			}
		case err == nil && (got == withoutAddresses(answers[i]) || mixed && sameComplex(got, answers[i])):
			same++
			values++
			continue
		}
		if shown++; shown <= 40 {
			t.Logf("%s\n got %s, %v\nwant %s", text, got, err, answers[i])
		}
	}
	asked := len(texts) - refusals
	t.Logf("%d of %d agree: %d values, %d exceptions (%d with the same message); %d refused", same, asked, values, exceptions, messages, refusals)
	if float64(same) < want*float64(asked) || refusals > len(texts)/10 {
		t.Errorf("%d of %d agree, %d refused", same, asked, refusals)
	}
}

// sameComplex reports whether two reprs are equal complex numbers. The sign of a zero may differ:
// since 3.14 Python does not convert the real operand of an operation with a complex number.
func sameComplex(one, other string) bool {
	a, errA := strconv.ParseComplex(strings.Replace(one, "j", "i", 1), 128)
	b, errB := strconv.ParseComplex(strings.Replace(other, "j", "i", 1), 128)
	return errA == nil && errB == nil && a == b
}

// withoutAddresses removes the addresses from a repr, as npdb does.
func withoutAddresses(text string) string {
	for {
		at := strings.Index(text, " at 0x")
		if at < 0 {
			return text
		}
		end := strings.IndexByte(text[at:], '>')
		if end < 0 {
			return text
		}
		text = text[:at] + text[at+end:]
	}
}

// TestPrettyAgreesWithPython checks that Pretty lays out random values like pprint.
func TestPrettyAgreesWithPython(t *testing.T) {
	g := generator{rand.New(rand.NewPCG(3, 4))}
	words := func() string {
		var b strings.Builder
		for range g.IntN(40) {
			b.WriteString(g.pick("word ", "a", "longer-word ", `\n`, `\t`, "é", " ", "日本 ", `\'`))
		}
		return "'" + b.String() + "'"
	}
	var nested func(depth int) string
	nested = func(depth int) string {
		var items []string
		for range g.IntN(6) {
			if depth > 0 && g.IntN(2) == 0 {
				items = append(items, nested(depth-1))
			} else {
				items = append(items, g.pick(words(), g.number(), "b'"+strings.Repeat("abc", g.IntN(40))+"'", "None"))
			}
		}
		switch g.IntN(4) {
		case 0:
			return "(" + strings.Join(append(items, ""), ", ") + ")"
		case 1:
			for i := range items {
				items[i] = fmt.Sprintf(g.pick("'k%d'", "%d", "(%d, 1)"), g.IntN(50)) + ": " + items[i]
			}
			return "{" + strings.Join(items, ", ") + "}"
		case 2:
			for i := range items {
				items[i] = fmt.Sprintf("'%s%d'", strings.Repeat("s", g.IntN(20)), g.IntN(50))
			}
			return g.pick("set", "frozenset") + "([" + strings.Join(items, ", ") + "])"
		}
		return "[" + strings.Join(items, ", ") + "]"
	}
	texts := make([]string, 1500)
	for i := range texts {
		texts[i] = nested(i % 4)
		if i%5 == 0 {
			texts[i] = words()
		}
	}
	differs, refusals := 0, 0
	for i, want := range askPython(t, "pretty", texts) {
		got, err := python.Pretty(t.Context(), texts[i], locals("x", "3"))
		var refused *python.RefusedError
		if errors.As(err, &refused) {
			refusals++
			continue
		}
		// The order of a set on one line depends on a hash table.
		if strings.HasPrefix(want, "!") && err != nil || got == want || strings.Contains(texts[i], "set(") && sortedBytes(got) == sortedBytes(want) {
			continue
		}
		if differs++; differs < 10 {
			t.Errorf("%s\n got %s, %v\nwant %s", texts[i], got, err, want)
		}
	}
	t.Logf("%d of %d are refused", refusals, len(texts))
}

func sortedBytes(s string) string {
	b := []byte(strings.Join(strings.Fields(s), ""))
	slices.Sort(b)
	return string(b)
}

// TestLiteralsComeBackUnchanged checks that the repr of a literal in CPython's form is the literal
// itself.
func TestLiteralsComeBackUnchanged(t *testing.T) {
	g := generator{rand.New(rand.NewPCG(5, 6))}
	texts := make([]string, 1500)
	for i := range texts {
		texts[i] = "[" + g.list(i%3) + "," + g.dict(2) + "," + g.text() + "," + g.number() + "," + g.bytes() + "]"
		if i%3 == 0 {
			texts[i] = fmt.Sprintf("[chr(%d), %g, %g, bytes([%d, %d])]", g.IntN(0x370), g.NormFloat64(), g.ExpFloat64()*1e-5, g.IntN(256), g.IntN(256))
		}
	}
	read := 0
	for i, text := range askPython(t, "repr", texts) {
		if strings.HasPrefix(text, "!") || strings.Contains(text, "range(") || strings.Contains(text, "dict_") || strings.Contains(text, "<") {
			continue
		}
		if got, err := python.Eval(t.Context(), "value", locals("value", text)); err != nil || got != text {
			t.Errorf("%s: got %s, %v; want %s", texts[i], got, err, text)
		}
		read++
	}
	if read < len(texts)/2 {
		t.Errorf("only %d of %d literals were read", read, len(texts))
	}
}
