//go:build unix

package cpython_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/cpython"
	"github.com/npdb/npdb/dsl"
)

func question(t testing.TB, at *dsl.Node, action string) backend.Question {
	t.Helper()
	return backend.Question{At: at, Action: parse(t, action)}
}

// edit returns the node after the user has given a local another value.
func edit(t testing.TB, at *dsl.Node, name, value string) *dsl.Node {
	t.Helper()
	return appended(t, at, dsl.Step{Edit: true, Reply: changed(at, name, value)})
}

// changed returns the last reply of a node, with another value of a local.
func changed(at *dsl.Node, name, value string) dsl.Reply {
	step, _ := at.Step()
	s := *step.Reply.Stop
	s.Locals = slices.Clone(s.Locals)
	i := slices.IndexFunc(s.Locals, func(l dsl.Local) bool { return l.Name == name })
	if i < 0 {
		i = len(s.Locals)
		s.Locals = append(s.Locals, dsl.Local{Name: name})
	}
	s.Locals[i].Value = value
	return dsl.Reply{Outcome: dsl.Landed, Stop: &s}
}

func appended(t testing.TB, at *dsl.Node, s dsl.Step) *dsl.Node {
	t.Helper()
	n, err := at.Append(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestMoves checks to which states actions lead that the predictor itself has answered before.
func TestMoves(t *testing.T) {
	p := predictor(t, cpython.Config{})
	for _, test := range []struct {
		name, source string
		actions      []string
		want         string // the state to which the last action leads
	}{
		{"start", "x = 1\n", []string{"inv_step_into"}, "start"},
		{"end", "x = 1\n", []string{"continue"}, "end"},
		{"exit code", "import sys\nsys.exit(3)\n", []string{"continue"}, "end"},
		{"end and back", "x = 1\ny = 2\n", []string{"continue", "inv_step_into", "inv_step_into"}, "line <module> y = 2 {x: 1}"},
		{"end of the end", "x = 1\n", []string{"continue", "step_into"}, "end"},
		{"dies", "def f():\n    1 / 0\nf()\n", []string{"continue"}, "exception f     1 / 0 {} = ZeroDivisionError('division by zero')"},
		{"dies, then ends", "def f():\n    1 / 0\nf()\n", []string{"continue", "step_over"}, "end ZeroDivisionError('division by zero')"},
		{"dies once", "def f():\n    1 / 0\nf()\n", []string{"continue", "inv_continue", "continue"}, "end ZeroDivisionError('division by zero')"},
		{"dies by a step", "def f():\n    1 / 0\nf()\n", []string{"step_over", "step_over"}, "exception <module> f() {} = ZeroDivisionError('division by zero')"},
		{"dies by a step from the unwinding", "1 / 0\n", []string{"step_into", "step_into", "step_into"}, "exception <module> 1 / 0 {} = ZeroDivisionError('division by zero')"},
		{"caught", "try:\n    1 / 0\nexcept ZeroDivisionError:\n    x = 1\n", []string{"continue"}, "end"},
		{"breakpoint()", "breakpoint()\nx = 1\nbreakpoint()\n", []string{"continue"}, "end"},
		{"set_trace", "import pdb\ndef f():\n    pdb.set_trace()\n    return 1\nf()\nx = 2\n", []string{"step_over", "step_over", "step_over"}, "line <module> x = 2 {}"},
		{"set_trace at once", "import pdb\npdb.set_trace()\nx = 1\n", []string{"step_over", "continue"}, "end"},
		{"input", "try:\n    x = input()\nexcept EOFError:\n    x = 'none'\n", []string{"step_return"}, "unknown"},
		{"input later", "x = 1\ny = input()\n", []string{"step_over", "inv_step_over"}, "line <module> x = 1 {}"},
		{"hidden", "import sys\ndef f(): pass\nclass C: pass\nx = 1\n", []string{"step_return"}, "return <module> x = 1 {x: 1} = None"},
		{"killed", "import os\nos.kill(os.getpid(), 9)\n", []string{"continue"}, "end"},
		{"unicode", "s = 'é😀<|frame_sep|>\\x1b'\nt = s\n", []string{"step_over"}, "line <module> t = s {s: 'é😀<|frame_sep|>\\x1b'}"},
		{"latin-1", "# -*- coding: latin-1 -*-\nx = 'é'\ny = 1\n", []string{"step_over"}, "line <module> y = 1 {x: 'é'}"},
		{"form feed", "x = 1\n\f\ny = 2\n", []string{"step_over"}, "line <module> y = 2 {x: 1}"},
		{"hash", "x = {'a', 'b', 'c'}\ny = list(x)\n", []string{"breakpoint 2", "step_over"}, ""},
		{"generator", "def g():\n    yield 1\n    yield 2\nfor x in g():\n    pass\n", []string{"breakpoint 2", "step_over", "step_over"}, "return g     yield 2 {} = None"},
	} {
		t.Run(test.name, func(t *testing.T) {
			first := 1
			if test.name == "latin-1" {
				first = 2
			}
			prog := program(test.source)
			n := walk(t, p, begin(t, prog, module(prog, first)), test.actions...)
			again := begin(t, prog, module(prog, first))
			for _, action := range test.actions {
				again = walk(t, p, reread(t, again), action)
			}
			if got := shown(n); test.want != "" && got != test.want {
				t.Errorf("%v leads to %s, want %s", test.actions, got, test.want)
			}
			if n.Text() != again.Text() {
				t.Errorf("asked by texts alone, the text is\n%s\nelse\n%s", again.Text(), n.Text())
			}
		})
	}
}

// TestOracleReplays checks that the predictor ignores a wrong state in the text.
func TestOracleReplays(t *testing.T) {
	p := predictor(t, cpython.Config{})
	n := start(t, "x = 1\ny = x + 1\nz = y + 1\nw = 0\n")
	n = walk(t, p, n, "step_over")
	wrong := appended(t, n.Parent(), dsl.Step{Action: parse(t, "step_over"), Reply: changed(n, "x", "50")})
	shows(t, walk(t, p, wrong, "step_over"), "line <module> z = y + 1 {x: 1, y: 2}")
	unknown := appended(t, wrong, dsl.Step{Action: parse(t, "continue"), Reply: dsl.Reply{Outcome: dsl.Unknown}})
	shows(t, walk(t, p, unknown, "step_over"), "line <module> z = y + 1 {x: 1, y: 2}")
}

// TestJumps checks edits that move the program to another line.
func TestJumps(t *testing.T) {
	p := predictor(t, cpython.Config{})
	const source = "def f(a):\n    b = a + 1\n    b *= 2\n    return b\nx = f(2)\nfor i in range(2):\n    x += i\ny = x\n"
	at := walk(t, p, start(t, source), "breakpoint 4")
	shows(t, at, "line f     return b {a: 2, b: 6}")
	to := func(at *dsl.Node, line int) *dsl.Node {
		step, _ := at.Step()
		s := *step.Reply.Stop
		s.Line, s.Source = line, at.Program().Files[0].Lines[line-1]
		s.Stack = slices.Clone(s.Stack)
		s.Stack[len(s.Stack)-1].Line = line
		return appended(t, at, dsl.Step{Edit: true, Reply: dsl.Reply{Outcome: dsl.Landed, Stop: &s}})
	}
	again := to(at, 3)
	shows(t, walk(t, p, again, "step_over"), "line f     return b {a: 2, b: 12}")
	shows(t, walk(t, p, again, "step_over", "step_return", "step_over"), "line <module> for i in range(2): {x: 12}")
	shows(t, walk(t, p, reread(t, edit(t, again, "b", "1")), "step_return"), "return f     return b {a: 2, b: 2} = 2")
	shows(t, walk(t, p, at, "step_over"), "return f     return b {a: 2, b: 6} = 6") // without the jump, nothing has changed
	// The same in a text that begins there, as npdb writes it after a jump.
	compacted := func(n *dsl.Node) *dsl.Node {
		short, err := n.Compact()
		if err != nil {
			t.Fatal(err)
		}
		return short
	}
	shows(t, walk(t, p, reread(t, compacted(again)), "step_over", "step_return", "step_over"), "line <module> for i in range(2): {x: 12}")
	shows(t, walk(t, p, reread(t, compacted(again)), "inv_step_over"), "line f     return b {a: 2, b: 6}")
	second := to(walk(t, p, at, "breakpoint 7", "step_over", "step_over"), 6) // where i is 1
	shows(t, walk(t, p, second, "step_over"), "line <module>     x += i {x: 6, i: 0}")
	shows(t, walk(t, p, reread(t, compacted(second)), "step_over"), "line <module>     x += i {x: 6, i: 0}")
	loop := to(walk(t, p, at, "breakpoint 7"), 6) // the loop reaches this state without a jump too
	if made := ask(t, p, compacted(loop), "step_over"); made.Step.Reply.Outcome != dsl.Unknown {
		t.Errorf("jumped to a loop, or not: %s", replied(made.Step.Reply))
	}
	made := ask(t, p, to(walk(t, p, at, "breakpoint 8"), 7), "step_over")
	if made.Step.Reply.Outcome != dsl.Unknown || !strings.Contains(strings.Join(made.Warnings, ""), "made to go on at line 7") {
		t.Errorf("into a loop: %s %q", replied(made.Step.Reply), made.Warnings)
	}
}

func TestEdits(t *testing.T) {
	p := predictor(t, cpython.Config{Recordings: 3})
	const source = "def f(a):\n    b = a + 1\n    return b * 2\nx = 5\ny = f(x)\nz = [x, y]\nw = 0\n"
	at := walk(t, p, start(t, source), "step_over", "step_over")
	shows(t, at, "line <module> y = f(x) {x: 5}")

	edited := edit(t, at, "x", "7")
	shows(t, walk(t, p, edited, "step_over"), "line <module> z = [x, y] {x: 7, y: 16}")
	// An answer for the text without the edit is not affected by it.
	shows(t, walk(t, p, at, "step_over"), "line <module> z = [x, y] {x: 5, y: 12}")
	// Edits before the live edge, two edits in a row, and an edit after a backward move.
	inside := walk(t, p, at, "breakpoint 3")
	shows(t, inside, "line f     return b * 2 {a: 5, b: 6}")
	shows(t, walk(t, p, edit(t, edit(t, inside, "b", "10"), "b", "'q'"), "step_return", "step_over", "step_over"), "line <module> w = 0 {x: 5, y: 'qq', z: [5, 'qq']}")
	shows(t, walk(t, p, edit(t, walk(t, p, inside, "step_over", "inv_step_over"), "b", "{1: 2}['x']"), "step_over"), "unknown")
	// Back before an edit and forward again without another edit: the edit still applies.
	shows(t, walk(t, p, edited, "step_over", "inv_step_over", "inv_step_over", "step_over", "step_over"), "line <module> z = [x, y] {x: 7, y: 16}")
	// An edit at an earlier event discards later edits.
	past := walk(t, p, edit(t, walk(t, p, edited, "step_over"), "y", "0"), "inv_step_over")
	shows(t, past, "line <module> y = f(x) {x: 7}")
	shows(t, walk(t, p, past, "step_over", "step_over"), "line <module> w = 0 {x: 7, y: 0, z: [7, 0]}")
	shows(t, walk(t, p, edit(t, past, "x", "1"), "step_over", "step_over"), "line <module> w = 0 {x: 1, y: 4, z: [1, 4]}")
	// An edit that adds a name, all from the text alone.
	n := edit(t, edited, "extra", "[1, 'é']")
	for range 2 {
		n = walk(t, p, reread(t, n), "step_over")
	}
	shows(t, n, "line <module> w = 0 {x: 7, extra: [1, 'é'], y: 16, z: [7, 16]}")

	for _, wrong := range []*dsl.Node{
		edit(t, at, "x", "<object object>"),
		edit(t, at, "x", "print(1)"),
		edit(t, at, "x; import os", "1"),
		edit(t, at, "x", "07"),
		edit(t, walk(t, p, at, "continue", "inv_step_into"), "nothing there", "1"),
	} {
		made := ask(t, p, wrong, "step_over")
		if made.Step.Reply.Outcome != dsl.Unknown || len(made.Warnings) != 1 || !strings.Contains(made.Warnings[0], "edit") {
			t.Errorf("after %s: %s with %q, want unknown", wrong.Added(), replied(made.Step.Reply), made.Warnings)
		}
	}
}
