//go:build unix

package trace_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

const zipProgram = `def numbers(n):
    while True:
        yield n
        n += 1

def letters(s):
    for c in s:
        yield c

def pairs():
    z = zip(numbers(1), letters('ab'))
    out = []
    for p in z:
        out.append(p)
    return out

a = pairs()
print(a)
`

// TestOutcomeZippedGenerators checks that generators that zip resumes alternately keep
// separate activations: a step over or out of one of them stays in it.
func TestOutcomeZippedGenerators(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, zipProgram)
		d.upTo("yield n")
		d.wantLocal("n", "1")
		d.do(dsl.StepOver) // passes the yield and the resumptions of all others
		d.wantHere("line 4 numbers", trace.Landed)
		d.wantLocal("n", "1")
		d.do(dsl.InvStepOver)
		d.wantHere("line 3 numbers", trace.Landed)

		d.upTo("for c in s")
		d.do(dsl.StepReturn)
		d.wantHere("return 7 letters return", trace.Landed)
		d.wantLocal("c", "'b'")
		d.do(dsl.InvStepReturn)
		d.wantHere("call 6 letters", trace.Landed)
		d.wantLocal("c", "(unbound)")
		d.finish()
		d.wantPrinted("[(1, 'a'), (2, 'b')]\n")
		if yields := count(d.events(), "return 3 numbers yield"); yields != 3 {
			t.Errorf("%d yields of numbers, want 3", yields)
		}
	})
}

func count(all []string, one string) int {
	n := 0
	for _, s := range all {
		if s == one {
			n++
		}
	}
	return n
}

const asyncProgram = `import asyncio

async def worker(name, turns, log):
    for i in range(turns):
        log.append(name)
        await asyncio.sleep(0)
    return name * turns

async def main():
    log = []
    got = await asyncio.gather(worker('a', 2, log), worker('b', 3, log))
    return log, got

result = asyncio.run(main())
print(result)
`

// TestOutcomeAsyncTasks checks tasks of asyncio that run alternately: a step stays in its
// task, and the event loop, which is library code, is passed over.
func TestOutcomeAsyncTasks(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, asyncProgram)
		d.upTo("await asyncio.sleep(0)")
		d.wantLocal("name", "'a'")
		d.do(dsl.StepOver) // b runs meanwhile
		d.wantHere("line 4 worker", trace.Landed)
		d.wantLocal("name", "'a'")
		d.wantLocal("log", "['a', 'b']")
		d.do(dsl.StepReturn)
		d.wantHere("return 7 worker return", trace.Landed)
		if got := *d.state().Value; got != "'aa'" {
			t.Errorf("the task returns %s", got)
		}
		d.do(dsl.InvStepReturn)
		d.wantHere("call 3 worker", trace.Landed)
		d.wantLocal("log", "[]")
		d.finish()
		d.wantPrinted("(['a', 'b', 'a', 'b', 'b'], ['aa', 'bbb'])\n")
		for i := range d.rec.Tree().Len() {
			if s := d.rec.Tree().State(i); s.File != "prog.py" {
				t.Errorf("event %d is in %s", i, s.File)
			}
		}
	})
}

