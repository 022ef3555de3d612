//go:build unix

package cpython_test

import (
	"strings"
	"testing"

	"github.com/npdb/npdb/backend/cpython"
	"github.com/npdb/npdb/dsl"
)

// claim returns the text of at, with another value of a local in its last state. If name is "", the
// returned value is changed instead.
func claim(t *testing.T, at *dsl.Node, name, value string) *dsl.Node {
	t.Helper()
	step, _ := at.Step()
	if name == "" {
		s := *step.Reply.Stop
		s.Value = &value
		step.Reply.Stop = &s
	} else {
		step.Reply = changed(at, name, value)
	}
	return appended(t, at.Parent(), step)
}

const sums = `def add(a, b):
    c = a + b
    return c

def plus(a, b):
    return a + b

total = 0
for i in range(3):
    total = add(total, i)
other = plus(total, 1)
third = plus(total, 1) * 10
fourth = add(total, 1) * 10
end = 0
`

// TestDrift checks that a wrong value in the text persists in the states that follow.
func TestDrift(t *testing.T) {
	p := predictor(t, cpython.Config{Drift: true})
	fresh := predictor(t, cpython.Config{Drift: true, Recordings: 1})
	for _, test := range []struct {
		name   string
		before []string // actions before the wrong state
		local  string   // "" for the returned value
		value  string
		after  []string
		want   string
	}{
		{"a local of the module", []string{"breakpoint 9"}, "total", "100", []string{"breakpoint 11"}, "line <module> other = plus(total, 1) {total: 103, i: 2}"},
		{"a local of a function", []string{"breakpoint 3"}, "c", "40", []string{"step_into", "step_into"}, "line <module> for i in range(3): {total: 40, i: 0}"},
		{"a list where a number was", []string{"breakpoint 11"}, "total", "[1]", []string{"step_over", "step_into"}, "return <module> other = plus(total, 1) {total: [1], i: 2}"},
		{"behind the live edge", []string{"continue", "inv_breakpoint 3"}, "c", "40", []string{"step_into", "step_into"}, "line <module> end = 0 {total: 3, i: 2, other: 4, third: 40, fourth: 400}"},
		{"back over it", []string{"breakpoint 9", "step_over"}, "total", "100", []string{"step_over", "inv_step_over"}, "line <module>     total = add(total, i) {total: 100, i: 0}"},
		{"a value returned by name", []string{"breakpoint 13", "breakpoint 3", "step_into"}, "", "7", []string{"step_over"}, "line <module> end = 0 {total: 3, i: 2, other: 4, third: 40, fourth: 70}"},
		{"a value returned and received", []string{"breakpoint 6", "step_into"}, "", "7", []string{"step_over"}, "line <module> third = plus(total, 1) * 10 {total: 3, i: 2, other: 7}"},
		{"a value returned and received, from further", []string{"breakpoint 6", "step_into"}, "", "7", []string{"breakpoint 14"}, "line <module> end = 0 {total: 3, i: 2, other: 7, third: 40, fourth: 40}"},
		{"a value returned and lost", []string{"breakpoint 12", "breakpoint 6", "step_into"}, "", "7", []string{"step_over"}, "line <module> fourth = add(total, 1) * 10 {total: 3, i: 2, other: 4, third: 40}"},
		{"no literal", []string{"breakpoint 9"}, "total", "<object object>", []string{"breakpoint 11"}, "line <module> other = plus(total, 1) {total: 3, i: 2}"},
		{"a call", []string{"breakpoint 9"}, "total", "print(1)", []string{"breakpoint 11"}, "line <module> other = plus(total, 1) {total: 3, i: 2}"},
		{"a new name", []string{"breakpoint 9"}, "more", "5", []string{"breakpoint 11"}, "line <module> other = plus(total, 1) {total: 3, more: 5, i: 2}"},
		{"no name", []string{"breakpoint 9"}, "a b", "5", []string{"breakpoint 11"}, "line <module> other = plus(total, 1) {total: 3, i: 2}"},
	} {
		t.Run(test.name, func(t *testing.T) {
			n := claim(t, walk(t, p, start(t, sums), test.before...), test.local, test.value)
			shows(t, walk(t, p, n, test.after...), test.want)
			// The same from the text alone, with a predictor that has not seen its nodes.
			for _, action := range test.after {
				n = walk(t, fresh, reread(t, n), action)
			}
			shows(t, n, test.want)
		})
	}
}

// at returns the text of n, extended by an action and a state on another line of the module.
func at(t *testing.T, n *dsl.Node, action string, line int, locals ...dsl.Local) *dsl.Node {
	t.Helper()
	reply := module(n.Program(), line)
	reply.Stop.Locals = locals
	return appended(t, n, dsl.Step{Action: parse(t, action), Reply: reply})
}

// TestDriftOfPlaces checks that the program continues from another line that the text shows, if that is
// possible, and that other places are answered with "unknown".
func TestDriftOfPlaces(t *testing.T) {
	p := predictor(t, cpython.Config{Drift: true})
	const source = "x = 1\nif x:\n    y = 'then'\nelse:\n    y = 'else'\nz = y\nw = 0\n"
	x := dsl.Local{Name: "x", Value: "1"}
	n := walk(t, p, start(t, source), "step_over")
	wrong := at(t, n, "step_over", 5, x)
	shows(t, walk(t, p, wrong, "step_over", "step_over"), "line <module> w = 0 {x: 1, y: 'else', z: 'else'}")
	shows(t, walk(t, p, reread(t, wrong), "step_over", "step_over"), "line <module> w = 0 {x: 1, y: 'else', z: 'else'}")
	// With a wrong value in addition, and after a backward move.
	both := at(t, n, "step_over", 6, x, dsl.Local{Name: "y", Value: "'claimed'"})
	shows(t, walk(t, p, both, "step_over"), "line <module> w = 0 {x: 1, y: 'claimed', z: 'claimed'}")
	back := walk(t, p, both, "step_over", "inv_step_over")
	shows(t, back, "line <module> z = y {x: 1, y: 'claimed'}")

	for _, test := range []struct {
		name, want string
		step       dsl.Step
	}{
		{"another function", "cannot be made to go on", dsl.Step{Action: parse(t, "step_over"), Reply: landed(dsl.State{
			Event: dsl.Line, File: "program.py", Line: 3, Source: "    y = 'then'", Function: "f",
		})}},
		{"after the end", "elsewhere", dsl.Step{Action: parse(t, "continue"), Reply: module(n.Program(), 3)}},
		{"an end", "elsewhere", dsl.Step{Action: parse(t, "step_over"), Reply: dsl.Reply{Outcome: dsl.Ended, Exit: &dsl.Exit{}}}},
		{"a line without code", "made to go on at line 4", dsl.Step{Action: parse(t, "step_over"), Reply: module(n.Program(), 4)}},
	} {
		t.Run(test.name, func(t *testing.T) {
			made := ask(t, p, appended(t, n, test.step), "step_over")
			if made.Step.Reply.Outcome != dsl.Unknown || len(made.Warnings) != 1 || !strings.Contains(made.Warnings[0], test.want) {
				t.Errorf("%s with %q, want unknown with %q", replied(made.Step.Reply), made.Warnings, test.want)
			}
		})
	}
}
