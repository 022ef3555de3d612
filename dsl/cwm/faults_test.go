package cwm

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
)

func TestFaults(t *testing.T) {
	const head = "<|begin_of_text|><|trace_context_start|>x = 1  # << START_OF_TRACE\n<|frame_sep|>"
	const first = "<|line_sep|>{}<|action_sep|>x = 1\n<|frame_sep|>"
	const left = "<|return_sep|><|action_sep|>x = 1\n<|arg_sep|>\"1\"<|frame_sep|>"
	if _, err := Read(head + first + left + "<|end_of_text|>"); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		text string
		kind dsl.FaultKind
	}{
		"nothing":           {"", dsl.Truncated},
		"cut at once":       {"<|begin_of_te", dsl.Truncated},
		"another beginning": {"<|trace_context_start|>", dsl.Malformed},
		"not UTF-8":         {head + "\xff", dsl.Malformed},
		"no context's end":  {"<|begin_of_text|><|trace_context_start|>x = 1  # << START_OF_TRACE\n", dsl.Truncated},
		"token in context":  {strings.Replace(head, "x = 1", "x = '<|'", 1), dsl.Malformed},
		"no mark":           {strings.Replace(head, marker, "", 1) + first, dsl.Malformed},
		"two marks":         {strings.Replace(head, "x = 1", "y"+marker+"\nx = 1", 1) + first, dsl.Impossible},
		"mark within":       {strings.Replace(head, "x = 1", "y # << START_OF_TRACE z", 1) + first, dsl.Malformed},
		"no line's end":     {"<|begin_of_text|><|trace_context_start|>x = 1  # << START_OF_TRACE<|frame_sep|>" + first, dsl.Malformed},
		"no state":          {head, dsl.Truncated},
		"no token":          {head + "x", dsl.Malformed},
		"a return first":    {head + left, dsl.Impossible},
		"left twice":        {head + first + left + left, dsl.Impossible},
		"early end":         {head + first + "<|end_of_text|>", dsl.Impossible},
		"end at once":       {head + "<|end_of_text|>", dsl.Impossible},
		"more after it":     {head + first + left + "<|end_of_text|>x", dsl.Impossible},
		"no locals":         {head + "<|line_sep|><|action_sep|>x = 1\n<|frame_sep|>", dsl.Malformed},
		"locals of a list":  {head + strings.Replace(first, "{}", "[]", 1), dsl.Malformed},
		"locals cut":        {head + strings.Replace(first, "{}", "{", 1), dsl.Malformed},
		"more than locals":  {head + strings.Replace(first, "{}", "{} {}", 1), dsl.Malformed},
		"a number":          {head + strings.Replace(first, "{}", `{"a": 1}`, 1), dsl.Malformed},
		"half a pair":       {head + strings.Replace(first, "{}", `{"a": "\ud800"}`, 1), dsl.Malformed},
		"the other half":    {head + strings.Replace(first, "{}", `{"a": "\udc00"}`, 1), dsl.Malformed},
		"a pair apart":      {head + strings.Replace(first, "{}", `{"a": "\ud800x\udc00"}`, 1), dsl.Malformed},
		"half in a value":   {head + strings.Replace(first+left, `"1"`, `"\ud800"`, 1), dsl.Malformed},
		"twice":             {head + strings.Replace(first, "{}", `{"a": "1", "a": "2"}`, 1), dsl.Impossible},
		"dots of nothing":   {head + strings.Replace(first, "{}", `{"a": ".."}`, 1), dsl.Impossible},
		"no such line":      {head + strings.Replace(first, "x = 1", "x = 2", 1), dsl.Impossible},
		"marked line":       {head + strings.Replace(first, "x = 1", "x = 1"+marker, 1), dsl.Impossible},
		"half a line":       {head + strings.Replace(first, "x = 1\n", "x = 1", 1), dsl.Impossible},
		"no value":          {head + first + "<|return_sep|><|action_sep|>x = 1\n<|frame_sep|>", dsl.Malformed},
		"value no text":     {head + first + strings.Replace(left, `"1"`, "1", 1), dsl.Malformed},
		"two values":        {head + first + strings.Replace(left, `"1"`, `"1" "2"`, 1), dsl.Malformed},
		"locals of returns": {head + first + strings.Replace(left, "<|action_sep|>", "{}<|action_sep|>", 1), dsl.Malformed},
		"cut in a value":    {head + first + "<|return_sep|><|action_sep|>x = 1\n<|arg_sep|>\"1", dsl.Truncated},
		"cut in a token":    {head + first + "<|return_", dsl.Truncated},
		"cut in a frame":    {head + "<|line_sep|>{}<|action_sep|>x", dsl.Truncated},
	} {
		var fault *dsl.DecodeError
		if _, err := Read(test.text); !errors.As(err, &fault) || fault.Kind != test.kind || fault.Offset > len(test.text) {
			t.Errorf("%s: %v, want %v", name, err, test.kind)
		}
	}
	if trace, err := Read(head + strings.Replace(first, "{}", `{"a": "\\ud800 \ud83d\ude00 \ufffd \u0041"}`, 1)); err != nil || trace.Frames[0].Locals[0].Value != `\ud800 😀 � A` {
		t.Errorf("%+v, %v", trace, err)
	}
}

