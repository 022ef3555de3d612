//go:build unix

package trace_test

import (
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// fast makes the following moves run unrecorded.
func (d *debuggee) fast() *debuggee {
	d.rec.Record(false)
	return d
}

// recorded returns the events recorded from an event on, in a short form.
func (d *debuggee) recorded(from int) string {
	var out []string
	tree := d.rec.Tree()
	for i := from; i < tree.Len(); i++ {
		if edge, ok := tree.HoleAfter(i - 1); ok && edge == i {
			out = append(out, "hole")
		}
		s := tree.State(i)
		out = append(out, s.Event.String()+" "+s.Function+" "+strings.TrimSpace(s.Source))
	}
	if edge, ok := tree.HoleAfter(tree.Len() - 1); ok && edge == tree.Len() {
		out = append(out, "hole")
	}
	return strings.Join(out, "; ")
}

// wantEvents checks what was recorded from an event on.
func (d *debuggee) wantEvents(from int, want string) {
	d.Helper()
	if got := d.recorded(from); got != want {
		d.Errorf("recorded from event %d:\n%s\nwant:\n%s", from, got, want)
	}
}

const hotProgram = `import sys

def work(n):
    total = 0
    for i in range(n):
        total += step(i)
    return total

def step(i):
    return i * 2

class Account:
    def __init__(self, owner):
        self.owner = owner

def report(total):
    name = "t"
    print(name, total)
    return total

a = Account("ann")
first = report(1)
second = report(work(100))
x = 1
`

// TestHoleUpToABreakpoint checks that nothing is recorded until a breakpoint is hit, and
// everything after it.
func TestHoleUpToABreakpoint(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, hotProgram).fast()
		inReport := trace.Stop{At: dsl.Location{Line: d.line("print(")}, Condition: "total > 1", Function: "report"}
		d.advance(nil, inReport)
		d.wantHere("line 18 report", trace.HitBreakpoint)
		d.wantLocal("total", "9900")
		d.wantLocal("name", "'t'")
		d.wantMet(trace.Met{Hits: 2})
		d.wantEvents(0, "line <module> import sys; hole; line report print(name, total)")
		d.rec.Record(true)
		d.do(dsl.StepOver)
		d.do(dsl.StepOver)
		d.do(dsl.StepOver)
		d.wantEvents(1, "hole; line report print(name, total); line report return total; return report return total; line <module> x = 1")
		d.finish()
	})
}

// stopAt returns a stop at the first line that contains a text.
func (d *debuggee) stopAt(holds string) trace.Stop {
	d.Helper()
	return trace.Stop{At: dsl.Location{Line: d.line(holds)}}
}

// TestHoleCountsHits checks that each turn of a loop is one hit of the loop's line.
func TestHoleCountsHits(t *testing.T) {
	const source = "def f():\n    for i in range(9):  # loop\n        if i in (1, 2):\n            continue\n        j = i\nf()\n"
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, source).fast()
		stop := d.stopAt("# loop")
		stop.Ignore = 5
		d.advance(nil, stop)
		d.wantHere("line 2 f", trace.HitBreakpoint)
		d.wantLocal("i", "4")
	})
}

// TestHoleFindsItsBreakpoints checks that a breakpoint is hit in any code: in generators,
// in code imported or compiled meanwhile, in frames already on the stack, and in each
// iteration of a loop on one line.
func TestHoleFindsItsBreakpoints(t *testing.T) {
	const source = `import sys
def count(n):
    for i in range(n):
        yield i  # generator
def later():
    code = compile("\n" * 40 + "made = 1  # made\n", __file__, "exec")
    exec(code, {})
class C:
    x = 1  # class
    def m(self): return self.x  # method
def outer():
    def inner(): return 1  # inner
    inner()
    return 2  # standing
g = count(3)
next(g)
outer()
list(g)
C().m()
total = [i for i in range(3)]
for i in range(4): total.append(i)  # turns
try:
    sys.missing
except AttributeError:
    caught = 1  # handler
later()
print("over")
` + "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n"
	onEach(t, func(t *testing.T, python pythons.Python) {
		for _, c := range []struct {
			line, want string
			ignore     int
		}{
			{"# generator", "line 4 count", 0},
			{"# generator", "line 4 count", 2},
			{"# class", "line 9 C", 0},
			{"# method", "line 10 m", 1},
			{"# inner", "line 12 inner", 1},
			{"# standing", "line 14 outer", 0},
			{"# turns", "line 21 <module>", 4},
			{"# handler", "line 25 <module>", 0},
			{"", "line 41 <module>", 0},
		} {
			d := debug(t, python, source).fast()
			stop := trace.Stop{At: dsl.Location{Line: 41}, Ignore: c.ignore}
			if c.line != "" {
				stop = d.stopAt(c.line)
				stop.Ignore = c.ignore
			}
			d.advance(nil, stop)
			d.wantHere(c.want, trace.HitBreakpoint)
			if c.line == "# turns" {
				d.wantLocal("i", "3")
			}
			d.advance(nil)
			d.wantEnd(0, "")
			d.wantPrinted("over\n")
		}
	})
}

