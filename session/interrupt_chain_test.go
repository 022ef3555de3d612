package session_test

import (
	"context"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/trace"
)

// TestAliasOfItself checks that an alias of itself ends, also after a ";;", where pdb
// would continue forever.
func TestAliasOfItself(t *testing.T) {
	for _, body := range []string{"x", "x;;x", "w ;; x", "s;;y"} {
		s := open(t, newFake(t))
		s.First(context.Background())
		do(s, "alias x "+body)
		do(s, "alias y p 1;;x")
		answers := 0
		last := &session.Answer{}
		s.Line(context.Background(), "x", func(a *session.Answer) { answers++; last = a })
		if answers > 101 || last.Err == nil || !strings.Contains(last.Err.Message, "stands for itself") {
			t.Errorf("alias x %s: %d answers, the last is %+v", body, answers, last.Err)
		}
	}
}

// TestInterruptStopsWhatFollows checks that an interrupt stops what runs and what should
// follow, and that the next line runs again.
func TestInterruptStopsWhatFollows(t *testing.T) {
	for _, test := range []struct {
		name   string
		before []string
		line   string
		at     int // index of the interrupted move
		moves  int // total number of moves
		event  int // event where it stops
		err    string
	}{
		{"a chain", nil, "s;;s;;s", 1, 1, 1, "Interrupted: s;;s was not run."},
		{"the end of a chain", nil, "s;;s", 2, 2, 2, ""},
		{"a count", nil, "s 1000000", 3, 3, 3, ""},
		{"a count, then more", nil, "n 5;;p i", 2, 2, 2, "Interrupted: p i was not run."},
		{"an alias", []string{"alias x s;;s;;s"}, "x", 2, 2, 2, "Interrupted: s was not run."},
		{"an alias of itself", []string{"alias x s;;x"}, "x", 2, 2, 2, "Interrupted: x was not run."},
		{"a list of commands", []string{"b 6", "commands 1", "p i", "c"}, "c", 2, 2, 8, "Interrupted: p i was not run."},
		{"a list of commands and a chain", []string{"b 6", "commands 1", "c"}, "c;;s", 1, 1, 2, "Interrupted: s was not run."},
		{"a count of stops", []string{"b 6"}, "c 3", 2, 2, 8, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := newFake(t)
			s := open(t, f)
			s.First(context.Background())
			for _, line := range test.before {
				do(s, line)
			}
			moves := 0
			f.before = func() {
				if moves++; moves == test.at {
					s.Interrupt()
				}
			}
			var last *session.Answer
			s.Line(context.Background(), test.line, func(a *session.Answer) { last = a })
			said := ""
			if last.Err != nil {
				said = last.Err.Message
			}
			if moves != test.moves || s.Position().Event != test.event || said != test.err {
				t.Errorf("%d moves to event %d, %q; want %d to %d, %q", moves, s.Position().Event, said, test.moves, test.event, test.err)
			}
			if test.err != "" && last.Err.Kind != session.Stopped {
				t.Errorf("an error of the kind %s", last.Err.Kind)
			}
			f.before = nil
			if a := do(s, "p 1 == 1"); a.Err != nil && a.Err.Kind == session.Stopped {
				t.Errorf("the next line is stopped too: %v", a.Err)
			}
		})
	}
}

// TestInterruptBeforeTheCommandBegins checks that an interrupt between a line and the
// beginning of its command applies to that command, and one between two moves to the
// second.
func TestInterruptBeforeTheCommandBegins(t *testing.T) {
	f := newFake(t)
	interrupted := true
	rc := []command.RC{{Path: "/home/me/.pdbrc", Commands: []string{"s", "s"}}}
	s := openWith(t, f, command.Config{RC: rc}, func(c *session.Config) {
		c.Interrupted = func() bool { return interrupted }
	})
	first := s.First(context.Background())
	if first.Err == nil || first.Err.Kind != session.Stopped || s.Position().Event != 0 {
		t.Errorf("the commands of .pdbrc ran to event %d: %v", s.Position().Event, first.Err)
	}
	if a := do(s, "s"); a.Err == nil || a.Err.Kind != session.Stopped || s.Position().Event != 0 {
		t.Errorf("the step ran to event %d: %v", s.Position().Event, a.Err)
	}
	interrupted = false
	if a := do(s, "s"); a.Err != nil || s.Position().Event != 1 {
		t.Errorf("after it: event %d, %v", s.Position().Event, a.Err)
	}
}

// late is a recording that is interrupted before its move begins, and forgets the
// interrupt, as the tracer does.
type late struct {
	*fake
	session func() *command.Interpreter
	ended   bool
}

func (l *late) Move(ctx context.Context, from trace.Position, a dsl.Action, stops ...trace.Stop) (trace.Landing, error) {
	l.session().Interrupt()
	l.ended = ctx.Err() != nil
	return l.fake.Move(ctx, from, a, stops...)
}

func TestInterruptBeforeTheMoveBegins(t *testing.T) {
	f := &late{fake: newFake(t)}
	s := open(t, f.fake, func(c *session.Config) {
		c.Start = func(context.Context, trace.Options) (session.Recording, trace.Landing, error) {
			f.record(0, false)
			return f, trace.Landing{Position: f.edge}, nil
		}
	})
	f.session = func() *command.Interpreter { return s }
	s.First(context.Background())
	do(s, "s")
	if !f.ended {
		t.Error("the program runs on")
	}
}

// TestInterruptInPlaceOfInput checks that an interrupt in place of the program's input
// stops what follows too.
func TestInterruptInPlaceOfInput(t *testing.T) {
	f := newFake(t)
	f.reads[2] = true
	s := open(t, f, func(c *session.Config) {
		c.Input = func(context.Context, *session.Answer) session.InputLine { return session.InputLine{Interrupt: true} }
	})
	s.First(context.Background())
	var last *session.Answer
	s.Line(context.Background(), "s 2;;s", func(a *session.Answer) { last = a })
	if last.Err == nil || last.Err.Kind != session.Stopped {
		t.Errorf("what followed ran to event %d", s.Position().Event)
	}
}
