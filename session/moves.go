package session

import (
	"context"
	"errors"
	"strconv"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/walk"
	"github.com/npdb/npdb/trace"
)

// repeat makes a move count times and arrives where the last one landed.
func (s *Session) repeat(ctx context.Context, m dsl.Move, count int) error {
	return s.land(s.walk.Repeat(ctx, s.pos, m, count))
}

// inFrame makes step_over or step_return (or an inverse) as seen from the
// selected frame: as in pdb, after `up` next goes to the next line of the frame
// above, and return to its end.
func (s *Session) inFrame(ctx context.Context, m dsl.Move, count int) error {
	if s.selected <= 0 || s.pos.End || s.pos.PostMortem {
		return s.repeat(ctx, m, count)
	}
	frame, err := s.frame()
	if err != nil {
		return err
	}
	out := dsl.StepReturn
	if m.Inverse() {
		out = dsl.InvStepReturn
	}
	whole := m == out
	p, err := s.walk.Out(ctx, s.pos, out, len(s.frames())-1-s.selected)
	if err := s.land(p, err); err != nil || p.Ends() || !whole && count == 1 {
		return err
	}
	if !whole {
		return s.repeat(ctx, m, count-1)
	}
	rec := s.states().At(p.Event)
	if last := rec.Event == dsl.Return && !m.Inverse() || rec.Event == dsl.Call && m.Inverse(); rec.Activation != frame.Activation || last {
		count--
	}
	if count == 0 {
		return nil
	}
	return s.repeat(ctx, m, count)
}

// cont is the user's continue, reverseContinue its mirror image.
func (s *Session) cont(ctx context.Context) error {
	return s.land(s.walk.Continue(ctx, s.pos, dsl.Continue))
}

func (s *Session) reverseContinue(ctx context.Context) error {
	return s.land(s.walk.Continue(ctx, s.pos, dsl.InvContinue))
}

// toLine goes on, within the selected frame's activation, to a line of at least line or
// to its return; backwards to one of at most line or to its call. Breakpoints stop it,
// too. A line of 0 is the one beyond the current line.
func (s *Session) toLine(ctx context.Context, line int, inverse bool) error {
	frame, err := s.frame()
	if err != nil {
		return err
	}
	switch {
	case line == 0 && inverse:
		line = frame.Line - 1
	case line == 0:
		line = frame.Line + 1
	case inverse && line >= frame.Line:
		return errorf(BadArgument, `"reverse-until" line number is larger than current line number`)
	case !inverse && line <= frame.Line:
		return errorf(BadArgument, `"until" line number is smaller than current line number`)
	}
	t := s.states()
	return s.land(s.walk.Until(ctx, s.pos, walk.Goal{
		Activation: frame.Activation, Depth: s.depth() - max(s.selected, 0), Line: line, Inverse: inverse,
		Generator: frame.Event >= 0 && t.Code(t.At(frame.Event).Code).Generator,
	}))
}

// depth is that of the stack at the position, 0 at the end.
func (s *Session) depth() int {
	if s.pos.End {
		return 0
	}
	return s.states().At(s.pos.Event).Depth
}

// find goes to the next event, or back to the last, at which an expression is true.
func (s *Session) find(ctx context.Context, expr string, inverse bool) error {
	r := s.recorded()
	if r == nil {
		return errorf(Refused, "find: there is no recording in neural mode to look through; b LINE, CONDITION and c ask the model for a line where it holds")
	}
	from := s.pos
	p, err := s.walk.Find(ctx, from, expr, inverse)
	err = s.land(p, err)
	if err == nil && !inverse && p.Boundary != trace.AtHole && (p.End || p.PostMortem) {
		s.heldNowhere(expr, from)
	}
	return err
}

// heldNowhere says why find has come to the end.
func (s *Session) heldNowhere(expr string, from trace.Position) {
	recorded := ""
	if _, hole := s.rec.Tree().HoleAfter(from.Event); hole && !from.End {
		recorded = " that was recorded"
	}
	s.notice("%s was true at no line%s up to here; where it raises, it counts as not true.", expr, recorded)
}

// rewind goes to the first state; no model is asked for what is known.
func (s *Session) rewind(ctx context.Context) error {
	if p, ok := s.source().(*walk.Predicted); ok {
		s.arrive(p.First(), nil)
		return nil
	}
	return s.repeat(ctx, dsl.InvContinue, 1)
}

// goToEvent goes to an event of the recording.
func (s *Session) goToEvent(ctx context.Context, event int) error {
	last, ended, err := s.recordedTo()
	switch {
	case err != nil:
		return err
	case ended && event > last:
		return errorf(BadArgument, "The recording ends at event %d", last)
	}
	return s.goTo(ctx, event)
}

// goToPercent goes to where so much of the recording has passed; 100 is the live edge.
func (s *Session) goToPercent(ctx context.Context, percent int) error {
	last, _, err := s.recordedTo()
	switch {
	case err != nil:
		return err
	case percent == 100:
		s.arrive(trace.Landing{Position: s.rec.LiveEdge(), Horizon: s.recorded().Distance(s.pos, last)}, nil)
		s.walk.Displaced(s.pos)
		return nil
	}
	// Split so that ten million events times a hundred fit any int.
	return s.goTo(ctx, last/100*percent+last%100*percent/100)
}

// recordedTo is the last event of the recording that can be gone to, and whether the
// program has ended there. The error is that there is none.
func (s *Session) recordedTo() (last int, ended bool, err error) {
	if s.recorded() == nil {
		return 0, false, errorf(Refused, "goto: there is no recording in neural mode; back and forth go over what was shown, rewind to the first state")
	}
	n := s.rec.Tree().Len()
	if n == 0 {
		return 0, false, errorf(ProgramOver, "The recording has no states")
	}
	if edge := s.rec.LiveEdge(); !edge.End {
		return edge.Event, false, nil
	}
	return n - 1, true, nil
}

// goTo makes an event the position. Behind the live edge that is free; beyond it
// the program runs there.
func (s *Session) goTo(ctx context.Context, event int) error {
	r, from := s.recorded(), s.pos
	l := trace.Landing{Position: r.PositionOf(event)}
	if event > r.Furthest() {
		var err error
		edge := s.rec.LiveEdge()
		l, err = s.running(ctx, func(ctx context.Context) (trace.Landing, error) { return s.rec.Pass(ctx, event-edge.Event) })
		if l, err = s.feed(ctx, l, err); err != nil {
			return err
		}
	}
	l.Horizon = r.Distance(from, l.Event)
	s.arrive(l, nil)
	s.walk.Displaced(s.pos)
	return nil
}

// jump makes another line the one that is next.
func (s *Session) jump(ctx context.Context, line int) error {
	if s.recorded() == nil {
		return s.jumpPredicted(ctx, line)
	}
	if err := s.needLive("jump"); err != nil {
		return err
	}
	answer, err := s.rec.Ask(ctx, 0, trace.VerbJump, strconv.Itoa(line))
	if err != nil {
		var raised *trace.EvalError
		if errors.As(err, &raised) {
			return errorf(Refused, "Jump failed: %s", raised.Message)
		}
		return err
	}
	if answer.Landing != nil {
		s.arrive(*answer.Landing, nil)
	}
	s.walk.Displaced(s.pos)
	return nil
}
