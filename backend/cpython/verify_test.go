//go:build linux

package cpython_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/cpython"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace/contain"
)

func verifier(t testing.TB, python string) *cpython.Verifier {
	t.Helper()
	v, err := cpython.NewVerifier(containment(t, python))
	if err != nil {
		t.Fatal(err)
	}
	v.Timeout = time.Minute // enough on a busy machine
	return v
}

// verifyProgram is the program of the claims in these tests.
const verifyProgram = `import random
LIMIT = 10
class Point:
    def __init__(self, x):
        self.x = x
def double(n, step=1):
    total = n * 2
    while n > 0:
        total += step
        n -= 1
    for i in range(2):
        total += i
    return total
def outer(a):
    b = double(a)
    if b > LIMIT:
        raise ValueError(b)
    return [b, Point(b)]
x = outer(2)
y = x[0] + 1
print(y)
`

// stateAt returns a state of verifyProgram. The last frame of stack is that of the state; locals are
// names and values in turn.
func stateAt(event dsl.Event, stack []dsl.Frame, locals ...string) *dsl.Stop {
	p := program(verifyProgram)
	for i := range stack {
		stack[i].File = "program.py"
	}
	top := stack[len(stack)-1]
	s := &dsl.Stop{Stack: stack, State: dsl.State{
		Event: event, File: top.File, Line: top.Line, Function: top.Function, Depth: len(stack) - 1, Source: p.Files[0].Lines[top.Line-1],
	}}
	if event == dsl.Return {
		s.Kind = dsl.Returned
	}
	for i := 0; i < len(locals); i += 2 {
		if locals[i] == "" {
			s.Value = &locals[i+1]
			continue
		}
		s.Locals = append(s.Locals, dsl.Local{Name: locals[i], Value: locals[i+1], Unknown: locals[i+1] == "", Hidden: locals[i+1] == ""})
	}
	return s
}

// in returns a stack, given functions and lines in turn, innermost first: in("double", 8, "outer", 15).
func in(frames ...any) []dsl.Frame {
	var stack []dsl.Frame
	for i := 0; i < len(frames); i += 2 {
		stack = append([]dsl.Frame{{Function: frames[i].(string), Line: frames[i+1].(int)}}, stack...)
	}
	return stack
}

