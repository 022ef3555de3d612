//go:build unix

package trace

import (
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
)

// TestLandingOfAStop checks that a stop reported by the tracer becomes a landing, and is
// reported once.
func TestLandingOfAStop(t *testing.T) {
	s := scriptedAt(t, standing("module f line"))
	for _, c := range []struct {
		stop []string
		want Landing
	}{
		{[]string{"landed", "1"}, Landing{Position: Position{Event: 3}, Horizon: 1, Up: 2, Commands: []string{"p x", "c"}, Notice: "a\nb"}},
		{[]string{"interrupted"}, Landing{Position: Position{Event: 4}, Reason: Interrupted, Horizon: 1}},
		{[]string{"traceback", "1", "", "1"}, Landing{Position: Position{Event: 5}, Reason: ProgramLooks, Horizon: 1}},
		{
			[]string{"breakpoint", "1", "1", "0", "3", "1", "", "1", "-2", "4", "NameError: x", "7", "8", "9"},
			Landing{Position: Position{Event: 6}, Reason: HitBreakpoint, Horizon: 1, Stop: 1, Met: []Met{{0, 3, 1, ""}, {1, 0, 4, "NameError: x"}}},
		},
	} {
		l, err := s.answered(dsl.StepInto, func() {
			if c.want.Up > 0 {
				s.say(msgNotice, "a")
				s.say(msgNotice, "b")
				s.say(msgCall, "2", "p x", "c")
			}
			s.write(more())
			s.say(msgStop, c.stop...)
		})
		s.wantLanding(c.want)(l, err)
	}
}

// TestLandingAtTheEnd checks that the landing at the end says whether the move has found
// what it looked for.
func TestLandingAtTheEnd(t *testing.T) {
	for name, c := range map[string]struct {
		move     func(r *Recording) (Landing, error)
		boundary Boundary
	}{
		"continue": {func(r *Recording) (Landing, error) {
			return r.Move(t.Context(), r.LiveEdge(), dsl.Action{Move: dsl.Continue})
		}, NoBoundary},
		"step": {func(r *Recording) (Landing, error) {
			return r.Move(t.Context(), r.LiveEdge(), dsl.Action{Move: dsl.StepInto})
		}, AtEnd},
		"run on":       {func(r *Recording) (Landing, error) { return r.Advance(t.Context(), nil, nil) }, NoBoundary},
		"to a stop":    {func(r *Recording) (Landing, error) { return r.Advance(t.Context(), make([]Stop, 1), nil) }, AtEnd},
		"until a line": {func(r *Recording) (Landing, error) { return r.Advance(t.Context(), nil, new(int)) }, AtEnd},
		"events":       {func(r *Recording) (Landing, error) { return r.Pass(t.Context(), 3) }, AtEnd},
		"a statement":  {func(r *Recording) (Landing, error) { return r.Debug(t.Context(), 0, "f()") }, AtEnd},
	} {
		t.Run(name, func(t *testing.T) {
			s := scriptedAt(t, standing("module f line"))
			s.say(msgNotice, "a word")
			s.say(msgEnd, "E()")
			s.over()
			l, err := c.move(s.rec)
			s.wantLanding(Landing{Position: Position{Event: 2, End: true}, Reason: Ended, Boundary: c.boundary, Notice: "a word"})(l, err)
			if exit := s.rec.Exit(); exit == nil || exit.Exception == nil || *exit.Exception != "E()" {
				t.Errorf("the exit is %+v", exit)
			}
			// No move continues from the end; every move from before it leads there.
			l, err = s.moves(dsl.Continue)
			s.wantLanding(Landing{Position: Position{Event: 2, End: true}, Reason: Ended, Boundary: AtEnd})(l, err)
			l, err = s.rec.Move(t.Context(), Position{}, dsl.Action{Move: dsl.Continue})
			s.wantLanding(Landing{Position: Position{Event: 2, End: true}, Reason: Ended, Horizon: 2})(l, err)
			l, err = s.rec.Pass(t.Context(), 3)
			s.wantLanding(Landing{Position: Position{Event: 2, End: true}, Reason: Ended, Boundary: AtEnd})(l, err)
			l, err = s.rec.Advance(t.Context(), nil, nil)
			s.wantLanding(Landing{Position: Position{Event: 2, End: true}, Reason: Ended, Boundary: AtEnd})(l, err)
			l, err = s.rec.Resume(t.Context())
			if err != nil || !l.End {
				t.Errorf("resumed: %+v, %v", l, err)
			}
			var gone *GoneError
			if _, err := s.rec.Debug(t.Context(), 0, "f()"); !errors.As(err, &gone) || gone.Error() != "the program is over: debug needs its live frame" {
				t.Errorf("a statement: %v", err)
			}
		})
	}
}

