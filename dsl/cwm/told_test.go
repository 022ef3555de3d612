package cwm

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
)

// bare returns frames without their positions in the text.
func bare(frames []Frame) []Frame {
	frames = slices.Clone(frames)
	for i := range frames {
		frames[i].Told = Told{}
	}
	return frames
}

// toldTexts returns the text of each part of the frames, one part a line. Unchanged locals are
// marked.
func toldTexts(text string, frames []Frame) string {
	var b strings.Builder
	part := func(name string, spans []dsl.Span) {
		for _, s := range spans {
			fmt.Fprintf(&b, "%s %q\n", name, text[s.From:s.To])
		}
	}
	for _, f := range frames {
		part("event", f.Told.Event)
		part("line", f.Told.Line)
		for _, name := range slices.Sorted(maps.Keys(f.Told.Locals)) {
			mark := ""
			if f.Told.Same[name] {
				mark = " as before"
			}
			part(name+mark, f.Told.Locals[name])
		}
		part("value", f.Told.Value)
	}
	return b.String()
}

// TestTold checks the positions of the parts of frames, for texts that arrive in pieces of any
// size.
func TestTold(t *testing.T) {
	lines := []string{"x = 1", "f(x)"}
	for _, c := range []struct {
		name, text string
		forced     bool
		want       string
	}{
		{
			"a line", `<|line_sep|>{"x": ".."}<|action_sep|>f(x)` + "\n<|frame_sep|>", false,
			"event \"<|line_sep|>\"\nline \"f(x)\\n\"\nx as before \"\\\"x\\\": \\\"..\\\"\"\n",
		},
		{
			"two frames, with other white space and escapes",
			`<|call_sep|>{ "y" : "a\"}" ,"z":"\u00e9"}<|action_sep|>x = 1` + "\n<|frame_sep|><|exception_sep|><|action_sep|>x = 1\n<|arg_sep|> \"E()\" <|frame_sep|>", false,
			`event "<|call_sep|>"` + "\nline \"x = 1\\n\"\n" + `y "\"y\" : \"a\\\"}\""` + "\n" + `z "\"z\":\"\\u00e9\""` + "\n" +
				`event "<|exception_sep|>"` + "\nline \"x = 1\\n\"\n" + `value "\"E()\""` + "\n",
		},
		{
			"a forced return, whose event nobody told", "<|action_sep|>x = 1\n<|arg_sep|>\"2\"<|frame_sep|>", true,
			"line \"x = 1\\n\"\nvalue \"\\\"2\\\"\"\n",
		},
		{
			"a name in another one", `<|line_sep|>{"x": "'\"y\": 1'", "y": "1"}<|action_sep|>f(x)` + "\n<|frame_sep|>", false,
			`event "<|line_sep|>"` + "\nline \"f(x)\\n\"\n" + `x "\"x\": \"'\\\"y\\\": 1'\""` + "\n" + `y "\"y\": \"1\""` + "\n",
		},
	} {
		for _, n := range []int{1, 4, 1000} {
			w := begun(t)
			if c.forced {
				if _, _, err := w.Append(nil, into(state(dsl.Call, 1, "x = 1", ""))); err != nil {
					t.Fatal(err)
				}
			}
			frames, _, err := fed(w.Decode(lines, c.forced), c.text, n)
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			if got := toldTexts(c.text, frames); got != c.want {
				t.Errorf("%s, %d bytes at a time, has\n%swant\n%s", c.name, n, got, c.want)
			}
			if end := frames[len(frames)-1].Told.End; end != len(c.text) {
				t.Errorf("%s ends at %d of %d", c.name, end, len(c.text))
			}
		}
	}
}

// TestToldOfAText checks the positions of the parts of all frames, counted from the beginning of
// the whole text.
func TestToldOfAText(t *testing.T) {
	const text = "<|begin_of_text|><|trace_context_start|>x = 1  # << START_OF_TRACE\n<|frame_sep|><|line_sep|>{}<|action_sep|>x = 1\n<|frame_sep|>" +
		"<|return_sep|><|action_sep|>x = 1\n<|arg_sep|>\"None\"<|frame_sep|>"
	trace, err := Read(text)
	if err != nil {
		t.Fatal(err)
	}
	want := "event \"<|line_sep|>\"\nline \"x = 1\\n\"\nevent \"<|return_sep|>\"\nline \"x = 1\\n\"\nvalue \"\\\"None\\\"\"\n"
	if got := toldTexts(text, trace.Frames); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// toldRight checks that the text at the positions of a frame's parts is the value of these parts.
func toldRight(t *testing.T, text string, f Frame) {
	t.Helper()
	in := func(spans []dsl.Span) string {
		if len(spans) != 1 || spans[0].From < 0 || spans[0].From >= spans[0].To || spans[0].To > f.Told.End {
			t.Fatalf("%q: a part of %+v stands at %v", text, f, spans)
		}
		return text[spans[0].From:spans[0].To]
	}
	if f.Told.Event != nil && in(f.Told.Event) != separators[f.Event] || in(f.Told.Line) != f.Source+"\n" || len(f.Told.Locals) != len(f.Locals) {
		t.Fatalf("%q: %+v", text, f)
	}
	for _, l := range f.Locals {
		var told map[string]string
		if err := json.Unmarshal([]byte("{"+in(f.Told.Locals[l.Name])+"}"), &told); err != nil || len(told) != 1 || told[l.Name] != l.Value && (!f.Told.Same[l.Name] || told[l.Name] != unchanged) {
			t.Fatalf("%q: %q is told as %v, %v", text, l.Name, told, err)
		}
	}
	if f.Event == dsl.Return || f.Event == dsl.Exception {
		var value string
		if err := json.Unmarshal([]byte(in(f.Told.Value)), &value); err != nil || value != f.Value {
			t.Fatalf("%q: the value is %q, %v", text, value, err)
		}
	} else if !reflect.DeepEqual(f.Told.Value, []dsl.Span(nil)) {
		t.Fatalf("%q: %+v has a value", text, f)
	}
}
