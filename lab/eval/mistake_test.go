package eval

import (
	"testing"

	"github.com/npdb/npdb/dsl"
)

// TestMistakes checks that a recorded question, answer and truth are read back as they were.
func TestMistakes(t *testing.T) {
	at := placeOf(t, "def f(x):\n    y = x\n    return y\n", "f", "1")
	into := dsl.Action{Move: dsl.StepInto}
	truth, wrong := stop(2, "x", "1"), stop(3, "x", "2")
	for _, s := range []*dsl.Stop{truth, wrong} {
		s.Source = at.Program().Files[0].Lines[s.Line-1]
	}
	var m mistakes
	q := question{at: at, action: into, truth: landed(truth), place: 4}
	m.state(Mistake{By: "m", Program: "p", Measure: "step_into"}, q, answer{fate: answered, step: dsl.Step{Action: into, Reply: landed(wrong)}})
	m.state(Mistake{By: "m", Program: "p", Measure: "step_into"}, q, answer{fate: invalid, raw: "line 77"})
	m.answer(Mistake{By: "m", Program: "p", Measure: MeasureOutput, Value: "1"}, fault{q, answer{fate: answered, step: dsl.Step{Action: into, Reply: landed(wrong)}}})
	m.rollout("m", "p", nil)
	bare := *wrong
	bare.Locals = nil
	m.rollout("m", "p", &fault{q, answer{fate: answered, step: dsl.Step{Action: into, Reply: landed(&bare)}, noLocals: true}})
	if len(m.list) != 4 {
		t.Fatalf("%+v", m.list)
	}
	for i, measure := range []string{"step_into", "step_into", MeasureOutput, MeasureRollout} {
		x := m.list[i]
		back, a, err := x.Asked(m.programs["p"])
		if err != nil || back.Text() != at.Text() || a.Move != dsl.StepInto || x.Measure != measure {
			t.Errorf("%d: %v %v %q, asked %q", i, err, a, x.Measure, back.Text())
			continue
		}
		got, actual, verdicts, err := x.Replies(back, a)
		switch {
		case err != nil:
			t.Errorf("%d: %v", i, err)
		case (got == nil) != (x.Raw != "") || (actual == nil) != (x.Value != ""):
			t.Errorf("%d: answer %v, truth %v", i, got, actual)
		case got != nil && (got.Stop.Line != 3 || i < 3 && got.Stop.Locals[0].Value != "2"):
			t.Errorf("%d: answer %+v", i, got.Stop)
		case actual != nil && actual.Stop.Line != 2:
			t.Errorf("%d: truth %+v", i, actual.Stop)
		case i == 0 && verdicts.Count() != 2, i == 3 && verdicts.Count() != 1:
			t.Errorf("%d: %d parts are wrong: %v", i, verdicts.Count(), verdicts)
		}
	}
	damaged := m.list[0]
	damaged.Answer = damaged.Answer[:len(damaged.Answer)-1]
	if _, _, _, err := damaged.Replies(at, into); err == nil {
		t.Error("half a reply was read")
	}
	damaged.Question += "x"
	if _, _, err := damaged.Asked(m.programs["p"]); err == nil {
		t.Error("what is no question was read")
	}
}
