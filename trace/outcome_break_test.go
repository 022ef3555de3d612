//go:build unix

package trace_test

import (
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// TestOutcomeProgramBreaks checks that the program's own breakpoint() and pdb.set_trace()
// stop npdb on the line that calls them, without a pdb prompt.
func TestOutcomeProgramBreaks(t *testing.T) {
	for name, call := range map[string]string{
		"breakpoint()":               "breakpoint()",
		"pdb.set_trace()":            "import pdb; pdb.set_trace()",
		"from pdb import":            "from pdb import set_trace; set_trace()",
		"sys.breakpointhook()":       "import sys; sys.breakpointhook()",
		"breakpoint() with a header": "breakpoint(header='look')",
	} {
		t.Run(name, func(t *testing.T) {
			onEach(t, func(t *testing.T, python pythons.Python) {
				d := debug(t, python, "def f(x):\n    y = x + 1\n    "+call+"\n    return y\n\na = f(1)\nb = f(a)\n", interactive)
				d.do(dsl.Continue)
				d.wantHere("line 3 f", trace.ProgramBreak)
				d.wantLocal("y", "2")
				d.wantAnswer(0, trace.VerbPrint, "y + 10", "12")
				d.wantAnswer(1, trace.VerbPrint, "__name__", "'__main__'")
				d.do(dsl.StepInto)
				d.wantHere("line 4 f", trace.Landed)
				d.do(dsl.Continue)
				d.wantHere("line 3 f", trace.ProgramBreak)
				d.wantLocal("y", "3")
				d.finish()
				d.wantPrinted("")
			})
		})
	}
}

// TestOutcomeProgramBreaksAsync checks the same for await pdb.set_trace_async(), from 3.14
// on.
func TestOutcomeProgramBreaksAsync(t *testing.T) {
	const source = `import asyncio, pdb
async def f(x):
    y = x + 1
    await pdb.set_trace_async(header='look')
    return y
print(asyncio.run(f(1)))
`
	t.Parallel()
	d := debug(t, pythons.Between(t, 14, 14)[0], source, interactive)
	d.do(dsl.Continue)
	d.wantHere("line 4 f", trace.ProgramBreak)
	d.wantAnswer(0, trace.VerbPrint, "y + 10", "12")
	d.do(dsl.StepInto)
	d.wantHere("line 5 f", trace.Landed)
	d.finish()
	d.wantPrinted("2\n")
}

// TestOutcomeStepOverBreakpointCall checks that a step from the line that calls
// breakpoint() moves on.
func TestOutcomeStepOverBreakpointCall(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, "a = 1\nbreakpoint()\nb = 2\n")
		d.do(dsl.StepOver)
		d.wantHere("line 2 <module>", trace.Landed)
		d.do(dsl.StepOver)
		d.wantHere("line 3 <module>", trace.Landed)
		d.finish()
	})
}

// TestOutcomeMovesFromBreakpointCall checks the landings of all moves from such a line:
// steps have their own landing, others stop at the next event.
func TestOutcomeMovesFromBreakpointCall(t *testing.T) {
	const source = "def f():\n    return 1\nbreakpoint(); f()\nb = 2\n"
	for _, c := range []struct {
		move   dsl.Move
		lines  []int
		lands  string
		reason trace.Reason
	}{
		{dsl.StepInto, nil, "call 1 f", trace.Landed},
		{dsl.StepOver, nil, "line 4 <module>", trace.Landed},
		{dsl.StepReturn, nil, "return 4 <module> return", trace.Landed},
		{dsl.Continue, nil, "call 1 f", trace.ProgramBreak},
		{dsl.Breakpoint, []int{4}, "call 1 f", trace.ProgramBreak},
	} {
		t.Run(c.move.String(), func(t *testing.T) {
			onEach(t, func(t *testing.T, python pythons.Python) {
				d := debug(t, python, source)
				d.do(dsl.StepOver)
				d.wantHere("line 3 <module>", trace.Landed)
				d.do(c.move, c.lines...)
				d.wantHere(c.lands, c.reason)
				d.finish()
			})
		})
	}
}

// TestOutcomeBreakpointHooks checks that PYTHONBREAKPOINT=0 turns breakpoint() off, and
// that a hook of the program is called.
func TestOutcomeBreakpointHooks(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, "import sys\nsys.breakpointhook = lambda: print('mine')\nbreakpoint()\n")
		d.finish()
		d.wantPrinted("mine\n")

		d = debug(t, python, "breakpoint()\nprint('went on')\n", func(o *trace.Options) { o.Env = environ("PYTHONBREAKPOINT=0") })
		d.finish()
		d.wantPrinted("went on\n")
	})
}

