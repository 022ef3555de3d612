package dsl_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
)

// deep is a stop in main → f → f, with the activations numbered.
func deep(line, x int, event dsl.Event, acts ...uint32) *dsl.Stop {
	s := &dsl.Stop{Activations: acts}
	for range acts {
		s.Stack = append(s.Stack, dsl.Frame{Function: "f", File: "p.py", Line: line})
	}
	s.State = dsl.State{
		Event: event, File: "p.py", Line: line, Source: fmt.Sprint("line", line), Function: "f",
		Depth: len(acts) - 1, Locals: []dsl.Local{{Name: "x", Value: fmt.Sprint(x)}, {Name: "__name__", Value: "'m'", Hidden: true}},
	}
	return s
}

func program() *dsl.Program {
	return &dsl.Program{Files: []dsl.SourceFile{{Name: "p.py", Lines: []string{"line1", "line2", "line3"}}}}
}

func grow(t testing.TB, n *dsl.Node, m dsl.Move, s *dsl.Stop) *dsl.Node {
	t.Helper()
	step := dsl.Step{Action: dsl.Action{Move: m}, Reply: dsl.Reply{Outcome: dsl.Landed, Stop: s}}
	if m.TakesLines() {
		step.Action.Lines = []dsl.Location{{Line: s.Line}}
	}
	n, err := n.Append(step)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func begin(t testing.TB) *dsl.Node {
	t.Helper()
	n, err := dsl.ND1.Begin(program())
	if err != nil {
		t.Fatal(err)
	}
	return grow(t, n, 0, deep(1, 0, dsl.Line, 1))
}

// The whole stack is written where the rules would give another activation of
// the same name, or a line of a caller that has passed.
func TestTrueStack(t *testing.T) {
	n := begin(t)
	same := grow(t, n, dsl.StepOver, deep(2, 0, dsl.Line, 1))
	if !strings.Contains(same.Added(), `<|line_sep|>{"x": ".."}`) {
		t.Errorf("the same activation: %q", same.Added())
	}
	other := grow(t, n, dsl.StepOver, deep(2, 0, dsl.Line, 7))
	if !strings.Contains(other.Added(), `<|stack_sep|>[["f", 2]]{"x": "0"}`) {
		t.Errorf("another activation: %q", other.Added())
	}
	call := deep(1, 0, dsl.Call, 1, 2)
	pushed := grow(t, n, dsl.StepInto, call)
	if !strings.Contains(pushed.Added(), `<|stack_sep|>"f"{`) {
		t.Errorf("a call from the line that is known: %q", pushed.Added())
	}
	moved := deep(1, 0, dsl.Call, 1, 2)
	moved.Stack[0].Line = 3
	if got := grow(t, n, dsl.StepInto, moved).Added(); !strings.Contains(got, `[["f", 3], ["f", 1]]`) {
		t.Errorf("a call from another line: %q", got)
	}
}

// Branches share what lies before them, and none changes another.
func TestBranches(t *testing.T) {
	n := begin(t)
	before := n.Text()
	a := grow(t, n, dsl.StepOver, deep(2, 1, dsl.Line, 1))
	b := grow(t, n, dsl.StepInto, deep(3, 2, dsl.Call, 1, 2))
	if n.Text() != before || a.Parent() != n || a.Text() != before+a.Added() || b.Text() != before+b.Added() || a.Len() != len(a.Text()) {
		t.Errorf("%q and %q after %q", a.Text(), b.Text(), n.Text())
	}
}

// A compacted text tells the latest state of each caller, also of those that a
// jump has made the reader forget, then the current state; a refusal to move
// is not the current one.
func TestCompact(t *testing.T) {
	n := begin(t)
	n = grow(t, n, dsl.StepOver, deep(2, 4, dsl.Line, 1))
	n = grow(t, n, dsl.StepInto, deep(1, 5, dsl.Call, 1, 2))
	n = grow(t, n, dsl.Breakpoint, deep(3, 6, dsl.Line, 1, 2, 3))
	n, err := n.Append(dsl.Step{Action: dsl.Action{Move: dsl.InvStepOver}, Reply: dsl.Reply{Outcome: dsl.AtStart}})
	if err != nil {
		t.Fatal(err)
	}
	c, err := n.Compact()
	if err != nil {
		t.Fatal(err)
	}
	want := "<|trace_context_start|>1|line1\n2|line2\n3|line3\n<|frame_sep|><|compact_sep|><|frame_sep|>" +
		`<|line_sep|><|stack_sep|>[["f", 2]]{"x": "4"}<|action_sep|>2|line2` + "\n<|frame_sep|>" +
		`<|call_sep|><|stack_sep|>[["f", 1], ["f", 1]]{"x": "5"}<|action_sep|>1|line1` + "\n<|frame_sep|>" +
		`<|line_sep|><|stack_sep|>[["f", 3], ["f", 3], ["f", 3]]{"x": "6"}<|action_sep|>3|line3` + "\n<|frame_sep|>"
	if c.Text() != want {
		t.Errorf("compacted\n%s\nwant\n%s", c.Text(), want)
	}
}

// What nd/1 cannot write is refused, and what a larger context could hold is
// told apart.
func TestEncodeErrors(t *testing.T) {
	for name, c := range map[string]struct {
		spoil   func(*dsl.Step)
		context bool
	}{
		"no such line": {func(s *dsl.Step) { s.Reply.Stop.Line = 9; s.Reply.Stop.Stack[0].Line = 9 }, true},
		"no such file": {func(s *dsl.Step) { s.Reply.Stop.File = "q"; s.Reply.Stop.Stack[0].File = "q" }, true},
		"other source": {func(s *dsl.Step) { s.Reply.Stop.Source = "x" }, true},
		"breakpoint afar": {func(s *dsl.Step) {
			s.Action = dsl.Action{Move: dsl.Breakpoint, Lines: []dsl.Location{{File: 3, Line: 1}}}
		}, true},
		"no lines":       {func(s *dsl.Step) { s.Action.Move = dsl.InvBreakpoint }, false},
		"no action":      {func(s *dsl.Step) { s.Action.Move = 0 }, false},
		"unknown action": {func(s *dsl.Step) { s.Action.Move = 99 }, false},
		"no reply":       {func(s *dsl.Step) { s.Reply = dsl.Reply{} }, false},
		"no state":       {func(s *dsl.Step) { s.Reply.Stop = nil }, false},
		"no exit":        {func(s *dsl.Step) { s.Reply.Outcome = dsl.Ended }, false},
		"no event":       {func(s *dsl.Step) { s.Reply.Stop.Event = 0 }, false},
		"no kind":        {func(s *dsl.Step) { s.Reply.Stop.Event = dsl.Return }, false},
		"no value":       {func(s *dsl.Step) { s.Reply.Stop.Event = dsl.Exception }, false},
		"no stack":       {func(s *dsl.Step) { s.Reply.Stop.Stack = nil }, false},
		"off the stack":  {func(s *dsl.Step) { s.Reply.Stop.Depth = 3 }, false},
		"not UTF-8":      {func(s *dsl.Step) { s.Reply.Stop.Locals[0].Value = "\xff" }, false},
		"name twice":     {func(s *dsl.Step) { s.Reply.Stop.Locals[1] = s.Reply.Stop.Locals[0] }, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := dsl.Step{Action: dsl.Action{Move: dsl.StepOver}, Reply: dsl.Reply{Outcome: dsl.Landed, Stop: deep(2, 1, dsl.Line, 1)}}
			c.spoil(&s)
			_, err := begin(t).Append(s)
			var refused *dsl.EncodeError
			if !errors.As(err, &refused) || refused.NotInContext != c.context {
				t.Errorf("%v", err)
			}
		})
	}
}

