package computed_test

import (
	"context"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/computed"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
)

const joined = `def join(parts, sep):
    out = ''
    for p in parts:
        out += p + sep
    return out[:-1]

def outer(a, b):
    x = a + b
    y = join([a, b], '-')
    if x == 'ab':
        raise ValueError(x)
    return y

r = outer('b', 'a')
`

// at returns a state. frames are written as "f:4"; event is "line", "call", "return VALUE" or "raise
// VALUE"; locals are names and values in turn.
func at(frames, event string, locals ...string) *dsl.Stop {
	s := &dsl.Stop{State: dsl.State{File: "prog.py", Locals: localsOf(locals...)}}
	for frame := range strings.FieldsSeq(frames) {
		name, line, _ := strings.Cut(frame, ":")
		f := dsl.Frame{Function: name, File: "prog.py"}
		for _, digit := range line {
			f.Line = 10*f.Line + int(digit-'0')
		}
		s.Stack = append(s.Stack, f)
	}
	top := s.Stack[len(s.Stack)-1]
	s.Function, s.Line, s.Depth = top.Function, top.Line, len(s.Stack)-1
	name, value, _ := strings.Cut(event, " ")
	switch name {
	case "line":
		s.Event = dsl.Line
	case "call":
		s.Event = dsl.Call
	case "return":
		s.Event, s.Kind, s.Value = dsl.Return, dsl.Returned, &value
	case "raise":
		s.Event, s.Value = dsl.Exception, &value
	}
	return s
}

// unknown marks locals as unknown.
func unknown(s *dsl.Stop, names ...string) *dsl.Stop {
	for _, name := range names {
		s.Locals = append(s.Locals, dsl.Local{Name: name, Hidden: true, Unknown: true})
	}
	return s
}

