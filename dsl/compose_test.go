package dsl_test

import (
	"errors"
	"reflect"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/gen"
	"github.com/npdb/npdb/dsl/vectors"
)

// nd/1 texts that end in a function with a caller, in programs of one file and of two.
const (
	composeOne = `<|trace_context_start|>1|def f(x):
2|    return x
3|a = f(2)
<|frame_sep|><|line_sep|><|stack_sep|>[["<module>", 3], ["f", 2]]{"x": "2"}<|action_sep|>2|    return x
<|frame_sep|>`
)

// TestCompose checks the nd/1 reply for a draft of a state, or the error for an impossible draft.
func TestCompose(t *testing.T) {
	line := func(n int) dsl.Draft { return dsl.Draft{Event: dsl.Line, At: dsl.Location{Line: n}} }
	with := func(d dsl.Draft, change func(*dsl.Draft)) dsl.Draft { change(&d); return d }
	stack := func(frames ...dsl.DraftFrame) func(*dsl.Draft) {
		return func(d *dsl.Draft) { d.Stack = append([]dsl.DraftFrame{}, frames...) }
	}
	at := func(function string, file, line int) dsl.DraftFrame {
		return dsl.DraftFrame{Function: function, At: dsl.Location{File: file, Line: line}}
	}
	into, over, until := dsl.Action{Move: dsl.StepInto}, dsl.Action{Move: dsl.StepOver}, dsl.Action{Move: dsl.Continue}
	value := "2"
	for _, c := range []struct {
		name, wire string
		action     dsl.Action
		draft      dsl.Draft
		want       string
	}{
		{"the frame on top", composeOne, over, with(line(2), func(d *dsl.Draft) { d.Locals = []dsl.Local{{Name: "x", Value: "2"}, {Name: "y", Value: "3"}} }), `<|line_sep|>{"x": "..", "y": "3"}<|action_sep|>2|    return x` + "\n<|frame_sep|>"},
		{"its name", composeOne, over, with(line(2), func(d *dsl.Draft) { d.Function = "f" }), "<|line_sep|>{}<|action_sep|>2|    return x\n<|frame_sep|>"},
		{"another name", composeOne, over, with(line(2), func(d *dsl.Draft) { d.Function = "g" }), `the function "g" is not the one on top of the stack, which is "f"`},
		{"a line that there is not", composeOne, over, line(4), "the program has no line 4"},
		{"line 0", composeOne, over, line(0), "the program has no line 0"},
		{"a file that there is not", gen.SeveralFiles, over, with(line(1), func(d *dsl.Draft) { d.At.File = 2 }), "the program has no line c:1"},
		{"another file", gen.SeveralFiles, over, line(1), `line a:1 is not in the file of "f", which is on top of the stack`},
		{"a return", composeOne, over, with(line(2), func(d *dsl.Draft) { d.Event, d.Kind, d.Value = dsl.Return, dsl.Returned, &value }), `<|return_sep|>{}<|action_sep|>2|    return x` + "\n" + `<|arg_sep|>"2"<|frame_sep|>`},
		{"a return without a value", composeOne, over, with(line(2), func(d *dsl.Draft) { d.Event, d.Kind = dsl.Return, dsl.Returned }), `the event return of the kind "return", with a value: false`},
		{"a return of no kind", composeOne, over, with(line(2), func(d *dsl.Draft) { d.Event, d.Value = dsl.Return, &value }), `the event return of the kind ""`},
		{"a line with a value", composeOne, over, with(line(2), func(d *dsl.Draft) { d.Value = &value }), `the event line of the kind "", with a value: true`},
		{"no event", composeOne, over, dsl.Draft{At: dsl.Location{Line: 2}}, "a state without an event"},
		{"two locals of one name", composeOne, over, with(line(2), func(d *dsl.Draft) { d.Locals = []dsl.Local{{Name: "x"}, {Name: "x"}} }), `two locals named "x"`},
		{"a local that is no UTF-8", composeOne, over, with(line(2), func(d *dsl.Draft) { d.Locals = []dsl.Local{{Name: "x", Value: "\xff"}} }), `the local "x" or its value is not UTF-8`},
		{"a call", composeOne, into, with(line(1), func(d *dsl.Draft) { d.Event, d.Function = dsl.Call, "f" }), `<|call_sep|><|stack_sep|>"f"{}<|action_sep|>1|def f(x):` + "\n<|frame_sep|>"},
		{"a call into another file", gen.SeveralFiles, into, with(line(2), func(d *dsl.Draft) { d.Event, d.Function = dsl.Call, "g" }), `<|call_sep|><|stack_sep|>"g"{}<|action_sep|>a:2|b.f()` + "\n<|frame_sep|>"},
		{"a call of nobody", composeOne, into, with(line(1), func(d *dsl.Draft) { d.Event = dsl.Call }), "the name of the new function is needed here, and is not told"},
		{"no stack", composeOne, until, line(2), "the whole stack is needed here, the outermost frame first, and is not told"},
		{"an empty stack", composeOne, until, with(line(2), stack()), "the stack is empty"},
		{"a stack", composeOne, until, with(line(3), stack(at("<module>", 0, 3))), `<|line_sep|><|stack_sep|>[["<module>", 3]]{}<|action_sep|>3|a = f(2)` + "\n<|frame_sep|>"},
		{"a stack of a frame without a line", composeOne, until, with(line(2), stack(at("<module>", 0, 0), at("f", 7, 0))), `<|line_sep|><|stack_sep|>[["<module>", null], ["f", 2]]{}<|action_sep|>2|    return x` + "\n<|frame_sep|>"},
		{"a stack where it follows", composeOne, over, with(line(2), stack(at("<module>", 0, 3), at("f", 0, 2))), `<|line_sep|><|stack_sep|>[["<module>", 3], ["f", 2]]{}<|action_sep|>2|    return x` + "\n<|frame_sep|>"},
		{"a stack and its function", composeOne, until, with(with(line(2), stack(at("f", 0, 2))), func(d *dsl.Draft) { d.Function = "f" }), `<|line_sep|><|stack_sep|>[["f", 2]]{}<|action_sep|>2|    return x` + "\n<|frame_sep|>"},
		{"a stack and another function", composeOne, until, with(with(line(2), stack(at("f", 0, 2))), func(d *dsl.Draft) { d.Function = "<module>" }), `the function "<module>" is not the one on top of the stack, which is "f"`},
		{"a stack with a line that there is not", composeOne, until, with(line(2), stack(at("<module>", 0, 9), at("f", 0, 2))), "the program has no line 9"},
		{"a stack at another line", composeOne, until, with(line(2), stack(at("f", 0, 1))), "the state is at line 2, where the stack's top is not"},
		{"a stack in another file", gen.SeveralFiles, until, with(line(2), stack(at("f", 1, 2))), "the state is at line a:2, where the stack's top is not"},
		{"a stack with a name that is no UTF-8", composeOne, until, with(line(2), stack(at("\xff", 0, 2))), `a function's name is not UTF-8: "\xff"`},
		{"a breakpoint nowhere", composeOne, dsl.Action{Move: dsl.Breakpoint}, with(line(2), stack(at("f", 0, 2))), "breakpoint without a line"},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := gen.Standing(t, c.wire)
			step, err := n.Compose(dsl.Step{Action: c.action}, c.draft)
			if err != nil {
				if cannot := (*dsl.ImpossibleError)(nil); !errors.As(err, &cannot) || err.Error() != c.want {
					t.Errorf("%v\nwant %s", err, c.want)
				}
				return
			}
			if text, err := n.Reply(c.action, step.Reply); err != nil || text != c.want {
				t.Errorf("%s, %v\nwant %s", text, err, c.want)
			}
		})
	}
}

