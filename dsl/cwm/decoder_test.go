package cwm

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
)

// fed feeds a text to a decoder in pieces of n bytes.
func fed(d *Decoder, text string, n int) (frames []Frame, ended bool, err error) {
	for text != "" && err == nil && !ended {
		k := min(n, len(text))
		var more []Frame
		more, ended, err = d.Feed(text[:k])
		frames = append(frames, more...)
		text = text[k:]
	}
	return frames, ended, err
}

// begun returns a trace of a module that ends at the module's call of f.
func begun(t *testing.T) *Writer {
	t.Helper()
	first := state(dsl.Line, 0, "x = 1", "")
	first.Line = 1
	w, _, err := Begin(program("x = 1", "f(x)"), "", first)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err = w.Append(nil, into(state(dsl.Line, 0, "f(x)", "", "x", "1"))); err != nil {
		t.Fatal(err)
	}
	return w
}

func TestDecode(t *testing.T) {
	lines := []string{"x = 1", "f(x)"}
	const call = `<|call_sep|>{"y": "'é'"}<|action_sep|>x = 1` + "\n<|frame_sep|>"
	const line = `<|line_sep|>{"y": "..", "z": "'<\u007c'"}<|action_sep|>f(x)` + "\n<|frame_sep|>"
	const left = "<|return_sep|><|action_sep|>x = 1\n<|arg_sep|>\"2\"<|frame_sep|>"
	frames := []Frame{
		{Event: dsl.Call, Locals: []dsl.Local{{Name: "y", Value: "'é'"}}, Source: "x = 1"},
		{Event: dsl.Line, Locals: []dsl.Local{{Name: "y", Value: "'é'"}, {Name: "z", Value: "'<|'"}}, Source: "f(x)"},
		{Event: dsl.Return, Source: "x = 1", Value: "2"},
	}
	for _, n := range []int{1, 3, 1000} {
		got, ended, err := fed(begun(t).Decode(lines, false), call+line+left+left+"<|end_of_text|>more", n)
		if want := append(frames[:3:3], frames[2]); err != nil || !ended || !reflect.DeepEqual(bare(got), want) {
			t.Errorf("%d bytes at a time: %+v, %v, %v; want %+v", n, got, ended, err, want)
		}
		got, ended, err = fed(begun(t).Decode(lines, false), `<|line_sep|>{"x": ".."}<|action_sep|>x = 1`+"\n<|frame_sep|>", n)
		if want := []Frame{{Event: dsl.Line, Locals: []dsl.Local{{Name: "x", Value: "1"}}, Source: "x = 1"}}; err != nil || ended || !reflect.DeepEqual(bare(got), want) {
			t.Errorf("%d bytes at a time: %+v, %v, %v; want %+v", n, got, ended, err, want)
		}
		got, _, err = fed(begun(t).Decode(lines, true), strings.TrimPrefix(left, ForcedReturn), n)
		if err != nil || !reflect.DeepEqual(bare(got), frames[2:]) {
			t.Errorf("%d bytes at a time, forced: %+v, %v; want %+v", n, got, err, frames[2:])
		}
	}
	if got, ended, err := fed(begun(t).Decode(lines, false), call+"<|end_of_text|>", 2); err != nil || !ended || len(got) != 1 {
		t.Errorf("it ends within a function: %+v, %v, %v", got, ended, err)
	}
	d := begun(t).Decode(lines, false)
	if got, _, err := fed(d, call+"<|line_sep|>{", 7); err != nil || len(got) != 1 || d.Unread() != "<|line_sep|>{" {
		t.Errorf("%+v, %v, and %q is unread", got, err, d.Unread())
	}
}

func TestDecodeFaults(t *testing.T) {
	lines := []string{"x = 1", "f(x)"}
	long := strings.Repeat("a", maxTried)
	for name, c := range map[string]struct {
		text   string
		forced bool
		kind   dsl.FaultKind
		frames int
		at     int // offset of the error; -1 if it is not checked
	}{
		"words":                  {"The next", false, dsl.Malformed, 0, 0},
		"another token":          {"<|frame_sep|>", false, dsl.Malformed, 0, 0},
		"no such line":           {"<|line_sep|>{}<|action_sep|>y\n<|frame_sep|>", false, dsl.Impossible, 0, -1},
		"unknown dots":           {`<|call_sep|>{"x": ".."}<|action_sep|>x = 1`, false, dsl.Impossible, 0, -1},
		"after a frame":          {"<|line_sep|>{}<|action_sep|>f(x)\n<|frame_sep|>no", false, dsl.Malformed, 1, 46},
		"on after the end":       {"<|return_sep|><|action_sep|>x = 1\n<|arg_sep|>\"2\"<|frame_sep|><|line_sep|>", false, dsl.Impossible, 1, -1},
		"no locals for a return": {"{}<|action_sep|>x = 1\n", true, dsl.Malformed, 0, 0},
		"a long one":             {`<|line_sep|>{"` + long + `": 1}<|action_sep|>x = 1` + "\n<|frame_sep|>", false, dsl.Malformed, 0, -1},
		"a long one in words":    {"<|li" + long, false, dsl.Malformed, 0, 0},
		"not UTF-8":              {"<|line_sep|>{\"a\": \"\xff\"}<|action_sep|>x = 1\n<|frame_sep|>", false, dsl.Malformed, 0, -1},
	} {
		for _, n := range []int{1, 5, 100_000} {
			got, ended, err := fed(begun(t).Decode(lines, c.forced), c.text, n)
			var fault *dsl.DecodeError
			if !errors.As(err, &fault) || fault.Kind != c.kind || len(got) != c.frames || ended || c.at >= 0 && fault.Offset != c.at {
				t.Errorf("%s, %d bytes at a time: %+v, %v, %v", name, n, got, ended, err)
			}
		}
	}
}

// FuzzDecode checks that the result of a decoder does not depend on how the text is split.
func FuzzDecode(f *testing.F) {
	f.Add(`<|line_sep|>{"x": "..", "y": "'\u00e9'"}<|action_sep|>f(x)`+"\n<|frame_sep|><|return_sep|><|action_sep|>x = 1\n<|arg_sep|>\"2\"<|frame_sep|><|end_of_text|>", false, 3)
	f.Add("<|action_sep|>f(x)\n<|arg_sep|>\"'\\\\'\"<|frame_sep|>", true, 1)
	f.Fuzz(func(t *testing.T, text string, forced bool, n int) {
		lines := []string{"x = 1", "f(x)"}
		whole, ended, err := begun(t).Decode(lines, forced).Feed(text)
		again, endedAgain, errAgain := fed(begun(t).Decode(lines, forced), text, max(n, 1))
		if !reflect.DeepEqual(whole, again) || ended != endedAgain || (err == nil) != (errAgain == nil) {
			t.Fatalf("%q is %+v, %v, %v; by %d bytes %+v, %v, %v", text, whole, ended, err, n, again, endedAgain, errAgain)
		}
		for _, f := range whole {
			toldRight(t, text, f)
		}
		var fault *dsl.DecodeError
		if err != nil && (!errors.As(err, &fault) || fault.Offset < 0 || fault.Offset > len(text)) {
			t.Fatalf("%q: %v", text, err)
		}
	})
}
