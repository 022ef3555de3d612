package session

import (
	"context"
	"strconv"

	"github.com/npdb/npdb/dsl"
)

// count reads a command's count; none is 1.
func count(name, arg string) (int, error) {
	if arg == "" {
		return 1, nil
	}
	n, err := strconv.Atoi(arg)
	if err != nil || n < 1 {
		return 0, usage(name, arg)
	}
	return n, nil
}

// counted makes a command of a move that takes a count.
func (s *Session) counted(ctx context.Context, name, arg string, m dsl.Move,
	move func(*Session, context.Context, dsl.Move, int) error,
) error {
	n, err := count(name, arg)
	if err != nil {
		return err
	}
	return move(s, ctx, m, n)
}

func (s *Session) cmdStep(ctx context.Context, arg string) error {
	return s.counted(ctx, "step", arg, dsl.StepInto, (*Session).repeat)
}

func (s *Session) cmdNext(ctx context.Context, arg string) error {
	return s.counted(ctx, "next", arg, dsl.StepOver, (*Session).inFrame)
}

func (s *Session) cmdReturn(ctx context.Context, arg string) error {
	return s.counted(ctx, "return", arg, dsl.StepReturn, (*Session).inFrame)
}

func (s *Session) cmdReverseStep(ctx context.Context, arg string) error {
	return s.counted(ctx, "reverse-step", arg, dsl.InvStepInto, (*Session).repeat)
}

func (s *Session) cmdReverseNext(ctx context.Context, arg string) error {
	return s.counted(ctx, "reverse-next", arg, dsl.InvStepOver, (*Session).inFrame)
}

func (s *Session) cmdReverseFinish(ctx context.Context, arg string) error {
	return s.counted(ctx, "reverse-finish", arg, dsl.InvStepReturn, (*Session).inFrame)
}

func (s *Session) cmdContinue(ctx context.Context, arg string) error {
	return s.times(ctx, "continue", arg, s.walk.cont)
}

func (s *Session) cmdReverseContinue(ctx context.Context, arg string) error {
	return s.times(ctx, "reverse-continue", arg, s.walk.reverseContinue)
}

// times repeats a move that stops at breakpoints, to its count-th stop.
func (s *Session) times(ctx context.Context, name, arg string, move func(context.Context) error) error {
	n, err := count(name, arg)
	if err != nil {
		return err
	}
	for range n {
		before := s.pos
		if err := move(ctx); err != nil {
			return err
		}
		if s.pos.End || s.pos.PostMortem || s.pos == before || s.stopping.Load() || s.hit != nil {
			return nil
		}
	}
	return nil
}

func (s *Session) cmdUntil(ctx context.Context, arg string) error {
	line, err := lineArgument(arg)
	if err != nil {
		return err
	}
	if frame, err := s.frame(); err == nil && s.returned() && (line == 0 || line > frame.Line) {
		return s.repeat(ctx, dsl.StepOver, 1) // as in pdb: there is no line to look for any more
	}
	return s.walk.until(ctx, line)
}

// returned reports whether the frame that is looked at is being left for good.
func (s *Session) returned() bool {
	if s.pos.End || s.pos.PostMortem || s.selected != 0 || s.pos.Event < 0 {
		return false
	}
	r := s.states().At(s.pos.Event)
	return r.Event == dsl.Return && r.Kind != dsl.Yielded
}

func (s *Session) cmdReverseUntil(ctx context.Context, arg string) error {
	line, err := lineArgument(arg)
	if err != nil {
		return err
	}
	return s.walk.reverseUntil(ctx, line)
}

// lineArgument reads an optional line; 0 when there is none.
func lineArgument(arg string) (int, error) {
	if arg == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(arg)
	if err != nil || n < 1 {
		return 0, errorf(BadArgument, "Error in argument: '%s'", arg)
	}
	return n, nil
}

func (s *Session) cmdRewind(ctx context.Context, arg string) error {
	if arg != "" {
		return usage("rewind", arg)
	}
	return s.walk.rewind(ctx)
}

func (s *Session) cmdGoto(ctx context.Context, arg string) error {
	return s.walk.gotoState(ctx, arg)
}

func (s *Session) cmdJump(ctx context.Context, arg string) error {
	if s.selected != 0 {
		return errorf(BadArgument, "You can only jump within the bottom frame")
	}
	if _, err := strconv.Atoi(arg); err != nil {
		return errorf(BadArgument, "The 'jump' command requires a line number")
	}
	return s.walk.jump(ctx, arg)
}

// cmdFastContinue is continue that records nothing of what lies between.
func (s *Session) cmdFastContinue(ctx context.Context, arg string) error {
	if err := s.canLeaveOut("fast-continue"); err != nil {
		return err
	}
	s.rec.Record(false)
	defer func() { s.rec.Record(!s.unrecorded) }()
	return s.times(ctx, "fast-continue", arg, s.walk.cont)
}

// cmdRecord tells or says whether moves record what they run.
func (s *Session) cmdRecord(_ context.Context, arg string) error {
	switch arg {
	case "":
	case "on", "off":
		if err := s.canLeaveOut("record " + arg); err != nil {
			return err
		}
		s.unrecorded = arg == "off"
		s.rec.Record(!s.unrecorded)
	default:
		return usage("record", arg)
	}
	if s.unrecorded {
		s.say("Recording is off: next, return, until, continue and advance watch breakpoints and where they land, and record nothing else")
	} else {
		s.say("Recording is on: all that the program does is recorded")
	}
	return nil
}

// canLeaveOut is nil where a program runs, and nobody predicts what it does.
func (s *Session) canLeaveOut(what string) error {
	switch s.Mode() {
	case Predicted:
		return errorf(Refused, "%s: nothing runs in neural mode, so there is nothing to leave out", what)
	case Both:
		return errorf(Refused, "%s: in both modes what runs is recorded, for the model is compared with it (mode real leaves the model out)", what)
	}
	return nil
}
