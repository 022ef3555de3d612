//go:build unix

package trace

import (
	"testing"

	"github.com/npdb/npdb/dsl"
)

// TestToldOfMoves checks the test that the tracer applies after each event, so that a move
// lands where the tree says.
func TestToldOfMoves(t *testing.T) {
	for _, c := range []struct {
		at         string
		move       dsl.Move
		unrecorded bool
		want       []string
	}{
		{"module f line", dsl.StepInto, false, mode("any", 0, 0, 0)},
		{"module f line", dsl.StepOver, false, mode("depth", 1, 0, 0)},
		{"module f line", dsl.StepReturn, false, mode("final", 1, -1, 1)},
		{"module f line", dsl.Continue, false, mode("free", 0, 0, 0)},
		{"module f return", dsl.StepOver, false, mode("depth", 1, 0, 0)},
		{"module f return", dsl.StepReturn, false, mode("depth", 0, 0, 0)},
		{"module g line", dsl.StepOver, false, mode("over", 1, 0, 0)},
		{"module g line", dsl.StepReturn, false, mode("final", 1, 0, 0)},
		{"module g yield", dsl.StepOver, false, mode("depth", 1, 0, 0)},
		{"g line", dsl.StepOver, false, mode("over", 0, -1, 0)},
		{"module f line", dsl.StepInto, true, mode("any", 0, 0, 0)},
		{"module f line", dsl.StepOver, true, []string{"fast", "depth", "1", "0", "0"}},
		{"module f line", dsl.Continue, true, []string{"fast", "free", "0", "0", "0"}},
		{"module f return", dsl.StepOver, true, mode("depth", 1, 0, 0)},
		{"module f return", dsl.StepReturn, true, []string{"fast", "depth", "0", "0", "0"}},
	} {
		s := scriptedAt(t, standing(c.at))
		s.rec.Record(!c.unrecorded)
		s.say(msgStop, "landed", "0")
		if _, err := s.moves(c.move); err != nil {
			t.Fatal(err)
		}
		t.Log(c.at, c.move)
		s.wantTold(c.want...)
	}
}

// TestToldOfStops checks that stops are sent as five fields each, with the real path of
// their file.
func TestToldOfStops(t *testing.T) {
	stops := []Stop{
		{At: dsl.Location{File: 1, Line: 3}, Function: "f", Condition: "x > 1", Ignore: 2},
		{At: dsl.Location{File: 2, Line: 3}},
		{At: dsl.Location{File: -1, Line: 3}},
		{For: OnChange, Expr: "a.b", Activation: 1, Up: 4, Condition: "c", Ignore: 5},
		{For: OnChange, Expr: "a.b", Activation: 1, OfModule: true},
		{For: OnRaise},
		{For: Anywhere, Condition: "d", At: dsl.Location{Line: 3}},
	}
	told := []string{
		"/real/b.py", "3", "f", "x > 1", "2", "?", "3", "", "", "0", "?", "3", "", "", "0",
		"", "4", "change 1 a.b", "c", "5", "", "0", "names 1 a.b", "", "0", "", "0", "raise", "", "0", "", "0", "anywhere", "d", "0",
	}
	until := 7
	for name, c := range map[string]struct {
		move func(r *Recording) (Landing, error)
		want []string
	}{
		"a step": {func(r *Recording) (Landing, error) {
			return r.Move(t.Context(), r.LiveEdge(), dsl.Action{Move: dsl.StepOver}, stops...)
		}, append(mode("depth", 1, 0, 0), told...)},
		"breakpoints": {func(r *Recording) (Landing, error) {
			return r.Move(t.Context(), r.LiveEdge(), dsl.Action{Move: dsl.Breakpoint, Lines: []dsl.Location{{File: 1, Line: 3}}}, stops...)
		}, append(mode("free", 0, 0, 0), "/real/b.py", "3", "", "", "0")},
		"to a stop": {func(r *Recording) (Landing, error) {
			return r.Advance(t.Context(), stops, nil)
		}, append(mode("free", 0, 0, 0), told...)},
		"until a line": {func(r *Recording) (Landing, error) {
			return r.Advance(t.Context(), nil, &until)
		}, mode("until", 1, 7, 0)},
		"until a line, unrecorded": {func(r *Recording) (Landing, error) {
			r.Record(false)
			return r.Advance(t.Context(), nil, &until)
		}, []string{"fast", "until", "1", "7", "0"}},
		"events": {func(r *Recording) (Landing, error) {
			r.Record(false)
			return r.Pass(t.Context(), 5)
		}, mode("count", 5, 0, 0)},
		"a statement": {func(r *Recording) (Landing, error) {
			return r.Debug(t.Context(), 2, "f(1)")
		}, []string{"debug", "2", "f(1)"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := scriptedAt(t, standing("module f line"))
			s.say(msgStop, "landed", "0")
			if _, err := c.move(s.rec); err != nil {
				t.Fatal(err)
			}
			s.wantTold(c.want...)
		})
	}
}

