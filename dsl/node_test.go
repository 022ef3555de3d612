package dsl_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
)

// deep returns a stop with a frame of f for each activation number in acts.
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

// TestTrueStack checks that the whole stack is written if a reader would otherwise derive another
// activation of the same function, or a wrong line of a caller.
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

// TestWholeStack checks that Whole is set for a whole stack that the format allows, and not for one
// that it requires, whether the state is decoded or composed.
func TestWholeStack(t *testing.T) {
	for name, c := range map[string]struct {
		action dsl.Action
		event  dsl.Event
		stack  []int // lines of the frames
		want   bool
	}{
		"the frame on top":             {dsl.Action{Move: dsl.StepOver}, dsl.Line, []int{2}, true},
		"a call from the known line":   {dsl.Action{Move: dsl.StepInto}, dsl.Call, []int{1, 2}, true},
		"a call from another line":     {dsl.Action{Move: dsl.StepFunction}, dsl.Call, []int{3, 2}, false},
		"another depth":                {dsl.Action{Move: dsl.StepOver}, dsl.Line, []int{1, 2}, false},
		"an unknown line for a known":  {dsl.Action{Move: dsl.StepInto}, dsl.Call, []int{0, 2}, false},
		"a move that always gives all": {dsl.Action{Move: dsl.Continue}, dsl.Line, []int{2}, false},
	} {
		n := begin(t)
		draft := dsl.Draft{Event: c.event, At: dsl.Location{Line: 2}}
		for _, line := range c.stack {
			draft.Stack = append(draft.Stack, dsl.DraftFrame{Function: "f", At: dsl.Location{Line: line}})
		}
		composed, err := n.Compose(dsl.Step{Action: c.action}, draft)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		text, err := n.Reply(c.action, composed.Reply)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		d := n.Decode(c.action)
		if err := d.Feed(text); err != nil {
			t.Fatalf("%s: %v in %q", name, err, text)
		}
		read, _ := d.Step()
		if got, made := read.Reply.Stop.Whole, composed.Reply.Stop.Whole; got != c.want || made != c.want || !strings.Contains(text, "<|stack_sep|>[") {
			t.Errorf("%s: of %q, decoded %v, composed %v, want %v", name, text, got, made, c.want)
		}
	}
}

// TestBranches checks that branches share the text before them, and that appending to one does not
// change another.
func TestBranches(t *testing.T) {
	n := begin(t)
	before := n.Text()
	a := grow(t, n, dsl.StepOver, deep(2, 1, dsl.Line, 1))
	b := grow(t, n, dsl.StepInto, deep(3, 2, dsl.Call, 1, 2))
	if n.Text() != before || a.Parent() != n || a.Text() != before+a.Added() || b.Text() != before+b.Added() || a.Len() != len(a.Text()) {
		t.Errorf("%q and %q after %q", a.Text(), b.Text(), n.Text())
	}
}

// TestCompact checks that a compacted text contains the latest state of each caller, even if a jump
// has removed it from the reader's stack, and then the current state. A reply "start" or "unknown"
// does not change the current state.
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