// TestHoleEndsWhereAMoveEnds checks that the same things stop a recorded and an unrecorded
// move.
func TestHoleEndsWhereAMoveEnds(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		t.Run("breakpoint()", func(t *testing.T) {
			d := debug(t, python, "def f(n):\n    breakpoint()\n    return n\nx = 1\nf(3)\n").fast()
			d.advance(nil)
			d.wantHere("line 2 f", trace.ProgramBreak)
			d.wantLocal("n", "3")
			d.wantEvents(0, "line <module> def f(n):; hole; line f breakpoint()")
			d.advance(nil)
			d.wantEnd(0, "")
		})
		t.Run("breakpoint() where it stands", func(t *testing.T) {
			d := debug(t, python, "x = 1\nbreakpoint()\ny = 2\nz = 3\n")
			d.upTo("breakpoint()")
			d.fast().advance(nil)
			d.wantHere("line 3 <module>", trace.ProgramBreak)
			d.wantEvents(1, "line <module> breakpoint(); line <module> y = 2")
		})
		t.Run("an exception", func(t *testing.T) {
			d := debug(t, python, "def f(n):\n    y = n\n    return 1 / y\nx = 1\nf(0)\n").fast()
			d.advance(nil)
			d.wantHere("exception 3 f", trace.DiedPostMortem)
			d.wantLocal("y", "0")
			d.wantAnswer(0, trace.VerbPrint, "n", "0")
			d.do(dsl.StepInto)
			d.wantEnd(1, "ZeroDivisionError('division by zero')")
		})
		t.Run("an exit", func(t *testing.T) {
			d := debug(t, python, "import sys\nx = 1\nsys.exit(3)\n").fast()
			d.advance(nil)
			d.wantEnd(3, "")
			d.wantEvents(0, "line <module> import sys; hole")
		})
		t.Run("a sudden exit", func(t *testing.T) {
			d := debug(t, python, "import os\nx = 1\nos._exit(4)\n").fast()
			d.advance(nil)
			d.wantEnd(4, "")
			d.wantEvents(0, "line <module> import os; hole")
		})
		t.Run("an interrupt", func(t *testing.T) {
			d := debug(t, python, "def spin(n):\n    print('on')\n    while True:\n        n += 1\nspin(0)\n").fast()
			landing := d.run(t.Context(), dsl.Continue)
			for len(d.rec.Output(-1, -1)) == 0 && t.Context().Err() == nil {
				continue
			}
			d.rec.Interrupt()
			landing()
			if d.at.Reason != trace.Interrupted || d.state().Function != "spin" {
				t.Errorf("stands at %s, reason %d", d.here(), d.at.Reason)
			}
			d.rec.Record(true)
			for range 5 { // past the addition: the interrupt may have come before the first one
				d.do(dsl.StepInto)
			}
			d.wantAnswer(0, trace.VerbPrint, "n > 0", "True")
		})
		t.Run("input", func(t *testing.T) {
			d := debug(t, python, "def ask():\n    return input()\nx = ask()\nprint(x)\n", interactive).fast()
			d.do(dsl.Continue)
			if d.at.Reason != trace.NeedsInput {
				t.Fatalf("stands at %+v, and is to wait for input", d.at)
			}
			d.give("hello\n", false)
			d.wantEnd(0, "")
			d.wantPrinted("hello\n")
		})
	})
}