func TestVerify(t *testing.T) {
	deep := func(line int) []dsl.Frame { return in("double", line, "outer", 15, "<module>", 19) }
	returned := stateAt(dsl.Return, deep(13), "n", "0", "step", "1", "total", "7", "i", "1", "", "7")
	type claim struct {
		name   string
		past   *dsl.Stop
		action string
		now    *dsl.Stop
		want   string // the verdict and a part of its reason
	}
	claims := []claim{
		{"the arguments of a call", stateAt(dsl.Call, deep(6), "n", "2", "step", "1"), "inv_step_return", returned, "leads_here"},
		{
			"other arguments", stateAt(dsl.Call, deep(6), "n", "2", "step", "2"), "inv_step_return", returned,
			"leads_elsewhere returns 9 instead of 7",
		},
		{"not the call", stateAt(dsl.Line, deep(7), "n", "2", "step", "1"), "inv_step_return", returned, "leads_elsewhere it ends with the return of 7 from double"},
		{"the first state", stateAt(dsl.Line, in("<module>", 1)), "inv_continue", stateAt(dsl.Line, in("outer", 16, "<module>", 19), "a", "2", "b", "7"), "leads_here"},
		{"no first state", stateAt(dsl.Line, in("<module>", 1)), "inv_continue", stateAt(dsl.Line, in("outer", 16, "<module>", 19), "a", "2", "b", "8"), "leads_elsewhere b: 7 instead of 8"},
		{"a wrong type", stateAt(dsl.Call, deep(6), "n", "'2'", "step", "1"), "inv_step_return", returned, "leads_elsewhere it ends with the end of double on line 8"},
		{"a missing argument", stateAt(dsl.Call, deep(6), "n", "2"), "inv_step_return", returned, "cannot_run no value is given for the argument step"},
		{"an unknown value", stateAt(dsl.Call, deep(6), "n", "2", "step", ""), "inv_step_return", returned, "cannot_run the value of step is unknown"},
		{"no literal", stateAt(dsl.Call, deep(6), "n", "<object object>", "step", "1"), "inv_step_return", returned, "cannot_run the value given for n cannot be evaluated"},
		{"an unknown value now", stateAt(dsl.Call, deep(6), "n", "2", "step", "1"), "inv_step_return", stateAt(dsl.Line, deep(8), "n", "1", "step", "1", "total", ""), "leads_here"},
		{
			"a statement", stateAt(dsl.Line, deep(9), "n", "2", "step", "1", "total", "4"), "inv_step_over",
			stateAt(dsl.Line, deep(10), "n", "2", "step", "1", "total", "5"), "leads_here",
		},
		{
			"another value", stateAt(dsl.Line, deep(9), "n", "2", "step", "1", "total", "3"), "inv_step_over",
			stateAt(dsl.Line, deep(10), "n", "2", "step", "1", "total", "5"), "leads_elsewhere total: 4 instead of 5",
		},
		{
			"one statement too many", stateAt(dsl.Line, deep(9), "n", "2", "step", "1", "total", "4"), "inv_step_over",
			stateAt(dsl.Line, deep(8), "n", "1", "step", "1", "total", "5"), "leads_elsewhere it leads to line 10 of double",
		},
		{
			"back by a breakpoint", stateAt(dsl.Line, deep(9), "n", "2", "step", "1", "total", "4"), "inv_breakpoint 9",
			stateAt(dsl.Line, deep(9), "n", "1", "step", "1", "total", "5"), "leads_here",
		},
		{
			"over another breakpoint", stateAt(dsl.Line, deep(9), "n", "2", "step", "1", "total", "4"), "inv_breakpoint 9",
			stateAt(dsl.Line, deep(8), "n", "0", "step", "1", "total", "6"), "leads_elsewhere",
		},
		{
			"over a call", stateAt(dsl.Line, in("outer", 15, "<module>", 19), "a", "3"), "inv_step_over",
			stateAt(dsl.Line, in("outer", 16, "<module>", 19), "a", "3", "b", "10"), "leads_here",
		},
		{
			"into a call", stateAt(dsl.Line, in("outer", 15, "<module>", 19), "a", "3"), "inv_step_into",
			stateAt(dsl.Call, deep(6), "n", "3", "step", "1"), "leads_here",
		},
		{
			"an exception", stateAt(dsl.Line, in("outer", 16, "<module>", 19), "a", "3", "b", "11"), "inv_step_over",
			stateAt(dsl.Line, in("outer", 18, "<module>", 19), "a", "3", "b", "11"), "leads_elsewhere it leads to line 17 of outer",
		},
		{
			"raised", stateAt(dsl.Line, in("outer", 17, "<module>", 19), "a", "3", "b", "11"), "inv_step_over",
			stateAt(dsl.Exception, in("outer", 17, "<module>", 19), "a", "3", "b", "11", "", "ValueError(11)"), "leads_here",
		},
		{
			"a module", stateAt(dsl.Line, in("<module>", 20), "LIMIT", "10", "x", "[7, Point(7)]"), "inv_step_over",
			stateAt(dsl.Line, in("<module>", 21), "LIMIT", "10", "x", "[7, Point(x=7)]", "y", "8"), "cannot_run a value cannot be made from its text: x",
		},
		{
			"a module's values", stateAt(dsl.Line, in("<module>", 20), "LIMIT", "10", "x", "[7, Point(x=7)]"), "inv_step_over",
			stateAt(dsl.Line, in("<module>", 21), "LIMIT", "10", "x", "[7, Point(x=7)]", "y", "8"), "leads_here",
		},
		{"in a for loop", stateAt(dsl.Line, deep(12), "n", "0", "step", "1", "total", "6", "i", "1"), "inv_step_over", stateAt(dsl.Line, deep(11), "n", "0", "step", "1", "total", "7", "i", "1"), "leads_here"},
		{"another value in it", stateAt(dsl.Line, deep(12), "n", "0", "step", "1", "total", "6", "i", "0"), "inv_step_over", stateAt(dsl.Line, deep(11), "n", "0", "step", "1", "total", "7", "i", "1"), "leads_elsewhere total: 6 instead of 7"},
		{"out of a for loop", stateAt(dsl.Line, deep(12), "n", "0", "step", "1", "total", "6", "i", "1"), "inv_breakpoint 12", stateAt(dsl.Line, deep(13), "n", "0", "step", "1", "total", "7", "i", "1"), "undecided how the statement of line 11 goes on"},
		{"how far a loop is", stateAt(dsl.Line, deep(11), "n", "0", "step", "1", "total", "6", "i", "0"), "inv_step_over", stateAt(dsl.Line, deep(12), "n", "0", "step", "1", "total", "6", "i", "1"), "cannot_run"},
		{"a return", stateAt(dsl.Return, deep(13), "n", "0", "step", "1", "total", "7", "i", "1", "", "7"), "inv_step_into", stateAt(dsl.Line, in("outer", 16, "<module>", 19), "a", "2", "b", "7"), "cannot_run CPython cannot begin where a function returns"},
		{"in a caller", stateAt(dsl.Line, deep(13), "n", "0", "step", "1", "total", "7", "i", "1"), "inv_breakpoint 13", stateAt(dsl.Line, in("outer", 16, "<module>", 19), "a", "2", "b", "7"), "cannot_run the function of this past has ended by then"},
		{"in another function", stateAt(dsl.Line, in("outer", 18, "<module>", 19), "a", "3", "b", "1"), "inv_breakpoint 18", stateAt(dsl.Line, in("double", 7, "<module>", 20), "n", "1", "step", "1"), "undecided"},
	}
	for _, python := range pythons.All(t) {
		t.Run(python.String(), func(t *testing.T) {
			v := verifier(t, python.Path)
			for _, c := range claims {
				t.Run(c.name, func(t *testing.T) {
					t.Parallel()
					got, err := v.Verify(t.Context(), backend.Claim{Program: program(verifyProgram), Past: c.past, Action: parse(t, c.action), Now: c.now})
					if err != nil || got.By != backend.ByRun {
						t.Fatalf("%+v, %v", got, err)
					}
					if said := strings.TrimSpace(got.Verdict.String() + " " + got.Difference + got.Why); !strings.HasPrefix(said, c.want) {
						t.Errorf("%s, want %s", said, c.want)
					}
				})
			}
		})
	}
}

