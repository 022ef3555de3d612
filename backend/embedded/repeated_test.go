package embedded

import (
	"reflect"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
)

// TestRepeatedStepsOfTheModel checks that the model predicts block and function moves from single steps, and
// that its replies are valid nd/1 texts.
func TestRepeatedStepsOfTheModel(t *testing.T) {
	p := carried(t)
	first := called(t, "1|def f(words):\n2|    n = 0\n3|    for w in words:\n4|        n += 1\n5|    return n\n",
		`[["f", 1]]`, `{"words": "['a', 'b']"}`, "1|def f(words):")
	at := first
	for _, c := range []struct {
		move dsl.Move
		want int // line of the landing
	}{{dsl.StepBlock, 2}, {dsl.StepBlock, 3}, {dsl.StepBlock, 4}, {dsl.StepBlock, 3}, {dsl.StepFunction, 5}} {
		q := backend.Question{At: at, Action: dsl.Action{Move: c.move}}
		got, err := p.Predict(t.Context(), q, nil)
		if err != nil {
			t.Fatalf("%v: %v", c.move, err)
		}
		d := at.Decode(q.Action)
		if err := d.Feed(got.Raw); err != nil {
			t.Fatalf("%v: its text is no reply: %v", c.move, err)
		}
		if step, ok := d.Step(); !ok || !same(step, got.Step) || got.Step.Reply.Stop == nil || got.Step.Reply.Stop.Line != c.want {
			t.Fatalf("%v leads to %+v, want line %d", c.move, got.Step.Reply.Stop, c.want)
		}
		if got.Confidence == nil || *got.Confidence <= 0 || *got.Confidence > 1 {
			t.Errorf("%v: confidence %v", c.move, got.Confidence)
		}
		if at, err = at.Append(got.Step); err != nil {
			t.Fatal(err)
		}
	}
	q := backend.Question{At: at, Action: dsl.Action{Move: dsl.InvStepFunction}}
	got, err := p.Predict(t.Context(), q, nil)
	if err != nil || got.Step.Reply.Stop == nil || got.Step.Reply.Stop.Event != dsl.Call || got.Step.Reply.Stop.Line != 1 {
		t.Errorf("inv_step_function leads to %+v, %v", got, err)
	}
}

// TestClosedIsDecoded checks that the reply of a chain is the same state as its decoded text, however
// the last step of the chain wrote the stack.
func TestClosedIsDecoded(t *testing.T) {
	source := "1|def f(x):\n2|    return x\n3|\n4|a = 1\n5|b = f(a)\n"
	q := backend.Question{Action: dsl.Action{Move: dsl.StepFunction}}
	for name, from := range map[string]string{
		"the stack is required": `<|line_sep|><|stack_sep|>[["<module>", 4]]{}<|action_sep|>4|a = 1`,
		"the stack is implied":  `<|line_sep|><|stack_sep|>[["<module>", 5]]{}<|action_sep|>5|b = f(a)`,
	} {
		var err error
		if q.At, _, err = dsl.ND1.Read("<|trace_context_start|>" + source + "<|frame_sep|>" + from + "\n<|frame_sep|>"); err != nil {
			t.Fatal(err)
		}
		read := func(text string) dsl.Step {
			d := q.At.Decode(q.Action)
			if err := d.Feed(text); err != nil {
				t.Fatalf("%s: %v in %q", name, err, text)
			}
			step, _ := d.Step()
			return step
		}
		for _, whole := range []bool{false, true} {
			last := read(`<|call_sep|><|stack_sep|>[["<module>", 5], ["f", 1]]{}<|action_sep|>1|def f(x):` + "\n<|frame_sep|>").Reply
			last.Stop.Whole = whole
			made := newLinks(q, dsl.StepInto).closed(last)
			if again := read(made.Raw); !reflect.DeepEqual(again, made.Step) {
				t.Errorf("%s, Whole %v: %+v is read as %+v", name, whole, made.Step.Reply.Stop, again.Reply.Stop)
			}
			if last.Stop.Whole != whole {
				t.Errorf("%s: the state of the chain was changed", name)
			}
		}
	}
}