// TestEncodeErrors checks that steps that nd/1 cannot express are rejected, and that NotInContext
// is set only if a larger context could express them.
func TestEncodeErrors(t *testing.T) {
	for name, c := range map[string]struct {
		spoil   func(*dsl.Step)
		context bool
		says    string
	}{
		"no such line": {func(s *dsl.Step) { s.Reply.Stop.Line = 9; s.Reply.Stop.Stack[0].Line = 9 }, true, `p.py has no line 9`},
		"no such file": {func(s *dsl.Step) { s.Reply.Stop.File = "q"; s.Reply.Stop.Stack[0].File = "q" }, true, `the file "q" is no part of the context`},
		"other source": {func(s *dsl.Step) { s.Reply.Stop.Source = "x" }, true, `line 2 of p.py reads otherwise in the context`},
		"breakpoint afar": {func(s *dsl.Step) {
			s.Action = dsl.Action{Move: dsl.Breakpoint, Lines: []dsl.Location{{File: 3, Line: 1}}}
		}, true, `breakpoint names line 1 of file 3, which the context lacks`},
		"no lines":                    {func(s *dsl.Step) { s.Action.Move = dsl.InvBreakpoint }, false, `inv_breakpoint without a line`},
		"no action":                   {func(s *dsl.Step) { s.Action.Move = 0 }, false, `a state that no action led to, after the first one`},
		"unknown action":              {func(s *dsl.Step) { s.Action.Move = 99 }, false, `an action that is none: Move(99)`},
		"no reply":                    {func(s *dsl.Step) { s.Reply = dsl.Reply{} }, false, `a step without a reply`},
		"no state":                    {func(s *dsl.Step) { s.Reply.Stop = nil }, false, `a landing without a state`},
		"no exit":                     {func(s *dsl.Step) { s.Reply.Outcome = dsl.Ended }, false, `an end without an exit`},
		"no event":                    {func(s *dsl.Step) { s.Reply.Stop.Event = 0 }, false, `a state without an event`},
		"no kind":                     {func(s *dsl.Step) { s.Reply.Stop.Event = dsl.Return }, false, `the event return of the kind ""`},
		"no value":                    {func(s *dsl.Step) { s.Reply.Stop.Event = dsl.Exception }, false, `the event exception of the kind "", with a value: false`},
		"no stack":                    {func(s *dsl.Step) { s.Reply.Stop.Stack = nil }, false, `a state without its stack`},
		"off the stack":               {func(s *dsl.Step) { s.Reply.Stop.Depth = 3 }, false, `a state at line 2 of f that is not on top of its stack`},
		"not UTF-8":                   {func(s *dsl.Step) { s.Reply.Stop.Locals[0].Value = "\xff" }, false, `the local "x" or its value is not UTF-8`},
		"name twice":                  {func(s *dsl.Step) { s.Reply.Stop.Locals[1] = s.Reply.Stop.Locals[0] }, false, `two locals named "x"`},
		"breakpoint before all files": {func(s *dsl.Step) { s.Action = breakpoint(-1, 1) }, true, `breakpoint names line 1 of file -1, which the context lacks`},
		"breakpoint behind all files": {func(s *dsl.Step) { s.Action = breakpoint(1, 1) }, true, `breakpoint names line 1 of file 1, which the context lacks`},
		"breakpoint at no line":       {func(s *dsl.Step) { s.Action = breakpoint(0, 0) }, true, `breakpoint names line 0 of file 0, which the context lacks`},
		"breakpoint at ten digits":    {func(s *dsl.Step) { s.Action = breakpoint(0, 1_000_000_000) }, true, `breakpoint names line 1000000000 of file 0, which the context lacks`},
		"first action":                {func(s *dsl.Step) { s.Action.Move = dsl.InvStepFunction + 1 }, false, `an action that is none: Move(15)`},
		"edit and action":             {func(s *dsl.Step) { s.Edit = true }, false, `an edit that leads to no state, or that is an action too`},
		"edit to the end":             {func(s *dsl.Step) { *s = dsl.Step{Edit: true, Reply: dsl.Reply{Outcome: dsl.Ended, Exit: &dsl.Exit{}}} }, false, `an edit that leads to no state, or that is an action too`},
		"large exit code":             {func(s *dsl.Step) { s.Reply = exited(1_000_000_000, "") }, false, `the exit code 1000000000`},
		"small exit code":             {func(s *dsl.Step) { s.Reply = exited(-1_000_000_000, "") }, false, `the exit code -1000000000`},
		"exception not UTF-8":         {func(s *dsl.Step) { s.Reply = exited(1, "\xff") }, false, `the exception's text is not UTF-8`},
		"kind of a line":              {func(s *dsl.Step) { s.Reply.Stop.Kind = dsl.Returned }, false, `the event line of the kind "return"`},
		"no such kind":                {func(s *dsl.Step) { s.Reply.Stop.Event, s.Reply.Stop.Kind = dsl.Return, dsl.Unwound+1 }, false, `the event return of the kind "ReturnKind(4)"`},
		"event beyond all":            {func(s *dsl.Step) { s.Reply.Stop.Event = dsl.Exception + 1 }, false, `a state without an event`},
		"value of a line":             {func(s *dsl.Step) { s.Reply.Stop.Value = new(string) }, false, `the event line of the kind "", with a value: true`},
		"value of an unwinding": {func(s *dsl.Step) {
			s.Reply.Stop.Event, s.Reply.Stop.Kind, s.Reply.Stop.Value = dsl.Return, dsl.Unwound, new(string)
		}, false, `the event return of the kind "unwind", with a value: true`},
		"yield of nothing": {func(s *dsl.Step) { s.Reply.Stop.Event, s.Reply.Stop.Kind = dsl.Return, dsl.Yielded }, false, `the event return of the kind "yield", with a value: false`},
		"value not UTF-8": {func(s *dsl.Step) {
			value := "\xff"
			s.Reply.Stop.Event, s.Reply.Stop.Value = dsl.Exception, &value
		}, false, `the text of a value is not UTF-8`},
		"too many activations":      {func(s *dsl.Step) { s.Reply.Stop.Activations = []uint32{1, 2} }, false, `a state without its stack`},
		"function not on the stack": {func(s *dsl.Step) { s.Reply.Stop.Function = "g" }, false, `a state at line 2 of g that is not on top of its stack`},
		"function not UTF-8":        {func(s *dsl.Step) { s.Reply.Stop = deep(2, 1, dsl.Line, 1, 2); s.Reply.Stop.Stack[0].Function = "\xff" }, false, `a function's name is not UTF-8: "\xff"`},
		"name not UTF-8":            {func(s *dsl.Step) { s.Reply.Stop.Locals[0].Name = "\xff" }, false, `the local "\xff" or its value is not UTF-8`},
		"caller in no file":         {func(s *dsl.Step) { s.Reply.Stop = deep(2, 1, dsl.Line, 1, 2); s.Reply.Stop.Stack[0].File = "q" }, true, `the file "q" is no part of the context`},
		"caller on no line":         {func(s *dsl.Step) { s.Reply.Stop = deep(2, 1, dsl.Line, 1, 2); s.Reply.Stop.Stack[0].Line = 4 }, true, `p.py has no line 4`},
	} {
		t.Run(name, func(t *testing.T) {
			s := dsl.Step{Action: dsl.Action{Move: dsl.StepOver}, Reply: dsl.Reply{Outcome: dsl.Landed, Stop: deep(2, 1, dsl.Line, 1)}}
			c.spoil(&s)
			_, err := begin(t).Append(s)
			var refused *dsl.EncodeError
			if !errors.As(err, &refused) || refused.NotInContext != c.context {
				t.Fatalf("%v", err)
			}
			if refused.Error() != "nd/1 cannot write this: "+c.says {
				t.Errorf("it says\n%v\nwant\n%s", refused, c.says)
			}
		})
	}
}

