package dsl_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
)

const (
	oneFile  = "<|trace_context_start|>1|def f(x):\n2|    return x + 1\n3|a = f(2)\n<|frame_sep|>"
	twoFiles = `<|trace_context_start|><|file_sep|>"prog.py"` + "\na:1|import m\na:2|m.f(3)\n" +
		`<|file_sep|>"m.py"` + "\nb:1|def f(x):\nb:2|    return x\n<|frame_sep|>"
	first = `<|line_sep|><|stack_sep|>[["<module>", 1]]{}<|action_sep|>1|def f(x):` + "\n<|frame_sep|>"
)

func act(name string) string { return "<|debug_sep|>" + name + "<|frame_sep|>" }

// Texts written by hand from the format's description, for what the reference
// vectors lack. What each says is in the comments.
var byHand = map[string]string{
	"context alone":   oneFile,
	"empty program":   `<|trace_context_start|><|frame_sep|><|end_sep|>{"code": 0}<|frame_sep|>`,
	"exit by a raise": oneFile + first + act("continue") + `<|end_sep|>{"code": 1, "exception": "ValueError('x')"}<|frame_sep|>`,
	"killed":          oneFile + first + act("continue") + `<|end_sep|>{"code": -9}<|frame_sep|>`,
	"dots raised":     oneFile + first + act("continue") + `<|end_sep|>{"code": 1, "exception": "\u002e\u002e"}<|frame_sep|>`,
	// Declined and start leave the place as it was: ".." goes on.
	"unknown and start": oneFile + first + act("step_over") + "<|unknown_sep|><|frame_sep|>" +
		act("inv_step_over") + "<|start_sep|><|frame_sep|>" + act("step_over") +
		`<|line_sep|>{}<|action_sep|>3|a = f(2)` + "\n<|frame_sep|>",
	// After an edit ".." refers to the edited state.
	"edit": oneFile + first + act("step_over") + `<|line_sep|>{"a": "1"}<|action_sep|>3|a = f(2)` + "\n<|frame_sep|>" +
		act("set") + `<|line_sep|><|stack_sep|>[["<module>", 3]]{"a": "5"}<|action_sep|>3|a = f(2)` + "\n<|frame_sep|>" +
		act("step_into") + `<|call_sep|><|stack_sep|>"f"{"x": "2"}<|action_sep|>1|def f(x):` + "\n<|frame_sep|>" +
		act("step_return") + `<|return_sep|>{"x": ".."}<|action_sep|>2|    return x + 1` + "\n" + `<|arg_sep|>"3"<|frame_sep|>` +
		act("step_over") + `<|return_sep|>{"a": ".."}<|action_sep|>3|a = f(2)` + "\n" + `<|arg_sep|>"None"<|frame_sep|>`,
	// A backward push makes the caller's line unknown; a jump may say so.
	"unknown line": oneFile + first + act("breakpoint 3") +
		`<|line_sep|><|stack_sep|>[["g", null], ["<module>", 3]]{}<|action_sep|>3|a = f(2)` + "\n<|frame_sep|>",
	"kinds of return": oneFile + first + act("step_into") + `<|exception_sep|>{}<|action_sep|>1|def f(x):` + "\n" +
		`<|arg_sep|>"KeyError(1)"<|frame_sep|>` + act("step_into") + `<|return_sep|>{}<|action_sep|>1|def f(x):` + "\n" + `<|arg_sep|>null<|frame_sep|>` +
		act("inv_continue") + `<|return_sep|><|stack_sep|>[["g", 1]]{}<|action_sep|>1|def f(x):` + "\n" + `<|arg_sep|>{"yield": "\u002e\u002e"}<|frame_sep|>`,
	"two files": twoFiles + `<|line_sep|><|stack_sep|>[["<module>", "a:1"]]{}<|action_sep|>a:1|import m` + "\n<|frame_sep|>" +
		act("breakpoint a:2,b:2") + `<|line_sep|><|stack_sep|>[["<module>", "a:2"]]{}<|action_sep|>a:2|m.f(3)` + "\n<|frame_sep|>" +
		act("step_into") + `<|call_sep|><|stack_sep|>"f"{"x": "3"}<|action_sep|>b:1|def f(x):` + "\n<|frame_sep|>" +
		act("breakpoint b:2") + `<|line_sep|><|stack_sep|>[["<module>", "a:2"], ["f", "b:2"]]{"x": "3"}<|action_sep|>b:2|    return x` + "\n<|frame_sep|>",
	"compacted": oneFile + "<|compact_sep|><|frame_sep|>" +
		`<|line_sep|><|stack_sep|>[["<module>", 3]]{"z": "1"}<|action_sep|>3|a = f(2)` + "\n<|frame_sep|>" +
		`<|line_sep|><|stack_sep|>[["<module>", 3], ["f", 2]]{"x": "2"}<|action_sep|>2|    return x + 1` + "\n<|frame_sep|>" +
		act("step_over") + `<|return_sep|>{"x": ".."}<|action_sep|>2|    return x + 1` + "\n" + `<|arg_sep|>"3"<|frame_sep|>`,
	"spellings in source": `<|trace_context_start|>1|s = "<\|frame_sep|>" + '<\\' + '<\\|'` + "\n<|frame_sep|>" +
		`<|line_sep|><|stack_sep|>[["<module>", 1]]{"s": "\u003c|<\u0000\u007f\n"}<|action_sep|>1|s = "<\|frame_sep|>" + '<\\' + '<\\|'` + "\n<|frame_sep|>",
}

