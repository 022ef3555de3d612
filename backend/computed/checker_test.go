package computed_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/computed"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
)

// marks formats checks: the names of the parts that follow, and the computed values of the others.
func marks(c backend.Checks) string {
	var words []string
	for _, part := range slices.Sorted(maps.Keys(c)) {
		if check := c[part]; check.Mark == backend.Contradicts {
			words = append(words, part+" is "+check.Computed)
		} else {
			words = append(words, part)
		}
	}
	return strings.Join(words, ", ")
}

func landed(event dsl.Event, line int, function string, depth int, value *string, locals ...dsl.Local) dsl.Reply {
	s := &dsl.Stop{State: dsl.State{Event: event, Line: line, Function: function, Locals: locals, Value: value, Depth: depth}}
	if event == dsl.Return {
		s.Kind = dsl.Returned
	}
	s.Stack = make([]dsl.Frame, depth+1)
	return dsl.Reply{Outcome: dsl.Landed, Stop: s}
}

// TestCompare checks how predicted replies compare with computed ones.
func TestCompare(t *testing.T) {
	twelve, two, boom := "12", "2", "ValueError()"
	truth := landed(dsl.Return, 5, "f", 1, &twelve, dsl.Local{Name: "a", Value: "12"}, dsl.Local{Name: "b", Value: "0"})
	for _, c := range []struct {
		predicted, computed dsl.Reply
		locals              bool
		want                string
	}{
		{truth, truth, true, "depth, event, function, line, locals.a, locals.b, value"},
		{truth, truth, false, "depth, event, function, line, value"},
		{landed(dsl.Line, 5, "f", 1, nil), truth, true, "depth, event is return, function, line"},
		{landed(dsl.Return, 4, "f", 1, &two), truth, true, "depth, event, function, line is 5"},
		{landed(dsl.Return, 5, "g", 2, &two), truth, true, "depth is 1, event, function is f, line"},
		{
			landed(dsl.Return, 5, "f", 1, &two, dsl.Local{Name: "a", Value: "2"}, dsl.Local{Name: "c", Value: "0"}), truth, true,
			"depth, event, function, line, locals.a is 12, locals.b is 0, locals.c is , value is 12",
		},
		{landed(dsl.Return, 5, "f", 1, nil), landed(dsl.Return, 5, "f", 1, &two), true, "depth, event, function, line, value is 2"},
		{landed(dsl.Return, 5, "f", 1, &two), landed(dsl.Return, 5, "f", 1, nil), true, "depth, event, function, line, value is "},
		{dsl.Reply{Outcome: dsl.Ended, Exit: &dsl.Exit{}}, truth, true, "event is return"},
		{truth, dsl.Reply{Outcome: dsl.Ended, Exit: &dsl.Exit{}}, true, "event is end"},
		{dsl.Reply{Outcome: dsl.Ended, Exit: &dsl.Exit{Exception: &boom}}, dsl.Reply{Outcome: dsl.Ended, Exit: &dsl.Exit{Exception: &boom}}, true, "event, value"},
		{dsl.Reply{Outcome: dsl.Ended, Exit: &dsl.Exit{}}, dsl.Reply{Outcome: dsl.Ended, Exit: &dsl.Exit{Exception: &boom}}, true, "event, value is ValueError()"},
	} {
		if got := marks(computed.Compare(c.predicted, c.computed, c.locals)); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// TestChecker checks the states of a model that takes 84 % 36 for 2. The states after the wrong one are
// compared with what follows from the wrong state, so they are right.
func TestChecker(t *testing.T) {
	replies := []dsl.Reply{
		landed(dsl.Line, 6, "<module>", 0, nil),
		landed(dsl.Call, 2, "gcd", 1, nil, dsl.Local{Name: "a", Value: "84"}, dsl.Local{Name: "b", Value: "36"}),
		landed(dsl.Line, 3, "gcd", 1, nil, dsl.Local{Name: "a", Value: "84"}, dsl.Local{Name: "b", Value: "36"}),
		landed(dsl.Line, 4, "gcd", 1, nil, dsl.Local{Name: "a", Value: "84"}, dsl.Local{Name: "b", Value: "36"}),
		landed(dsl.Line, 3, "gcd", 1, nil, dsl.Local{Name: "a", Value: "36"}, dsl.Local{Name: "b", Value: "2"}),
		landed(dsl.Line, 5, "gcd", 1, nil, dsl.Local{Name: "a", Value: "36"}, dsl.Local{Name: "b", Value: "2"}),
	}
	stacks := [][]dsl.Frame{
		{{Function: "<module>", File: "p.py", Line: 6}},
		{{Function: "<module>", File: "p.py", Line: 6}, {Function: "gcd", File: "p.py"}},
	}
	n := 0
	var told []string
	other := &rest{reply: func(q backend.Question) dsl.Reply {
		r := replies[n]
		n++
		r.Stop.File = "p.py"
		r.Stop.Source = dsl.SplitLines(source)[r.Stop.Line-1]
		r.Stop.Stack = slices.Clone(stacks[r.Stop.Depth])
		r.Stop.Stack[r.Stop.Depth].Line = r.Stop.Line
		told = append(told, strings.Join(q.Contradictions(r), " "))
		return r
	}}
	p := computed.NewChecker(other, python.Version{})
	defer func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}()
	at := begin(t, source)
	at = add(t, at, dsl.Step{Action: dsl.Action{Move: dsl.StepInto}, Reply: func() dsl.Reply {
		r := landed(dsl.Line, 2, "<module>", 0, nil)
		r.Stop.File, r.Stop.Source, r.Stop.Stack = "p.py", "def gcd(a, b):", []dsl.Frame{{Function: "<module>", File: "p.py", Line: 2}}
		return r
	}()})
	var got []string
	for range replies {
		made, err := p.Predict(t.Context(), backend.Question{At: at, Action: dsl.Action{Move: dsl.StepInto}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		at = add(t, at, made.Step)
		got = append(got, marks(made.Checks))
	}
	all := "depth, event, function, line, locals.a, locals.b"
	expect(t, got,
		"depth, event, function, line", all, all, all,
		"depth, event, function, line, locals.a, locals.b is 12",
		"depth, event, function, line is 4",
	)
	expect(t, told, "", "", "", "", "locals.b", "line")
}
