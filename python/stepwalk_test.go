package python

import (
	"testing"

	"github.com/npdb/npdb/dsl"
)

// TestStepWalk checks on which of the states that single steps lead to a move lands.
func TestStepWalk(t *testing.T) {
	source := []string{"def f(a):", "    b = a", "    c = (b +", "         1)", "    if c:", "        d = 1", "    return g(d)"}
	line := func(n int) *dsl.Stop {
		return &dsl.Stop{
			State: dsl.State{Event: dsl.Line, Line: n, Source: source[n-1], Function: "f"},
			Stack: []dsl.Frame{{Function: "f", Line: n}},
		}
	}
	event := func(n int, e dsl.Event) *dsl.Stop {
		s := line(n)
		if s.Event = e; e == dsl.Return {
			s.Kind = dsl.Unwound
		}
		return s
	}
	start := dsl.Reply{Outcome: dsl.AtStart}
	to := func(s *dsl.Stop) dsl.Reply { return dsl.Reply{Outcome: dsl.Landed, Stop: s} }
	for _, c := range []struct {
		move  dsl.Move
		from  *dsl.Stop
		steps []dsl.Reply
		want  int // index of the landing in steps, -1 for none
	}{
		{dsl.StepBlock, line(2), []dsl.Reply{to(line(3)), to(line(4)), to(line(3)), to(line(5)), to(line(6))}, 4},
		{dsl.StepBlock, line(2), []dsl.Reply{to(line(3)), to(line(2))}, 1},
		{dsl.StepBlock, event(1, dsl.Call), []dsl.Reply{to(line(2))}, 0},
		{dsl.StepBlock, line(7), []dsl.Reply{to(event(7, dsl.Return))}, 0},
		{dsl.StepBlock, line(2), []dsl.Reply{to(line(3)), {Outcome: dsl.Ended, Exit: &dsl.Exit{}}}, 1},
		{dsl.StepBlock, line(2), []dsl.Reply{to(line(3)), to(line(4))}, -1},
		{dsl.InvStepBlock, line(5), []dsl.Reply{to(line(3)), to(line(4)), to(line(3)), to(line(2))}, 3},
		{dsl.InvStepBlock, line(5), []dsl.Reply{to(line(3)), to(event(3, dsl.Exception))}, 0},
		{dsl.InvStepBlock, line(5), []dsl.Reply{to(line(3)), start}, 0},
		{dsl.InvStepBlock, line(7), []dsl.Reply{to(line(6))}, 0},
		{dsl.InvStepBlock, line(2), []dsl.Reply{to(event(1, dsl.Call))}, 0},
		{dsl.InvStepBlock, line(2), []dsl.Reply{start}, 0},
		{dsl.StepFunction, line(2), []dsl.Reply{to(line(3)), to(event(3, dsl.Exception)), to(event(3, dsl.Return))}, 2},
		{dsl.InvStepFunction, line(5), []dsl.Reply{to(line(3)), to(event(1, dsl.Call))}, 1},
		{dsl.InvStepFunction, line(5), []dsl.Reply{to(line(3)), start}, 1},
	} {
		walk, got := NewStepWalk(c.move, &dsl.Program{Files: []dsl.SourceFile{{Lines: source}}}, c.from), -1
		for i, reply := range c.steps {
			switch walk.Next(reply.Stop) {
			case WalkLandsHere:
				got = i
			case WalkLandsBefore:
				got = i - 1
			}
			if got >= 0 {
				break
			}
		}
		if got != c.want {
			t.Errorf("%v from line %d lands on step %d, want %d", c.move, c.from.Line, got, c.want)
		}
	}
}