func TestByHand(t *testing.T) {
	for name, wire := range byHand {
		t.Run(name, func(t *testing.T) {
			if _, text := again(t, wire); text != wire {
				t.Errorf("is written\n%s\nwant\n%s", text, wire)
			}
		})
	}
}

// What the texts say, where a text that is only written again would not tell.
func TestByHandMeaning(t *testing.T) {
	current := func(name string) *dsl.Stop {
		last, _, err := dsl.ND1.Read(byHand[name])
		if err != nil {
			t.Fatal(err)
		}
		return last.Current()
	}
	if s := current("edit"); s.Locals[0] != (dsl.Local{Name: "a", Value: "5"}) || s.Kind != dsl.Returned || *s.Value != "None" || s.Function != "<module>" {
		t.Errorf("after the edit: %+v", s)
	}
	if s := current("kinds of return"); s.Kind != dsl.Yielded || *s.Value != ".." {
		t.Errorf("a yield of ..: %+v", s)
	}
	if s := current("two files"); s.File != "m.py" || s.Depth != 1 || s.Stack[0] != (dsl.Frame{Function: "<module>", File: "prog.py", Line: 2}) {
		t.Errorf("in the second file: %+v", s)
	}
	if s := current("spellings in source"); s.Source != `s = "<|frame_sep|>" + '<\' + '<\|'` || s.Locals[0].Value != "<|<\x00\x7f\n" {
		t.Errorf("spellings: %+v", s)
	}
	if current("killed") != nil {
		t.Error("there is a state at the end")
	}
}