// TestOutlineIsExpected checks that Expect, which uses only the action and event, returns the same
// parts as Implied. They may differ only if the whole stack is written where it is not required.
func TestOutlineIsExpected(t *testing.T) {
	jumps := 0
	for _, v := range vectors.All() {
		for n := gen.Standing(t, v.Wire); n.Parent() != nil; n = n.Parent() {
			step, _ := n.Step()
			if step.Reply.Stop == nil {
				continue
			}
			left, follows := n.Parent().Implied(step), n.Parent().Expect(step, step.Reply.Stop.Event)
			if left.Stack && !follows.Stack {
				jumps++
				continue
			}
			if !reflect.DeepEqual(left, follows) {
				t.Errorf("%s: of %v is left out what %+v says, and follows what %+v says", v.Name, step.Action, left, follows)
			}
		}
	}
	if jumps == 0 {
		t.Error("no state needs a stack that the rules do not give")
	}
}

// TestExpectHidesLocals checks that hidden locals are not among the known ones.
func TestExpectHidesLocals(t *testing.T) {
	n := gen.Standing(t, composeOne)
	first, _ := n.Step()
	stop := *first.Reply.Stop
	stop.Locals = []dsl.Local{{Name: "x", Value: "2"}, {Name: "f", Value: "<function f>", Hidden: true}}
	n, err := n.Parent().Append(dsl.Step{Reply: dsl.Reply{Outcome: dsl.Landed, Stop: &stop}})
	if err != nil {
		t.Fatal(err)
	}
	want := dsl.Implied{Known: []dsl.Local{{Name: "x", Value: "2"}}}
	if got := n.Expect(dsl.Step{Action: dsl.Action{Move: dsl.StepOver}}, dsl.Line); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestComposeNamesTheOnlyFile checks that each frame is in the only file of a program, even if the
// frame's line is unknown.
func TestComposeNamesTheOnlyFile(t *testing.T) {
	n, err := dsl.ND1.Begin(&dsl.Program{Files: []dsl.SourceFile{{Name: "p.py", Lines: []string{"f()"}}}})
	if err != nil {
		t.Fatal(err)
	}
	top := dsl.DraftFrame{Function: "f", At: dsl.Location{Line: 1}}
	step, err := n.Compose(dsl.Step{}, dsl.Draft{Event: dsl.Line, At: top.At, Stack: []dsl.DraftFrame{{Function: "<module>"}, top}})
	want := []dsl.Frame{{Function: "<module>", File: "p.py"}, {Function: "f", File: "p.py", Line: 1}}
	if err != nil || !reflect.DeepEqual(step.Reply.Stop.Stack, want) {
		t.Errorf("%v, %+v", err, step.Reply.Stop)
	}
}