// TestLandingPostMortem checks that at an uncaught exception every move leads to the end,
// whether it is made live or from the recording.
func TestLandingPostMortem(t *testing.T) {
	at := Position{Event: 3, PostMortem: true}
	for name, c := range map[string]struct {
		move       func(r *Recording) (Landing, error)
		unrecorded bool
	}{
		"step": {func(r *Recording) (Landing, error) { return r.Move(t.Context(), at, dsl.Action{Move: dsl.StepInto}) }, false},
		"continue": {func(r *Recording) (Landing, error) {
			return r.Move(t.Context(), Position{Event: 4}, dsl.Action{Move: dsl.Continue})
		}, false},
		"events":     {func(r *Recording) (Landing, error) { return r.Pass(t.Context(), 3) }, false},
		"to a stop":  {func(r *Recording) (Landing, error) { return r.Advance(t.Context(), make([]Stop, 1), nil) }, false},
		"unrecorded": {func(r *Recording) (Landing, error) { return r.Advance(t.Context(), nil, nil) }, true},
	} {
		t.Run(name, func(t *testing.T) {
			s := scriptedAt(t, standing("module f line"))
			l, err := s.answered(dsl.Continue, func() {
				s.write(new(written).events("raise return raise"))
				s.say(msgStop, "post_mortem", "1 5")
			})
			s.wantLanding(Landing{Position: at, Reason: DiedPostMortem, Horizon: 1})(l, err)
			s.rec.Record(!c.unrecorded)
			s.over()
			if l, err := c.move(s.rec); err != nil || !l.End || l.Reason != Ended {
				t.Errorf("%+v, %v", l, err)
			}
			if c.unrecorded {
				s.wantTold("fast", "free", "0", "0", "0")
			} else {
				s.wantTold(mode("free", 0, 0, 0)...)
			}
			if _, err := s.rec.Debug(t.Context(), 0, "f()"); !errors.As(err, new(*GoneError)) {
				t.Errorf("a statement: %v", err)
			}
		})
	}
}

// TestLandingAtAHole checks that a move stops at the edge of a hole, which keeps its
// marks. If the end is in the hole, there is no other end.
func TestLandingAtAHole(t *testing.T) {
	s := scriptedAt(t, standing("module f line hole line line"))
	move := func(from Position, m dsl.Move) (Landing, error) {
		return s.rec.Move(t.Context(), from, dsl.Action{Move: m})
	}
	l, err := move(Position{Event: 1}, dsl.Continue)
	s.wantLanding(Landing{Position: Position{Event: 3}, Boundary: AtHole, Horizon: 2})(l, err)
	l, err = move(Position{Event: 4}, dsl.InvContinue)
	s.wantLanding(Landing{Position: Position{Event: 3}, Boundary: AtHole, Horizon: 1})(l, err)
	s.rec.setEdge(Position{Event: 3, PostMortem: true})
	l, err = move(Position{Event: 1}, dsl.Continue)
	s.wantLanding(Landing{Position: Position{Event: 3, PostMortem: true}, Boundary: AtHole, Horizon: 2})(l, err)
	s.rec.setEdge(Position{Event: 4})
	s.rec.Record(false)
	s.over()
	l, err = move(Position{Event: 4}, dsl.Continue)
	s.wantLanding(Landing{Position: Position{Event: 4, End: true}, Reason: Ended})(l, err)
	end := l.Position
	l, err = move(end, dsl.InvStepInto)
	s.wantLanding(Landing{Position: end, Boundary: AtHole})(l, err)
}

