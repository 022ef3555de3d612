package python_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/python"
)

// compileWitness is a Python program. It prints compile()'s error for each line of its input, a
// JSON string.
const compileWitness = `
import sys, json, warnings
warnings.simplefilter("ignore")
for line in sys.stdin:
    try:
        compile(json.loads(line).lstrip(" \t"), "<text>", "eval", dont_inherit=True)
        answer = ""
    except SyntaxError as error:
        answer = error.msg
    except (ValueError, UnicodeError, MemoryError, RecursionError) as error:
        answer = "?" + str(error)
    print(json.dumps(answer), flush=True)
`

// compiler is a running Python that compiles expressions.
type compiler struct {
	in  io.Writer
	out *bufio.Reader
}

// newCompiler starts a Python with f-strings as in PEP 701 (3.12 or later).
func newCompiler(t testing.TB) *compiler {
	t.Helper()
	cmd := exec.Command(pythons.Between(t, 12, 14)[0].Path, "-I", "-c", compileWitness)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	})
	return &compiler{in, bufio.NewReader(out)}
}

// complaint returns compile()'s error for a text, or "".
func (c *compiler) complaint(t testing.TB, text string) string {
	t.Helper()
	if err := json.NewEncoder(c.in).Encode(text); err != nil {
		t.Fatal(err)
	}
	line, err := c.out.ReadBytes('\n')
	if err != nil {
		t.Fatal(err)
	}
	var answer string
	if err := json.Unmarshal(line, &answer); err != nil {
		t.Fatal(err)
	}
	return answer
}

// agrees reports whether Compile fails for a text exactly if compile() fails, and whether the
// messages are equal. A text that is refused because of its content agrees in either case.
func (c *compiler) agrees(t testing.TB, text string) (agrees, words bool) {
	t.Helper()
	_, err := python.Compile(text)
	var raised *python.EvalError
	var refused *python.RefusedError
	var limit *python.LimitError
	if errors.As(err, &limit) || errors.As(err, &refused) && !strings.Contains(refused.Reason, "over the texts of values") {
		return true, true
	}
	want := c.complaint(t, text)
	if strings.HasPrefix(want, "?") {
		return true, true
	}
	if raised := errors.As(err, &raised); raised != (want != "") {
		if raised && strings.Contains(text, "\n") && strings.Contains(err.Error(), "f-string") {
			return true, false // line ends in format specifiers: versions differ
		}
		t.Errorf("%q: got %v, compile() says %q", text, err, want)
		return false, false
	}
	return true, raised == nil || raised.Message == want
}

