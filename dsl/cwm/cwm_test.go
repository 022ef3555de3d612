package cwm

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
)

func program(lines ...string) *dsl.Program {
	return &dsl.Program{Files: []dsl.SourceFile{{Name: "p.py", Lines: lines}}}
}

var source = []string{"def f(x):", "    y = x", "    return y"}

// state returns a state of a program. depth is its depth below the added function main.
func state(event dsl.Event, depth int, source string, value string, locals ...string) *dsl.Stop {
	s := &dsl.Stop{State: dsl.State{Event: event, Depth: depth, Source: source}}
	for i := 0; i < len(locals); i += 2 {
		s.Locals = append(s.Locals, dsl.Local{Name: locals[i], Value: locals[i+1]})
	}
	if event == dsl.Return {
		s.Kind = dsl.Returned
	}
	if value == "unwind" {
		s.Kind = dsl.Unwound
	} else if event == dsl.Return || event == dsl.Exception {
		s.Value = &value
	}
	return s
}

func into(s *dsl.Stop) dsl.Step {
	return dsl.Step{Action: dsl.Action{Move: dsl.StepInto}, Reply: dsl.Reply{Outcome: dsl.Landed, Stop: s}}
}

func back(s *dsl.Stop) dsl.Step {
	return dsl.Step{Action: dsl.Action{Move: dsl.StepReturn}, Reply: dsl.Reply{Outcome: dsl.Landed, Stop: s}}
}

var end = dsl.Step{Action: dsl.Action{Move: dsl.StepInto}, Reply: dsl.Reply{Outcome: dsl.Ended, Exit: &dsl.Exit{}}}

// written returns a trace. In marked, what a model must write is in ‹›, and what does not follow
// from the text before is in «».
func written(t *testing.T, p *dsl.Program, call string, first *dsl.Stop, steps ...dsl.Step) (marked, text string) {
	t.Helper()
	w, dst, err := Begin(p, call, first)
	if err != nil {
		t.Fatal(err)
	}
	marked = string(dst)
	for _, s := range steps {
		from := len(dst)
		var parts dsl.Parts
		if dst, parts, err = w.Append(dst, s); err != nil {
			t.Fatal(err)
		}
		marks := map[int]string{}
		for _, s := range parts.Worked {
			marks[s.From], marks[s.To] = marks[s.From]+"«", "»"+marks[s.To]
		}
		marks[parts.Reply.From] += "‹"
		marks[parts.Reply.To] += "›"
		for i := from; i <= len(dst); i++ {
			marked += marks[i]
			if i < len(dst) {
				marked += string(dst[i : i+1])
			}
		}
	}
	return marked, string(dst)
}

