package embedded

import (
	"errors"
	"fmt"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
)

// TestFramesOfComprehensions checks comprehensions before Python 3.12, which have a frame of their own:
// a step into one enters it, goes through its iterations and leaves it, and a step over its line lands
// on the next line.
func TestFramesOfComprehensions(t *testing.T) {
	lines := []string{"xs = [1, 2, 3]", "ys = [x * 2 for x in xs]", "total = sum(ys)"}
	begin, err := dsl.ND1.Begin(&dsl.Program{Files: []dsl.SourceFile{{Name: "a.py", Lines: lines}}})
	if err != nil {
		t.Fatal(err)
	}
	state := func(event dsl.Event, function string, line int, locals ...dsl.Local) *dsl.Stop {
		return &dsl.Stop{State: dsl.State{Event: event, File: "a.py", Line: line, Source: lines[line-1], Function: function, Locals: locals}, Stack: []dsl.Frame{{Function: "<module>", File: "a.py", Line: line}}}
	}
	at, err := begin.Append(dsl.Step{Reply: dsl.Reply{Outcome: dsl.Landed, Stop: state(dsl.Line, "<module>", 2, dsl.Local{Name: "xs", Value: "[1, 2, 3]"})}})
	if err != nil {
		t.Fatal(err)
	}
	walk := func(p *Predictor, moves ...dsl.Move) (all []string) {
		node := at
		for _, m := range moves {
			got, err := p.Predict(t.Context(), backend.Question{At: node, Action: dsl.Action{Move: m}}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if node, err = node.Append(got.Step); err != nil {
				t.Fatal(err)
			}
			stop := got.Step.Reply.Stop
			var names []string
			for _, l := range stop.Locals {
				names = append(names, l.Name)
			}
			all = append(all, fmt.Sprint(stop.Event, " ", stop.Kind, " ", stop.Line, " ", stop.Function, " ", names))
		}
		return all
	}
	p, err := Shipped(Config{Python: python.Version{Major: 3, Minor: 11}})
	if errors.Is(err, ErrNoModel) {
		t.Skip("this build carries no model")
	} else if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	into, over := dsl.StepInto, dsl.StepOver
	want := []string{"call  2 <listcomp> [.0]", "line  2 <listcomp> [.0]", "line  2 <listcomp> [.0 x]", "line  2 <listcomp> [.0 x]", "line  2 <listcomp> [.0 x]", "return return 2 <listcomp> [.0 x]", "line  3 <module> [xs ys]"}
	if got := walk(p, into, into, into, into, into, into, into); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("it enters\n%q\nwant\n%q", got, want)
	}
	if got := walk(p, over); got[0] != "line  3 <module> [xs ys]" {
		t.Errorf("it steps over to %s", got[0])
	}
	// A newer Python runs it in the enclosing frame.
	newest, err := Shipped(Config{Python: python.Version{Major: 3, Minor: 12}})
	if err != nil {
		t.Fatal(err)
	}
	defer newest.Close()
	if got := walk(newest, into); got[0] != "line  2 <module> [xs x]" {
		t.Errorf("in 3.12 it steps to %s", got[0])
	}
}