// tried are expressions and texts that look like expressions.
var tried = []string{
	"[(x:=1) for x in y]", "[i for i in (j:=xs)]", "[(i:=0) for i in range(3)]", "f(__debug__=1)", "lambda __debug__: 0", "(__debug__:=1)", "[__debug__ for __debug__ in x]",
	"f(True=1)", "f(None:=1)", "(True:=1)", "lambda True: 1", "lambda x, x: 1", "f(a=1, a=2)", "f(**a, *b)", "f(*a, b)", "f(a=1, *b)", "f(a=1, b)", "f(**a, b)",
	"f(a for a in b, c)", "f(c, a for a in b)", "f(a for a in b,)", "f((a for a in b), c)", "x[a:=1]", "x[a:=1:2]", "x[*a]", "x[*a:b]", "x[]", "x[,]", "x[1,]", "{*a}",
	"{**a}", "{*a: 1}", "{a:=1: 2}", "{a: b:=1}", "{a: *b}", "{a: 1, b}", "{a, b: 1}", "{**a for a in b}", "{*a for a in b}", "[*a for a in b]", "(*a for a in b)", "(*a)",
	"(*a,)", "*a", "*a,", "x := 1", "(x := 1)", "(x.a := 1)", "x if y", "x if y else", "lambda: (yield)", "(yield)", "lambda *: 1", "lambda *, x: 1", "lambda *, **k: 1",
	"lambda /: 1", "lambda x, /, y: 1", "lambda x, /, y, /: 1", "lambda *a, /: 1", "lambda **k, x: 1", "lambda **k,: 1", "lambda x=1, y: 1", "lambda x=1, /, y: 1",
	"lambda x=1, *, y: 1", "lambda *a, *b: 1", "lambda *a=1: 1", "not x in y", "x not y", "x is not not y", "a < b < c", "not", "-", "1 +", "1__0", "1_", "0_7", "00", "012",
	"0x", "0xg", "0b12", "0o8", "1e", "1e+", "1.e5", "1._5", "1.real", "1..real", "1if x else 2", "0xfor x", "1_000j", "012j", "012.5", "09", "1jx", "0b1if 1 else 0",
	"1and 2", "1or 2", "1in x", "1is x", "1not in x", "1else", "f'{'", "f'}'", "f'{}'", "f'{x'", "f'{x!}'", "f'{x!z}'", "f'{x!rr}'", "f'{x! r}'", "f'{x !r}'", "f'{x!r }'",
	"f'{x:{y}}'", "f'{x:{y:{z}}}'", "f'{x=}'", "f'{x = !r:>5}'", "f'{*x}'", "f'{*x,}'", "f'{lambda x: 1}'", "f'{(lambda x: 1)}'", "f'{x:=5}'", "f'{(x:=5)}'", "f'{yield x}'",
	"f'{x,}'", "f'{x y}'", "f'{x:}}'", "f'{{}'", "f'{{}}'", "f'{{{x}}}'", "f'\\{x}'", "f'{x\\}'", "f'{#}'", "f'{x!=y}'", "f'{x==y}'", "f'{x<=y}'", "f\"{x['a']}\"",
	"f'{x['a']}'", "f'{f'{f'{1}'}'}'", "f'''{\nx\n}'''", "f'{\nx\n}'", "f'{x:\n}'", "f'''{x:\n}'''", "f'\\N{DIGIT ONE}'", "f'\\N{x'", "f'{'a' 'b'}'", "f'{x;y}'",
	"f'{x:%H:%M}'", "f'{x:{'a'}}'", "f'{a}' 'b' f'{c}'", "f'{a}' b'c'", "b'a' 'b'", "b'é'", "'\\x1'", "'\\u12'", "'\\U00110000'", "b'\\x1'", "'\\400'", "'\\8'", "rb'\\x1'",
	"ur'x'", "bu'x'", "fb'x'", "rf'{x}'", "f'\\x1'", "f'{x:\\x1}'", "x.1", "x.class", "x.None", "x .y", "x..y", "...x", "....", "x...", "a b", "a, b", "a,", ",", "(,)", "()",
	"[,]", "{,}", "{:}", "a;", "a\n", "a\nb", "\na", "(a\n)", "(a\\\n)", "a\\", "a\\\n", "a \\ b", "a # c", "# c", "", " ", "(", ")", "(]", "[)", "{]", "(a))", "x = 1",
	"x == = 1", "x <> y", "x != y", "!x", "x!", "$", "?", "`x`", "a$b", "print x", "exec 'a'", "a -> b", "a : b", "a @ b", "a @= b", "async x", "await x",
	"[x async for x in y]", "[await x for x in y]", "lambda: await x", "x for x in y", "(x for x in y)", "(x for x in y, z)", "[x for x in y, z]", "[x, y for x in z]",
	"[x for x, in z]", "[x for (x, y) in z]", "[x for [x, y] in z]", "[x for x.a in z]", "[x for x[0] in z]", "[x for f() in z]", "[x for 1 in z]", "[x for *x in z]",
	"[x for *x, y in z]", "[x for x in y if z else w]", "[x for x in y if (z if w else v)]", "[x for x in lambda: 1]", "[x for x in y if lambda: 1]",
	"[x for x in y if a := 1]", "[x for x in a if b if c]", "[x for x in *y]", "[x for x in a for y in b]", "[x for not x in y]", "[x for x in a or b]",
	"[x for x in a if b else c]", "{x: y for x in z}", "{x for x in z}", "{x: y, for x in z}", "[a:=1]", "[a:=1, 2]", "f(a:=1)", "f(x, a:=1)", "f(a=b:=1)", "f(a.b=1)",
	"f((a)=1)", "f(a==1)", "f(**a=1)", "f(*)", "f(**)", "f(,)", "f(a,,b)", "f(a,)", "f(*a,)", "f(a)(b)", "lambda", "lambda:", "lambda x", "lambda x:", "lambda (x): 1",
	"lambda x: int: 1", "lambda x: yield", "lambda x: (yield x)", "lambda x: x, 1", "lambda x=lambda: 1: 1", "x if lambda: 1 else 2", "1 if 2 else lambda: 3",
	"a if b else c if d else e", "a if b if c else d else e", "not lambda: 1", "a or lambda: 1", "a + not b", "a == not b", "~not a", "-not a", "a ** -b", "a ** not b",
	"-a ** b", "a ** b ** c", "await", "yield", "yield x", "return", "pass", "import a", "None", "True.x", "None = 1", "1 if 1 else", "'a' 'b", "'a\nb'", "'''a\nb'''",
	"'''a", "'a\\\nb'", "\x0c1", "1\x0c", "1\x0b", "a\x00b", "\ta", "0xf_f", "0x_f", "0x__f", "1_e5", "1e_5", "1e5_", "1e5j", "1E5J", "1J", "0J", "0e0", "0_0", "0_1",
	"1.5.5", ".5", "5.", ".", ". 5", "a.b.c()", "a[1][2]", "a[1:2:3]", "a[::]", "a[:,:]", "a[1:2, 3]", "a[1:2:3:4]", "a[()]", "a[lambda: 1]", "a[b=1]", "a[*b, c]",
	"a[x for x in y]", "a[(x for x in y)]", "a[b:c, *d]", "a[not b]", "x is", "x not", "x in", "in x", "is x", "and", "a and", "or a", "if a else b", "else", "a if",
	"a if b else c else d", "f(x for x in y)(z)", "f(x for x in y)", "f(x for x in y if z)", "f(*x for x in y)", "f(**x for x in y)", "f(a=x for x in y)",
	"f(x for x in y for z in w)", "f(x async for x in y)", "(a, b) = c", "a += 1", "a: int", "a: int = 1", "del a", "(a := 1, b := 2)", "a := 1, b", "(a, b := 1)",
	"((a, b) := 1)", "(a[0] := 1)", "([a] := 1)", "(a := b := 1)", "(a := (b := 1))", "(a := *b)", "(a := lambda: 1)", "(lambda: a := 1)", "(a if b := c else d)",
	"f(a, *b, c=1, **d, e=2)", "f(**a, c=1)", "f(**a, **b)", "f(*a, *b)", "f(a=1, **b, *c)", "a.b := 1", "f(lambda x: x for x in y)", "[lambda x: x for x in y]",
	"{lambda x: 1}", "{lambda x: 1: 2}", "{a: lambda: 1}", "a<b>c", "a<=b>=c!=d==e", "a is not b is c not in d", "not not a", "a<<b>>c", "a//b%c", "a|b^c&d", "~-+a", "a--b",
	"a-+-b", "a++", "++a", "a//", "//a", "a***b", "a**", "* a", "** a", "a * * b", "a,*b", "(a,*b)", "[*a,*b]", "{*a,*b}", "{**a,**b,'c':1}", "{'c':1,**a}", "{**a,'c'}",
	"{'c',**a}", "{*a,**b}", "{**a or b}", "{**a if b else c}", "[*a or b]", "[*a if b else c]", "[*not a]", "f(*a or b)", "f(*a if b else c)", "f(**a if b else c)",
	"f(*not a)", "(*a or b,)", "print(*a, sep='')", "a if b else *c", "a or *b", "(*a, b := 1)", "x[a, b:=1]", "x[a:b:=1]", "x[(a:=1):2]", "lambda a, (b, c): 1",
	"lambda a.b: 1", "lambda 1: 1", "lambda a=1, b=2: 1", "lambda a, b=1, *c, d, e=2, **f: 1", "lambda *a, b: 1", "lambda *a, b=1, c: 1", "lambda a, *, b, **c: 1",
	"lambda a, *,: 1", "lambda *, a, : 1", "lambda a, b,: 1", "lambda **a, b: 1", "lambda **a, *b: 1", "lambda **a, **b: 1", "lambda *a, *: 1", "lambda *, *a: 1",
	"lambda a, /, *, b: 1", "lambda *, a, /: 1", "lambda a, *b, /: 1", "lambda a=1, b, /: 1",
}