func TestByHand(t *testing.T) {
	const head = "<|begin_of_text|><|trace_context_start|>"
	called := head + "\ndef f(x):\n    y = x\n    return y\ndef main():  # << START_OF_TRACE\n    return f('a')\n<|frame_sep|>" +
		"<|call_sep|>{}<|action_sep|>def main():\n<|frame_sep|>"
	main := into(Main("f('a')"))
	call := into(state(dsl.Call, 1, source[0], "", "x", "'a'"))
	left := Main("f('a')")
	value := "'a'"
	left.Event, left.Kind, left.Value = dsl.Return, dsl.Returned, &value
	frames := []Frame{
		{Event: dsl.Call, Locals: []dsl.Local{}, Source: "def main():"},
		{Event: dsl.Line, Locals: []dsl.Local{}, Source: "    return f('a')"},
		{Event: dsl.Call, Locals: []dsl.Local{{Name: "x", Value: "'a'"}}, Source: source[0]},
	}
	for _, test := range []struct {
		name  string
		p     *dsl.Program
		call  string
		first *dsl.Stop
		steps []dsl.Step
		want  string
		trace Trace
	}{
		{
			"a call, state by state", program(source...), "f('a')", nil,
			[]dsl.Step{
				main, call, into(state(dsl.Line, 1, source[1], "", "x", "'a'")), into(state(dsl.Line, 1, source[2], "", "x", "'a'", "y", "'a'")),
				into(state(dsl.Return, 1, source[2], "'a'", "x", "'a'", "y", "'a'")), into(left), end,
			},
			called + "‹<|line_sep|>{}<|action_sep|>«    return f('a')»\n<|frame_sep|>›" +
				"‹<|call_sep|>{«\"x\": \"'a'\"»}<|action_sep|>«def f(x):»\n<|frame_sep|>›" +
				"‹<|line_sep|>{\"x\": \"..\"}<|action_sep|>«    y = x»\n<|frame_sep|>›" +
				"‹<|line_sep|>{\"x\": \"..\", «\"y\": \"'a'\"»}<|action_sep|>«    return y»\n<|frame_sep|>›" +
				"‹<|return_sep|><|action_sep|>«    return y»\n<|arg_sep|>«\"'a'\"»<|frame_sep|>›" +
				"‹<|return_sep|><|action_sep|>«    return f('a')»\n<|arg_sep|>«\"'a'\"»<|frame_sep|>›‹<|end_of_text|>›",
			Trace{
				"\ndef f(x):\n    y = x\n    return y\ndef main():\n    return f('a')\n", 5,
				append(
					slices.Clone(frames),
					Frame{Event: dsl.Line, Locals: []dsl.Local{{Name: "x", Value: "'a'"}}, Source: source[1]},
					Frame{Event: dsl.Line, Locals: []dsl.Local{{Name: "x", Value: "'a'"}, {Name: "y", Value: "'a'"}}, Source: source[2]},
					Frame{Event: dsl.Return, Source: source[2], Value: "'a'"}, Frame{Event: dsl.Return, Source: "    return f('a')", Value: "'a'"},
				), true,
			},
		},
		{
			"a call, passed over: its return is asked for", program(source...), "f('a')", nil,
			[]dsl.Step{main, call, back(state(dsl.Return, 1, source[2], "'a'", "x", "'a'"))},
			called + "‹<|line_sep|>{}<|action_sep|>«    return f('a')»\n<|frame_sep|>›" +
				"‹<|call_sep|>{«\"x\": \"'a'\"»}<|action_sep|>«def f(x):»\n<|frame_sep|>›" +
				"<|return_sep|>‹<|action_sep|>«    return y»\n<|arg_sep|>«\"'a'\"»<|frame_sep|>›",
			Trace{
				"\ndef f(x):\n    y = x\n    return y\ndef main():\n    return f('a')\n", 5,
				append(slices.Clone(frames), Frame{Event: dsl.Return, Source: source[2], Value: "'a'"}), false,
			},
		},
		{
			"a module; values of its scope are known after a call; an exception leaves; JSON", program("x = 1", "f()", "g()"), "",
			state(dsl.Line, 0, "x = 1", ""),
			[]dsl.Step{
				into(state(dsl.Line, 0, "f()", "", "x", "1", "<|é😀", "\"\\\n\r\t\b\f\x01\x7f")),
				into(state(dsl.Call, 1, "x = 1", "", "x", "1")),
				into(state(dsl.Exception, 1, "x = 1", "E('<|')", "x", "1")),
				into(state(dsl.Return, 1, "x = 1", "unwind", "x", "1")),
				into(state(dsl.Line, 0, "g()", "", "x", "2")),
				into(state(dsl.Return, 0, "g()", "None")), end,
			},
			head + "x = 1  # << START_OF_TRACE\nf()\ng()\n<|frame_sep|><|line_sep|>{}<|action_sep|>x = 1\n<|frame_sep|>" +
				"‹<|line_sep|>{«\"x\": \"1\"», «\"\\u003c|\\u00e9\\ud83d\\ude00\": \"\\\"\\\\\\n\\r\\t\\b\\f\\u0001\x7f\"»}<|action_sep|>«f()»\n<|frame_sep|>›" +
				"‹<|call_sep|>{«\"x\": \"1\"»}<|action_sep|>«x = 1»\n<|frame_sep|>›" +
				"‹<|exception_sep|><|action_sep|>«x = 1»\n<|arg_sep|>«\"E('\\u003c|')\"»<|frame_sep|>›" +
				"‹<|return_sep|><|action_sep|>«x = 1»\n<|arg_sep|>«\"None\"»<|frame_sep|>›" +
				"‹<|line_sep|>{\"x\": «\"2\"»}<|action_sep|>«g()»\n<|frame_sep|>›" +
				"‹<|return_sep|><|action_sep|>«g()»\n<|arg_sep|>«\"None\"»<|frame_sep|>›‹<|end_of_text|>›",
			Trace{
				"x = 1\nf()\ng()\n", 1, []Frame{
					{Event: dsl.Line, Locals: []dsl.Local{}, Source: "x = 1"},
					{Event: dsl.Line, Locals: []dsl.Local{{Name: "x", Value: "1"}, {Name: "<|é😀", Value: "\"\\\n\r\t\b\f\x01\x7f"}}, Source: "f()"},
					{Event: dsl.Call, Locals: []dsl.Local{{Name: "x", Value: "1"}}, Source: "x = 1"},
					{Event: dsl.Exception, Source: "x = 1", Value: "E('<|')"},
					{Event: dsl.Return, Source: "x = 1", Value: "None"},
					{Event: dsl.Line, Locals: []dsl.Local{{Name: "x", Value: "2"}}, Source: "g()"},
					{Event: dsl.Return, Source: "g()", Value: "None"},
				}, true,
			},
		},
	} {
		if test.first != nil {
			test.first.Line = 1
		}
		marked, text := written(t, test.p, test.call, test.first, test.steps...)
		if marked != test.want {
			t.Errorf("%s: is\n%s\nwant\n%s", test.name, marked, test.want)
		}
		got, err := Read(text)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if got.Frames = bare(got.Frames); !reflect.DeepEqual(*got, test.trace) {
			t.Errorf("%s: is read as\n%+v, want\n%+v", test.name, got, test.trace)
		}
	}
}

