package session

import (
	"context"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
)

// Execute runs a statement in the selected frame at the live edge. Elsewhere a bare
// expression still shows its value, unless Forced says that it is a statement, and in
// neural mode an assignment edits the state. The error is an *IncompleteError where
// more of the statement is to follow.
type Execute struct {
	Statement string `json:"statement"`
	Forced    bool   `json:"forced,omitempty"`
}

func (c Execute) String() string {
	if c.Forced {
		return "!" + c.Statement
	}
	return c.Statement
}

func (c Execute) run(ctx context.Context, s *Session) error {
	if !s.live() {
		return s.statement(ctx, c.Statement, c.Forced)
	}
	asking, done := s.interruptible(ctx)
	defer done()
	answer, err := s.rec.Ask(asking, s.selected, trace.VerbExec, c.Statement)
	if err == nil && answer.More {
		return &IncompleteError{}
	}
	s.drain()
	if text := trimLineEnd(answer.Text); text != "" {
		s.say(text)
	}
	s.altered++
	if answer.Changed {
		s.nav.Edited(s.pos)
	}
	return err
}

// IncompleteError is a statement or a line of the interactive interpreter of which
// more is to follow.
type IncompleteError struct{}

func (*IncompleteError) Error() string { return "SyntaxError: unexpected EOF while parsing" }

// showExpression shows the value of a statement that is an expression; done is
// false where it is none.
func (s *Session) showExpression(ctx context.Context, statement string) (done bool, err error) {
	v, err := s.eval(ctx, trace.VerbPrint, statement)
	if err == nil {
		if v.text != "None" {
			s.say(v.String())
		}
		return true, nil
	}
	return !isSyntaxError(err) && !strings.HasPrefix(AsError(err).Message, "SyntaxError"), err
}

// Interact gives a line to an interactive interpreter in the selected frame, at the
// live edge. The error is an *IncompleteError where more is to follow.
type Interact struct {
	Line string `json:"line"`
}

func (c Interact) String() string { return c.Line }

func (c Interact) run(ctx context.Context, s *Session) error {
	if err := s.needLive("interact"); err != nil {
		return err
	}
	ctx, done := s.interruptible(ctx)
	defer done()
	answer, err := s.rec.Ask(ctx, s.selected, trace.VerbInteract, c.Line)
	s.altered++
	if text := trimLineEnd(answer.Text); text != "" {
		s.say(text)
	}
	if err == nil && answer.More {
		return &IncompleteError{}
	}
	return err
}

// CanInteract returns nil at the live edge, where an interpreter can be had.
func (s *Session) CanInteract() error { return s.needLive("interact") }

// amended stands at a state that the user has made.
func (s *Session) amended(to trace.Position) {
	s.pos = to
	s.remember()
	s.nav.Edited(to)
}

// assigner reads assignments without running them. *python.Evaluator is one.
type assigner interface {
	Assign(ctx context.Context, statement string, locals []dsl.Local) (name, text string, err error)
}

// statement takes a statement where no program waits that could run it: a bare
// expression shows its value, as p does, and a predicted state is edited by an
// assignment. forced says that it is none of the commands for sure.
func (s *Session) statement(ctx context.Context, text string, forced bool) error {
	p, predicted := s.reference().(*nav.Predicted)
	if predicted && s.pos.End {
		return errorf(ProgramOver, "%s: the program is over (rs goes back, rewind to its start)", text)
	}
	if !forced && !s.pos.End {
		if done, err := s.showExpression(ctx, text); done {
			return err
		}
	}
	assigned, ok := s.cfg.Evaluator.(assigner)
	switch {
	case !predicted:
		return s.needLive(text)
	case s.selected != 0:
		return s.refuse(text, "only the newest frame's values can be edited")
	case !ok:
		return s.needLive(text)
	}
	stack := s.frames()
	name, value, err := assigned.Assign(ctx, text, s.scope(stack, len(stack)-1, s.pos.Event))
	if err != nil {
		return s.evalError(text, err)
	}
	to, err := p.Edit(s.pos.Event, name, value)
	if err == nil {
		s.amended(to)
	}
	return err
}