// TestHoleLandingIsAnEvent checks that everything works at such a landing as at any other.
func TestHoleLandingIsAnEvent(t *testing.T) {
	const source = `def f(n):
    total = 0
    for i in range(n):
        total += i
    skipped = 1
    return total, [total for _ in range(1)]

x = f(3)
print(x)
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, source).fast()
		d.advance(nil, d.stopAt("skipped"))
		d.wantHere("line 5 f", trace.HitBreakpoint)
		d.wantAnswer(0, trace.VerbExec, "total = 50", "")
		d.wantLocal("total", "50")
		d.wantAnswer(1, trace.VerbPrint, "__name__", "'__main__'")
		answer := d.ask(0, trace.VerbJump, "6")
		if answer.Landing != nil {
			d.at = *answer.Landing
		}
		d.wantHere("line 6 f", trace.Landed)
		d.rec.Record(true)
		d.do(dsl.StepReturn)
		if got := *d.state().Value; got != "(50, [50])" {
			t.Errorf("f returns %s", got)
		}
		d.finish()
		d.wantPrinted("(50, [50])\n")
	})
}

// TestHoleOnlyWhereSomethingIsMissing checks that moves that skip no events leave no hole.
func TestHoleOnlyWhereSomethingIsMissing(t *testing.T) {
	const source = "def f():\n    return 1\nx = 1\ny = 2\nz = f()\nw = f() + \\\n    f()\n"
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, source).fast()
		for range 3 {
			d.do(dsl.StepOver)
		}
		d.wantEvents(0, "line <module> def f():; line <module> x = 1; line <module> y = 2; line <module> z = f()")
		d.do(dsl.StepOver)
		d.wantEvents(4, "hole; line <module> w = f() + \\")
		d.do(dsl.StepInto) // a step records
		d.do(dsl.StepInto)
		d.wantEvents(5, "call f def f():; line f return 1")
		d.do(dsl.StepReturn)
		d.wantEvents(7, "return f return 1")
		d.advance(nil)
		d.wantEnd(0, "")
	})
}

// TestHoleFromACall checks unrecorded moves from a call, and in a frame that began at such
// a landing.
func TestHoleFromACall(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, hotProgram)
		d.upTo(`a = Account("ann")`)
		d.do(dsl.StepInto)
		d.wantHere("call 13 __init__", trace.Landed)
		n := d.rec.Tree().Len()
		d.fast().advance(nil, d.stopAt("x = 1"))
		d.wantEvents(n, "hole; line <module> x = 1")
		d.wantLocal("second", "9900")
	})
}

// TestHoleBesideTheProgramsTools checks the tool of sys.monitoring that is used from
// Python 3.12 on. It must work even if the program uses all tools, or one of its own is
// active.
func TestHoleBesideTheProgramsTools(t *testing.T) {
	const source = `import sys
seen = []
monitoring = sys.monitoring
def own(code, line):
    seen.append(line)
def work(n):
    total = n
    return total
for tool in TOOLS:
    monitoring.use_tool_id(tool, "own")
monitoring.register_callback(TOOLS[0], monitoring.events.LINE, own)
monitoring.set_local_events(TOOLS[0], work.__code__, monitoring.events.LINE)
work(1)
work(2)
print(seen)
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		if python.Minor < 12 {
			t.Skip("it has no sys.monitoring")
		}
		for _, tools := range []string{"[1]", "[4, 3]", "[0, 1, 2, 3, 4, 5]"} {
			d := debug(t, python, strings.ReplaceAll(source, "TOOLS", tools))
			d.upTo("work(1)")
			stop := d.stopAt("return total")
			stop.Condition = "n == 2"
			d.fast().advance(nil, stop)
			d.wantHere("line 8 work", trace.HitBreakpoint)
			if taken := strings.Contains(d.at.Notice, "sys.monitoring"); taken != (len(tools) > 10) {
				t.Errorf("with %s the notice is %q", tools, d.at.Notice)
			}
			d.advance(nil)
			d.wantEnd(0, "")
			d.wantPrinted("[7, 8, 7, 8]\n")
		}
	})
}

// TestHoleLetsTheProgramBe checks that threads, children and signal handlers run as usual,
// and that a program can recurse as deeply.
func TestHoleLetsTheProgramBe(t *testing.T) {
	const source = `import os, signal, sys, threading
done = []
def depth(n):
    try:
        return depth(n + 1)
    except RecursionError:
        return n
def handler(number, frame):
    done.append("signal")
def talk():
    done.append("thread")
    shared()
def shared():
    return len(done)
signal.signal(signal.SIGUSR1, handler)
plain = depth(0)
os.kill(os.getpid(), signal.SIGUSR1)
thread = threading.Thread(target=talk)
thread.start()
thread.join()
child = os.fork()
if not child:
    shared()
    os._exit(5)
status = os.waitpid(child, 0)[1] >> 8
print(sorted(done), status, plain > 900, depth(0) == plain, sys.gettrace())
shared()
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, source).fast()
		d.advance(nil, d.stopAt("return len(done)"))
		d.wantHere("line 14 shared", trace.HitBreakpoint)
		if stack := d.rec.Tree().Stack(d.at.Event); stack[0].Line != 27 {
			t.Errorf("it was called from line %d: not by the main thread's own last line", stack[0].Line)
		}
		d.wantPrinted("['signal', 'thread'] 5 True True None\n")
		d.advance(nil)
		d.wantEnd(0, "")
	})
}
