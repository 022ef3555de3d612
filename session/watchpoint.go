package session

import (
	"context"
	"errors"

	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/session/breakpoint"
	"github.com/npdb/npdb/session/nav"
)

// Watch stops the program when the value of an expression changes and the condition, if any, is
// true.
type Watch struct {
	Expression string `json:"expression"`
	Condition  string `json:"condition,omitempty"`
}

func (c Watch) String() string { return conditional(words("watch", c.Expression), c.Condition) }

// conditional formats a command with its condition, if there is one.
func conditional(text, condition string) string {
	if condition == "" {
		return text
	}
	return text + ", " + condition
}

func (c Watch) run(ctx context.Context, s *Session) error {
	expr := c.Expression
	if s.program.past() == nil {
		return s.position.refuse(c.String(), "only a recording knows each value of an expression; in neural mode history NAME shows those that were predicted")
	}
	b := &breakpoint.Breakpoint{Watch: expr, Condition: c.Condition, Enabled: true}
	frame, err := s.position.recordedFrame()
	if err != nil {
		return err
	}
	if err := s.values.checkExpression(ctx, expr); err != nil {
		return errorf(BadArgument, "Cannot watch %s: %s", expr, err)
	}
	if err := s.values.checkCondition(ctx, c.Condition); err != nil {
		return err
	}
	w, err := s.program.nav.Watch(b, frame, s.position.here())
	var refused *python.RefusedError
	switch {
	case errors.As(err, &refused):
		return errorf(Refused, "Cannot watch %s: %s. What can be watched is a name, an attribute, an element, len(…) and what operators make of them", expr, refused.Reason)
	case err != nil:
		return errorf(BadArgument, "Cannot watch %s: %s", expr, err)
	}
	now := w.At(s.position.here())
	if now.Unknown != "" {
		return errorf(Refused, "Cannot watch %s: %s", expr, now.Unknown)
	}
	if w.Local {
		b.Scope = frame.Function
	}
	s.breakpoints.table.Add(b)
	here := "" // if the name has no value, show in which frame: another may have it
	if !now.OK && !w.Local {
		here = " in " + frame.Function
	}
	s.draft.sayf("Watchpoint %d: %s, %s%s now", b.Number, b.Subject(), valueText(now, valueAlone), here)
	return nil
}

// Catch stops the program when an exception of a type is raised, even if the program will catch it.
type Catch struct {
	Type      string `json:"type"` // breakpoint.AnyException matches all types
	Condition string `json:"condition,omitempty"`
}

func (c Catch) String() string {
	switch {
	case c.Type == breakpoint.AnyException && c.Condition != "":
		// With a space, because "catch," would be taken for Python.
		return conditional("catch ", c.Condition)
	case c.Type == breakpoint.AnyException:
		return "catch"
	}
	return conditional(words("catch", c.Type), c.Condition)
}

func (c Catch) run(ctx context.Context, s *Session) error {
	if s.program.past() == nil {
		return s.position.refuse(c.String(), "a model is not asked for the next exception; s and n show those that it predicts")
	}
	if err := s.values.checkCondition(ctx, c.Condition); err != nil {
		return err
	}
	b := &breakpoint.Breakpoint{Catch: c.Type, Condition: c.Condition, Enabled: true}
	s.breakpoints.table.Add(b)
	s.draft.sayf("Catchpoint %d: %s", b.Number, b.Subject())
	if near := nav.NearException(s.program.states().Files(), c.Type); c.Type != breakpoint.AnyException && near != "" {
		s.draft.notice("Neither Python nor the program has an exception %s; a library may. Is %s meant?", c.Type, near)
	}
	return nil
}
