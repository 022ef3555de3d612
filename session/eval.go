package session

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/session/walk"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

// value is what an expression came to in the selected frame.
type value struct {
	text string
	mark string // "" for the live program's own answer and for a recorded repr
}

// fromText marks what was computed from text and not by the program.
func (s *Session) fromText() string { return " (from " + s.walk.Text() + ")" }

func (v value) String() string { return v.text + v.mark }

// eval answers p, pp and whatis: by the live frame at the live edge, else from
// what was recorded.
func (s *Session) eval(ctx context.Context, verb trace.Verb, expr string) (value, error) {
	frame, err := s.frame()
	if err != nil {
		return value{}, err
	}
	if s.live() {
		answer, err := s.rec.Ask(ctx, s.selected, verb, expr)
		return value{text: answer.Text}, err
	}
	expr = strings.TrimSpace(expr)
	if strings.HasPrefix(expr, "$") && python.IsName(expr[1:]) {
		return s.recordedVariable(expr)
	}
	if verb == trace.VerbPrint && python.IsName(expr) {
		if v, ok := s.recordedName(frame, expr); ok {
			return v, nil
		}
	}
	found, ofObjects, failed := s.fromObjects(ctx, verb, expr, frame)
	if ofObjects && failed == nil {
		return found, nil
	}
	if s.cfg.Evaluator == nil {
		return value{}, s.refuse(expr, "only recorded names can be shown")
	}
	here := len(s.frames()) - 1
	scope := s.scope(s.allFrames(ctx), here-s.selected, s.pos.Event)
	if p := s.pastOf(); p != nil {
		scope = walk.Readable(p, expr, scope, walk.Scope(p, frame, s.pos.Event), s.pos.Event)
	}
	ask := s.cfg.Evaluator.Eval
	switch verb {
	case trace.VerbPretty:
		ask = s.cfg.Evaluator.Pretty
	case trace.VerbWhatis:
		ask = s.cfg.Evaluator.Whatis
	}
	text, err := ask(ctx, expr, scope)
	var refused *python.RefusedError
	switch {
	case errors.As(err, &refused) && failed == nil && found.text != "":
		return found, nil
	case errors.As(err, &refused) && ofObjects:
		return value{}, s.evalError(expr, failed)
	case err != nil:
		return value{}, s.evalError(expr, err)
	}
	return value{text: text, mark: s.fromText()}, nil
}

// recordedVariable is $_exception and $_retval of the state shown; others are the
// program's only where it waits.
func (s *Session) recordedVariable(name string) (value, error) {
	st := s.states().State(s.pos.Event)
	if wanted := map[dsl.Event]string{dsl.Exception: "$_exception", dsl.Return: "$_retval"}[st.Event]; name == wanted && st.Value != nil {
		return value{text: *st.Value}, nil
	}
	return value{}, s.refuse(name, "convenience variables are Python's objects")
}

// recordedName looks a name up in a frame and then in its module.
func (s *Session) recordedName(frame statetree.StackFrame, name string) (value, bool) {
	if text, ok := lookup(s.states().LocalsOf(frame.Activation, s.pos.Event), name); ok {
		return value{text: text}, true
	}
	module, ok := s.moduleOf(frame)
	if !ok {
		return value{}, false
	}
	text, ok := lookup(s.states().LocalsOf(module.Activation, s.pos.Event), name)
	return value{text: text, mark: fmt.Sprintf(" (from %s of <module>, line %d)", s.walk.Text(), module.Line)}, ok
}

// moduleOf is the frame of the module that a frame's code belongs to, when it is
// on the stack. Its values are as of its own latest event: a function that
// changed a global since then shows only when the module goes on.
func (s *Session) moduleOf(frame statetree.StackFrame) (statetree.StackFrame, bool) {
	if frame.Function == "<module>" {
		return statetree.StackFrame{}, false
	}
	file := s.fileOf(frame)
	for _, f := range s.frames() {
		if f.Function == "<module>" && f.Event >= 0 && s.fileOf(f) == file {
			return f, true
		}
	}
	return statetree.StackFrame{}, false
}

// scope is the names an expression can use in a frame of a stack.
func (s *Session) scope(stack []statetree.StackFrame, i, event int) []dsl.Local {
	return walk.Names(s.states(), stack, i, event)
}

func lookup(locals []dsl.Local, name string) (string, bool) {
	for _, l := range locals {
		if l.Name == name {
			return l.Value, true
		}
	}
	return "", false
}

// evalError words what the evaluator of recorded text said.
func (s *Session) evalError(expr string, err error) error {
	var refused *python.RefusedError
	if errors.As(err, &refused) {
		if refused.Name == expr {
			return s.refuse(expr, refused.Reason) // one name is said once
		}
		return s.refuse(expr, refused.Error())
	}
	var raised *python.EvalError
	if errors.As(err, &raised) {
		text := raised.Type
		if raised.Message != "" {
			text += ": " + raised.Message
		}
		return &Error{Kind: PythonRaised, Message: text + s.fromText()}
	}
	return err
}

// needLive refuses what only the live frame can do.
func (s *Session) needLive(what string) error {
	switch {
	case s.live():
		return nil
	case s.pos.End:
		return errorf(ProgramOver, "%s: the program is over (%s runs it again)", what, s.key("restart"))
	}
	return s.refuse(what, "")
}

// refuse says why something cannot be done here: behind the live edge, and where that
// is, or in neural mode; "" is because nothing can be run.
func (s *Session) refuse(what, why string) error {
	if s.recorded() == nil {
		if why == "" {
			why = "nothing of the program is run in neural mode (--mode real runs it)"
		}
		return errorf(Refused, "%s: %s", what, why)
	}
	if why == "" {
		why = "a recording cannot be changed, only the live program can run code"
	}
	edge := s.rec.LiveEdge()
	if edge.End || s.rec.Exit() != nil {
		return errorf(Refused, "%s: %s; the program is over, so only what was recorded is left (%s runs it again)", what, why, s.key("restart"))
	}
	return errorf(Refused, "%s: %s; this is event %d, the program waits at event %d (%s goes there)",
		what, why, s.pos.Event, edge.Event, s.key("goto 100%"))
}
