package rollout_test

import (
	"strings"
	"testing"

	"github.com/npdb/npdb/backend/rollout"
	"github.com/npdb/npdb/dsl"
)

// TestStaleCaller checks a jump from one activation to another of the same function. The trace must
// contain no old state of a caller that is now on another line, because the caller may be another
// activation too.
func TestStaleCaller(t *testing.T) {
	lines := []string{"def g(x):", "    return x", "def f(n):", "    a = g(n)", "    n = 5", "    b = g(n)", "    return b", "f(1)"}
	stop := func(event dsl.Event, line int, local string, stack ...dsl.Frame) dsl.Reply {
		top := stack[len(stack)-1]
		s := &dsl.Stop{State: dsl.State{Event: event, File: "a.py", Line: line, Source: lines[line-1], Function: top.Function, Depth: len(stack) - 1}}
		if name, value, ok := strings.Cut(local, "="); ok {
			s.Locals = []dsl.Local{{Name: name, Value: value}}
		}
		s.Stack = append(s.Stack, stack...)
		s.Stack[len(stack)-1].Line = line
		return dsl.Reply{Outcome: dsl.Landed, Stop: s}
	}
	frame := func(function string, line int) dsl.Frame {
		return dsl.Frame{Function: function, File: "a.py", Line: line}
	}
	module := frame("<module>", 8)
	into := dsl.Action{Move: dsl.StepInto}
	at, err := dsl.ND1.Begin(&dsl.Program{Files: []dsl.SourceFile{{Name: "a.py", Lines: lines}}})
	for _, step := range []dsl.Step{
		{Reply: stop(dsl.Line, 8, "", module)},
		{Action: into, Reply: stop(dsl.Call, 3, "n=1", module, frame("f", 3))},
		{Action: into, Reply: stop(dsl.Line, 4, "n=1", module, frame("f", 4))},
		{Action: into, Reply: stop(dsl.Call, 1, "x=1", module, frame("f", 4), frame("g", 1))},
		{Action: dsl.Action{Move: dsl.Breakpoint, Lines: []dsl.Location{{Line: 1}}}, Reply: stop(dsl.Call, 1, "x=5", module, frame("f", 6), frame("g", 1))},
	} {
		if err == nil {
			at, err = at.Append(step)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	trail, err := rollout.Begin(at)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(trail.Pieces(), "")
	if !trail.Lost() || strings.Contains(text, `"n": "1"`) || !strings.Contains(text, "b = g(n)\n<|frame_sep|>") || !strings.Contains(text, `"x": "5"`) {
		t.Errorf("lost is %v of\n%s", trail.Lost(), text)
	}
}
