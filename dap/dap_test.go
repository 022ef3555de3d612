//go:build unix

package dap_test

import (
	"fmt"
	"strings"
	"testing"

	protocol "github.com/google/go-dap"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestBank finds the transfer that breaks bank.py, backwards.
func TestBank(t *testing.T) {
	t.Parallel()
	e := connect(t)
	bank := example(t, "bank.py")
	e.launch(args{"program": bank})
	set := e.breaks(bank, args{"line": 52}, args{"line": 2})
	if !set[0].Verified || set[1].Verified || !strings.Contains(set[1].Message, "Blank") {
		t.Errorf("breakpoints are %+v", set)
	}
	if s := e.begin(); s.Reason != "breakpoint" || len(s.HitBreakpointIds) != 1 || s.HitBreakpointIds[0] != set[0].Id {
		t.Errorf("stopped: %+v", s)
	}
	e.at(52)
	e.evaluates("watch", "total", "660")
	set = e.breaks(bank, args{"line": 43, "condition": "sum(balances.values()) == 600"})
	if s := e.goes("reverseContinue"); s.HitBreakpointIds[0] != set[0].Id {
		t.Errorf("stopped: %+v", s)
	}
	e.at(43)
	e.evaluates("hover", "target", "'ann'")
	for _, step := range []struct {
		name string
		line int
	}{{"stepBack", 42}, {"stepBack", 41}, {"next", 42}, {"stepOut", 43}} {
		e.goes(step.name)
		e.at(step.line)
	}
	e.breaks(bank, args{"line": 62, "condition": "False"}) // a breakpoint that is not hit
	if s := e.goes("reverseContinue"); s.Reason != "entry" {
		t.Errorf("at the beginning: %+v", s)
	}
	e.at(1)
	if s := e.goes("stepBack"); s.Reason != "entry" {
		t.Errorf("before the beginning: %+v", s)
	}
	e.prints("This is the first state")
	ask[any](e, "continue", args{"threadId": 1})
	if x := event[protocol.ExitedEventBody](e, "exited"); x.ExitCode != 0 {
		t.Errorf("the exit code is %d", x.ExitCode)
	}
	event[any](e, "terminated")
	ask[any](e, "disconnect", nil)
}

// TestUncaught checks the stop at an uncaught exception, and the end after it.
func TestUncaught(t *testing.T) {
	t.Parallel()
	path := program(t, "fails.py", "def f(n):", "    return 1 / n", "f(1)", "f(0)")
	for _, c := range []struct {
		name  string
		more  args
		sets  args
		stops []string // the reasons of the stops
	}{
		{"no filters are set", nil, nil, []string{"exception"}},
		{"uncaught is set", nil, args{"filters": []string{"uncaught"}}, []string{"exception"}},
		{"uncaught is not set", nil, args{"filters": []string{}}, []string{"exit"}},
		{"never stays", args{"stayAtEnd": false}, args{"filters": []string{}}, nil},
		{"stays", args{"stayAtEnd": true}, nil, []string{"exception", "exit"}},
		{"raised", args{"stayAtEnd": false}, args{"filters": []string{"raised"}}, []string{"exception"}},
		{"raised of a type", nil, args{"filters": []string{"uncaught"}, "filterOptions": []args{{"filterId": "raised", "condition": "ArithmeticError, n == 0"}}}, []string{"exception", "exception"}},
		{"raised of another type", nil, args{"filters": []string{"uncaught"}, "filterOptions": []args{{"filterId": "raised", "condition": "KeyError"}}}, []string{"exception"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			e := connect(t)
			launch := args{"program": path}
			for name, value := range c.more {
				launch[name] = value
			}
			e.launch(launch)
			if c.sets != nil {
				ask[any](e, "setExceptionBreakpoints", c.sets)
			}
			ask[any](e, "configurationDone", nil)
			var got []string
			for {
				m := e.next()
				if m.Event == "terminated" {
					break
				}
				if m.Event != "stopped" {
					continue
				}
				got = append(got, event[protocol.StoppedEventBody](&editor{t: t, events: []message{m}}, "stopped").Reason)
				if got[len(got)-1] == "exception" {
					if x := ask[protocol.ExceptionInfoResponseBody](e, "exceptionInfo", args{"threadId": 1}); x.ExceptionId != "ZeroDivisionError" || !strings.Contains(x.Details.StackTrace, "line 2, in f") {
						t.Errorf("the exception is %+v", x)
					}
				}
				if len(got) > 5 {
					t.Fatalf("it stops again and again: %v", got)
				}
				e.send("continue", args{"threadId": 1})
			}
			if fmt.Sprint(got) != fmt.Sprint(c.stops) {
				t.Errorf("the stops are %v, want %v", got, c.stops)
			}
		})
	}
}

// TestVariables checks paging, types and handles of variables.
func TestVariables(t *testing.T) {
	t.Parallel()
	path := program(t, "values.py",
		"class Point:", "    def __init__(self, x):", "        self.x = x", "def f(a):", "    numbers = list(range(300))",
		"    both = {'k': [1, 2], 'p': Point(3)}", "    kinds = (1.5, None, True, 'x', b'y', {1, 2})", "    long = 'z' * 5000", "    return a + 0 * limit", "limit = 5", "f(1)")
	e := connect(t)
	e.launch(args{"program": path})
	e.breaks(path, args{"line": 9})
	e.begin()
	locals, handle := e.names("Locals")
	if n := locals["numbers"]; n.IndexedVariables != 300 || n.Type != "list" || handle < 1000 {
		t.Errorf("numbers is %+v, its scope %d", n, handle)
	}
	page := e.kids(locals["numbers"].VariablesReference, args{"filter": "indexed", "start": 298, "count": 100})
	if len(page) != 2 || page[1].Name != "299" || page[1].Value != "299" || page[1].EvaluateName != "numbers[299]" {
		t.Errorf("the last page is %+v", page)
	}
	if left := e.kids(locals["numbers"].VariablesReference, args{"filter": "named"}); len(left) != 0 {
		t.Errorf("numbers has named elements %+v", left)
	}
	both := e.kids(locals["both"].VariablesReference, nil)
	if len(both) != 2 || both[0].EvaluateName != "both['k']" {
		t.Fatalf("both is %+v", both)
	}
	if point := e.kids(both[1].VariablesReference, nil); len(point) != 1 || point[0].EvaluateName != "both['p'].x" || point[0].Value != "3" {
		t.Errorf("p is %+v", point)
	}
	var kinds []string
	for _, v := range e.kids(locals["kinds"].VariablesReference, nil) {
		kinds = append(kinds, v.Type)
	}
	if got := strings.Join(kinds, " "); got != "float NoneType bool str bytes set" {
		t.Errorf("the types are %s", got)
	}
	if v := locals["long"].Value; len(v) > 2100 || !strings.HasSuffix(v, "…") {
		t.Errorf("long has %d bytes", len(v))
	}
	e.evaluates("clipboard", "long", "'"+strings.Repeat("z", 5000)+"'")
	globals, _ := e.names("Globals")
	if hidden := e.kids(globals["hidden names"].VariablesReference, nil); len(hidden) < 2 {
		t.Errorf("the hidden globals are %+v", hidden)
	}
	set := ask[protocol.SetVariableResponseBody](e, "setVariable", args{"variablesReference": locals["both"].VariablesReference, "name": "'k'", "value": "[7]"})
	if set.Value != "[7]" || set.VariablesReference == 0 {
		t.Errorf("set to %+v", set)
	}
	event[any](e, "invalidated")
	e.evaluates("watch", "both['k'][0]", "7")
	ask[any](e, "setExpression", args{"expression": "a", "value": "a + 41"})
	e.evaluates("watch", "a", "42")
	_, module := e.names("Globals")
	ask[any](e, "setVariable", args{"variablesReference": module, "name": "limit", "value": "9"})
	if globals, _ := e.names("Globals"); globals["limit"].Value != "9" {
		t.Errorf("the global is %+v", globals["limit"])
	}
	if locals, _ := e.names("Locals"); locals["limit"].Value != "" {
		t.Errorf("a global is set as a local: %+v", locals["limit"])
	}
	e.fails("setVariable", args{"variablesReference": handle, "name": "a", "value": "1\n2"}, "one line")
	e.fails("setVariable", args{"variablesReference": handle, "name": "nope", "value": "1"}, "cannot assign")
	if s := e.goes("next"); s.Reason != "step" {
		t.Errorf("stopped: %+v", s)
	}
	e.fails("variables", args{"variablesReference": handle}, "at this stop")
	e.fails("scopes", args{"frameId": 1000}, "at this stop")
	if locals, _ := e.names("Locals"); locals["(return value)"].Value != "42" {
		t.Errorf("the locals at the return are %+v", locals)
	}
	e.goes("stepBack")
	e.goes("stepBack")
	e.fails("setExpression", args{"expression": "a", "value": "5"}, "type !a = 5 in the debug console")
}

// TestBreakpoints checks hit conditions, functions, logpoints and breakpoints of the debug console.
func TestBreakpoints(t *testing.T) {
	t.Parallel()
	path := program(t, "loop.py", "def f(i):", "    return i", "total = 0", "for i in range(9):", "    total += f(i)", "print(total)")
	e := connect(t)
	e.launch(args{"program": path})
	stops := func(from string, b args, want ...string) {
		t.Helper()
		b["line"] = 5
		if set := e.breaks(path, b, args{"line": 6}); !set[0].Verified {
			t.Errorf("%v: %s", b, set[0].Message)
		}
		for k, value := range want {
			if k == 0 {
				e.goes(from)
			} else {
				e.goes("continue")
			}
			if e.frames()[0].Line != 5 {
				t.Errorf("%v: stop %d is at line %d", b, k, e.frames()[0].Line)
				return
			}
			e.evaluates("watch", "i", value)
		}
		e.goes("continue")
		e.at(6)
	}
	stops("configurationDone", args{"hitCondition": "3"}, "2")
	again := func(b args, want ...string) {
		t.Helper()
		e.breaks(path)
		e.goes("reverseContinue")
		stops("continue", b, want...)
	}
	again(args{"hitCondition": "% 4"}, "3", "7")
	again(args{"hitCondition": ">= 8"}, "7", "8")
	again(args{"hitCondition": "> 8"}, "8")
	again(args{"condition": "i > 5", "hitCondition": ">= 2"}, "7", "8")
	again(args{"condition": "i == 4"}, "4")
	for want, b := range map[string]args{
		"none of N":      {"line": 5, "hitCondition": "often"},
		"from 1 on":      {"line": 5, "hitCondition": "0"},
		"cannot combine": {"line": 5, "hitCondition": "3", "condition": "i"},
		"no condition":   {"line": 5, "logMessage": "x", "condition": "i"},
		"i +":            {"line": 5, "condition": "i +"},
		"End of file":    {"line": 99},
	} {
		if set := e.breaks(path, b); set[0].Verified || !strings.Contains(set[0].Message, want) {
			t.Errorf("%v: %+v", b, set[0])
		}
	}
	e.goes("reverseContinue")
	e.breaks(path, args{"line": 5, "logMessage": "i is {i}"}, args{"line": 6})
	e.prints("i is 8") // after the fact
	functions := ask[protocol.SetFunctionBreakpointsResponseBody](e, "setFunctionBreakpoints", args{"breakpoints": []args{{"name": "f", "condition": "i == 3"}, {"name": "nope"}}}).Breakpoints
	if !functions[0].Verified || functions[0].Line != 2 || functions[1].Verified {
		t.Errorf("function breakpoints are %+v", functions)
	}
	if s := e.goes("continue"); s.Reason != "function breakpoint" || s.HitBreakpointIds[0] != functions[0].Id {
		t.Errorf("stopped: %+v", s)
	}
	e.prints("i is 3")
	e.types("clear " + path + ":2")
	if b := event[protocol.BreakpointEventBody](e, "breakpoint"); b.Reason != "removed" || b.Breakpoint.Id != functions[0].Id {
		t.Errorf("the breakpoint event is %+v", b)
	}
	e.types("tbreak 2")
	if b := event[protocol.BreakpointEventBody](e, "breakpoint"); b.Reason != "new" || b.Breakpoint.Line != 2 {
		t.Errorf("the breakpoint event is %+v", b)
	}
	if s := e.goes("continue"); s.Reason != "breakpoint" {
		t.Errorf("stopped: %+v", s)
	}
	e.evaluates("watch", "i", "4")
}

// TestDataBreakpoints checks watchpoints in both directions.
func TestDataBreakpoints(t *testing.T) {
	t.Parallel()
	e := connect(t)
	bank := example(t, "bank.py")
	e.launch(args{"program": bank})
	e.breaks(bank, args{"line": 58})
	e.begin()
	locals, _ := e.names("Locals")
	info := ask[protocol.DataBreakpointInfoResponseBody](e, "dataBreakpointInfo", args{"variablesReference": locals["balances"].VariablesReference, "name": "'dee'"})
	if info.DataId == nil || info.Description != "balances['dee']" {
		t.Fatalf("the info is %+v", info)
	}
	e.breaks(bank)
	set := ask[protocol.SetDataBreakpointsResponseBody](e, "setDataBreakpoints", args{"breakpoints": []args{
		{"dataId": info.DataId, "accessType": "write"}, {"dataId": info.DataId, "accessType": "read"}, {"dataId": "999 x"},
	}}).Breakpoints
	if !set[0].Verified || set[1].Verified || set[2].Verified {
		t.Errorf("data breakpoints are %+v", set)
	}
	if s := e.goes("continue"); s.Reason != "data breakpoint" || s.HitBreakpointIds[0] != set[0].Id {
		t.Errorf("stopped: %+v", s)
	}
	e.evaluates("watch", "amount", "40") // cy dee 40: the first transfer that dee takes part in and can pay
	e.goes("continue")
	e.goes("reverseContinue")
	e.goes("reverseContinue")
	e.evaluates("watch", "balances['dee']", "10")
}