func TestUnsayable(t *testing.T) {
	line := func() *dsl.Stop {
		s := state(dsl.Line, 0, "x = 1", "")
		s.Line = 1
		return s
	}
	for name, test := range map[string]struct {
		p     *dsl.Program
		call  string
		first *dsl.Stop
		want  string
	}{
		"files":          {&dsl.Program{Files: make([]dsl.SourceFile, 2)}, "", line(), "several files"},
		"token":          {program("x = '<|frame_sep|>'"), "", line(), "<|"},
		"mark":           {program("x = 1 # << START_OF_TRACE"), "", line(), "mark"},
		"line end":       {program("x = 1\ry"), "", line(), "line's end"},
		"UTF-8":          {program("x = '\xff'"), "", line(), "UTF-8"},
		"continued":      {program(`x = 1 \`), "", line(), "comment"},
		"in a text":      {program(`x = """`), "", line(), "comment"},
		"in a text too":  {program(`x = '''`), "", line(), "comment"},
		"middle":         {program("x = 1"), "", state(dsl.Return, 0, "x = 1", "None"), "begins"},
		"deep":           {program("x = 1"), "", state(dsl.Line, 1, "x = 1", ""), "begins"},
		"main":           {program("def f():", "    main()"), "f()", nil, "main"},
		"lines of call":  {program("x = 1"), "f(\n)", nil, "several lines"},
		"token of call":  {program("x = 1"), "f('<|x')", nil, "<|"},
		"main at an end": {program("x = domain.main"), "f()", nil, "main"},
	} {
		var unsayable *UnsayableError
		if _, _, err := Begin(test.p, test.call, test.first); !errors.As(err, &unsayable) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", name, err, test.want)
		}
	}
	if _, _, err := Begin(program("x = domain.mains.main_ + _main + main0 + Zmain"), "f()", nil); err != nil {
		t.Error(err)
	}
	for line, opens := range map[string]bool{
		"x = 1": false, `"""a"""`: false, `x = """`: true, `"""a""" + '''b`: true, `'''"""'''`: false, `"""'''"""`: false, `'''a"""`: true, `""""""`: false,
	} {
		if opensText(line) != opens {
			t.Errorf("%s opens a text: want %v", line, opens)
		}
	}
	action := func(m dsl.Move) dsl.Step {
		s := into(state(dsl.Line, 0, "x = 1", ""))
		s.Action.Move = m
		return s
	}
	called := into(state(dsl.Call, 1, "x = 1", ""))
	twice := into(state(dsl.Line, 0, "x = 1", "", "a", "1", "a", "2"))
	for name, test := range map[string]struct {
		steps []dsl.Step
		want  string
	}{
		"over":              {[]dsl.Step{action(dsl.StepOver)}, "step_over"},
		"over from a call":  {[]dsl.Step{called, action(dsl.StepOver)}, "step_over"},
		"return from lines": {[]dsl.Step{action(dsl.StepReturn)}, "step_return"},
		"call not left":     {[]dsl.Step{called, back(state(dsl.Line, 1, "x = 1", ""))}, "does not return"},
		"breakpoint":        {[]dsl.Step{action(dsl.Breakpoint)}, "breakpoint"},
		"continue":          {[]dsl.Step{action(dsl.Continue)}, "continue"},
		"inverse":           {[]dsl.Step{action(dsl.InvStepInto)}, "inv_step_into"},
		"given":             {[]dsl.Step{action(0)}, "given"},
		"edit":              {[]dsl.Step{{Edit: true, Reply: into(line()).Reply}}, "edit"},
		"start":             {[]dsl.Step{{Action: dsl.Action{Move: dsl.StepInto}, Reply: dsl.Reply{Outcome: dsl.AtStart}}}, `"start"`},
		"early end":         {[]dsl.Step{end}, "ends elsewhere"},
		"end after the end": {[]dsl.Step{into(state(dsl.Return, 0, "x = 1", "1")), end, end}, "ends elsewhere"},
		"after the last":    {[]dsl.Step{into(state(dsl.Return, 0, "x = 1", "1")), into(line())}, "calls and returns"},
		"missing call":      {[]dsl.Step{into(state(dsl.Line, 1, "x = 1", ""))}, "calls and returns"},
		"missing return":    {[]dsl.Step{called, into(line())}, "calls and returns"},
		"dots":              {[]dsl.Step{into(state(dsl.Line, 0, "x = 1", "", "a", ".."))}, "two dots"},
		"a name twice":      {[]dsl.Step{twice}, "twice"},
		"value":             {[]dsl.Step{into(state(dsl.Line, 0, "x = 1", "", "a", "\xff"))}, "UTF-8"},
		"name":              {[]dsl.Step{into(state(dsl.Line, 0, "x = 1", "", "\xff", "1"))}, "UTF-8"},
		"returned":          {[]dsl.Step{into(state(dsl.Return, 0, "x = 1", "\xff"))}, "UTF-8"},
		"source":            {[]dsl.Step{into(state(dsl.Line, 0, "x = '<|'", ""))}, "<|"},
	} {
		w, dst, err := Begin(program("x = 1"), "", line())
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range test.steps {
			next, _, err := w.Append(dst, s)
			var unsayable *UnsayableError
			switch last := i == len(test.steps)-1; {
			case !last && err != nil:
				t.Fatalf("%s: %v", name, err)
			case last && (!errors.As(err, &unsayable) || !strings.Contains(err.Error(), test.want)):
				t.Errorf("%s: %v, want %s", name, err, test.want)
			}
			dst = next
		}
	}
}
