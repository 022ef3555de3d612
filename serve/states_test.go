package serve

import (
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/chat"
)

// stepsOf returns the node of the first state of a program of three lines, and a server that knows
// the states after it.
func stepsOf(t *testing.T, config func(*Config)) (first *dsl.Node, server *httptest.Server, f *fake) {
	t.Helper()
	const wire = `<|trace_context_start|>1|x = 1
2|y = 2
3|z = 3
<|frame_sep|><|line_sep|><|stack_sep|>[["<module>", 1]]{}<|action_sep|>1|x = 1
<|frame_sep|><|debug_sep|>step_into<|frame_sep|><|line_sep|>{"x": "1"}<|action_sep|>2|y = 2
<|frame_sep|><|debug_sep|>step_into<|frame_sep|><|line_sep|>{"x": "..", "y": "2"}<|action_sep|>3|z = 3
<|frame_sep|><|debug_sep|>step_into<|frame_sep|><|return_sep|>{"x": "..", "y": "..", "z": "3"}<|action_sep|>3|z = 3
<|arg_sep|>"None"<|frame_sep|><|debug_sep|>step_into<|frame_sep|><|end_sep|>{"code": 0}<|frame_sep|>`
	last, _, err := dsl.ND1.Read(wire)
	if err != nil {
		t.Fatal(err)
	}
	first = last
	for first.Parent().Parent() != nil {
		first = first.Parent()
	}
	f = &fake{steps: last.Trajectory().Steps}
	return first, served(t, func(c *Config) {
		c.Models[0].Predictor = f
		if config != nil {
			config(c)
		}
	}), f
}

// listAsked returns the messages of a request for up to most states.
func listAsked(t *testing.T, at *dsl.Node, most int) []chat.Message {
	t.Helper()
	messages, err := chat.Messages("You are a debugger.", at, dsl.Action{Move: dsl.StepInto})
	if err != nil {
		t.Fatal(err)
	}
	return chat.AskStates(messages, most)
}

// TestChatLists checks that a list contains as many of the following states as are requested,
// known, and fit into the tokens. The list ends at the end of the program, and at a state that was
// made wrong on purpose.
func TestChatLists(t *testing.T) {
	for _, c := range []struct {
		name    string
		most    int
		extra   object
		config  func(*Config)
		change  func(*fake)
		want    int
		unknown bool
	}{
		{name: "one", most: 1, want: 1},
		{name: "some", most: 3, want: 3},
		{name: "up to the end", most: 8, want: 4},
		{name: "up to what nobody knows", most: 8, change: func(f *fake) { f.steps = f.steps[:3] }, want: 2},
		{name: "up to what its containment has ended", most: 8, change: func(f *fake) { f.steps[4].Reply.Exit = &dsl.Exit{Code: killed} }, want: 3},
		{name: "up to its tokens", most: 8, extra: object{"max_tokens": 400}, want: 2},
		{name: "what nobody knows", most: 8, change: func(f *fake) { f.steps = f.steps[:1] }, want: 1, unknown: true},
		{name: "a wrong line", most: 8, config: func(c *Config) { c.Misbehavior = Misbehavior{Line: 1} }, want: 1},
		{name: "declined on purpose", most: 8, config: func(c *Config) { c.Misbehavior = Misbehavior{Unknown: 1} }, want: 1, unknown: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			at, server, f := stepsOf(t, c.config)
			if c.change != nil {
				c.change(f)
			}
			q := object{"messages": listAsked(t, at, c.most)}
			for k, v := range c.extra {
				q[k] = v
			}
			answer, h := chatted(t, server, q)
			text := *answer.Choices[0].Message.Content
			if !strings.HasPrefix(text, `{"states":[{`) {
				t.Errorf("it is answered %s", text)
			}
			parts, err := chat.DecodeStates(at, dsl.Action{Move: dsl.StepInto}, c.most, text)
			if err != nil || len(parts) != c.want {
				t.Fatalf("%d states, want %d: %v, %s", len(parts), c.want, err, text)
			}
			for i, p := range parts {
				switch want := f.steps[min(i+1, len(f.steps)-1)]; {
				case c.unknown:
					if p.Step.Reply.Outcome != dsl.Unknown {
						t.Errorf("it is %+v", p.Step.Reply)
					}
				case h.Get(corruptedHeader) != "":
					if reflect.DeepEqual(p.Step, want) {
						t.Errorf("state %d is said to be wrong, and is not", i)
					}
				case !reflect.DeepEqual(p.Step, want):
					t.Errorf("state %d is %+v, want %+v", i, p.Step, want)
				}
			}
		})
	}
	at, server, _ := stepsOf(t, func(c *Config) { c.Misbehavior = Misbehavior{Endless: 1} })
	if answer, _ := chatted(t, server, object{"messages": listAsked(t, at, 8), "max_tokens": 300}); !strings.HasPrefix(*answer.Choices[0].Message.Content, `{"states":[{`) || *answer.Choices[0].Finish != "length" {
		t.Errorf("what has no end is %+v", answer.Choices[0])
	}
}
