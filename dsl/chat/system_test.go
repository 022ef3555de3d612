//go:build unix

package chat_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/cpython"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/chat"
	"github.com/npdb/npdb/internal/pythons"
)

// walk executes actions with CPython from the first state of a program, and returns the last answer
// as a conversation writes it.
func walk(t *testing.T, oracle *cpython.Predictor, program string, actions ...string) (answer string) {
	t.Helper()
	lines := dsl.SplitLines(program)
	at, err := dsl.ND1.Begin(&dsl.Program{Files: []dsl.SourceFile{{Lines: lines}}})
	if err != nil {
		t.Fatal(err)
	}
	first := &dsl.Stop{
		State: dsl.State{Event: dsl.Line, Line: 1, Source: lines[0], Function: "<module>"},
		Stack: []dsl.Frame{{Function: "<module>", Line: 1}},
	}
	if at, err = at.Append(dsl.Step{Reply: dsl.Reply{Outcome: dsl.Landed, Stop: first}}); err != nil {
		t.Fatal(err)
	}
	for _, word := range actions {
		a, err := dsl.ParseAction(word)
		if err != nil {
			t.Fatal(err)
		}
		made, err := oracle.Predict(t.Context(), backend.Question{At: at, Action: a}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if answer, err = chat.Encode(at, a, made.Step.Reply); err != nil {
			t.Fatal(err)
		}
		if at, err = at.Append(made.Step); err != nil {
			t.Fatal(err)
		}
	}
	return answer
}

// oracles returns a predictor for each Python.
func oracles(t *testing.T) map[pythons.Python]*cpython.Predictor {
	t.Helper()
	all := map[pythons.Python]*cpython.Predictor{}
	for _, python := range pythons.Between(t, 10, 14) {
		oracle := cpython.New(cpython.Config{Python: python.Path})
		t.Cleanup(func() { _ = oracle.Close() })
		all[python] = oracle
	}
	return all
}

// TestSystemExample checks that the answers in the example of the system message are CPython's.
func TestSystemExample(t *testing.T) {
	_, example, _ := strings.Cut(chat.System, "EXAMPLE. The program\n")
	program := regexp.MustCompile(`(?m)^\d+\|(.*\n)`).ReplaceAllString(example, "$1")
	program, _, _ = strings.Cut(program, "is in the state ")
	steps := regexp.MustCompile(`(?m)^(\w+) leads (?:back )?to (.*)$`).FindAllStringSubmatch(example, -1)
	if len(steps) != 6 {
		t.Fatalf("%d steps", len(steps))
	}
	for python, oracle := range oracles(t) {
		actions := []string{"breakpoint 4"}
		for _, step := range steps {
			actions = append(actions, step[1])
			if got := walk(t, oracle, program, actions...); got != step[2] {
				t.Errorf("%s: %s leads to %s, not %s", python, step[1], got, step[2])
			}
		}
		first := walk(t, oracle, program, actions[0])
		if spaced := strings.NewReplacer(`":`, `": `, `,"`, `, "`).Replace(first); !strings.Contains(example, "is in the state "+spaced+".\n") {
			t.Errorf("%s: the example does not begin with %s", python, spaced)
		}
	}
}

// TestSystemIsTrue checks that CPython behaves as the system message describes events, commands and
// answers.
func TestSystemIsTrue(t *testing.T) {
	const generator = "def g():\n    yield 1\n    yield 2\nit = g()\nnext(it)\nnext(it)\n"
	const raises = "def f():\n    raise KeyError(1)\nf()\n"
	const shared = "def f(a):\n    b = 1\n    def g():\n        return b\n    c = g()\n    return c\nf(0)\n"
	const decorated = "def d(f):\n    return f\n@d\n@d\ndef f():\n    pass\nf()\n"
	const comprehends = "def f():\n    return [i for i in (1, 2)]\nf()\n"
	all := oracles(t)
	over := func(n int) []string {
		return strings.Split(strings.TrimSuffix(strings.Repeat("step_over ", n), " "), " ")
	}
	for _, c := range []struct {
		says, program string
		actions       []string
		from          int // first minor version of Python for which this is true
		want          string
	}{
		{"a call at the first decorator", decorated, []string{"breakpoint 7", "step_into"}, 0, `"event":"call","line":3,"function":"f"`},
		{"decorators again, from the last up", decorated, append([]string{"breakpoint 3"}, over(3)...), 11, `"event":"line","line":4,`},
		{"and then the def", decorated, append([]string{"breakpoint 3"}, over(5)...), 11, `"event":"line","line":5,`},
		{"a generator is entered again at its yield", generator, []string{"breakpoint 6", "step_into"}, 0, `"event":"call","line":2,"function":"g"`},
		{"a class body is entered", "class C:\n    z = 1\n", []string{"step_into"}, 0, `"event":"call","line":1,"function":"C"`},
		{"and begins at its class", "class C:\n    z = 1\n", []string{"step_into", "step_into"}, 0, `"event":"line","line":1,"function":null,"stack":null,"locals":[]`},
		{"and returns", "class C:\n    z = 1\n", []string{"step_into", "step_return"}, 0, `"event":"return","line":2,"function":null,"stack":null,"locals":[{"name":"z","value":"1"}],"names":["z"],"kind":"return","value":"None"`},
		{"a generator expression is entered", "x = list(i for i in [1])\n", []string{"step_into"}, 0, `"event":"call","line":1,"function":"<genexpr>"`},
		{"a comprehension is not", comprehends, []string{"breakpoint 2", "step_into"}, 12, `"event":"line","line":2,"function":null,"stack":null,"locals":[{"name":"i","value":"1"}],"names":["i"]`},
		{"module code returns", "x = 1\n", []string{"step_into"}, 0, `"event":"return","line":1,"function":null,"stack":null,"locals":[{"name":"x","value":"1"}],"names":["x"],"kind":"return","value":"None"`},
		{"an exception is raised", raises, []string{"breakpoint 2", "step_into"}, 0, `"event":"exception","line":2,"function":null,"stack":null,"locals":[],"names":null,"kind":null,"value":"KeyError(1)"`},
		{"leaves the frame", raises, append([]string{"breakpoint 2"}, over(2)...), 0, `"event":"return","line":2,"function":null,"stack":null,"locals":[],"names":null,"kind":"unwind","value":null`},
		{"reaches the caller", raises, append([]string{"breakpoint 2"}, over(3)...), 0, `"event":"exception","line":3`},
		{"and leads back to where it was raised", raises, append([]string{"breakpoint 2"}, over(5)...), 0, `"event":"exception","line":2,"function":null,"stack":[{"function":"<module>","line":3},{"function":"f","line":2}]`},
		{"once", raises, append([]string{"breakpoint 2"}, over(6)...), 0, `{"outcome":"end","event":null,"line":null,"function":null,"stack":null,"locals":[],"names":null,"kind":null,"value":"KeyError(1)","exit_code":1}`},
		{"SystemExit ends", "import sys\nsys.exit(3)\n", []string{"continue"}, 0, `"outcome":"end","event":null,"line":null,"function":null,"stack":null,"locals":[],"names":null,"kind":null,"value":null,"exit_code":3`},
		{"step_over goes on past a yield", generator, []string{"breakpoint 2", "step_over"}, 0, `"event":"line","line":3,"function":null,"stack":[{"function":"<module>","line":6},{"function":"g","line":3}]`},
		{"step_return does", generator + "next(it, 0)\n", []string{"breakpoint 2", "step_return"}, 0, `"event":"return","line":3,"function":null,"stack":[{"function":"<module>","line":7},{"function":"g","line":3}],"locals":[],"names":null,"kind":"return","value":"None"`},
		{"step_function leads to a call", shared, []string{"step_function"}, 0, `"event":"call","line":1,"function":null,"stack":[{"function":"<module>","line":7},{"function":"f","line":1}]`},
		{"or to a return", shared, []string{"breakpoint 4", "step_function"}, 0, `"event":"return","line":4,`},
		{"and back to the call", shared, []string{"breakpoint 4", "inv_step_function"}, 0, `"event":"call","line":3,`},
		{"step_block leads past calls and lines", shared, []string{"breakpoint 2", "step_block"}, 0, `"event":"return","line":6,`},
		{"and back to the first line of the block", shared, []string{"breakpoint 6", "inv_step_block"}, 0, `"event":"line","line":2,`},
		{"to the line of a body", "a = 1\nb = 2\nif a:\n    c = 3\n", []string{"step_block"}, 0, `"event":"line","line":4,`},
		{"from a return to a caller", shared, []string{"breakpoint 4", "step_return", "step_return"}, 0, `"event":"line","line":6`},
		{"after the end with the stack", "x = 1\n", []string{"continue", "inv_step_into"}, 0, `"event":"return","line":1,"function":null,"stack":[{"function":"<module>","line":1}]`},
		{"back at the first state", "x = 1\ny = 2\n", []string{"step_over", "inv_continue"}, 0, `"event":"line","line":1,"function":null,"stack":[{"function":"<module>","line":1}],"locals":[]`},
		{"and before it nothing", "x = 1\ny = 2\n", []string{"inv_step_into"}, 0, `"outcome":"start"`},
		{"back onto a return all variables are told", shared, []string{"breakpoint 6", "inv_step_into"}, 0, `"event":"return","line":4,"function":"g","stack":null,"locals":[{"name":"b","value":"1"}],"names":null`},
		{"variables of enclosing functions", shared, []string{"breakpoint 5", "step_into"}, 0, `"event":"call","line":3,"function":"g","stack":null,"locals":[{"name":"b","value":"1"}]`},
		{"those that are shared come last", shared, []string{"breakpoint 6"}, 0, `"locals":[{"name":"a","value":"0"},{"name":"g","value":"<function f.<locals>.g>"},{"name":"c","value":"1"},{"name":"b","value":"1"}]`},
		{"an object without a repr", "class P:\n    def __init__(self):\n        self.a = [1]\np = P()\nx = print\n", []string{"breakpoint 5"}, 0, `"locals":[{"name":"p","value":"P(a=[1])"}]`},
	} {
		t.Run(c.says, func(t *testing.T) {
			for python, oracle := range all {
				if python.Minor < c.from {
					continue
				}
				if got := walk(t, oracle, c.program, c.actions...); !strings.Contains(got, c.want) {
					t.Errorf("%s: %v leads to %s, not %s", python, c.actions, got, c.want)
				}
			}
		})
	}
}