// TestOutcomeAsyncCancelled checks that a cancelled task unwinds through its finally
// block.
func TestOutcomeAsyncCancelled(t *testing.T) {
	const source = `import asyncio
async def wait(ready):
    try:
        ready.set()
        await asyncio.Event().wait()
    finally:
        print('cancelled')
async def main():
    ready = asyncio.Event()
    task = asyncio.create_task(wait(ready))
    await ready.wait()
    task.cancel()
    try:
        await task
    except asyncio.CancelledError:
        print('seen')
asyncio.run(main())
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, source)
		d.upTo("print('cancelled')")
		d.do(dsl.StepReturn)
		d.wantHere("return 7 wait unwind", trace.Landed)
		d.finish()
		d.wantPrinted("cancelled\nseen\n")
	})
}

// TestOutcomeUnwinding checks that an exception passes finally blocks, and leaves each
// function with an unwind event without a value. A return in a finally block swallows it.
func TestOutcomeUnwinding(t *testing.T) {
	const source = `def inner():
    try:
        1 / 0
    finally:
        x = 1

def outer():
    try:
        inner()
    finally:
        return 'swallowed'

a = outer()
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		if python.Minor >= 14 {
			source := strings.Replace(source, "return 'swallowed'", "pass", 1) // PEP 765: it would cause a warning
			d := debug(t, python, source)
			d.do(dsl.Continue)
			d.wantHere("exception 3 inner", trace.DiedPostMortem)
			return
		}
		d := debug(t, python, source)
		d.finish()
		got := d.events()
		i := slices.Index(got, "call 1 inner")
		want := []string{
			"call 1 inner", "line 2 inner", "line 3 inner", "exception 3 inner", "line 5 inner", "return 5 inner unwind",
			"exception 9 outer", "line 11 outer", "return 11 outer return", "return 13 <module> return",
		}
		if i < 0 || !slices.Equal(got[i:], want) {
			t.Fatalf("events\n%s\nwant, from the call of inner on,\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		tree := d.rec.Tree()
		if s := tree.State(i + 5); s.Value != nil {
			t.Errorf("an unwind has the value %s", *s.Value)
		}
		if s := tree.State(i + 6); *s.Value != "ZeroDivisionError('division by zero')" {
			t.Errorf("the exception in outer is %s", *s.Value)
		}
		// step_return inside inner lands on its unwind event.
		d = debug(t, python, source)
		d.upTo("1 / 0")
		d.do(dsl.StepReturn)
		d.wantHere("return 5 inner unwind", trace.Landed)
		d.finish()
	})
}

const delegationProgram = `class Numbers:
    def __init__(self, n):
        self.left = n
    def __iter__(self):
        return self
    def __next__(self):
        self.left -= 1
        if self.left < 0: raise StopIteration
        return self.left
    def __aiter__(self):
        return self
    async def __anext__(self):
        self.left -= 1
        if self.left < 0: raise StopAsyncIteration
        return self.left

def leaf():
    yield 1
    return 'leaf'

def delegates():
    got = yield from leaf()
    for _ in leaf(): pass
    got = yield from Numbers(1)
    try: next(iter(()))
    except StopIteration: pass
    for _ in Numbers(1): pass

async def awaits():
    got = []
    async for n in Numbers(2): got.append(n)
    return got

async def outer():
    got = await awaits()
    return got

list(delegates())
try: outer().send(None)
except StopIteration as e: result = e.value
for _ in leaf(): pass
`

// TestOutcomeDelegationEnds checks that the StopIteration without a traceback that ends a
// delegation, an await or a loop in a generator or coroutine is not a state. One that was
// raised is a state, and so is one in a module or a function.
func TestOutcomeDelegationEnds(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, delegationProgram)
		d.finish()
		var raised []string
		for i := range d.rec.Tree().Len() {
			if s := d.rec.Tree().State(i); s.Event == dsl.Exception {
				raised = append(raised, fmt.Sprintf("%d %s %s", s.Line, s.Function, *s.Value))
			}
		}
		want := []string{
			"8 __next__ StopIteration()", "24 delegates StopIteration()",
			"25 delegates StopIteration()",
			"8 __next__ StopIteration()", "27 delegates StopIteration()",
			"14 __anext__ StopAsyncIteration()", "31 awaits StopAsyncIteration()",
			"39 <module> StopIteration([1, 0])",
			"41 <module> StopIteration('leaf')",
		}
		if !slices.Equal(raised, want) {
			t.Errorf("the exception events are\n\t%s\nwant\n\t%s", strings.Join(raised, "\n\t"), strings.Join(want, "\n\t"))
		}
	})
}
