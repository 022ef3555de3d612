package chat

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/gen"
)

// TestPage checks that the example in docs/chat.md is what Messages and Encode write, and that its
// table lists the fields of an answer.
func TestPage(t *testing.T) {
	read, err := os.ReadFile("../../docs/chat.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(read)
	const walk = "<|trace_context_start|>1|def f(x):\n2|    return x + 1\n3|a = f(2)\n<|frame_sep|><|line_sep|><|stack_sep|>[[\"<module>\", 3]]{}<|action_sep|>3|a = f(2)\n" +
		"<|frame_sep|><|debug_sep|>step_into<|frame_sep|><|call_sep|><|stack_sep|>\"f\"{\"x\": \"2\"}<|action_sep|>1|def f(x):\n" +
		"<|frame_sep|><|debug_sep|>step_return<|frame_sep|><|return_sep|>{\"x\": \"..\"}<|action_sep|>2|    return x + 1\n<|arg_sep|>\"3\"<|frame_sep|>"
	const next = "<|return_sep|>{\"a\": \"3\"}<|action_sep|>3|a = f(2)\n<|arg_sep|>\"None\"<|frame_sep|>"
	at, over := gen.Standing(t, walk), dsl.Action{Move: dsl.StepOver}
	beginning, _, _ := strings.Cut(System, " You run")
	messages, err := Messages(beginning+" …", at, over)
	if err != nil {
		t.Fatal(err)
	}
	var example []string
	for _, m := range messages {
		example = append(example, m.Role+"\n"+m.Content+"\n")
	}
	_, shown, _ := strings.Cut(page, "<!-- example: held against dsl/chat by its tests -->\n```\n")
	shown, _, _ = strings.Cut(shown, "```\n<!-- end -->")
	if want := strings.Join(example, "\n"); shown != want {
		t.Errorf("the example is\n%s\nwant\n%s", shown, want)
	}
	last, ok := gen.Standing(t, walk+"<|debug_sep|>step_over<|frame_sep|>"+next).Step()
	answer, err := Encode(at, over, last.Reply)
	if err != nil || !ok || !strings.Contains(page, "`"+answer+"`.\n") {
		t.Errorf("the page lacks the answer %s, %v", answer, err)
	}
	for _, word := range []string{compactedWord, editWord + "{…}", stateWord + "{…}", commandWord + "step_over", commandWord + "step_over" + fmt.Sprintf(manyTimes, 8)} {
		if !strings.Contains(strings.ReplaceAll(page, "\n", " "), "`"+word+"`") {
			t.Errorf("the page lacks %q", word)
		}
	}
	_, table, _ := strings.Cut(page, "| field | is |\n")
	table, _, _ = strings.Cut(table, "\n\n")
	var fields []string
	for _, row := range regexp.MustCompile("(?m)^\\| `(\\w+)`").FindAllStringSubmatch(table, -1) {
		fields = append(fields, row[1])
	}
	if want := keys(t, Schema(at.Program())["properties"]); !slices.Equal(fields, want) {
		t.Errorf("the fields are %v, want %v", fields, want)
	}
}
