package session

import (
	"context"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/walk"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

// jumpPredicted begins a new text at another line of the function.
func (s *Session) jumpPredicted(ctx context.Context, line int) error {
	if s.pos.End {
		return s.needLive("jump")
	}
	frame, err := s.frame()
	if err != nil {
		return err
	}
	path, lines, err := s.frameSource(frame)
	if err != nil {
		return err
	}
	first, last := s.extent(ctx, frame, path, len(lines))
	if line < first || line > last || s.inner(ctx, frame, path, first, line) {
		return errorf(Refused, "Jump failed: line %d is not in %s", line, frame.Function)
	}
	if err := s.checkLine(ctx, path, lines, line); err != nil {
		return errorf(Refused, "Jump failed: %v", err)
	}
	at := s.pos
	to, err := s.reference().(*walk.Predicted).Jump(at.Event, line, lines[line-1])
	if err != nil {
		return err
	}
	s.amended(to)
	s.pos = at
	s.arrive(trace.Landing{Position: to, Horizon: walk.UnknownHorizon}, nil)
	s.walk.Displaced(s.pos)
	return nil
}

// inner reports whether a line is in the body of a function inside that of a frame,
// which begins at the line first. A function of one line is a statement too.
func (s *Session) inner(ctx context.Context, frame statetree.StackFrame, path string, first, line int) bool {
	outline, err := s.outline(ctx, path)
	if err != nil {
		return false
	}
	for _, f := range outline.Functions {
		own := f.Name == frame.Function && f.Line == first
		if !own && f.Line >= first && f.Line < f.BodyLine && f.BodyLine <= line && line <= f.EndLine {
			return true
		}
	}
	return false
}

// amended stands at a state that the user has made.
func (s *Session) amended(to trace.Position) {
	s.pos = to
	s.remember()
	s.walk.Edited(to)
}

// assigner reads assignments without running them. *python.Evaluator is one.
type assigner interface {
	Assign(ctx context.Context, statement string, locals []dsl.Local) (name, text string, err error)
}

// statement takes a statement where no program waits that could run it: a bare
// expression shows its value, as p does, and a predicted state is edited by an
// assignment. forced says that it is none of the commands for sure.
func (s *Session) statement(ctx context.Context, text string, forced bool) error {
	p, predicted := s.reference().(*walk.Predicted)
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
	to, err := p.Edit(s.pos.Event, name, p.Without(value))
	if err == nil {
		s.amended(to)
	}
	return err
}