// TestVerifyAfterFailure checks pasts of programs whose module fails, as in a session that begins with a
// traceback.
func TestVerifyAfterFailure(t *testing.T) {
	p := program("def f(x):\n    y = [7][x]\n    return y + z\ndef g(x):\n    return f(x)\nf(5)\nz = 1\n")
	stop := func(event dsl.Event, line int, value string, locals ...string) *dsl.Stop {
		s := called(p, "f", line, locals...).Stop
		if s.Event = event; value != "" {
			s.Value = &value
		}
		return s
	}
	v := verifier(t, pythons.Any(t))
	for _, c := range []struct {
		past, now *dsl.Stop
		want      string
	}{
		{stop(dsl.Call, 1, "", "x", "5"), stop(dsl.Exception, 2, "IndexError('list index out of range')", "x", "5"), "leads_here"},
		{stop(dsl.Call, 1, "", "x", "0"), stop(dsl.Line, 3, "", "x", "0", "y", "7"), "leads_here"},
		{stop(dsl.Call, 1, "", "x", "0"), stop(dsl.Return, 3, "8", "x", "0", "y", "7"), "cannot_run the module ended on line 6 with IndexError"},
	} {
		got, err := v.Verify(t.Context(), backend.Claim{Program: p, Past: c.past, Action: parse(t, "inv_step_return"), Now: c.now})
		if said := strings.TrimSpace(got.Verdict.String() + " " + got.Difference + got.Why); err != nil || !strings.HasPrefix(said, c.want) {
			t.Errorf("%s, %v, want %s", said, err, c.want)
		}
	}
}