// Texts that are none, with the kind of fault and the text where it lies.
func TestFaults(t *testing.T) {
	state := func(s string) string { return oneFile + first + act("step_over") + s }
	const line3 = "<|action_sep|>3|a = f(2)\n<|frame_sep|>"
	for name, c := range map[string]struct {
		wire string
		kind dsl.FaultKind
		at   string // what follows the fault's place
	}{
		"nothing":             {"", dsl.Truncated, ""},
		"no context":          {"hello", dsl.Malformed, "hello"},
		"not UTF-8":           {"<|trace_context_start|>1|\xff\n<|frame_sep|>", dsl.Malformed, "\xff"},
		"lines miscounted":    {"<|trace_context_start|>2|x\n<|frame_sep|>", dsl.Impossible, "2|x"},
		"zero before":         {"<|trace_context_start|>01|x\n<|frame_sep|>", dsl.Malformed, "01|x"},
		"bare token":          {"<|trace_context_start|>1|<|arg_sep|>\n<|frame_sep|>", dsl.Malformed, "<|arg_sep|>"},
		"stray escape":        {"<|trace_context_start|>1|<\\x\n<|frame_sep|>", dsl.Malformed, "<\\x"},
		"one file opened":     {"<|trace_context_start|><|file_sep|>\"a\"\na:1|x\n<|frame_sep|>", dsl.Malformed, "<|frame_sep|>"},
		"same file twice":     {strings.Replace(twoFiles, "m.py", "prog.py", 1), dsl.Impossible, `<|file_sep|>"prog.py"` + "\nb"},
		"action before state": {oneFile + act("step_over"), dsl.Malformed, "<|debug_sep|>"},
		"two first states":    {oneFile + first + first, dsl.Malformed, "<|line_sep|><|stack"},
		"no such action":      {oneFile + first + act("jump"), dsl.Malformed, "jump"},
		"no breakpoint line":  {oneFile + first + act("breakpoint"), dsl.Malformed, "<|frame_sep|>"},
		"no reply":            {oneFile + first + act("set"), dsl.Truncated, ""},
		"edit to the end":     {oneFile + first + act("set") + `<|end_sep|>{"code": 0}<|frame_sep|>`, dsl.Malformed, "<|end_sep|>"},
		"dots of nothing":     {state(`<|line_sep|>{"q": ".."}` + line3), dsl.Impossible, `".."`},
		"dots as value":       {state(`<|return_sep|>{}<|action_sep|>3|a = f(2)` + "\n" + `<|arg_sep|>".."<|frame_sep|>`), dsl.Impossible, `".."`},
		"name twice":          {state(`<|line_sep|>{"q": "1", "q": "1"}` + line3), dsl.Impossible, `"q": "1"}`},
		"no such line":        {state(`<|line_sep|>{}<|action_sep|>9|x` + "\n<|frame_sep|>"), dsl.Impossible, "9|x"},
		"invented source":     {state(`<|line_sep|>{}<|action_sep|>3|a = g(2)` + "\n<|frame_sep|>"), dsl.Impossible, "a = g(2)"},
		"stack needed":        {oneFile + first + act("continue") + `<|line_sep|>{}` + line3, dsl.Malformed, "{}"},
		"name needed":         {state(`<|call_sep|>{}<|action_sep|>1|def f(x):` + "\n<|frame_sep|>"), dsl.Malformed, "{}"},
		"name not wanted":     {state(`<|line_sep|><|stack_sep|>"f"{}` + line3), dsl.Impossible, `"f"`},
		"top elsewhere":       {state(`<|line_sep|><|stack_sep|>[["f", 2]]{}` + line3), dsl.Impossible, "3|a"},
		"own line unknown":    {state(`<|line_sep|><|stack_sep|>[["f", null]]{}` + line3), dsl.Impossible, "{}"},
		"no value":            {state(`<|return_sep|>{}` + line3), dsl.Malformed, "<|frame_sep|>"},
		"exception of null":   {state(`<|exception_sep|>{}<|action_sep|>3|a = f(2)` + "\n<|arg_sep|>null<|frame_sep|>"), dsl.Malformed, "null"},
		"raw newline":         {state("<|line_sep|>{\"a\": \"\n\"}" + line3), dsl.Malformed, "\n\"}"},
		"token in a string":   {state(`<|line_sep|>{"a": "<|frame_sep|>"}` + line3), dsl.Malformed, `<|frame_sep|>"}`},
		"half a surrogate":    {state(`<|line_sep|>{"a": "\ud800"}` + line3), dsl.Malformed, `\ud800`},
		"no escape":           {state(`<|line_sep|>{"a": "\x"}` + line3), dsl.Malformed, `\x`},
		"cut in a string":     {state(`<|line_sep|>{"a": "1`), dsl.Truncated, ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := dsl.ND1.Read(c.wire)
			var fault *dsl.DecodeError
			if !errors.As(err, &fault) {
				t.Fatalf("%v", err)
			}
			if rest := c.wire[fault.Offset:]; fault.Kind != c.kind || !strings.HasPrefix(rest, c.at) || c.at == "" && rest != "" {
				t.Errorf("%v; there it reads %q", err, rest)
			}
		})
	}
}

// What JSON can write in several ways is read in all of them, and only raw
// dots stand for an earlier value.
func TestJSONSpellings(t *testing.T) {
	wire := oneFile + first + act("step_over") + `<|line_sep|>{ "a":"\u002e.","b" : "\/\b\f\ud83d\ude00\u003C|" }<|action_sep|>3|a = f(2)` + "\n<|frame_sep|>"
	last, _, err := dsl.ND1.Read(wire)
	if err != nil {
		t.Fatal(err)
	}
	locals := last.Current().Locals
	if locals[0].Value != ".." || locals[1].Value != "/\b\f😀<|" {
		t.Errorf("%+v", locals)
	}
}

// A model whose tokens are named otherwise speaks the same format.
func TestTokenNames(t *testing.T) {
	f, err := dsl.NewFormat(map[string]string{"debug_sep": "<|reserved_special_token_101|>"})
	if err != nil {
		t.Fatal(err)
	}
	wire := strings.ReplaceAll(byHand["edit"], "<|debug_sep|>", f.Name(dsl.DebugSep))
	last, _, err := f.Read(wire)
	if err != nil || last.Text() != wire {
		t.Errorf("%v; is written %q", err, last.Text())
	}
	if _, _, err := f.Read(byHand["edit"]); err == nil {
		t.Error("it reads the names that it does not have")
	}
	for _, names := range []map[string]string{
		{"debug": "<|x|>"}, {"debug_sep": "x"}, {"debug_sep": "<|>"}, {"debug_sep": "<|frame_sep|>"}, {"debug_sep": "<|frame_sep|>|>"}, {"arg_sep": "<|a\n|>"},
	} {
		if _, err := dsl.NewFormat(names); err == nil {
			t.Errorf("%q are accepted", names)
		}
	}
	ids := map[int]bool{}
	for _, token := range dsl.Tokens() {
		if id := token.CWMID(); id < 128100 || id > 128255 || ids[id] {
			t.Errorf("%v has the id %d", token, id)
		}
		ids[token.CWMID()] = true
	}
}
