package dsl_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/gen"
	"github.com/npdb/npdb/dsl/vectors"
)

// FuzzRead checks that any text is read as a trajectory that can be written and read again
// unchanged, or rejected with an offset inside the text.
func FuzzRead(f *testing.F) {
	for _, v := range vectors.All()[:16] {
		f.Add(v.Wire)
	}
	for _, wire := range byHand {
		f.Add(wire)
	}
	for _, s := range gen.Nasty {
		f.Add(oneFile + first + act("step_over") + `<|line_sep|>{"a": "` + s + `"}<|action_sep|>3|a = f(2)` + "\n<|frame_sep|>")
		f.Add("<|trace_context_start|>1|" + s + "\n<|frame_sep|>" + s)
	}
	f.Add(oneFile + first + act("step_over") + `<|line_sep|>{"a": "` + strings.Repeat("x<", 1<<19) + `"}<|action_sep|>3|a = f(2)` + "\n<|frame_sep|>")
	f.Fuzz(func(t *testing.T, wire string) {
		last, _, err := dsl.ND1.Read(wire)
		var fault *dsl.DecodeError
		if err != nil && (!errors.As(err, &fault) || fault.Offset < 0 || fault.Offset > len(wire)) {
			t.Fatalf("%v for %q", err, wire)
		}
		if last == nil {
			return
		}
		text := last.Text()
		if !utf8.ValidString(text) {
			t.Fatalf("written without being UTF-8: %q", text)
		}
		if _, ok := last.Step(); !ok && last.Parent() != nil {
			return // a mark of a compacted text without a state is not a text
		}
		second, asked, err := dsl.ND1.Read(text)
		if err != nil || asked != nil {
			t.Fatalf("asked %v, %v, reading again %q", asked, err, text)
		}
		if second.Text() != text || !reflect.DeepEqual(second.Trajectory(), last.Trajectory()) {
			t.Fatalf("%q was read, then %q", text, second.Text())
		}
	})
}

// FuzzParseAction checks that any text that ParseAction accepts is an action that is written and
// parsed again unchanged.
func FuzzParseAction(f *testing.F) {
	for _, text := range []string{"step_over", "inv_continue", "breakpoint 4,9", "inv_breakpoint b:4,ab:1", "breakpoint", "breakpoint a:0", "continue 3"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := dsl.ParseAction(text)
		if err != nil {
			return
		}
		if again, err := dsl.ParseAction(a.String()); err != nil || !reflect.DeepEqual(again, a) {
			t.Fatalf("%q is %+v, written %q and read as %+v, %v", text, a, a.String(), again, err)
		}
	})
}

// FuzzReply checks that decoding any reply in two pieces gives the same result as in one piece, and
// that a decoded reply can be appended.
func FuzzReply(f *testing.F) {
	seeds := []string{
		`<|end_sep|>{"code": 1, "exception": "ValueError('x')"}<|frame_sep|>`, "<|start_sep|><|frame_sep|>", "<|unknown_sep|><|frame_sep|>",
		`<|line_sep|>{}<|action_sep|>b:2|    return x` + "\n<|frame_sep|>",
		`<|call_sep|><|stack_sep|>"f"{"x": "3"}<|action_sep|>b:1|def f(x):` + "\n<|frame_sep|>",
		`<|return_sep|><|stack_sep|>[["<module>", "a:2"], ["f", null], ["g", "b:2"]]{}<|action_sep|>b:2|    return x` + "\n" + `<|arg_sep|>{"yield": "1"}<|frame_sep|>`,
	}
	for _, s := range gen.Nasty {
		seeds = append(seeds, `<|line_sep|>{"m": "..", "`+s+`": "`+s+`"}<|action_sep|>a:2|m.f(3)`+"\n<|frame_sep|>")
	}
	for i, s := range seeds {
		f.Add(s, uint8(0), uint8(i), uint16(i))
		f.Add(s, uint8(1), uint8(i), uint16(len(s)-1))
	}
	start, _, err := dsl.ND1.Read(byHand["two files"])
	if err != nil {
		f.Fatal(err)
	}
	var places []*dsl.Node
	for n := start; n != nil; n = n.Parent() {
		places = append(places, n)
	}
	f.Fuzz(func(t *testing.T, reply string, place, move uint8, cut uint16) {
		n := places[int(place)%len(places)]
		a := dsl.Action{Move: dsl.Move(int(move)%int(dsl.InvStepFunction) + 1)}
		if a.Move.TakesLines() {
			a.Lines = []dsl.Location{{File: 1, Line: 2}}
		}
		if n.Parent() == nil {
			a = dsl.Action{}
		}
		whole, parts := n.Decode(a), n.Decode(a)
		at := int(cut) % (len(reply) + 1)
		failed := whole.Feed(reply)
		_ = parts.Feed(reply[:at])
		again := parts.Feed(reply[at:])
		if (failed == nil) != (again == nil) || whole.Done() != parts.Done() {
			t.Fatalf("in one piece %v, cut at %d %v", failed, at, again)
		}
		one, ok := whole.Step()
		two, _ := parts.Step()
		if !reflect.DeepEqual(one, two) {
			t.Fatalf("in one piece %+v, cut at %d %+v", one, at, two)
		}
		if !ok {
			if whole.Close(false) == nil {
				t.Fatalf("%q is neither a reply nor a fault", reply)
			}
			return
		}
		if _, err := n.Append(one); err != nil {
			t.Fatalf("%q was read, and %v", reply, err)
		}
	})
}
