package embedded

import (
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