// TestLandingOfTheBeginning checks a recording with Options.From: it first reports Begun,
// then waits, and its first landing is the place where recording begins.
func TestLandingOfTheBeginning(t *testing.T) {
	s := newScripted(t)
	s.rec.opts.From = "f"
	s.say(msgBegun)
	l, err := s.rec.await(t.Context())
	s.wantLanding(Landing{Position: Position{Event: -1}, Reason: Begun})(l, err)
	if p := s.rec.Progress(); p != (Progress{Unrecorded: true}) {
		t.Errorf("by now %+v", p)
	}
	for name, ask := range map[string]func() error{
		"a move":     func() error { _, err := s.rec.Pass(t.Context(), 1); return err },
		"a question": func() error { _, err := s.rec.Ask(t.Context(), 0, VerbPrint, "x"); return err },
	} {
		if err := ask(); !errors.Is(err, ErrWaiting) {
			t.Errorf("%s: %v", name, err)
		}
	}
	s.write(standing("module f line"))
	s.say(msgStop, "breakpoint", "0", "0")
	l, err = s.rec.Resume(t.Context())
	s.wantLanding(Landing{Position: Position{Event: 2}, Horizon: 2})(l, err)
	if p := s.rec.Progress(); p != (Progress{Events: 3, Function: "f", File: "/p/a.py", Line: 4}) {
		t.Errorf("then %+v", p)
	}
	// A second Begun message does not count, and a breakpoint is a landing.
	l, err = s.answered(dsl.Continue, func() {
		s.say(msgBegun)
		s.write(more())
		s.say(msgStop, "breakpoint", "0", "0")
	})
	s.wantLanding(Landing{Position: Position{Event: 3}, Reason: HitBreakpoint, Horizon: 1})(l, err)
}

// TestLandingOfADeathInAHole checks that an exception raised in a hole first becomes an
// event.
func TestLandingOfADeathInAHole(t *testing.T) {
	s := scriptedAt(t, standing("module f line hole raise"))
	s.say(msgStop, "post_mortem", "0 9") // on a different line than the recorded one
	s.say(msgNotice, "meanwhile")
	landing := s.begins(func() (Landing, error) { return s.moves(dsl.Continue) })
	s.wantTold(mode("free", 0, 0, 0)...)
	s.wantTold("fatal")
	s.write(new(written).rec(recException, 9, "F()"))
	s.say(msgStop, "post_mortem", "0 9")
	l, err := landing()
	s.wantLanding(Landing{Position: Position{Event: 4, PostMortem: true}, Reason: DiedPostMortem, Horizon: 1, Notice: "meanwhile"})(l, err)
}

// TestLandingOfADeath checks the event of a fatal exception outside a hole: the last one
// of its activation if the line is unknown, or the live edge if nothing is recorded.
func TestLandingOfADeath(t *testing.T) {
	for where, event := range map[string]int{"0 5": 1, "0 9": 2, "7 5": 3} {
		s := scriptedAt(t, standing("module"))
		l, err := s.answered(dsl.Continue, func() {
			s.write(new(written).events("raise").rec(recException, 6, "E()").events("line"))
			s.say(msgStop, "post_mortem", where)
		})
		s.wantLanding(Landing{Position: Position{Event: event, PostMortem: true}, Reason: DiedPostMortem, Horizon: event})(l, err)
	}
}

