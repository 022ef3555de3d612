//go:build unix

package cpython_test

import (
	"strings"
	"testing"

	"github.com/npdb/npdb/backend/cpython"
	"github.com/npdb/npdb/dsl"
)

const functions = `def plain(a, b=2):
    return a + b

def every(a, /, b, *rest, c, d=4, **more):
    return a, b, rest, c, d, more

class Account:
    rate = 3
    @staticmethod
    def interest(x):
        return x * Account.rate

def outer():
    def inner(x):
        return x
    return inner

def twice(f):
    def wrapper(*args, **kwargs):
        return f(*args, **kwargs)
    return wrapper

@twice
def decorated(x):
    return x

keep = outer()
double = lambda x: x * 2

def cell(x):
    return lambda: x

raise_here = __name__ == '__main__'
assert not raise_here
`

// TestEntry checks texts that begin with the call of a function.
func TestEntry(t *testing.T) {
	p := predictor(t, cpython.Config{})
	at := dsl.SplitLines(functions)
	line := func(text string) int {
		for i, l := range at {
			if strings.Contains(l, text) {
				return i + 1
			}
		}
		t.Fatalf("no line %q", text)
		return 0
	}
	for _, test := range []struct {
		function  string
		line      int
		arguments []string
		want      string // after step_return
		warning   string
	}{
		{"plain", line("def plain"), []string{"a", "1", "b", "5"}, "return plain     return a + b {a: 1, b: 5} = 6", ""},
		{"plain", line("def plain"), []string{"a", "'<|x'", "b", `'é"\n\x07😀'`}, "return plain     return a + b {a: '<|x', b: 'é\"\\n\\x07😀'} = '<|xé\"\\n\\x07😀'", ""},
		{"plain", line("def plain"), []string{"a", "{1: [2, (3,)], 'k': {4}, None: -1.5}", "b", "1"}, "return plain     return a + b {a: {1: [2, (3,)], 'k': {4}, None: -1.5}, b: 1}", ""},
		{
			"every", line("def every"),
			[]string{"a", "1", "b", "2", "c", "3", "d", "9", "rest", "(7, 8)", "more", "{'x': 1, 'not a name': 2}"},
			"return every     return a, b, rest, c, d, more {a: 1, b: 2, c: 3, d: 9, rest: (7, 8), more: {'x': 1, 'not a name': 2}} = (1, 2, (7, 8), 3, 9, {'x': 1, 'not a name': 2})", "",
		},
		{"every", line("def every"), []string{"a", "1", "b", "2", "c", "3", "d", "4", "rest", "()", "more", "{}"}, "return every     return a, b, rest, c, d, more {a: 1, b: 2, c: 3, d: 4, rest: (), more: {}} = (1, 2, (), 3, 4, {})", ""},
		{"interest", line("@staticmethod"), []string{"x", "5"}, "return interest         return x * Account.rate {x: 5} = 15", ""},
		{"inner", line("def inner"), []string{"x", "5"}, "return inner         return x {x: 5} = 5", ""},
		{"<lambda>", line("double = lambda"), []string{"x", "'ab'"}, "return <lambda> double = lambda x: x * 2 {x: 'ab'} = 'abab'", ""},
		{"wrapper", line("def wrapper"), []string{"args", "(4,)", "kwargs", "{}", "f", "<function decorated>"}, "return wrapper         return f(*args, **kwargs) {args: (4,), kwargs: {}, f: <function decorated>} = 4", ""},
		{"cell", line("def cell"), []string{"x", "1"}, "return cell     return lambda: x {x: 1} = <function cell.<locals>.<lambda>>", ""},

		{"plain", line("def plain"), []string{"a", "<object object>", "b", "5"}, "unknown", "argument a is no literal"},
		{"plain", line("def plain"), []string{"a", "__import__('os').getpid()", "b", "5"}, "unknown", "argument a is no literal"},
		{"plain", line("def plain"), []string{"a", "1"}, "unknown", "argument b is missing"},
		{"plain", line("def plain"), []string{"a", "1", "b", "2", "c", "3"}, "unknown", "does not begin"},
		{"plain", line("def plain"), []string{"b", "2", "a", "01"}, "unknown", "no literal"},
		{"plain", line("def plain"), []string{"a", "1  ", "b", "2"}, "unknown", "does not begin"},
		{"every", line("def every"), []string{"a", "1", "b", "2", "c", "3", "d", "4", "rest", "5", "more", "{}"}, "unknown", "cannot be made"},
		{"plain", line("def every"), []string{"a", "1", "b", "2"}, "unknown", "0 functions plain"},
		{"nothing", 1, nil, "unknown", "0 functions nothing"},
	} {
		t.Run(test.function+" "+strings.Join(test.arguments, " "), func(t *testing.T) {
			prog := program(functions)
			n := begin(t, prog, called(prog, test.function, test.line, test.arguments...))
			made := ask(t, p, n, "step_return")
			if got := replied(made.Step.Reply); !strings.HasPrefix(got, test.want) {
				t.Errorf("%s\nwant %s (%v)", got, test.want, made.Warnings)
			}
			if test.warning != "" && (len(made.Warnings) != 1 || !strings.Contains(made.Warnings[0], test.warning)) {
				t.Errorf("warns of %q, want %q", made.Warnings, test.warning)
			}
			for _, w := range made.Warnings {
				if strings.Contains(w, "/") || strings.Contains(w, "lambda names") {
					t.Errorf("tells of its own doings: %q", w)
				}
			}
		})
	}
}

