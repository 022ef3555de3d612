package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/lab/eval"
)

// mistaken returns a result with three wrong answers about one program.
func mistaken(t *testing.T) *eval.Result {
	lines := []string{"def f(x):", "    y = x\x1b % 7", "    return y"}
	state := func(e dsl.Event, line int, value string, locals ...dsl.Local) dsl.Reply {
		s := &dsl.Stop{
			State: dsl.State{Event: e, File: "p.py", Line: line, Source: lines[line-1], Function: "f", Locals: locals},
			Stack: []dsl.Frame{{Function: "f", File: "p.py", Line: line}},
		}
		if e == dsl.Return {
			s.Kind, s.Value = dsl.Returned, &value
		}
		return dsl.Reply{Outcome: dsl.Landed, Stop: s}
	}
	x := dsl.Local{Name: "x", Value: "84"}
	at, err := dsl.ND1.Begin(&dsl.Program{Files: []dsl.SourceFile{{Name: "p.py", Lines: lines}}})
	if err != nil {
		t.Fatal(err)
	}
	context := at.Text()
	if at, err = at.Append(dsl.Step{Reply: state(dsl.Line, 2, "", x)}); err != nil {
		t.Fatal(err)
	}
	into, ret := dsl.Action{Move: dsl.StepInto}, dsl.Action{Move: dsl.StepReturn}
	prompt := func(a dsl.Action) string {
		text, err := at.Prompt(a)
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimPrefix(text, context)
	}
	reply := func(a dsl.Action, r dsl.Reply) string {
		text, err := at.Reply(a, r)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	right, wrong := state(dsl.Line, 3, "", x, dsl.Local{Name: "y", Value: "0"}), state(dsl.Line, 3, "", x, dsl.Local{Name: "y", Value: "2"})
	return &eval.Result{
		Programs: map[string]string{"p\x1b": context},
		Mistakes: []eval.Mistake{
			{By: "m", Program: "p\x1b", Measure: "step_into", At: 1, Question: prompt(into), Answer: reply(into, wrong), Truth: reply(into, right)},
			{By: "m", Program: "p\x1b", Measure: "step_into", At: 1, Question: prompt(into), Raw: "line\x1b 9", Truth: reply(into, right)},
			{By: eval.Computing, Program: "p\x1b", Measure: eval.MeasureOutput, Computed: true, Question: prompt(ret), Answer: reply(ret, state(dsl.Return, 3, "2", x)), Value: "0"},
		},
	}
}

// TestMistakes checks how wrong answers are printed, and which ones a selection prints.
func TestMistakes(t *testing.T) {
	r := mistaken(t)
	show := func(s Selection) string {
		var b bytes.Buffer
		if err := Mistakes(&b, r, s, false); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	golden.RequireEqual(t, []byte(show(Selection{})))
	for _, test := range []struct {
		s    Selection
		want int
	}{
		{Selection{By: "m"}, 2},
		{Selection{By: eval.Computing}, 1},
		{Selection{Measure: "step_into"}, 2},
		{Selection{Event: "line"}, 2},
		{Selection{Event: "call"}, 0},
		{Selection{Program: "q"}, 0},
		{Selection{Limit: 1}, 1},
	} {
		if got := strings.Count(show(test.s), "  answer "); got != test.want {
			t.Errorf("%+v selects %d of them, want %d", test.s, got, test.want)
		}
	}
	r.Mistakes[0].Answer = "damaged"
	if err := Mistakes(&bytes.Buffer{}, r, Selection{}, false); err == nil {
		t.Error("a damaged answer was read")
	}
}
