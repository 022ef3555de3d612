package session

import (
	"context"
	"errors"
	"strings"

	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/session/breakpoint"
)

// cmdWatch sets a watchpoint.
func (s *Session) cmdWatch(ctx context.Context, arg string) error {
	if arg == "" {
		return usage("watch", arg)
	}
	if s.pastOf() == nil {
		return s.walk.refuse("watch "+arg, "only a recording knows each value of an expression; in neural mode history NAME shows those that were predicted")
	}
	expr, condition := splitCondition(arg)
	b := &breakpoint.Breakpoint{Watch: expr, Condition: condition, Enabled: true}
	frame, err := s.lookedAt()
	if err != nil {
		return err
	}
	if err := s.checkExpression(ctx, expr); err != nil {
		return errorf(BadArgument, "Cannot watch %s: %s", expr, err)
	}
	if condition != "" {
		if err := s.checkExpression(ctx, condition); err != nil {
			return errorf(BadArgument, "Invalid condition %s: %s", condition, err)
		}
	}
	err = s.watchIn(b, frame, s.here())
	var refused *python.RefusedError
	switch {
	case errors.As(err, &refused):
		return errorf(Refused, "Cannot watch %s: %s. What can be watched is a name, an attribute, an element, len(…) and what operators make of them", expr, refused.Reason)
	case err != nil:
		return errorf(BadArgument, "Cannot watch %s: %s", expr, err)
	}
	now := s.watched[b].At(s.here())
	if now.Unknown != "" {
		return errorf(Refused, "Cannot watch %s: %s", expr, now.Unknown)
	}
	if s.watched[b].local {
		b.Scope = frame.Function
	}
	s.bps.Add(b)
	here := "" // what has no value may be a name of another frame
	if !now.OK && !s.watched[b].local {
		here = " in " + frame.Function
	}
	s.sayf("Watchpoint %d: %s, %s%s now", b.Number, b.Subject(), valueText(now, valueAlone), here)
	return nil
}

// cmdCatch sets a catchpoint.
func (s *Session) cmdCatch(ctx context.Context, arg string) error {
	if s.pastOf() == nil {
		return s.walk.refuse(strings.TrimSpace("catch "+arg), "a model is not asked for the next exception; s and n show those that it predicts")
	}
	name, condition := splitCondition(arg)
	if name == "" {
		name = breakpoint.AnyException
	}
	if name != breakpoint.AnyException && !dottedName(name) {
		return usage("catch", arg)
	}
	if condition != "" {
		if err := s.checkExpression(ctx, condition); err != nil {
			return errorf(BadArgument, "Invalid condition %s: %s", condition, err)
		}
	}
	b := &breakpoint.Breakpoint{Catch: name, Condition: condition, Enabled: true}
	s.bps.Add(b)
	s.sayf("Catchpoint %d: %s", b.Number, b.Subject())
	return nil
}

// splitCondition parts what a watchpoint is about from its condition: behind the last
// comma that stands in no brackets and no text, or behind " if ".
func splitCondition(arg string) (subject, condition string) {
	comma, depth := -1, 0
	var quote byte
	for i := 0; i < len(arg); i++ {
		switch c := arg[i]; {
		case quote != 0:
			switch c {
			case '\\':
				i++
			case quote:
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			depth--
		case c == ',' && depth == 0:
			comma = i
		}
	}
	if comma >= 0 {
		return strings.TrimSpace(arg[:comma]), strings.TrimSpace(arg[comma+1:])
	}
	if before, after, ok := strings.Cut(arg, " if "); ok && !strings.Contains(after, " else ") {
		return strings.TrimSpace(before), strings.TrimSpace(after)
	}
	return strings.TrimSpace(strings.TrimPrefix(arg, "if ")), ""
}