func breakpoint(file, line int) dsl.Action {
	return dsl.Action{Move: dsl.Breakpoint, Lines: []dsl.Location{{File: file, Line: line}}}
}

func exited(code int, exception string) dsl.Reply {
	e := &dsl.Exit{Code: code}
	if exception != "" {
		e.Exception = &exception
	}
	return dsl.Reply{Outcome: dsl.Ended, Exit: e}
}

// TestLargestNumbers checks that the largest numbers that can be written are read again.
func TestLargestNumbers(t *testing.T) {
	for _, s := range []dsl.Step{
		{Action: breakpoint(0, 999_999_999), Reply: exited(999_999_999, "")},
		{Action: dsl.Action{Move: dsl.Continue}, Reply: exited(-999_999_999, "")},
	} {
		n, err := begin(t).Append(s)
		if err != nil {
			t.Fatal(err)
		}
		last, _, err := dsl.ND1.Read(n.Text())
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := last.Step(); !reflect.DeepEqual(got, s) {
			t.Errorf("%+v is read as %+v", s, got)
		}
	}
}

// TestFirstStep checks that a text begins with one state or end, and that only a compacted text
// begins with several.
func TestFirstStep(t *testing.T) {
	n, err := dsl.ND1.Begin(program())
	if err != nil {
		t.Fatal(err)
	}
	landed := dsl.Reply{Outcome: dsl.Landed, Stop: deep(2, 1, dsl.Line, 1)}
	for _, c := range []struct {
		at   *dsl.Node
		step dsl.Step
		says string
	}{
		{n, dsl.Step{Reply: dsl.Reply{Outcome: dsl.AtStart}}, `a text that begins with the reply "start"`},
		{n, dsl.Step{Reply: dsl.Reply{Outcome: dsl.Unknown}}, `a text that begins with the reply "unknown"`},
		{n, dsl.Step{Action: dsl.Action{Move: dsl.StepOver}, Reply: landed}, "an action before the first state"},
		{begin(t), dsl.Step{Reply: landed}, "a state that no action led to, after the first one"},
	} {
		_, err := c.at.Append(c.step)
		if err == nil || err.Error() != "nd/1 cannot write this: "+c.says {
			t.Errorf("%+v: %v", c.step, err)
		}
	}
	d := n.DecodeFirst()
	if err := d.Feed(begin(t).Added()); err != nil || !d.Done() {
		t.Errorf("the first state is read as %v, done %v", err, d.Done())
	}
	if _, err := n.Compact(); err == nil || !strings.Contains(err.Error(), "has nothing to compact") {
		t.Errorf("a context alone is compacted: %v", err)
	}
	if n.Current() != nil || n.Program() == nil || begin(t).Current().Line != 1 {
		t.Errorf("at the context is %v", n.Current())
	}
}

