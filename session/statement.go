package session

import (
	"context"

	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
)

// Execute runs a statement in the selected frame. Before the live edge the value of an expression is
// shown unless Forced is set; for other statements the program is run again up to the position, which
// Again allows: without it the error is a *RerunError. In neural mode an assignment edits the state. The
// error is an *IncompleteError if the statement is incomplete.
type Execute struct {
	Statement string `json:"statement"`
	Forced    bool   `json:"forced,omitempty"`
	Again     bool   `json:"again,omitempty"`
}

func (c Execute) String() string {
	if c.Forced {
		return "!" + c.Statement
	}
	return c.Statement
}

func (c Execute) run(ctx context.Context, s *Session) error {
	if !s.position.live() {
		return s.statement(ctx, c)
	}
	asking, done := s.program.interruptible(ctx)
	defer done()
	answer, err := s.program.rec.Ask(asking, s.position.selected, trace.VerbExec, c.Statement)
	if err == nil && answer.More {
		return &IncompleteError{}
	}
	s.draft.drain()
	if text := trimLineEnd(answer.Text); text != "" {
		s.draft.say(text)
	}
	s.watching.altered++
	if answer.Changed {
		s.program.nav.Edited(s.position.pos)
		s.visits.touched()
	}
	return err
}

// IncompleteError reports that a statement or a line of the interactive interpreter is incomplete.
type IncompleteError struct{}

func (*IncompleteError) Error() string { return "SyntaxError: unexpected EOF while parsing" }

// Interact passes a line to an interactive interpreter in the selected frame at the live edge. The
// error is an *IncompleteError if the statement needs more lines.
type Interact struct {
	Line string `json:"line"`
}

func (c Interact) String() string { return c.Line }

func (c Interact) run(ctx context.Context, s *Session) error {
	if err := s.position.needLive("interact"); err != nil {
		return err
	}
	ctx, done := s.program.interruptible(ctx)
	defer done()
	answer, err := s.program.rec.Ask(ctx, s.position.selected, trace.VerbInteract, c.Line)
	s.watching.altered++
	if text := trimLineEnd(answer.Text); text != "" {
		s.draft.say(text)
	}
	if err == nil && answer.More {
		return &IncompleteError{}
	}
	return err
}

// amended makes a state that the user has edited the session's position.
func (s *Session) amended(to trace.Position) {
	s.position.pos = to
	s.visits.remember()
	s.program.nav.Edited(to)
}

// statement handles a statement before the live edge. It shows the value of an expression, as p does,
// unless the line began with "!" (forced). An assignment edits a predicted state. Other statements begin
// a branch.
func (s *Session) statement(ctx context.Context, c Execute) error {
	text := c.Statement
	p, predicted := s.program.reference().(*nav.Predicted)
	if predicted && s.position.pos.End {
		return errorf(ProgramOver, "%s: the program is over (rs goes back, rewind to its start)", text)
	}
	if !c.Forced && !c.Again && !s.position.pos.End {
		if done, err := s.values.showExpression(ctx, text); done {
			return err
		}
	}
	switch {
	case !predicted:
		again := c.Again
		if !again {
			if err := python.CheckStatement(text); err != nil {
				return s.values.evalError(text, err)
			}
		}
		c.Again = true
		return s.branching.branch(ctx, text, c, again, trace.VerbExec, text)
	case s.position.selected != 0:
		return s.position.refuse(text, "only the newest frame's values can be edited")
	}
	stack := s.position.frames()
	name, value, err := python.Assign(ctx, text, s.position.names(stack, len(stack)-1, text))
	if err != nil {
		return s.values.evalError(text, err)
	}
	to, err := p.Edit(s.position.pos.Event, name, value)
	if err == nil {
		s.amended(to)
	}
	return err
}
