package computed_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/computed"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
)

const partly = `import random
def g(n):
    return n + 1
def f(n):
    a = g(n)
    b = random.random()
    c = a * 2
    return c
x = f(3)
y = x
`

// drawn answers a step over line 6, which draws a random number. It answers no other question.
func drawn(q backend.Question) dsl.Reply {
	s := *q.At.Current()
	if s.Line != 6 || q.Action.Move != dsl.StepOver && q.Action.Move != dsl.StepInto {
		return dsl.Reply{Outcome: dsl.Unknown}
	}
	s.Line, s.Source = 7, "    c = a * 2"
	s.Locals = append(slices.Clone(s.Locals), dsl.Local{Name: "b", Value: "0.5"})
	s.Stack = slices.Clone(s.Stack)
	s.Stack[len(s.Stack)-1].Line = 7
	return dsl.Reply{Outcome: dsl.Landed, Stop: &s}
}

// TestChain checks moves over several events of which all but one are computed: the other predictor is
// asked for that step only.
func TestChain(t *testing.T) {
	for _, c := range []struct {
		steps []dsl.Move // that lead to the state where the move begins
		move  string
		want  string
		asked string // the requested step, and the moves of its history
	}{
		{[]dsl.Move{dsl.StepOver, dsl.StepOver, dsl.StepOver}, "step_over", "asked line y = x x=8", "step_over after step_into step_into step_over"},
		{[]dsl.Move{dsl.StepOver, dsl.StepOver, dsl.StepOver, dsl.StepInto}, "step_return", "asked return     return c n=3 a=4 b=0.5 c=8 8", "step_over after step_into step_over"},
		{[]dsl.Move{dsl.StepOver, dsl.StepOver, dsl.StepOver}, "breakpoint 8", "asked line     return c n=3 a=4 b=0.5 c=8", "step_into after step_into step_into step_over"},
		{[]dsl.Move{dsl.StepOver, dsl.StepOver, dsl.StepOver}, "step_block", "asked return y = x x=8 y=8 None", "step_over after step_into step_into step_over"},
		{[]dsl.Move{dsl.StepOver, dsl.StepOver, dsl.StepOver, dsl.StepInto, dsl.StepInto, dsl.StepOver}, "step_function", "asked return     return c n=3 a=4 b=0.5 c=8 8", "step_into after "},
	} {
		other := &rest{reply: drawn}
		p := computed.New(other, python.Version{}, 100)
		at, _ := walk(t, p, begin(t, partly), c.steps...)
		if len(other.asked) > 0 {
			t.Fatalf("asked: %q", other.asked)
		}
		var told []string
		sure := 0.5
		other.confidence = &sure
		other.hear = func(q backend.Question) {
			for _, s := range q.At.Trajectory().Steps[len(at.Trajectory().Steps):] {
				told = append(told, s.Action.Move.String())
			}
		}
		action, err := dsl.ParseAction(c.move)
		if err != nil {
			t.Fatal(err)
		}
		made, err := p.Predict(t.Context(), backend.Question{At: at, Action: action}, nil)
		if err != nil {
			t.Fatal(err)
		}
		expect(t, []string{describe(made)}, c.want)
		if got := strings.Join(other.asked, " ") + " after " + strings.Join(told, " "); got != c.asked {
			t.Errorf("%s asks for %s, want %s", c.move, got, c.asked)
		}
		if made.Computed || made.Confidence == nil || *made.Confidence != sure {
			t.Errorf("%s: %+v", c.move, made)
		}

		// The state computed during the move is known afterwards: the next step is computed from it.
		at = add(t, at, made.Step)
		other.reply = nil
		_, seen := walk(t, p, at, dsl.StepInto)
		if !strings.HasPrefix(seen[0], "computed") {
			t.Errorf("after %s: %s", c.move, seen[0])
		}
		p.Close()
	}
}

// TestChainIsLimited checks that the predictor asks for the whole move if it would have to ask for too
// many steps.
func TestChainIsLimited(t *testing.T) {
	other := &rest{reply: func(q backend.Question) dsl.Reply {
		if q.Action.Move == dsl.StepReturn {
			s := *q.At.Current()
			value := "0"
			s.Event, s.Kind, s.Value = dsl.Return, dsl.Returned, &value
			return dsl.Reply{Outcome: dsl.Landed, Stop: &s}
		}
		return dsl.Reply{Outcome: dsl.Landed, Stop: q.At.Current()}
	}}
	p := computed.New(other, python.Version{}, 3)
	defer p.Close()
	at, _ := walk(t, p, begin(t, partly), dsl.StepOver, dsl.StepOver, dsl.StepOver, dsl.StepInto)
	_, seen := walk(t, p, at, dsl.StepReturn)
	expect(t, seen, "asked return def f(n): n=3 0")
	expect(t, other.asked, "step_over", "step_over", "step_over", "step_return")
}
