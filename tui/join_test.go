package tui

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/session/shared"
)

// agent is the other user of a session that the screen joins.
type agent struct {
	t *testing.T
	*shared.Session
	own *session.Session
}

// newAgent opens a session and runs the program to its second state.
func newAgent(t *testing.T, c session.Config) *agent {
	t.Helper()
	a := &agent{t: t, Session: shared.New()}
	a.Connect(&c)
	s, err := session.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	i := command.New(s, command.Config{})
	if first := i.Start(t.Context(), nil); first.Err != nil {
		t.Fatal(first.Err)
	}
	a.own = s
	a.Open(i)
	a.do("move step_into", session.Step{Move: dsl.StepInto})
	return a
}

func (a *agent) do(words string, c session.Command) []*session.Answer {
	a.t.Helper()
	answers, err := a.Use(a.t.Context(), nil, words, func(i *command.Interpreter) []*session.Answer {
		return []*session.Answer{i.Do(a.t.Context(), c)}
	})
	if err != nil {
		a.t.Fatal(err)
	}
	return answers
}

// joinIt opens a screen that joins an agent's session.
func joinIt(t *testing.T, a *agent) *driver {
	t.Helper()
	return drive(t, 120, 36, session.Config{}, func(c *Config) { c.Join = &Join{Session: a.Session, Who: "agent"} })
}

// TestJoin checks that a person sees where an agent is, what it does, and can take a turn.
func TestJoin(t *testing.T) {
	a := newAgent(t, cpython(t, "printer.py"))
	d := joinIt(t, a)
	if d.here() == 0 {
		t.Fatalf("the screen shows no state:\n%s", d.text())
	}
	before := d.here()
	a.do("move step_over", session.Step{Move: dsl.StepOver})
	d.until(func() bool { return d.here() != before })
	d.shows("agent: move step_over")
	d.press("c")
	d.shows("ended")
	if did := a.Did(); !slices.Equal(did, []string{"continue"}) {
		t.Errorf("the agent was told that the person did %q", did)
	}
	answers := a.do("move inv_step_into", session.Step{Move: dsl.InvStepInto})
	if answers[0].Err != nil || answers[0].State == nil {
		t.Errorf("after the person's move: %+v", answers[0])
	}
	d.until(func() bool { return d.m.screen.View.State != nil })
	d.press("ctrl+z")
	d.shows("in a session of others")
	if err := d.m.engine.close(); err != nil {
		t.Error(err)
	}
	a.do("state", session.Step{Move: dsl.InvStepInto}) // the session goes on
	if a.Joined() {
		t.Error("the screen has not left")
	}
}

// TestJoinShowsOutput checks that a person who joins sees what the program has printed before.
func TestJoinShowsOutput(t *testing.T) {
	a := newAgent(t, cpython(t, "printer.py"))
	a.do("move continue", session.Continue{})
	joinIt(t, a).shows("the square of 59")
}

// TestJoinInterrupts checks that Esc interrupts the agent's command, and that quitting does not.
func TestJoinInterrupts(t *testing.T) {
	c := cpython(t, "busy.py")
	ticks, runs := make(chan time.Time), make(chan bool, 1)
	c.Ticks, c.Stream = ticks, func(*session.Answer) {} // without Stream, no ticks are read
	c.Pace = func(*session.Pace) {
		select {
		case runs <- true:
		default:
		}
	}
	a := newAgent(t, c)
	d := joinIt(t, a)
	over := make(chan []*session.Answer, 1)
	go func() {
		answers, _ := a.Use(context.Background(), nil, "move continue", func(i *command.Interpreter) []*session.Answer {
			return []*session.Answer{i.Do(context.Background(), session.Continue{})}
		})
		over <- answers
	}()
	d.until(func() bool { return d.m.screen.Running != nil })
	d.m.quit()
	at, running := time.Unix(0, 0), false
	for !running { // an Esc before the program runs would end the command with an error
		select {
		case ticks <- at:
			at = at.Add(time.Second)
		case running = <-runs:
		case answers := <-over:
			t.Fatalf("quitting ended the agent's command: %+v", answers[0])
		}
	}
	d.tell(key("esc"))
	d.until(func() bool { return d.m.screen.Running == nil })
	if answers := <-over; !answers[0].Interrupted {
		t.Errorf("the agent's command was not interrupted: %+v", answers[0])
	}
}

// TestJoinEnded checks that the screen ends with the session, and that a session that has ended, or that
// somebody has joined, cannot be joined.
func TestJoinEnded(t *testing.T) {
	a := newAgent(t, cpython(t, "printer.py"))
	d := joinIt(t, a)
	refused := start(t, 120, 36, session.Config{}, func(c *Config) { c.Join = &Join{Session: a.Session} })
	refused.until(func() bool { return refused.quit })
	if !errors.Is(refused.m.failed, shared.ErrJoined) {
		t.Errorf("a second person: %v", refused.m.failed)
	}
	a.End()
	d.until(func() bool { return d.quit })
	if !errors.Is(d.m.failed, shared.ErrEnded) {
		t.Errorf("the session has ended: %v", d.m.failed)
	}
}
