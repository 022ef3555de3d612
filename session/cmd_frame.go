package session

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

func (s *Session) cmdWhere(ctx context.Context, arg string) error {
	if arg != "" {
		return usage("where", arg)
	}
	if _, err := s.frame(); err != nil {
		return err
	}
	here := len(s.frames()) - 1
	var entries []string
	for i, f := range s.allFrames(ctx) {
		if i > here || !s.looking() {
			entries = append(entries, s.stackEntry(f, i == here-s.selected))
		}
	}
	s.say(strings.Join(entries, "\n"))
	return nil
}

func (s *Session) cmdUp(ctx context.Context, arg string) error {
	return s.selectFrame(ctx, arg, +1)
}

func (s *Session) cmdDown(ctx context.Context, arg string) error {
	return s.selectFrame(ctx, arg, -1)
}

// selectFrame moves the selection by frames: up (+1) or down (-1), where an exception
// came from to the innermost that it has left. As in pdb a negative count goes all
// the way.
func (s *Session) selectFrame(ctx context.Context, arg string, direction int) error {
	if _, err := s.frame(); err != nil {
		return err
	}
	oldest, newest := len(s.frames())-1, -len(s.below(ctx))
	if s.looking() {
		oldest = -1
	}
	switch {
	case direction > 0 && s.selected == oldest:
		return errorf(BadArgument, "Oldest frame")
	case direction < 0 && s.selected == newest:
		return errorf(BadArgument, "Newest frame")
	}
	n := 1
	if arg != "" {
		var err error
		if n, err = strconv.Atoi(arg); err != nil {
			return errorf(BadArgument, "Invalid frame count (%s)", arg)
		}
		if n < 0 {
			n = oldest - newest
		}
	}
	s.selected = min(max(s.selected+direction*min(n, oldest-newest), newest), oldest)
	s.listed = 0
	frame, err := s.frame()
	if err != nil {
		return err
	}
	s.say(s.stackEntry(frame, true))
	return nil
}

func (s *Session) cmdArgs(ctx context.Context, arg string) error {
	if arg != "" {
		return usage("args", arg)
	}
	frame, err := s.frame()
	if err != nil {
		return err
	}
	if s.selectedAlien() {
		answer, err := s.rec.Ask(ctx, s.selected, trace.VerbArgs, "")
		if answer.Text != "" {
			s.say(answer.Text)
		}
		return err
	}
	locals := s.states().LocalsOf(frame.Activation, s.pos.Event)
	for _, name := range s.argNames(frame) {
		text, ok := lookup(locals, name)
		if !ok {
			text = "*** undefined ***"
		}
		s.sayf("%s = %s", name, text)
	}
	return nil
}

// argNames is the names of a frame's arguments, * and ** included.
func (s *Session) argNames(frame statetree.StackFrame) []string {
	t := s.states()
	if frame.Event < 0 {
		return nil
	}
	code := t.Code(t.At(frame.Event).Code)
	return code.Names[:min(code.Args, len(code.Names))]
}

func (s *Session) cmdRetval(_ context.Context, arg string) error {
	if arg != "" {
		return usage("retval", arg)
	}
	frame, err := s.frame()
	if err != nil {
		return err
	}
	if s.selected != 0 || frame.Event < 0 || s.states().At(frame.Event).Event != dsl.Return {
		return errorf(NotFound, "Not yet returned!")
	}
	st := s.states().State(frame.Event)
	if st.Value == nil {
		return errorf(NotFound, "Left by an exception: there is no value")
	}
	s.say(*st.Value)
	return nil
}

func (s *Session) cmdExceptions(ctx context.Context, arg string) error {
	if !s.pos.PostMortem && !s.looking() {
		s.say("Did not find chained exceptions. Only after an uncaught exception, where the program stops post mortem, is there a chain to move in.")
		return nil
	}
	if arg != "" {
		if _, err := strconv.Atoi(arg); err != nil {
			return errorf(BadArgument, "Argument must be an integer")
		}
	}
	if s.rec == nil {
		return s.walk.refuse("exceptions", "a model tells the exception alone, not those that it is chained to")
	}
	answer, err := s.rec.Ask(ctx, s.selected, trace.VerbExceptions, arg)
	if err != nil {
		var raised *trace.EvalError
		if errors.As(err, &raised) {
			return errorf(BadArgument, "%s", raised.Message)
		}
		return err
	}
	if text := trimLineEnd(answer.Text); text != "" {
		s.say(text)
	}
	if arg != "" && s.looking() {
		s.lookAtTraceback(ctx)
		s.stop = &stop{}
	}
	if answer.Landing != nil {
		s.arrive(*answer.Landing, nil)
		s.walk.displaced()
	}
	return nil
}
