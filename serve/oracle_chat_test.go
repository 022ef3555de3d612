//go:build unix

package serve

import (
	"encoding/json"
	"net/http/httptest"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/npdb/npdb/backend/cpython"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/chat"
	"github.com/npdb/npdb/dsl/vectors"
	"github.com/npdb/npdb/internal/longtest"
	"github.com/npdb/npdb/internal/pythons"
)

// chatOracle returns a server that uses CPython, and the version of its Python.
func chatOracle(t *testing.T) (*httptest.Server, pythons.Python) {
	t.Helper()
	all := pythons.Between(t, 10, 14)
	python := all[len(all)-1]
	oracle := cpython.New(cpython.Config{Python: python.Path, Timeout: 2 * time.Minute})
	t.Cleanup(func() { _ = oracle.Close() })
	return served(t, func(c *Config) { c.Models, c.Window = []Model{{Name: "oracle", Predictor: oracle}}, 0 }), python
}

// chatStep returns the server's answer for an action, and checks that it is the same with
// and without a stream.
func chatStep(t *testing.T, server *httptest.Server, at *dsl.Node, a dsl.Action) dsl.Step {
	t.Helper()
	messages, err := chat.Messages(chat.System, at, a)
	if err != nil {
		t.Fatal(err)
	}
	c, h := chatted(t, server, object{"messages": messages})
	text := *c.Choices[0].Message.Content
	if said, finish, _ := streamed(t, server, object{"messages": messages}); said != text || finish != "stop" {
		t.Fatalf("streamed %q, %s, want %q", said, finish, text)
	}
	step, err := chat.Decode(at, a, text)
	if err != nil {
		t.Fatalf("%s: %v (%s)", text, err, h.Get(reasonHeader))
	}
	return step
}

// TestChatOracleAnswersVectors checks that CPython's answers to the vectors' walks are the same in
// a chat as in nd/1.
func TestChatOracleAnswersVectors(t *testing.T) {
	t.Parallel()
	server, python := chatOracle(t)
	states := 0
	for _, v := range vectors.All() {
		t.Run(v.Name, func(t *testing.T) {
			last, _, err := dsl.ND1.Read(v.On(python.Minor).Wire)
			if err != nil {
				t.Fatal(err)
			}
			for n := last; n.Parent() != nil; n = n.Parent() {
				want, _ := n.Step()
				if want.Action.Move == 0 {
					continue
				}
				if states++; !longtest.In(t, states, 5) {
					continue
				}
				if got := chatStep(t, server, n.Parent(), want.Action); !reflect.DeepEqual(got, want) {
					t.Errorf("%v leads to %+v %+v, want %+v %+v", want.Action, got, got.Reply.Stop, want, want.Reply.Stop)
				}
			}
		})
	}
}

// TestChatOracleAnswersAsCompletions checks that both endpoints give the same answers for programs
// of several files, after edits, and after compacted texts.
func TestChatOracleAnswersAsCompletions(t *testing.T) {
	t.Parallel()
	server, _ := chatOracle(t)
	const program = "<|trace_context_start|>1|def f(x):\n2|    y = x + 1\n3|    return y\n4|a = f(2)\n5|print(a)\n<|frame_sep|>"
	const inside = "<|stack_sep|>[[\"<module>\", 4], [\"f\", 3]]{\"x\": \"2\", \"y\": \"3\"}<|action_sep|>3|    return y\n<|frame_sep|>"
	const edited = "<|stack_sep|>[[\"<module>\", 4], [\"f\", 3]]{\"x\": \"2\", \"y\": \"30\"}<|action_sep|>3|    return y\n<|frame_sep|>"
	const first = "<|line_sep|><|stack_sep|>[[\"<module>\", 1]]{}<|action_sep|>1|def f(x):\n<|frame_sep|>"
	for name, wire := range map[string]string{
		"several files": "<|trace_context_start|><|file_sep|>\"main.py\"\na:1|import m\na:2|y = m.f(2)\na:3|print(y)\n<|file_sep|>\"m.py\"\nb:1|def f(x):\nb:2|    z = x + 1\nb:3|    return z\n" +
			"<|frame_sep|><|line_sep|><|stack_sep|>[[\"<module>\", \"a:1\"]]{}<|action_sep|>a:1|import m\n<|frame_sep|>",
		"an edit":   program + first + "<|debug_sep|>breakpoint 3<|frame_sep|><|line_sep|>" + inside + "<|debug_sep|>set<|frame_sep|><|line_sep|>" + edited,
		"compacted": program + "<|compact_sep|><|frame_sep|><|line_sep|><|stack_sep|>[[\"<module>\", 4]]{}<|action_sep|>4|a = f(2)\n<|frame_sep|><|line_sep|>" + inside,
	} {
		at, _, err := dsl.ND1.Read(wire)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) {
			landed := 0
			for _, word := range []string{"step_over", "step_into", "step_into", "inv_step_over", "step_return", "step_over", "continue"} {
				action := dsl.Action{}
				if err := action.Move.UnmarshalText([]byte(word)); err != nil {
					t.Fatal(err)
				}
				prompt, err := at.Prompt(action)
				if err != nil {
					t.Fatal(err)
				}
				c, _ := complete(t, server, object{"prompt": prompt, "max_tokens": 1000, "skip_special_tokens": false})
				want := dsl.Step{Action: action, Reply: decoded(t, prompt, c.Choices[0].Text)}
				got := chatStep(t, server, at, action)
				if !reflect.DeepEqual(got, want) {
					t.Fatalf("%v leads to %+v %+v, want %+v %+v", action, got, got.Reply.Stop, want, want.Reply.Stop)
				}
				if got.Reply.Outcome == dsl.Landed {
					landed++
				}
				if at, err = at.Append(got); err != nil {
					t.Fatal(err)
				}
			}
			if landed < 5 {
				t.Errorf("%d states:\n%s", landed, at.Text())
			}
		})
	}
}