// TestInterruptBeforeAMove checks that an interrupt that arrives after a stop does not
// affect the next move.
func TestInterruptBeforeAMove(t *testing.T) {
	s := scriptedAt(t, standing("module f line"))
	s.rec.Interrupt()
	memory := s.rec.proc.memory
	if memory.flag(hdrInterrupt) != 1 {
		t.Fatal("the tracer is not told")
	}
	if _, err := s.answered(dsl.StepInto, func() {
		if memory.flag(hdrInterrupt) != 0 {
			t.Error("the tracer is told still")
		}
		s.say(msgStop, "landed", "0")
	}); err != nil {
		t.Fatal(err)
	}
}

// TestToldUntilBeforeTheFirstEvent checks until before the first event, when no activation
// is on top.
func TestToldUntilBeforeTheFirstEvent(t *testing.T) {
	s := newScripted(t)
	s.over()
	until := 7
	if l, err := s.rec.Advance(t.Context(), nil, &until); err != nil || !l.End {
		t.Errorf("%+v, %v", l, err)
	}
	s.wantTold(mode("free", 0, 0, 0)...)
}

// TestToldAgainAfterABreakpointOfTheProgram checks that if the program calls breakpoint()
// on its current line, a step continues to its own landing, and other moves stop at the
// next event.
func TestToldAgainAfterABreakpointOfTheProgram(t *testing.T) {
	stop := Stop{At: dsl.Location{File: 1, Line: 3}}
	told := []string{"/real/b.py", "3", "", "", "0"}
	for _, c := range []struct {
		move       dsl.Move
		end        string
		want, then []string
		reason     Reason
	}{
		{dsl.StepOver, "landed", mode("depth", 1, 0, 0), mode("depth", 1, 0, 0), Landed},
		{dsl.Continue, "landed", mode("free", 0, 0, 0), mode("any", 0, 0, 0), ProgramBreak},
		{dsl.Continue, "interrupted", mode("free", 0, 0, 0), mode("any", 0, 0, 0), Interrupted},
	} {
		s := scriptedAt(t, standing("module f line"))
		s.say(msgNotice, "one")
		s.say(msgCall, "1", "p x")
		s.say(msgStop, "program", "0")
		landing := s.begins(func() (Landing, error) { return s.moves(c.move, stop) })
		s.wantTold(append(c.want, told...)...)
		s.wantTold(append(c.then, told...)...)
		s.write(more())
		s.say(msgNotice, "two")
		s.say(msgCall, "2", "p y")
		s.say(msgStop, c.end, "0")
		l, err := landing()
		s.wantLanding(Landing{
			Position: Position{Event: 3}, Reason: c.reason, Horizon: 1, Notice: "one\ntwo", Up: 2, Commands: []string{"p x", "p y"},
		})(l, err)
	}
	// Debug sends its own message; its calls start at the program's position.
	s := scriptedAt(t, standing("module f line"))
	s.say(msgStop, "program", "0")
	l, err := s.rec.Debug(t.Context(), 0, "f()")
	s.wantLanding(Landing{Position: Position{Event: 2}, Reason: ProgramBreak})(l, err)
}