func TestVerifier(t *testing.T) {
	called := func(a, b string) *dsl.Stop { return at("<module>:14 outer:7", "call", "a", a, "b", b) }
	ended := unknown(at("<module>:14 outer:12", "return 'b-a'"), "a", "b", "x", "y")
	for _, c := range []struct {
		name   string
		past   *dsl.Stop
		action string
		now    *dsl.Stop
		want   string
	}{
		{"arguments", called("'b'", "'a'"), "inv_step_return", ended, "leads_here"},
		{"arguments in other words", called(`"b"`, `"a"`), "inv_step_return", ended, "leads_here"},
		{"other arguments", called("'b'", "'c'"), "inv_step_return", ended, "leads_elsewhere: returns 'b-c' instead of 'b-a'"},
		{"arguments that fail", called("'a'", "'b'"), "inv_step_return", ended, "leads_elsewhere: raises ValueError('ab')"},
		{"arguments of another type", called("1", "'b'"), "inv_step_return", ended, `leads_elsewhere: raises TypeError("unsupported operand type(s) for +: 'int' and 'str…`},
		{"an opaque argument", called("<Text object>", "'b'"), "inv_step_return", ended, "undecided: methods of the program's objects are not run"},
		{
			"an unknown argument", unknown(at("<module>:14 outer:7", "call", "a", "'b'"), "b"), "inv_step_return", ended,
			"undecided: b: has a value that was not given",
		},
		{"no such name", at("<module>:14 outer:7", "call", "a", "'b'", "b", "'a'", "q", "1"), "inv_step_return", ended, "cannot_run: outer has no name q"},
		{"a missing argument", at("<module>:14 outer:7", "call", "a", "'b'"), "inv_step_return", ended, "cannot_run: outer has no value for b"},
		{"no such function", at("<module>:14 inner:7", "call"), "inv_step_return", ended, "cannot_run: the program has no function inner"},
		{"no such line", at("<module>:14 outer:6", "line", "a", "'b'"), "inv_step_over", ended, "cannot_run: line 6 is not in outer"},
		{"another caller", at("outer:7", "call", "a", "'b'", "b", "'a'"), "inv_step_return", ended, "leads_elsewhere: depth 0 instead of 1"},

		{"a line", at("<module>:14 outer:8", "line", "a", "'b'", "b", "'a'"), "inv_step_into", at("<module>:14 outer:9", "line", "a", "'b'", "b", "'a'", "x", "'ba'"), "leads_here"},
		{
			"a changed line", at("<module>:14 outer:8", "line", "a", "'b'", "b", "'c'"), "inv_step_into", at("<module>:14 outer:9", "line", "a", "'b'", "b", "'a'", "x", "'ba'"),
			"leads_elsewhere: b: 'c' instead of 'a' (and 1 more)",
		},
		{
			"a line whose call is stepped over", at("<module>:14 outer:9", "line", "a", "'b'", "b", "'a'", "x", "'ba'"), "inv_step_over",
			at("<module>:14 outer:10", "line", "a", "'b'", "b", "'a'", "x", "'ba'", "y", "'b-a'"), "leads_here",
		},
		{
			"a line whose call is stepped into", at("<module>:14 outer:9", "line", "a", "'b'", "b", "'a'", "x", "'ba'"), "inv_step_into",
			at("<module>:14 outer:10", "line", "a", "'b'", "b", "'a'", "x", "'ba'", "y", "'b-a'"), "leads_elsewhere: a call of join instead of line 10",
		},
		{
			"the caller of a call", at("<module>:14 outer:9", "line", "a", "'b'", "b", "'a'", "x", "'ba'"), "inv_step_return",
			at("<module>:14 outer:9 join:1", "call", "parts", "['b', 'a']", "sep", "'-'"), "leads_here",
		},
		{
			"a state of the activation", called("'b'", "'a'"), "inv_step_return",
			unknown(at("<module>:14 outer:10", "line", "x", "'ba'"), "a", "b", "y"), "leads_here",
		},
		{
			"a round of a loop", at("<module>:14 outer:9 join:1", "call", "parts", "['b', 'a']", "sep", "'-'"), "inv_step_return",
			at("<module>:14 outer:9 join:4", "line", "parts", "['b', 'a']", "sep", "'-'", "out", "'b-'", "p", "'a'"), "leads_here",
		},
		{
			"no such round", at("<module>:14 outer:9 join:1", "call", "parts", "['b', 'a']", "sep", "'-'"), "inv_step_return",
			at("<module>:14 outer:9 join:4", "line", "parts", "['b', 'a']", "sep", "'-'", "out", "'x-'", "p", "'a'"), "leads_elsewhere: out: 'b-' instead of 'x-'",
		},
		{
			"the middle of a loop", at("<module>:14 outer:9 join:4", "line", "parts", "['b', 'a']", "sep", "'-'", "out", "''", "p", "'b'"), "inv_step_over",
			at("<module>:14 outer:9 join:3", "line", "parts", "['b', 'a']", "sep", "'-'", "out", "'b-'", "p", "'b'"), "leads_here",
		},
		{
			"the next round", at("<module>:14 outer:9 join:3", "line", "parts", "['b', 'a']", "sep", "'-'", "out", "'b-'", "p", "'b'"), "inv_step_over",
			at("<module>:14 outer:9 join:4", "line", "parts", "['b', 'a']", "sep", "'-'", "out", "'b-'", "p", "'a'"), "undecided: how far the loop has come",
		},
		{
			"a breakpoint", at("<module>:14 outer:8", "line", "a", "'a'", "b", "'b'"), "inv_breakpoint 8,9",
			at("<module>:14 outer:10", "line", "a", "'a'", "b", "'b'", "x", "'ab'", "y", "'a-b'"), "leads_elsewhere: line 9 instead of 10",
		},
		{
			"an exception", at("<module>:14 outer:8", "line", "a", "'a'", "b", "'b'"), "inv_breakpoint 8",
			at("<module>:14 outer:11", "raise ValueError('ab')", "a", "'a'", "b", "'b'", "x", "'ab'", "y", "'a-b'"), "leads_here",
		},
		{"the start", at("<module>:1", "line"), "inv_continue", at("<module>:14", "return None", "r", "'b-a'"), "leads_here"},
		{"a forward move", called("'b'", "'a'"), "step_over", ended, "cannot_run: step_over does not lead to a past"},
	} {
		action, err := dsl.ParseAction(c.action)
		if err != nil {
			t.Fatal(err)
		}
		got, err := computed.NewVerifier(python.Version{Major: 3, Minor: 12}).Verify(t.Context(), backend.Claim{
			Program: programOf(joined), Past: c.past, Action: action, Now: c.now,
		})
		if err != nil {
			t.Fatal(err)
		}
		text := got.Verdict.String()
		if more := got.Difference + got.Why; more != "" {
			text += ": " + more
		}
		if text != c.want || got.By != backend.ByText {
			t.Errorf("%s: %s\nwant %s", c.name, text, c.want)
		}
	}
}

// TestVerifierIsBounded checks that the verifier gives up on a program that does not end.
func TestVerifierIsBounded(t *testing.T) {
	p := programOf("def f(n):\n    while n:\n        n = n + 1\n    return n\n")
	claim := backend.Claim{
		Program: p, Past: at("f:1", "call", "n", "1"), Action: dsl.Action{Move: dsl.InvStepReturn}, Now: at("f:4", "return 0", "n", "0"),
	}
	got, err := computed.NewVerifier(python.Version{}).Verify(t.Context(), claim)
	if err != nil || got.Verdict != backend.Undecided || got.Why == "" {
		t.Errorf("%+v, %v; want undecided", got, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if got, err := computed.NewVerifier(python.Version{}).Verify(ended, claim); err == nil {
		t.Errorf("%+v; want the error of the context", got)
	}
}