// TestOutcomeRecursionCaught checks a RecursionError inside a trace function, which turns
// tracing off. It resumes while the stack unwinds, and the gap is reported.
func TestOutcomeRecursionCaught(t *testing.T) {
	const source = `def down(n):
    return down(n + 1)

try:
    down(0)
except RecursionError as e:
    said = str(e)
after = 1
def f(x):
    y = x
    return y
later = f(after)
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, source)
		d.do(dsl.Breakpoint, d.line("after = 1"))
		d.wantHere("line 8 <module>", trace.HitBreakpoint)
		if !strings.Contains(d.at.Notice, "not recorded") {
			t.Errorf("the gap goes unsaid: notice %q", d.at.Notice)
		}
		if !strings.Contains(d.local("said"), "maximum recursion depth exceeded") {
			t.Errorf("said is %s", d.local("said"))
		}
		d.do(dsl.Breakpoint, d.line("y = x"))
		d.wantHere("line 10 f", trace.HitBreakpoint)
		d.wantLocal("x", "1")
		if depth := d.state().Depth; depth != 1 {
			t.Errorf("depth %d after the stack was unwound, want 1", depth)
		}
		d.finish()
	})
}

// TestOutcomeRecursionDepth checks that the program reaches the same depth as without
// npdb.
func TestOutcomeRecursionDepth(t *testing.T) {
	const source = `deepest = 0
def down(n):
    global deepest
    deepest = n
    down(n + 1)
try:
    down(1)
except RecursionError:
    pass
print(deepest)
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, source)
		d.finish()
		d.wantPrinted(plain(t, python, scriptOf(t, source)))
	})
}

func TestOutcomeRecursionUncaught(t *testing.T) {
	const source = `def down(n):
    return down(n + 1)

a = 1
down(0)
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, source)
		d.do(dsl.Continue)
		if !d.at.PostMortem || d.at.Reason != trace.DiedPostMortem {
			t.Fatalf("stands at %q, reason %d, want a post-mortem stop", d.here(), d.at.Reason)
		}
		if s := d.state(); s.Event != dsl.Exception || s.Function != "down" || !strings.HasPrefix(*s.Value, "RecursionError(") {
			t.Errorf("post-mortem at %s %v", d.here(), s)
		}
		if !strings.Contains(d.printed("stderr"), "RecursionError: maximum recursion depth exceeded") {
			t.Errorf("the traceback is %q", d.printed("stderr"))
		}
		d.wantAnswer(5, trace.VerbPrint, "n >= 0", "True")
		d.do(dsl.Continue)
		if !d.at.End || d.rec.Exit().Code != 1 || !strings.HasPrefix(*d.rec.Exit().Exception, "RecursionError(") {
			t.Errorf("ends with %s", exitText(d.rec.Exit()))
		}
	})
}

// TestOutcomeSettrace checks that sys.settrace of the program does not replace npdb: the
// program gets its function back from sys.gettrace, npdb continues to trace and reports
// it.
func TestOutcomeSettrace(t *testing.T) {
	const source = `import sys
seen = []
def mine(frame, event, arg):
    seen.append(event)
    return mine
def work(n):
    return n + 1
before = sys.gettrace()
sys.settrace(mine)
same = sys.gettrace() is mine
a = work(1)
sys.settrace(None)
b = work(2)
print(before, same, a, b, seen)
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, source)
		d.do(dsl.Breakpoint, d.line("return n + 1"))
		d.wantHere("line 7 work", trace.HitBreakpoint)
		if !strings.Contains(d.at.Notice, "sys.settrace") {
			t.Errorf("notice %q, want a word on sys.settrace", d.at.Notice)
		}
		d.do(dsl.Breakpoint, d.line("return n + 1"))
		d.wantHere("line 7 work", trace.HitBreakpoint)
		d.wantLocal("n", "2")
		if d.at.Notice != "" {
			t.Errorf("notice %q, it was told before", d.at.Notice)
		}
		d.finish()
		d.wantPrinted("None True 2 3 []\n")
	})
}

// TestOutcomeSetprofile checks that a profiler runs beside the debugger, and sees the
// program's calls.
func TestOutcomeSetprofile(t *testing.T) {
	const source = `import sys
seen = []
def mine(frame, event, arg):
    if frame.f_code.co_name == 'work':
        seen.append(event)
def work(n):
    return n + 1
sys.setprofile(mine)
same = sys.getprofile() is mine
a = work(1)
sys.setprofile(None)
print(same, seen)
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, source)
		d.upTo("return n + 1")
		d.do(dsl.StepReturn)
		d.wantHere("return 7 work return", trace.Landed)
		d.finish()
		d.wantPrinted("True ['call', 'return']\n")
	})
}
