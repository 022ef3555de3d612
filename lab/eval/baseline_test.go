package eval

import (
	"fmt"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
)

// said formats a reply as a short text.
func said(r dsl.Reply) string {
	s := r.Stop
	if s == nil {
		return r.Outcome.String()
	}
	words := []string{s.Event.String(), fmt.Sprint(s.Line)}
	for _, l := range s.Locals {
		words = append(words, l.Name+"="+l.Value)
	}
	if s.Value != nil {
		words = append(words, "->", *s.Value)
	}
	return strings.Join(words, " ")
}

func TestBaselines(t *testing.T) {
	const source = `def f(n):
    i = 0
    while i < n:

        # counts
        i += 1
    return i
`
	at := placeOf(t, source, "f", "2")
	for _, line := range []struct {
		n int
		i string
	}{{2, ""}, {3, "0"}, {6, "0"}, {3, "1"}} {
		s := stop(line.n, "n", "2")
		if line.i != "" {
			s.Locals = append(s.Locals, dsl.Local{Name: "i", Value: line.i})
		}
		s.Source = at.Program().Files[0].Lines[line.n-1]
		var err error
		if at, err = at.Append(dsl.Step{Action: dsl.Action{Move: dsl.StepInto}, Reply: landed(s)}); err != nil {
			t.Fatal(err)
		}
	}
	r, err := newRunner(Config{Predictor: &fake{}})
	if err != nil {
		t.Fatal(err)
	}
	ask := func(name string, at *dsl.Node, action string) string {
		a, err := dsl.ParseAction(action)
		if err != nil {
			t.Fatal(err)
		}
		ask, _ := r.baseline(name)
		got, err := ask(t.Context(), at, a, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := at.Reply(a, got.step.Reply); err != nil && a.Move != dsl.InvContinue {
			t.Errorf("%s %s is no reply: %v", name, action, err)
		}
		return said(got.step.Reply)
	}
	body, err := at.Append(dsl.Step{Action: dsl.Action{Move: dsl.StepInto}, Reply: landed(func() *dsl.Stop {
		s := stop(6, "n", "2", "i", "1")
		s.Source = "        i += 1"
		return s
	}())})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		at                  *dsl.Node
		action, still, last string
	}{
		{at, "step_into", "line 6 n=2 i=1", "line 6 n=2 i=1"},
		{body, "step_over", "line 7 n=2 i=1", "line 3 n=2 i=1"}, // this step led there before
		{at, "step_return", "return 7 n=2 i=1 -> None", "return 7 n=2 i=1 -> 1"},
		{at, "breakpoint 2,6,7", "line 6 n=2 i=1", "line 6 n=2 i=1"},
		{at, "continue", "end", "end"},
		{body, "inv_step_into", "line 3 n=2 i=1", "line 3 n=2 i=1"},
		{at, "inv_step_return", "call 1 n=2", "call 1 n=2"},
		{body, "inv_breakpoint 2,3,7", "line 3 n=2 i=1", "line 3 n=2 i=1"},
		{body, "inv_continue", "call 1 n=2", "call 1 n=2"},
	} {
		for name, want := range map[string]string{Still: test.still, Last: test.last} {
			if got := ask(name, test.at, test.action); got != want {
				t.Errorf("%s after %s: %s, want %s", name, test.action, got, want)
			}
		}
	}
}
