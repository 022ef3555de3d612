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

// byHand are texts written by hand from the description of the format, for what the vectors do not
// contain. Comments say what a text means.
var byHand = map[string]string{
	"context alone":   oneFile,
	"empty program":   `<|trace_context_start|><|frame_sep|><|end_sep|>{"code": 0}<|frame_sep|>`,
	"exit by a raise": oneFile + first + act("continue") + `<|end_sep|>{"code": 1, "exception": "ValueError('x')"}<|frame_sep|>`,
	"killed":          oneFile + first + act("continue") + `<|end_sep|>{"code": -9}<|frame_sep|>`,
	"dots raised":     oneFile + first + act("continue") + `<|end_sep|>{"code": 1, "exception": "\u002e\u002e"}<|frame_sep|>`,
	// The replies "unknown" and "start" leave the position unchanged, and ".." refers to the state
	// before them.
	"unknown and start": oneFile + first + act("step_over") + "<|unknown_sep|><|frame_sep|>" +
		act("inv_step_over") + "<|start_sep|><|frame_sep|>" + act("step_over") +
		`<|line_sep|>{}<|action_sep|>3|a = f(2)` + "\n<|frame_sep|>",
	// After an edit ".." refers to the edited state.
	"edit": oneFile + first + act("step_over") + `<|line_sep|>{"a": "1"}<|action_sep|>3|a = f(2)` + "\n<|frame_sep|>" +
		act("set") + `<|line_sep|><|stack_sep|>[["<module>", 3]]{"a": "5"}<|action_sep|>3|a = f(2)` + "\n<|frame_sep|>" +
		act("step_into") + `<|call_sep|><|stack_sep|>"f"{"x": "2"}<|action_sep|>1|def f(x):` + "\n<|frame_sep|>" +
		act("step_return") + `<|return_sep|>{"x": ".."}<|action_sep|>2|    return x + 1` + "\n" + `<|arg_sep|>"3"<|frame_sep|>` +
		act("step_over") + `<|return_sep|>{"a": ".."}<|action_sep|>3|a = f(2)` + "\n" + `<|arg_sep|>"None"<|frame_sep|>`,
	// A backward push makes the caller's line unknown. A state after a jump may have an unknown
	// line too.
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

// TestByHandMeaning checks the meaning of those texts in byHand that could be misread and still be
// written again unchanged.
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

// TestFaults checks, for invalid texts, the kind of fault, its position and its message.
func TestFaults(t *testing.T) {
	state := func(s string) string { return oneFile + first + act("step_over") + s }
	const line3 = "<|action_sep|>3|a = f(2)\n<|frame_sep|>"
	for name, c := range map[string]struct {
		wire string
		kind dsl.FaultKind
		at   string // the text at the fault's position
		says string
	}{
		"nothing":                 {"", dsl.Truncated, "", `the text ends where it should have <|trace_context_start|>`},
		"no context":              {"hello", dsl.Malformed, "hello", `want <|trace_context_start|>, have "hello"`},
		"not UTF-8":               {"<|trace_context_start|>1|\xff\n<|frame_sep|>", dsl.Malformed, "\xff", `this line is not UTF-8: "\xff\n<|frame_sep|>"`},
		"lines miscounted":        {"<|trace_context_start|>2|x\n<|frame_sep|>", dsl.Impossible, "2|x", `the lines do not count on: after 0 lines of file 1 comes 2`},
		"zero before":             {"<|trace_context_start|>01|x\n<|frame_sep|>", dsl.Malformed, "01|x", `want a line number, have "01|x\n<|frame_sep|>"`},
		"bare token":              {"<|trace_context_start|>1|<|arg_sep|>\n<|frame_sep|>", dsl.Malformed, "<|arg_sep|>", `a < before | or \ is not escaped: "<|arg_sep|>\n<|frame_sep|"…`},
		"stray escape":            {"<|trace_context_start|>1|<\\x\n<|frame_sep|>", dsl.Malformed, "<\\x", `a < before | or \ is not escaped: "<\\x\n<|frame_sep|>"`},
		"one file opened":         {"<|trace_context_start|><|file_sep|>\"a\"\na:1|x\n<|frame_sep|>", dsl.Malformed, "<|frame_sep|>", `a program of one file is written without <|file_sep|>`},
		"same file twice":         {strings.Replace(twoFiles, "m.py", "prog.py", 1), dsl.Impossible, `<|file_sep|>"prog.py"` + "\nb", `the file "prog.py" has no name or comes twice`},
		"action before state":     {oneFile + act("step_over"), dsl.Malformed, "<|debug_sep|>", `want a token such as <|call_sep|>, have "<|debug_sep|>step_over<|"…`},
		"two first states":        {oneFile + first + first, dsl.Malformed, "<|line_sep|><|stack", `want <|debug_sep|>, have "<|line_sep|><|stack_sep|"…`},
		"no such action":          {oneFile + first + act("jump"), dsl.Malformed, "jump", `want an action, have "jump<|frame_sep|>"`},
		"no breakpoint line":      {oneFile + first + act("breakpoint"), dsl.Malformed, "<|frame_sep|>", `want the lines of a breakpoint, have "<|frame_sep|>"`},
		"no reply":                {oneFile + first + act("set"), dsl.Truncated, "", `the text ends where it should have a token such as <|call_sep|>`},
		"edit to the end":         {oneFile + first + act("set") + `<|end_sep|>{"code": 0}<|frame_sep|>`, dsl.Malformed, "<|end_sep|>", `want a token such as <|call_sep|>, have "<|end_sep|>{\"code\": 0}<|"…`},
		"dots of nothing":         {state(`<|line_sep|>{"q": ".."}` + line3), dsl.Impossible, `".."`, `".." has no earlier value to stand for: "q" was not shown in this frame's latest state`},
		"dots as value":           {state(`<|return_sep|>{}<|action_sep|>3|a = f(2)` + "\n" + `<|arg_sep|>".."<|frame_sep|>`), dsl.Impossible, `".."`, `".." has no earlier value to stand for in a value`},
		"name twice":              {state(`<|line_sep|>{"q": "1", "q": "1"}` + line3), dsl.Impossible, `"q": "1"}`, `the local "q" comes twice`},
		"no such line":            {state(`<|line_sep|>{}<|action_sep|>9|x` + "\n<|frame_sep|>"), dsl.Impossible, "9|x", `the program has no line 9`},
		"invented source":         {state(`<|line_sep|>{}<|action_sep|>3|a = g(2)` + "\n<|frame_sep|>"), dsl.Impossible, "a = g(2)", `line 3 reads "a = f(2)" in the program, not "a = g(2)"`},
		"stack needed":            {oneFile + first + act("continue") + `<|line_sep|>{}` + line3, dsl.Malformed, "{}", `want <|stack_sep|>, since the frame is new here, have "{}<|action_sep|>3|a = f("…`},
		"name needed":             {state(`<|call_sep|>{}<|action_sep|>1|def f(x):` + "\n<|frame_sep|>"), dsl.Malformed, "{}", `want <|stack_sep|>, since the frame is new here, have "{}<|action_sep|>1|def f("…`},
		"name not wanted":         {state(`<|line_sep|><|stack_sep|>"f"{}` + line3), dsl.Impossible, `"f"`, `one function's name stands where the whole stack or none is to be`},
		"top elsewhere":           {state(`<|line_sep|><|stack_sep|>[["f", 2]]{}` + line3), dsl.Impossible, "3|a", `the state is at line 3, where the stack's top is not`},
		"own line unknown":        {state(`<|line_sep|><|stack_sep|>[["f", null]]{}` + line3), dsl.Impossible, "{}", `the stack does not know the state's own line`},
		"no value":                {state(`<|return_sep|>{}` + line3), dsl.Malformed, "<|frame_sep|>", `want <|arg_sep|>, have "<|frame_sep|>"`},
		"exception of null":       {state(`<|exception_sep|>{}<|action_sep|>3|a = f(2)` + "\n<|arg_sep|>null<|frame_sep|>"), dsl.Malformed, "null", `want a value, {"yield": a value} or null; of an exception a text, have "null<|frame_sep|>"`},
		"raw newline":             {state("<|line_sep|>{\"a\": \"\n\"}" + line3), dsl.Malformed, "\n\"}", `the control character '\n' stands unescaped in a local's value`},
		"token in a string":       {state(`<|line_sep|>{"a": "<|frame_sep|>"}` + line3), dsl.Malformed, `<|frame_sep|>"}`, `a < before | stands unescaped in a local's value: "<|frame_sep|>\"}<|action_"…`},
		"half a surrogate":        {state(`<|line_sep|>{"a": "\ud800"}` + line3), dsl.Malformed, `\ud800`, `half of a surrogate pair stands alone: "\\ud800\"}<|action_sep|>3|"…`},
		"no escape":               {state(`<|line_sep|>{"a": "\x"}` + line3), dsl.Malformed, `\x`, `JSON has no such escape: "\\x\"}<|action_sep|>3|a = "…`},
		"cut in a string":         {state(`<|line_sep|>{"a": "1`), dsl.Truncated, "", `the text ends where it should have " at the end of a local's value`},
		"nameless file":           {strings.Replace(twoFiles, "m.py", "", 1), dsl.Impossible, `<|file_sep|>""`, `the file "" has no name or comes twice`},
		"first file unopened":     {"<|trace_context_start|>1|x\n<|file_sep|>\"m.py\"\na:1|x\n<|frame_sep|>", dsl.Malformed, "<|file_sep|>", `a second file opens, but the first was not opened`},
		"file's name on the line": {"<|trace_context_start|><|file_sep|>\"m.py\" a:1|x\n<|frame_sep|>", dsl.Malformed, " a:1", `want a line's end, have " a:1|x\n<|frame_sep|>"`},
		"name without quotes":     {"<|trace_context_start|><|file_sep|>m.py\n<|frame_sep|>", dsl.Malformed, "m.py", `want a file's name, have "m.py\n<|frame_sep|>"`},
		"lines of another file":   {strings.Replace(twoFiles, "\nb:2", "\na:2", 1), dsl.Impossible, "a:2|    return", `the lines do not count on: after 1 lines of file 2 comes a:2`},
		"lines miscounted of two": {strings.Replace(twoFiles, "\nb:2", "\nb:3", 1), dsl.Impossible, "b:3|    return", `the lines do not count on: after 1 lines of file 2 comes b:3`},
		"no letter":               {strings.Replace(twoFiles, "\nb:2", "\n2", 1), dsl.Malformed, "2|    return", `want a file's letter and a colon, have "2|    return x\n<|frame_s"…`},
		"letter without colon":    {strings.Replace(twoFiles, "\nb:2", "\nb2", 1), dsl.Malformed, "b2|    return", `want a file's letter and a colon, have "b2|    return x\n<|frame_"…`},
		"large letter":            {strings.Replace(twoFiles, "\nb:2", "\n{:2", 1), dsl.Malformed, "{:2|    return", `want a file's letter and a colon, have "{:2|    return x\n<|frame"…`},
		"letter beyond all files": {strings.Replace(twoFiles, "\nb:2", "\nzzzzz:2", 1), dsl.Malformed, "zzzzz:2", `want a file's letter, have "zzzzz:2|    return x\n<|f"…`},
		"letter cut off":          {"<|trace_context_start|><|file_sep|>\"m.py\"\na", dsl.Truncated, "", `the text ends where it should have a file's letter`},
		"line without number":     {"<|trace_context_start|>x\n<|frame_sep|>", dsl.Malformed, "x", `want a line number, have "x\n<|frame_sep|>"`},
		"line number zero":        {"<|trace_context_start|>0|x\n<|frame_sep|>", dsl.Malformed, "0|x", `want a line number: they count from 1, have "0|x\n<|frame_sep|>"`},
		"nine digits":             {"<|trace_context_start|>999999999|x\n<|frame_sep|>", dsl.Impossible, "999999999|x", `the lines do not count on: after 0 lines of file 1 comes 999999999`},
		"ten digits":              {"<|trace_context_start|>1000000000|x\n<|frame_sep|>", dsl.Malformed, "1000000000|x", `want a line number of at most nine digits, have "1000000000|x\n<|frame_sep"…`},
		"line without bar":        {"<|trace_context_start|>1 x\n<|frame_sep|>", dsl.Malformed, " x", `want | after a line number, have " x\n<|frame_sep|>"`},
		"carriage return":         {"<|trace_context_start|>1|x\ry\n<|frame_sep|>", dsl.Malformed, "\ry", `a carriage return stands in program text`},
		"carriage return first":   {"<|trace_context_start|>1|\ry\n<|frame_sep|>", dsl.Malformed, "\ry", `a carriage return stands in program text`},
		"escape at a line's end":  {"<|trace_context_start|>1|<\\\n<|frame_sep|>", dsl.Malformed, "<\\\n", `a < before | or \ is not escaped: "<\\\n<|frame_sep|>"`},
		"mark not ended":          {oneFile + "<|compact_sep|>" + first, dsl.Malformed, "<|line_sep|>", `want <|frame_sep|>, have "<|line_sep|><|stack_sep|"…`},
		"mark cut off":            {oneFile + "<|compact_sep|><|frame_", dsl.Truncated, "", `the text ends where it should have <|frame_sep|>`},
		"no such file":            {strings.Replace(byHand["two files"], "a:2,b:2", "a:2,c:2", 1), dsl.Impossible, "c:2<|frame", `the program has no file c`},
		"lines not joined":        {oneFile + first + act("breakpoint 1;2"), dsl.Malformed, ";2", `want the lines of a breakpoint, have ";2<|frame_sep|>"`},
		"lines of a step":         {oneFile + first + act("step_over 2"), dsl.Malformed, " 2", `want <|frame_sep|>, have " 2<|frame_sep|>"`},
		"action cut off":          {oneFile + first + "<|debug_sep|>step_", dsl.Truncated, "", `the text ends where it should have an action and <|frame_sep|>`},
		"no action and no state":  {oneFile + first + act("step_over") + "hello", dsl.Malformed, "hello", `want a token such as <|call_sep|>, have "hello"`},
		"no number in stack":      {state(`<|line_sep|><|stack_sep|>[["f", x]]{}` + line3), dsl.Malformed, "x]]", `want a line number or null, have "x]]{}<|action_sep|>3|a ="…`},
		"no such line in stack":   {state(`<|line_sep|><|stack_sep|>[["f", 9], ["f", 3]]{}` + line3), dsl.Impossible, "9], [", `the program has no line 9`},
		"frame not closed":        {state(`<|line_sep|><|stack_sep|>[["f", 3, 4]]{}` + line3), dsl.Malformed, ", 4]]", `want ], have ", 4]]{}<|action_sep|>3|a"…`},
		"frame without line":      {state(`<|line_sep|><|stack_sep|>[["f"]]{}` + line3), dsl.Malformed, "]]{}", `want ,, have "]]{}<|action_sep|>3|a = "…`},
		"stack not closed":        {state(`<|line_sep|><|stack_sep|>[["f", 3]{}` + line3), dsl.Malformed, "{}", `want , or ] after a stack's frame, have "{}<|action_sep|>3|a = f("…`},
		"stack of names":          {state(`<|line_sep|><|stack_sep|>["f"]{}` + line3), dsl.Malformed, `"f"]`, `want a stack's frame, have "\"f\"]{}<|action_sep|>3|a "…`},
		"stack of a number":       {state(`<|line_sep|><|stack_sep|>3{}` + line3), dsl.Malformed, `3{}`, `want a stack or a function's name, have "3{}<|action_sep|>3|a = f"…`},
		"null misspelt":           {state(`<|line_sep|><|stack_sep|>[["f", nil], ["f", 3]]{}` + line3), dsl.Malformed, "nil]", `want a line number or null, have "nil], [\"f\", 3]]{}<|actio"…`},
		"locals of a list":        {state(`<|line_sep|>[]` + line3), dsl.Malformed, "[]", `want { before the locals, have "[]<|action_sep|>3|a = f("…`},
		"local without quotes":    {state(`<|line_sep|>{a: "1"}` + line3), dsl.Malformed, `a: "1"`, `want a local's name or }, have "a: \"1\"}<|action_sep|>3|a"…`},
		"local without colon":     {state(`<|line_sep|>{"a", "1"}` + line3), dsl.Malformed, `, "1"`, `want : after a local's name, have ", \"1\"}<|action_sep|>3|a "…`},
		"local of a number":       {state(`<|line_sep|>{"a": 1}` + line3), dsl.Malformed, `1}`, `want a local's value, have "1}<|action_sep|>3|a = f("…`},
		"locals not closed":       {state(`<|line_sep|>{"a": "1"]` + line3), dsl.Malformed, `]<|action`, `want , or } after a local, have "]<|action_sep|>3|a = f(2"…`},
		"comma before the end":    {state(`<|line_sep|>{"a": "1", }` + line3), dsl.Malformed, `}<|action`, `want a local's name, have "}<|action_sep|>3|a = f(2"…`},
		"no place":                {state(`<|line_sep|>{}<|frame_sep|>`), dsl.Malformed, `<|frame_sep|>`, `want <|action_sep|>, have "<|frame_sep|>"`},
		"place without bar":       {state(`<|line_sep|>{}<|action_sep|>3 a = f(2)` + "\n<|frame_sep|>"), dsl.Malformed, " a =", `want | after a line number, have " a = f(2)\n<|frame_sep|>"`},
		"value of a number":       {state(`<|return_sep|>{}<|action_sep|>3|a = f(2)` + "\n<|arg_sep|>3<|frame_sep|>"), dsl.Malformed, "3<|frame", `want a value, {"yield": a value} or null; of an exception a text, have "3<|frame_sep|>"`},
		"value of nothing":        {state(`<|return_sep|>{}<|action_sep|>3|a = f(2)` + "\n<|arg_sep|>nul<|frame_sep|>"), dsl.Malformed, "nul<|frame", `want null, have "nul<|frame_sep|>"`},
		"yield misspelt":          {state(`<|return_sep|>{}<|action_sep|>3|a = f(2)` + "\n" + `<|arg_sep|>{"yields": "3"}<|frame_sep|>`), dsl.Malformed, `"yields"`, `want {"yield": a value}, have the name "yields"`},
		"yield not closed":        {state(`<|return_sep|>{}<|action_sep|>3|a = f(2)` + "\n" + `<|arg_sep|>{"yield": "3"<|frame_sep|>`), dsl.Malformed, `<|frame_sep|>`, `want }, have "<|frame_sep|>"`},
		"state not ended":         {state(`<|line_sep|>{}<|action_sep|>3|a = f(2)` + "\n" + first), dsl.Malformed, "<|line_sep|>", `want <|frame_sep|>, have "<|line_sep|><|stack_sep|"…`},
		"exit without code":       {state(`<|end_sep|>{"kode": 0}<|frame_sep|>`), dsl.Malformed, `"kode"`, `want an exit, {"code": 0}, have the name "kode"`},
		"exit code a word":        {state(`<|end_sep|>{"code": zero}<|frame_sep|>`), dsl.Malformed, `zero`, `want an exit, {"code": 0}, have "zero}<|frame_sep|>"`},
		"exit code minus":         {state(`<|end_sep|>{"code": -}<|frame_sep|>`), dsl.Malformed, `}<|frame`, `want an exit code, have "}<|frame_sep|>"`},
		"exit not closed":         {state(`<|end_sep|>{"code": 0]<|frame_sep|>`), dsl.Malformed, `]<|frame`, `want an exit, {"code": 0}, have "]<|frame_sep|>"`},
		"exit with more":          {state(`<|end_sep|>{"code": 0, "signal": "9"}<|frame_sep|>`), dsl.Malformed, `"signal"`, `want "exception", have the name "signal"`},
		"exit by a number":        {state(`<|end_sep|>{"code": 1, "exception": 1}<|frame_sep|>`), dsl.Malformed, `1}<|frame`, `want the exception, have "1}<|frame_sep|>"`},
		"exit by raw dots":        {state(`<|end_sep|>{"code": 1, "exception": ".."}<|frame_sep|>`), dsl.Impossible, `".."`, `".." has no earlier value to stand for in the exception`},
		"value not UTF-8":         {state("<|line_sep|>{\"a\": \"\u00e9\ufffd\xff\"}" + line3), dsl.Malformed, "\xff", `this is not UTF-8: "\xff\"}<|action_sep|>3|a = f"…`},
		"escape cut short":        {state(`<|line_sep|>{"a": "b\u12"}` + line3), dsl.Malformed, `\u12`, `JSON has no such escape: "\\u12\"}<|action_sep|>3|a "…`},
		"escape no number":        {state(`<|line_sep|>{"a": "\u12g4"}` + line3), dsl.Malformed, `\u12g4`, `JSON has no such escape: "\\u12g4\"}<|action_sep|>3|"…`},
		"two high surrogates":     {state(`<|line_sep|>{"a": "\ud800\ud800"}` + line3), dsl.Malformed, `\ud800\ud800`, `half of a surrogate pair stands alone: "\\ud800\\ud800\"}<|action_s"…`},
		"surrogate and letter":    {state(`<|line_sep|>{"a": "\ud800\n"}` + line3), dsl.Malformed, `\ud800\n`, `half of a surrogate pair stands alone: "\\ud800\\n\"}<|action_sep|>"…`},
		"control character":       {state("<|line_sep|>{\"a\": \"\x1f\"}" + line3), dsl.Malformed, "\x1f", `the control character '\x1f' stands unescaped in a local's value`},
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
			if fault.Message != c.says {
				t.Errorf("it says\n%s\nwant\n%s", fault.Message, c.says)
			}
		})
	}
}

// TestJSONSpellings checks that every valid JSON encoding of a string is accepted, and that only
// unescaped dots stand for the previous value.
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

// TestTokenNames checks that texts with other token names are read and written like nd/1.
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