// damaged returns random expressions, most of which are invalid.
func damaged(count int) []string {
	g := generator{rand.New(rand.NewPCG(11, 12))}
	texts := conditionsOf(3, 300)
	for i := range 600 {
		texts = append(texts, g.expr(i%4))
	}
	whole := len(texts)
	pieces := strings.Fields(`( ) [ ] { } : , = := * ** for if else lambda not in is . x 1 0x 1e _ \ # $ é “ async await yield ' " f' !r '\x1' f'{x!q}' f'{'
		b'a' u'b' ... ; @ -> // << != a.b x[1:2] 012 1__0 0b2 1j 1if f(x=1) *x **x lambda*,x: {**x} :=1 (x:=1) /`)
	pieces = append(pieces, "\n", " for i in xs", " if ", " else ", "lambda x, *y: ", "not ", "\\\n", " is not ")
	for range count {
		s := texts[g.IntN(whole)]
		for range 1 + g.IntN(2) {
			at := g.IntN(len(s) + 1)
			end := at
			if g.IntN(3) > 0 {
				end = min(len(s), at+g.IntN(4))
			}
			if g.IntN(3) > 0 {
				s = s[:at] + pieces[g.IntN(len(pieces))] + s[end:]
			} else {
				s = s[:at] + s[end:]
			}
		}
		texts = append(texts, strings.ToValidUTF8(s, "?"))
	}
	return texts
}

// TestExpressionsFailWhereTheyDoNotCompile checks that Compile fails exactly for texts that are not
// valid Python, usually with CPython's message.
func TestExpressionsFailWhereTheyDoNotCompile(t *testing.T) {
	c := newCompiler(t)
	texts := append(damaged(4000), tried...)
	same, words := 0, 0
	for _, text := range texts {
		agrees, sameWords := c.agrees(t, text)
		if agrees {
			same++
		}
		if sameWords {
			words++
		}
	}
	t.Logf("%d of %d agree, %d in the same words", same, len(texts), words)
}

func FuzzCompile(f *testing.F) {
	c := newCompiler(f)
	for _, text := range append(damaged(300), tried...) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, r := range text {
			if r >= 0x80 || r == '\r' {
				return // which characters are letters depends on the version of Unicode
			}
		}
		text = strings.TrimRight(text, " \t\f\n") // CPython takes blanks after the last line end as an indent
		if len(text) < 200 {
			c.agrees(t, text)
		}
	})
}