// TestVerifyRunsInside checks that a past with side effects reaches no file outside of its containment,
// and that there is no verifier without a containment.
func TestVerifyRunsInside(t *testing.T) {
	counter := filepath.Join(t.TempDir(), "counter")
	if err := os.WriteFile(counter, []byte("0"), 0o666); err != nil {
		t.Fatal(err)
	}
	source := fmt.Sprintf("def count(n):\n    with open(%q, 'a') as f:\n        f.write('1')\n    return n + 1\n", counter)
	p := program(source)
	stop := func(event dsl.Event, line int, locals ...string) *dsl.Stop {
		s := called(p, "count", line, locals...).Stop
		s.Event = event
		return s
	}
	past := stop(dsl.Call, 1, "n", "1")
	now := stop(dsl.Exception, 2, "n", "1")
	raised := "FileNotFoundError(2, 'No such file or directory')"
	now.Value = &raised
	c := backend.Claim{Program: p, Past: past, Action: parse(t, "inv_step_return"), Now: now}
	got, err := verifier(t, pythons.Any(t)).Verify(t.Context(), c)
	if err != nil || got.Verdict != backend.LeadsHere {
		t.Errorf("%+v, %v", got, err)
	}
	if text, err := os.ReadFile(counter); err != nil || string(text) != "0" {
		t.Errorf("the counter outside is %q: %v", text, err)
	}
	weak, err := contain.New(t.Context(), pythons.Any(t), contain.LimitsOnly, contain.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer weak.Close()
	_, err = cpython.NewVerifier(weak)
	if refused := (*cpython.NotContainedError)(nil); !errors.As(err, &refused) || !strings.Contains(err.Error(), "bubblewrap") {
		t.Errorf("without a containment: %v", err)
	}
}

// TestVerifyEnds checks that a program that does not end is killed: when the context ends, or as
// undecided.
func TestVerifyEnds(t *testing.T) {
	p := program("def f(n):\n    while n:\n        pass\n    return n\n")
	past, now := called(p, "f", 1, "n", "1").Stop, called(p, "f", 4, "n", "1").Stop
	now.Event, now.Kind = dsl.Return, dsl.Returned
	c := backend.Claim{Program: p, Past: past, Action: parse(t, "inv_step_return"), Now: now}
	v := verifier(t, pythons.Any(t))
	if got, err := v.Verify(t.Context(), c); err != nil || got.Verdict != backend.Undecided || !strings.Contains(got.Why, "did not get there") {
		t.Errorf("%+v, %v", got, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := v.Verify(ctx, c); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestVerifyTrueClaims checks that no recorded past is judged to lead elsewhere.
func TestVerifyTrueClaims(t *testing.T) {
	v := verifier(t, pythons.Any(t))
	rec := recorded(t, verifyProgram)
	random, verdicts := rand.New(rand.NewPCG(1, 2)), map[backend.Verdict]int{}
	for range 60 {
		i := 1 + random.IntN(rec.Tree().Len()-1)
		a := dsl.Action{Move: []dsl.Move{dsl.InvStepInto, dsl.InvStepOver, dsl.InvStepReturn, dsl.InvBreakpoint, dsl.InvStepBlock, dsl.InvStepFunction}[random.IntN(6)]}
		if a.Move == dsl.InvBreakpoint {
			a.Lines = []dsl.Location{{Line: 7 + random.IntN(13)}}
		}
		j := rec.Tree().Land(i, a).Event
		if j == i {
			continue
		}
		got, err := v.Verify(t.Context(), backend.Claim{Program: program(verifyProgram), Past: stopAt(rec, j), Action: a, Now: stopAt(rec, i)})
		if err != nil || got.Verdict == backend.LeadsElsewhere {
			t.Errorf("%v from event %d to %d: %+v, %v", a, i, j, got, err)
		}
		verdicts[got.Verdict]++
	}
	if verdicts[backend.LeadsHere] < 15 {
		t.Errorf("the verdicts are %v", verdicts)
	}
}
