//go:build unix

package trace_test

import (
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// TestOutcomeLifetimes checks that objects die at the same time as without npdb: the
// output of the program is the same. Up to 3.12 the interpreter's own snapshot of a
// function's locals (frame.f_locals, made for a trace function) keeps a value alive until
// the next event renews the snapshot. There the order is the same only if an event comes
// between, as in lifetimesLate.
func TestOutcomeLifetimes(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		programs := map[string]string{"in a module": lifetimesInModule, "objects never bound": lifetimesUnbound, "a line later": lifetimesLate, "where locals() is called": lifetimesListed}
		if python.Minor >= 13 {
			programs["in a function"] = lifetimesInFunction
		}
		for name, source := range programs {
			d := debug(t, python, source)
			d.finish()
			if got, want := d.printed("stdout"), plain(t, python, scriptOf(t, source)); got != want {
				t.Errorf("%s: printed %q, plain Python %q", name, got, want)
			}
		}
	})
}

const (
	lifetimesListed = mortal + `def names(x):
    return sorted(locals())
a = Mortal('a')
print(names(a))
a = None
print('a is gone')
`
	mortal = `import weakref, gc
class Mortal:
    def __init__(self, name):
        self.name = name
    def __del__(self):
        print('del', self.name)
`
	lifetimesInModule = mortal + `a = Mortal('a')
r = weakref.ref(a, lambda _: print('weak a'))
b = [a]
del a
print('del a', r() is not None)
b = None; print('b gone', r())
c = Mortal('c'); c = Mortal('d'); print('c is', c.name)
d = weakref.WeakValueDictionary(k=c)
print(len(d))
del c; print(len(d))
gc.disable()  # what npdb allocates counts for when the next collection comes
e = Mortal('e')
e.self = e
del e
print('cycle')
gc.collect()
gc.enable()
print('end')
f = Mortal('at exit')
`
	lifetimesUnbound = mortal + `def make(n):
    return Mortal(n)
def pairs(n):
    for i in range(n):
        yield Mortal('yielded %d' % i).name
make('one')
print('after one')
print([make(str(i)).name for i in range(3)])
print(list(pairs(2)))
try:
    make('x').absent
except AttributeError:
    print('caught')
print('end')
`
	lifetimesLate = mortal + `def f():
    a = Mortal('a')
    a = None
    here = 1
    print('f')
    b = Mortal('b')
    del b
    here = 2
    print('f again')
    c = Mortal('c')
    return 1
f()
print('end')
`
	lifetimesInFunction = mortal + `def f():
    a = Mortal('a')
    r = weakref.ref(a)
    a = None; print('f', r())
    b = Mortal('b')
    del b; print('b is gone')
    for c in (Mortal('x'), Mortal('y')):
        pass
    del c; print('loop over')
    def g(m):
        m = Mortal('m2'); print('m rebound')
    g(Mortal('m1')); print('g over')
    try:
        d = Mortal('d')
        raise ValueError
    except ValueError as e:
        del d; print('d is gone')
    return r
print(f()())
`
)

// TestOutcomeGeneratorAbandoned checks that an abandoned generator closes at the usual
// time, and that its finally block runs and is traced.
func TestOutcomeGeneratorAbandoned(t *testing.T) {
	const source = `def gen():
    try:
        yield 1
        yield 2
    finally:
        print('closed')
g = gen()
a = next(g)
del g
b = 2
for x in gen():
    break
c = 3
print('end')
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, source)
		d.upTo("print('closed')")
		d.wantHere("line 6 gen", trace.HitBreakpoint)
		if stack := d.rec.Tree().Stack(d.at.Event); len(stack) != 2 || stack[0].Line != d.line("del g") {
			t.Errorf("the stack is %+v", stack)
		}
		d.do(dsl.StepReturn)
		d.wantHere("return 6 gen unwind", trace.Landed)
		d.finish()
		d.wantPrinted(plain(t, python, scriptOf(t, source)))
	})
}

// TestOutcomeExceptionsHoldNothing checks that recorded exceptions keep nothing alive: the
// locals of their frames die.
func TestOutcomeExceptionsHoldNothing(t *testing.T) {
	const source = mortal + `def f():
    m = Mortal('m')
    raise ValueError(m)
try:
    f()
except ValueError as e:
    print('caught')
print('after')
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, source)
		d.finish()
		if got := d.printed("stdout"); got != "caught\ndel m\nafter\n" {
			t.Errorf("printed %q", got)
		}
		if strings.Contains(d.printed("stderr"), "Exception ignored") {
			t.Error(d.printed("stderr"))
		}
	})
}
