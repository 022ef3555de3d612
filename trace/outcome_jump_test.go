//go:build unix

package trace_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// jumpPrograms contain functions, classes, generators and blocks to jump between.
var jumpPrograms = []string{
	`def g():
    f()
def f():
    x = 1
    return x
print(1)
print(2)
def h():
    g()
h()
`,
	`def deco(function):
    note = function.__name__
    return function
class A:
    size = 3
    def m(self, n):
        total = n
        for i in range(self.size):
            total += i
        return total
class B(A):
    size = 2
    @deco
    def k(self):
        with open("/dev/null") as f:
            got = self.m(5)
        return got
def gen(n):
    try:
        for i in range(n):
            yield i
    finally:
        n = 0
@deco
def last(p):
    def inner(q):
        nonlocal p
        p += q
        return p
    r = inner(2)
    s = [inner(j) for j in range(3)]
    try:
        raise KeyError(r)
    except KeyError as e:
        r = 9
    return r, s
b = B()
for v in gen(3):
    w = b.k() + v
x = last(4)
print(w, x)
del w
y = last(1)
`,
}

// TestOutcomeJumpOntoDefinition checks a jump from the body of a def or class onto its
// first line. From 3.12 on the code at its beginning runs again, with another call event,
// in the same activation.
func TestOutcomeJumpOntoDefinition(t *testing.T) {
	const source = `def g():
    f()
def f():
    x = 1
    print(x)
class C:
    a = 1
    b = 2
def h():
    g()
h()
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, source)
		d.upTo("b = 2")
		d.ask(0, trace.VerbJump, "6")
		d.do(dsl.StepOver)
		d.wantStack([]string{"class"})
		d.upTo("print(x)")
		d.ask(0, trace.VerbJump, "3")
		d.do(dsl.StepReturn)
		d.wantHere("return 5 f return", trace.Landed)
		d.wantStack([]string{"def"})
		d.do(dsl.StepInto)
		d.wantHere("return 2 g return", trace.Landed)
		d.finish()
		d.wantPrinted("1\n")
	})
}

// TestOutcomeJumpOntoGenerator checks that a jump onto the line that makes a generator is
// refused, because the interpreter would crash.
func TestOutcomeJumpOntoGenerator(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, "def gen():\n    a = 1\n    yield a\nprint(list(gen()))\n")
		d.upTo("yield a")
		_, err := d.rec.Ask(t.Context(), 0, trace.VerbJump, "1")
		if refused := python.Minor >= 11; refused != (err != nil) {
			t.Errorf("jump 1: %v", err)
		}
		d.finish()
		d.wantPrinted("[1]\n")
	})
}

// TestOutcomeJumpAnywhere checks that after any jump the recorded stack and names are
// those of the interpreter.
func TestOutcomeJumpAnywhere(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		for seed := range uint64(10) {
			for n, source := range jumpPrograms {
				t.Run(fmt.Sprintf("%d/%d", n, seed), func(t *testing.T) {
					wander(t, python, source, rand.New(rand.NewPCG(seed, 1)))
				})
			}
		}
	})
}

// wander makes random moves and jumps through a program, to its end.
func wander(t *testing.T, python pythons.Python, source string, random *rand.Rand) {
	d := debug(t, python, source)
	lines := strings.Count(source, "\n")
	var walk []string
	for range 40 {
		switch k := random.IntN(6); {
		case k < 2:
			code := d.rec.Tree().Code(d.rec.Tree().At(d.at.Event).Code)
			line := code.FirstLine + random.IntN(code.LastLine-code.FirstLine+1)
			if random.IntN(3) == 0 {
				line = code.FirstLine
			}
			a, err := d.rec.Ask(t.Context(), 0, trace.VerbJump, strconv.Itoa(line))
			if err != nil && !errors.As(err, new(*trace.EvalError)) {
				t.Fatalf("%v, jump %d: %v", walk, line, err)
			}
			if err != nil {
				continue
			}
			d.at = *a.Landing
			walk = append(walk, fmt.Sprintf("jump %d", line))
		case k < 3:
			line := 1 + random.IntN(lines)
			walk = append(walk, fmt.Sprintf("breakpoint %d", line))
			d.do(dsl.Breakpoint, line)
		default:
			m := []dsl.Move{dsl.StepInto, dsl.StepOver, dsl.StepReturn}[k-3]
			walk = append(walk, m.String())
			d.do(m)
		}
		if d.at.End || d.at.PostMortem {
			break
		}
		d.wantStack(walk)
	}
	d.do(dsl.Continue)
	if d.at.PostMortem {
		d.do(dsl.Continue)
	}
	if !d.at.End {
		t.Fatalf("%v: continue lands at %s", walk, d.here())
	}
	if code := d.rec.Exit().Code; code < 0 {
		t.Fatalf("%v: the interpreter died of signal %d", walk, -code)
	}
}

// wantStack compares the recorded stack, its lines and the names of its innermost frame
// with the interpreter's.
func (d *debuggee) wantStack(walk []string) {
	d.Helper()
	var frames, names []string
	for _, f := range d.rec.Tree().Stack(d.at.Event) {
		frames = append(frames, fmt.Sprintf("('%s', %d)", f.Function, f.Line))
	}
	const stack = "[(f.name, f.lineno) for f in __import__('traceback').extract_stack() if f.filename == __file__]"
	if live, got := d.ask(0, trace.VerbPrint, stack).Text, "["+strings.Join(frames, ", ")+"]"; got != live {
		d.Fatalf("%v, at %s: the recorded stack is %s, the live one %s", walk, d.here(), got, live)
	}
	for _, l := range d.state().Locals {
		if !strings.Contains(l.Name, "_") {
			names = append(names, "'"+l.Name+"'")
		}
	}
	const live = "sorted(set(filter(str.isalnum, locals())))"
	slices.Sort(names)
	if live, got := d.ask(0, trace.VerbPrint, live).Text, "["+strings.Join(names, ", ")+"]"; got != live {
		d.Fatalf("%v, at %s: the recorded names are %s, the live ones %s", walk, d.here(), got, live)
	}
}