// TestUndetermined checks texts whose beginning the program does not reach, and programs that cannot be
// started. They are answered with "unknown" and the reason.
func TestUndetermined(t *testing.T) {
	p := predictor(t, cpython.Config{})
	source := "x = 1\ndef f():\n    y = 2\n    return y\nf()\n"
	prog := program(source)
	inside := dsl.Reply{Outcome: dsl.Landed, Stop: &dsl.Stop{
		State: dsl.State{Event: dsl.Line, File: "program.py", Line: 3, Source: "    y = 2", Function: "f", Depth: 1},
		Stack: []dsl.Frame{{Function: "<module>", File: "program.py", Line: 5}, {Function: "f", File: "program.py", Line: 3}},
	}}
	over, err := walk(t, p, start(t, source), "continue").Compact()
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := inside
	elsewhere.Stop = &dsl.Stop{}
	*elsewhere.Stop = *inside.Stop
	elsewhere.Stop.Locals = []dsl.Local{{Name: "y", Value: "3"}}
	bare, err := dsl.ND1.Begin(prog)
	if err != nil {
		t.Fatal(err)
	}
	ended := dsl.Reply{Outcome: dsl.Ended, Exit: &dsl.Exit{}}
	replacing := program("import os\n\ndef f(a):\n    return a\nos.remove(__file__)\nos.mkfifo(__file__)\n")
	for _, test := range []struct {
		name, want string
		at         *dsl.Node
	}{
		{"no state", "no state yet", bare},
		{"compacted at the end", "begins with the end", over},
		{"in the middle of nowhere", "does not come: it has no line at line 3 of f", begin(t, prog, elsewhere)},
		{"another line", "does not come: it has no line at line 2 of <module>", begin(t, prog, module(prog, 2))},
		{"no end", "one of them has none", begin(t, prog, ended)},
		{"no state at all", "one of them has none", begin(t, program("# x\n"), module(program("# x\n"), 1))},
		{"no Python", "does not parse", start(t, "x = = 1\n")},
		{"a null", "does not start", start(t, "x = '\x00'\n")},
		{"replaces itself", "changed its own files", begin(t, replacing, called(replacing, "f", 3, "a", "1"))},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.at == bare {
				_, err := p.Predict(t.Context(), question(t, bare, "step_into"), nil)
				if err == nil || !strings.Contains(err.Error(), "before the first state") {
					t.Errorf("%v", err)
				}
				return
			}
			made := ask(t, p, test.at, "step_into")
			if made.Step.Reply.Outcome != dsl.Unknown || len(made.Warnings) != 1 || !strings.Contains(made.Warnings[0], test.want) {
				t.Errorf("%s with %q, want unknown with %q", replied(made.Step.Reply), made.Warnings, test.want)
			}
			if strings.Contains(strings.Join(made.Warnings, ""), "npdb-cpython") {
				t.Errorf("tells of its scratch directory: %q", made.Warnings)
			}
		})
	}
}
