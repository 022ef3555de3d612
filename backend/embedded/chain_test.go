package embedded

import (
	"errors"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
)

// called returns a node at the call of a function, from which a step_return can be asked for.
func called(t *testing.T, source, stack, locals, line string) *dsl.Node {
	t.Helper()
	var text strings.Builder
	text.WriteString("<|trace_context_start|>" + source + "<|frame_sep|><|call_sep|><|stack_sep|>" + stack + locals + "<|action_sep|>" + line + "\n<|frame_sep|>")
	at, _, err := dsl.ND1.Read(text.String())
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// TestChainIsItsSteps checks that a step_return has the reply and the confidence of the steps to it.
func TestChainIsItsSteps(t *testing.T) {
	p := carried(t)
	first := called(t, "1|def f(words):\n2|    n = 0\n3|    for w in words:\n4|        n += 1\n5|    return n\n",
		`[["f", 1]]`, `{"words": "['a', 'b']"}`, "1|def f(words):")
	confidence, line, n, links := 1.0, 1.0, 1.0, 0
	var last dsl.Reply
	for at := first; ; links++ {
		got, err := p.Predict(t.Context(), backend.Question{At: at, Action: dsl.Action{Move: dsl.StepOver}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		confidence *= *got.Confidence
		line *= *got.Sureness.Line
		if p := got.Sureness.Local("n"); p != nil {
			n *= *p
		}
		if last = got.Step.Reply; last.Stop.Event == dsl.Return {
			break
		}
		if at, err = at.Append(got.Step); err != nil {
			t.Fatal(err)
		}
	}
	asked := backend.Question{At: first, Action: dsl.Action{Move: dsl.StepReturn}}
	got, err := p.Predict(t.Context(), asked, nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := (dsl.Step{Action: asked.Action, Reply: last}); !same(got.Step, want) || *got.Confidence != confidence || links < 4 {
		t.Errorf("%d steps lead to %+v (%v), the chain to %+v (%v)", links, last.Stop, confidence, got.Step.Reply.Stop, *got.Confidence)
	}
	if s := got.Sureness; *s.Line != line || s.Locals["n"] != n {
		t.Errorf("the line is %v sure and n %v, of the chain %v and %v", line, n, *s.Line, s.Locals["n"])
	}
	if got.Step.Reply.Stop.Value == nil || *got.Step.Reply.Stop.Value != "2" {
		t.Errorf("it returns %v", got.Step.Reply.Stop.Value)
	}
	d := first.Decode(asked.Action)
	if err := d.Feed(got.Raw); err != nil {
		t.Errorf("its text is no reply: %v", err)
	}
	if step, ok := d.Step(); !ok || !same(step, got.Step) {
		t.Errorf("its text says %+v", step.Reply.Stop)
	}
}

// TestChainLeavesGenerators checks that a chain does not end at the yield of a generator.
func TestChainLeavesGenerators(t *testing.T) {
	p := carried(t)
	at := called(t, "1|def g():\n2|    yield 1\n3|    yield 2\n4|\n5|x = list(g())\n", `[["<module>", 5], ["g", 1]]`, "{}", "1|def g():")
	got, _, err := p.chain(t.Context(), backend.Question{At: at, Action: dsl.Action{Move: dsl.StepReturn}})
	if err != nil {
		t.Fatal(err)
	}
	if got != nil && got.Step.Reply.Stop.Kind == dsl.Yielded {
		t.Errorf("it ends at %+v", got.Step.Reply.Stop)
	}
}

// TestChainTooLong checks that a question that exceeds the window fails with TooLong, so that the caller
// can compact.
func TestChainTooLong(t *testing.T) {
	p := babbler(t, Config{})
	defer p.Close()
	at := called(t, "1|def f(x):\n2|    return x  # "+strings.Repeat("long ", 4000)+"\n", `[["f", 1]]`, `{"x": "1"}`, "1|def f(x):")
	_, err := p.Predict(t.Context(), backend.Question{At: at, Action: dsl.Action{Move: dsl.StepReturn}}, nil)
	if failure, ok := errors.AsType[*backend.Error](err); !ok || failure.Kind != backend.TooLong {
		t.Errorf("%v", err)
	}
}

// TestChainTellsWhatItTookInVain checks that if a step fails, the tokens of the steps are reported as
// discarded, and the state is requested in one reply.
func TestChainTellsWhatItTookInVain(t *testing.T) {
	p := carried(t)
	first := called(t, "1|def f(words):\n2|    n = 0\n3|    for w in words:\n4|        n += 1\n5|    return n\n",
		`[["f", 1]]`, `{"words": "['a', 'b']"}`, "1|def f(words):")
	taken, most := 0, 0 // tokens of the steps before the first that is longer than all before it
	for at := first; ; {
		got, err := p.Predict(t.Context(), backend.Question{At: at, Action: dsl.Action{Move: dsl.StepOver}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if most > 0 && got.Usage.Completion > most {
			break
		}
		taken, most = taken+got.Usage.Completion, max(most, got.Usage.Completion)
		if at, err = at.Append(got.Step); err != nil {
			t.Fatal(err)
		}
	}
	asked := backend.Question{At: first, Action: dsl.Action{Move: dsl.StepReturn}, Options: backend.Options{MaxTokens: &most}}
	got, err := p.Predict(t.Context(), asked, nil)
	discarded := backend.DiscardedBy(got, err)
	if len(discarded) < 2 || discarded[0].Usage.Completion != taken || discarded[1].Usage.Completion != most || discarded[0].Invalid {
		t.Errorf("in vain are %+v, want %d tokens of the steps and then %d; %v", discarded, taken, most, err)
	}
}
