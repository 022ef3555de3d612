package dsl_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
)

// toldTexts returns the text of each part of a reply, one part a line.
func toldTexts(reply string, t dsl.Told) string {
	var b strings.Builder
	part := func(name string, spans []dsl.Span) {
		for _, s := range spans {
			fmt.Fprintf(&b, "%s %s\n", name, reply[s.From:s.To])
		}
	}
	part("event", t.Event)
	part("function", t.Function)
	part("line", t.Line)
	for _, name := range []string{"x", "y"} {
		part(name, t.Locals[name])
	}
	part("value", t.Value)
	return b.String()
}

// TestTold checks the positions of the parts of a reply, for replies that arrive in pieces of any
// size.
func TestTold(t *testing.T) {
	const source = "|    y = x + 1\n"
	inside, _, err := dsl.ND1.Read("<|trace_context_start|>1|def f(x):\n2" + source + "3|    return y\n4|f(2)\n<|frame_sep|>" +
		`<|call_sep|><|stack_sep|>[["<module>", 4], ["f", 1]]{"x": "2"}<|action_sep|>1|def f(x):` + "\n<|frame_sep|>")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ move, reply, want string }{
		{"step_into", `<|line_sep|>{"x": ".."}<|action_sep|>2` + source + `<|frame_sep|>`, "event <|line_sep|>\nline 2|\n" + `x "x": ".."` + "\n"},
		{"step_into", `<|line_sep|>{ "x" : "1" , "y":"a\"}" }<|action_sep|>2` + source + `<|frame_sep|>`, "event <|line_sep|>\nline 2|\n" + `x "x" : "1"` + "\n" + `y "y":"a\"}"` + "\n"},
		{"step_into", `<|call_sep|><|stack_sep|>"f"{}<|action_sep|>1|def f(x):` + "\n<|frame_sep|>", "event <|call_sep|>\nfunction \"f\"\nline 1|\n"},
		{"continue", `<|line_sep|><|stack_sep|>[["<module>", null], ["f", 2]]{}<|action_sep|>2` + source + `<|frame_sep|>`, "event <|line_sep|>\nfunction \"f\"\nline 2]\nline 2|\n"},
		{"step_over", `<|return_sep|>{}<|action_sep|>3|    return y` + "\n" + `<|arg_sep|>"3"<|frame_sep|>`, "event <|return_sep|>\nline 3|\nvalue \"3\"\n"},
		{"step_over", `<|return_sep|>{}<|action_sep|>3|    return y` + "\n" + `<|arg_sep|>{"yield": "3"}<|frame_sep|>`, "event <|return_sep|>\nline 3|\nvalue {\"yield\": \"3\"}\n"},
		{"step_over", `<|return_sep|>{}<|action_sep|>3|    return y` + "\n" + `<|arg_sep|>null<|frame_sep|>`, "event <|return_sep|>\nline 3|\nvalue null\n"},
		{"step_over", `<|exception_sep|>{}<|action_sep|>3|    return y` + "\n" + `<|arg_sep|>"E()"<|frame_sep|>`, "event <|exception_sep|>\nline 3|\nvalue \"E()\"\n"},
		{"continue", `<|end_sep|>{"code": 0}<|frame_sep|>`, "event <|end_sep|>\nvalue {\"code\": 0}\n"},
		{"continue", `<|end_sep|>{"code": 1, "exception": "E()"}<|frame_sep|>`, "event <|end_sep|>\nvalue {\"code\": 1, \"exception\": \"E()\"}\n"},
		{"continue", `<|unknown_sep|><|frame_sep|>`, "event <|unknown_sep|>\n"},
	} {
		a, err := dsl.ParseAction(c.move)
		if err != nil {
			t.Fatal(err)
		}
		whole, pieces := inside.Decode(a), inside.Decode(a)
		if err := whole.Feed(c.reply); err != nil || !whole.Done() {
			t.Fatalf("%s: %v", c.reply, err)
		}
		if got := toldTexts(c.reply, whole.Told()); got != c.want {
			t.Errorf("%s\nhas the parts\n%swant\n%s", c.reply, got, c.want)
		}
		for i := range len(c.reply) {
			if err := pieces.Feed(c.reply[i : i+1]); err != nil {
				t.Fatal(err)
			}
		}
		if !reflect.DeepEqual(pieces.Told(), whole.Told()) {
			t.Errorf("%s\nbyte by byte it has the parts\n%s", c.reply, toldTexts(c.reply, pieces.Told()))
		}
	}
}