// TestChatOracleAnswersThePage checks the answer to the chat example in docs/serve.md.
func TestChatOracleAnswersThePage(t *testing.T) {
	page, err := os.ReadFile("../docs/serve.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "/v1/chat/completions -H 'Content-Type: application/json' -d '")
	body, rest, _ := strings.Cut(rest, "'\n```\n\n`choices[0].message.content` is `")
	want, _, told := strings.Cut(rest, "`")
	if !told {
		t.Fatal("the page has no example")
	}
	server, _ := chatOracle(t)
	_, text, _ := post(t, server, "/v1/chat/completions", body)
	var c chatCompletion
	if err := json.Unmarshal([]byte(text), &c); err != nil || len(c.Choices) != 1 || *c.Choices[0].Message.Content != want {
		t.Errorf("%s, want %s", text, want)
	}
}

// TestChatOracleLists checks that a list contains the same states as the answers to single
// requests.
func TestChatOracleLists(t *testing.T) {
	t.Parallel()
	server, _ := chatOracle(t)
	const program = "<|trace_context_start|>1|def f(x):\n2|    y = x + 1\n3|    return y\n4|for i in range(3):\n5|    a = f(i)\n<|frame_sep|>"
	const first = "<|line_sep|><|stack_sep|>[[\"<module>\", 1]]{}<|action_sep|>1|def f(x):\n<|frame_sep|>"
	const inside = "<|debug_sep|>breakpoint 3<|frame_sep|><|line_sep|><|stack_sep|>[[\"<module>\", 5], [\"f\", 3]]{\"x\": \"0\", \"y\": \"1\"}<|action_sep|>3|    return y\n<|frame_sep|>"
	for _, c := range []struct {
		wire  string
		moves map[dsl.Move]int // number of states in an answer to a request for 8
	}{
		{program + first, map[dsl.Move]int{dsl.StepInto: 8, dsl.StepOver: 8, dsl.InvStepInto: 1}},
		{program + first + inside, map[dsl.Move]int{dsl.StepInto: 8, dsl.StepOver: 8, dsl.InvStepInto: 6, dsl.InvStepOver: 6}},
	} {
		at, _, err := dsl.ND1.Read(c.wire)
		if err != nil {
			t.Fatal(err)
		}
		for move, want := range c.moves {
			action := dsl.Action{Move: move}
			messages, err := chat.Messages(chat.System, at, action)
			if err != nil {
				t.Fatal(err)
			}
			answer, _ := chatted(t, server, object{"messages": chat.AskStates(messages, 8)})
			parts, err := chat.DecodeStates(at, action, 8, *answer.Choices[0].Message.Content)
			if err != nil || len(parts) != want {
				t.Errorf("%v: %d states, want %d: %v, %s", move, len(parts), want, err, *answer.Choices[0].Message.Content)
			}
			node := at
			for i, p := range parts {
				if one := chatStep(t, server, node, action); !reflect.DeepEqual(one, p.Step) {
					t.Errorf("%v, state %d: %+v, by itself %+v", move, i, p.Step, one)
				}
				if node, err = node.Append(p.Step); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}