// TestCatchUpWithNobody checks that unreported events are not read while a thread of the
// program may be writing, or if there is no program to check.
func TestCatchUpWithNobody(t *testing.T) {
	s := scriptedAt(t, standing("module"))
	s.write(more())
	if s.rec.catchUp() || s.rec.tree.Len() != 1 {
		t.Errorf("taken are %d events", s.rec.tree.Len())
	}
}

// TestCloseWithMessagesLeft checks that closing a recording discards unread messages.
func TestCloseWithMessagesLeft(t *testing.T) {
	s := scriptedAt(t, standing("module"))
	for range cap(s.rec.messages) + 1 {
		s.say(msgNotice, "a word")
	}
	for len(s.rec.messages) < cap(s.rec.messages) {
		runtime.Gosched()
	}
	if err := s.rec.Close(); err != nil {
		t.Error(err)
	}
	if m, more := <-s.rec.messages; more {
		t.Errorf("%+v is left", m)
	}
	if !s.rec.over || s.rec.Exit() == nil {
		t.Error("it has no end")
	}
}

// TestLandingAtALimit checks that a limit is raised so that the same amount can be
// recorded again, and that the user is told.
func TestLandingAtALimit(t *testing.T) {
	s := newScripted(t)
	s.rec.opts.Limits.Events, s.rec.opts.Limits.Bytes = 3, 7<<20
	s.rec.mu.Lock()
	s.rec.limits = s.rec.opts.Limits
	s.rec.mu.Unlock()
	s.write(standing("module f"))
	s.say(msgNotice, "a word")
	s.say(msgStop, "landed", "0")
	if _, err := s.rec.await(t.Context()); err != nil || s.rec.proc.memory.flag(hdrPause) != 0 {
		t.Fatalf("under the limit: %v", err)
	}
	l, err := s.answered(dsl.Continue, func() {
		s.write(new(written).events("line line"))
		s.say(msgNotice, "another")
		s.say(msgAnswer) // nobody waits for this one
		s.say(msgStop, "limit", "0")
	})
	s.wantLanding(Landing{
		Position: Position{Event: 3}, Reason: LimitReached, Horizon: 2,
		Notice: "another\nthe recording has reached its limit of 3 events or 7 MiB: the program is paused. The next move records as much again",
	})(l, err)
	if got := s.rec.limits; got.Events != 4+3 || got.Bytes != s.rec.tree.Bytes()+7<<20 {
		t.Errorf("the limits are %+v, of %d bytes held", got, s.rec.tree.Bytes())
	}
	if s.rec.proc.memory.flag(hdrPause) != 0 {
		t.Error("the program is to pause still")
	}
}

// TestPauseAtALimit checks that the recording asks the program to pause at its limit, and
// ends one that does not.
func TestPauseAtALimit(t *testing.T) {
	for _, c := range []struct {
		events int
		bytes  int64
		pauses bool
		ends   bool
	}{
		{4, 1 << 40, false, false},
		{3, 1 << 40, true, false},
		{4 - 1<<20, 1 << 40, true, false},
		{3 - 1<<20, 1 << 40, true, true},
		{4, 1, true, false},
		{4, -(64 << 20), true, true},
	} {
		r, says := pretended(t, memoryOf(t, nil, nil))
		_ = says.Close()
		r.mu.Lock()
		r.limits.Events, r.limits.Bytes = c.events, c.bytes
		err := r.take(standing("module f line").Bytes())
		r.mu.Unlock()
		if pauses := r.proc.memory.flag(hdrPause) == 1; pauses != c.pauses {
			t.Errorf("with %d events and %d bytes: pauses %v", c.events, c.bytes, pauses)
		}
		if ended := err != nil && strings.Contains(err.Error(), "past its limit, and the program does not pause"); ended != c.ends {
			t.Errorf("with %d events and %d bytes: %v", c.events, c.bytes, err)
		}
	}
}