// A server that stops at the last token and keeps it has sent a whole reply; a
// stream that breaks off has not.
func TestClose(t *testing.T) {
	n := begin(t)
	reply := `<|return_sep|>{"x": ".."}<|action_sep|>2|line2` + "\n" + `<|arg_sep|>"3"`
	for cut := range len(reply) + 1 {
		d := n.Decode(dsl.Action{Move: dsl.StepOver})
		if err := d.Feed(reply[:cut]); err != nil {
			t.Fatal(err)
		}
		if err := d.Close(true); (err == nil) != (cut == len(reply)) || d.Done() != (err == nil) {
			t.Errorf("%q, stopped: %v, done %v", reply[:cut], err, d.Done())
		}
		d = n.Decode(dsl.Action{Move: dsl.StepOver})
		_ = d.Feed(reply[:cut])
		var fault *dsl.DecodeError
		if err := d.Close(false); !errors.As(err, &fault) || fault.Kind != dsl.Truncated {
			t.Errorf("%q, broken off: %v", reply[:cut], err)
		}
	}
}

// A megabyte that streams in small pieces is looked through once, not once a
// piece: that would be 10^11 bytes here.
func TestLongValueStreamed(t *testing.T) {
	n := begin(t)
	long := strings.Repeat(`\"é`, 1<<18)
	reply := `<|line_sep|>{"x": "` + long + `"}<|action_sep|>2|line2` + "\n<|frame_sep|>"
	d := n.Decode(dsl.Action{Move: dsl.StepOver})
	for at := 0; at < len(reply); at += 3 {
		if err := d.Feed(reply[at:min(at+3, len(reply))]); err != nil {
			t.Fatal(err)
		}
	}
	s, ok := d.Step()
	if !ok || s.Reply.Stop.Locals[0].Value != strings.Repeat(`"é`, 1<<18) {
		t.Errorf("done %v", ok)
	}
}

// BenchmarkRequest is what one step costs at a trajectory of some 16,000
// tokens: the prompt, and the reply decoded and appended.
func BenchmarkRequest(b *testing.B) {
	n := begin(b)
	for i := 0; n.Len() < 64<<10; i++ {
		n = grow(b, n, dsl.StepOver, deep(2+i%2, i, dsl.Line, 1))
	}
	a := dsl.Action{Move: dsl.StepOver}
	for b.Loop() {
		if _, err := n.Prompt(a); err != nil {
			b.Fatal(err)
		}
		d := n.Decode(a)
		if err := d.Feed(`<|line_sep|>{"x": "7"}<|action_sep|>2|line2` + "\n<|frame_sep|>"); err != nil {
			b.Fatal(err)
		}
		s, _ := d.Step()
		if _, err := n.Append(s); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkAppend is a step alone, after a short and after a long trajectory.
func BenchmarkAppend(b *testing.B) {
	for _, length := range []int{1 << 10, 1 << 20} {
		b.Run(fmt.Sprint(length), func(b *testing.B) {
			n := begin(b)
			for i := 0; n.Len() < length; i++ {
				n = grow(b, n, dsl.StepOver, deep(2+i%2, i, dsl.Line, 1))
			}
			s := dsl.Step{Action: dsl.Action{Move: dsl.StepOver}, Reply: dsl.Reply{Outcome: dsl.Landed, Stop: deep(2, 1, dsl.Line, 1)}}
			for b.Loop() {
				if _, err := n.Append(s); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