func TestHalfPair(t *testing.T) {
	for raw, want := range map[string]bool{
		"": false, `\`: false, `\ud800`: true, `\udfff`: true, `\ud83d\ude00`: false, `\uD83D\uDE00`: false, `\ud83d\ud83d`: true,
		`\\ud800`: false, `\\\ud800`: true, `\ud80`: false, `\uzzzz`: false, `\ud7ff\ue000`: false, `\ud800x`: true, `x\udbff\n`: true,
	} {
		if halfPair(raw) != want {
			t.Errorf("%s: want %v", raw, want)
		}
	}
}

// FuzzRead checks that any text is rejected, or read as a trace that can be written again and is
// then read as the same one.
func FuzzRead(f *testing.F) {
	f.Add("<|begin_of_text|><|trace_context_start|>x = 1  # << START_OF_TRACE\n<|frame_sep|><|line_sep|>{}<|action_sep|>x = 1\n<|frame_sep|>" +
		"<|return_sep|><|action_sep|>x = 1\n<|arg_sep|>\"1\"<|frame_sep|><|end_of_text|>")
	f.Add("<|begin_of_text|><|trace_context_start|>\nf\ndef main():  # << START_OF_TRACE\n    return f()\n<|frame_sep|><|call_sep|>{}<|action_sep|>def main():\n<|frame_sep|>" +
		`<|line_sep|>{"a": "\u003c|"}<|action_sep|>f` + "\n<|frame_sep|>" + `<|line_sep|>{"a": "..", "b": "\ud83d\ude00"}<|action_sep|>f` + "\n<|frame_sep|>" +
		"<|exception_sep|><|action_sep|>f\n<|arg_sep|>\"E()\"<|frame_sep|>")
	f.Fuzz(func(t *testing.T, text string) {
		trace, err := Read(text)
		var fault *dsl.DecodeError
		if err != nil {
			if !errors.As(err, &fault) || fault.Offset < 0 || fault.Offset > len(text) || fault.Kind == 0 {
				t.Fatalf("%v of %q", err, text)
			}
			return
		}
		again := rewritten(t, trace)
		read, err := Read(again)
		if err == nil {
			trace.Frames, read.Frames = bare(trace.Frames), bare(read.Frames)
		}
		if err != nil || !reflect.DeepEqual(read, trace) {
			t.Fatalf("%q is read as %+v, written %q, and read as %+v, %v", text, trace, again, read, err)
		}
	})
}

// rewritten returns the text of a trace.
func rewritten(t *testing.T, trace *Trace) string {
	lines := strings.SplitAfter(trace.Source, "\n")
	lines[trace.Start-1] = strings.TrimSuffix(lines[trace.Start-1], "\n") + marker + "\n"
	dst := []byte(beginOfText + contextStart + strings.Join(lines, "") + frameSep)
	w := &Writer{}
	if trace.Frames[0].Event == dsl.Line {
		w.scopes = append(w.scopes, map[string]string{})
	}
	for _, f := range trace.Frames {
		s := &dsl.Stop{State: dsl.State{Event: f.Event, Source: f.Source, Locals: f.Locals, Depth: len(w.scopes) - 1}}
		switch f.Event {
		case dsl.Call:
			s.Depth++
		case dsl.Return, dsl.Exception:
			s.Value = &f.Value
		}
		var err error
		if dst, _, err = w.Append(dst, into(s)); err != nil {
			t.Fatal(err)
		}
	}
	if trace.Ended {
		var err error
		if dst, _, err = w.Append(dst, end); err != nil {
			t.Fatal(err)
		}
	}
	return string(dst)
}