// TestRefusedOtherwise checks that Prompt, Reply and Encode reject what Append rejects.
func TestRefusedOtherwise(t *testing.T) {
	n := begin(t)
	var refused *dsl.EncodeError
	if text, err := n.Prompt(breakpoint(1, 1)); text != "" || !errors.As(err, &refused) {
		t.Errorf("asked with %q, %v", text, err)
	}
	if text, err := n.Reply(dsl.Action{Move: dsl.StepInto}, dsl.Reply{}); text != "" || !errors.As(err, &refused) {
		t.Errorf("answered with %q, %v", text, err)
	}
	bad := dsl.Trajectory{Program: program(), Steps: []dsl.Step{{Reply: dsl.Reply{Outcome: dsl.Unknown}}}}
	if got, err := dsl.ND1.Encode(bad); got != nil || !errors.As(err, &refused) {
		t.Errorf("a trajectory is %v, %v", got, err)
	}
	if got, err := dsl.ND1.Encode(dsl.Trajectory{Program: &dsl.Program{}}); got != nil || !errors.As(err, &refused) {
		t.Errorf("a trajectory of no program is %v, %v", got, err)
	}
}

// TestFramesOfUnknownFiles checks that a frame whose file the text did not contain equals the frame
// with a known file, but not one of another function or file.
func TestFramesOfUnknownFiles(t *testing.T) {
	files := &dsl.Program{Files: []dsl.SourceFile{{Name: "p.py", Lines: []string{"line1"}}, {Name: "q.py", Lines: []string{"line1"}}}}
	stop := func(caller dsl.Frame) *dsl.Stop {
		return &dsl.Stop{
			State: dsl.State{Event: dsl.Line, File: "p.py", Line: 1, Source: "line1", Function: "f", Depth: 1},
			Stack: []dsl.Frame{caller, {Function: "f", File: "p.py", Line: 1}},
		}
	}
	known, unknown := dsl.Frame{Function: "g", File: "q.py"}, dsl.Frame{Function: "g"}
	for _, c := range []struct {
		before, now dsl.Frame
		same        bool
	}{
		{known, known, true},
		{known, unknown, true},
		{unknown, known, true},
		{known, dsl.Frame{Function: "g", File: "p.py"}, false},
		{unknown, dsl.Frame{Function: "h"}, false},
	} {
		n, err := dsl.ND1.Begin(files)
		if err != nil {
			t.Fatal(err)
		}
		n = grow(t, grow(t, n, 0, stop(c.before)), dsl.StepOver, stop(c.now))
		if whole := strings.Contains(n.Added(), "<|stack_sep|>"); whole == c.same {
			t.Errorf("%+v after %+v: %s", c.now, c.before, n.Added())
		}
	}
}

// TestClose checks that a reply without its last token is accepted if the server stopped at that
// token, and is truncated if the stream ended early.
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

// TestLongValueStreamed checks that a value of a megabyte that streams in small pieces is scanned
// only once. Scanning it again for each piece would read 10^11 bytes.
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

// BenchmarkRequest measures one step at a trajectory of about 16,000 tokens: the prompt, and
// decoding and appending the reply.
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

// BenchmarkAppend measures appending one step to a short and to a long trajectory.
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

// BenchmarkDecode measures decoding a reply of about 200 tokens that streams in pieces.
func BenchmarkDecode(b *testing.B) {
	n := begin(b)
	reply := `<|return_sep|><|stack_sep|>[["<module>", 1], ["f", null], ["f", 2]]{`
	for i := range 24 {
		reply += fmt.Sprintf(`"name%d": "[%d, 'text']", `, i, i*i)
	}
	reply = strings.TrimSuffix(reply, ", ") + "}<|action_sep|>2|line2\n" + `<|arg_sep|>{"yield": "{'a': 1}"}<|frame_sep|>`
	for b.Loop() {
		d := n.Decode(dsl.Action{Move: dsl.Breakpoint, Lines: []dsl.Location{{Line: 2}}})
		for at := 0; at < len(reply); at += 5 {
			if err := d.Feed(reply[at:min(at+5, len(reply))]); err != nil {
				b.Fatal(err)
			}
		}
		if !d.Done() {
			b.Fatal("the reply is not complete")
		}
	}
}
