package session

import (
	"context"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
)

// repeat makes a move count times and arrives where the last one landed. It ends
// early where there is a reason to look: a boundary, the end, an interruption.
func (s *Session) repeat(ctx context.Context, m dsl.Move, count int) error {
	a := dsl.Action{Move: m}
	at, horizon := s.pos, 0
	var l trace.Landing
	for i := range count {
		var err error
		l, err = s.walk.move(ctx, at, a)
		if err != nil {
			if i > 0 {
				l.Position, l.Horizon = at, horizon
				s.arrive(l, &a)
			}
			return err
		}
		horizon = passed(horizon, l.Horizon)
		at = l.Position
		if l.Reason != trace.Landed || l.Boundary != trace.NoBoundary || l.End || l.PostMortem {
			break
		}
		if s.stopping.Load() {
			l.Reason = trace.Interrupted
			break
		}
	}
	l.Horizon = horizon
	s.arrive(l, &a)
	return nil
}

// inFrame makes step_over or step_return (or an inverse) as seen from the
// selected frame: as in pdb, after `up` next goes to the next line of the frame
// above, and return to its end.
func (s *Session) inFrame(ctx context.Context, m dsl.Move, count int) error {
	if s.selected == 0 || s.pos.End || s.pos.PostMortem {
		return s.repeat(ctx, m, count)
	}
	frame, err := s.frame()
	if err != nil {
		return err
	}
	depth := len(s.frames()) - 1 - s.selected
	out := dsl.Action{Move: dsl.StepReturn}
	if m.Inverse() {
		out.Move = dsl.InvStepReturn
	}
	l, err := s.outTo(ctx, depth, out)
	if err != nil {
		return err
	}
	reached := l.Reason == trace.Landed && l.Boundary == trace.NoBoundary && !l.End && !l.PostMortem
	whole := m == dsl.StepReturn || m == dsl.InvStepReturn
	if !reached || !whole && count == 1 {
		s.arrive(l, &out)
		return nil
	}
	s.arrive(l, &out)
	if !whole {
		return s.repeat(ctx, m, count-1)
	}
	rec := s.states().At(l.Event)
	if last := rec.Event == dsl.Return && !m.Inverse() || rec.Event == dsl.Call && m.Inverse(); rec.Activation != frame.Activation || last {
		count--
	}
	if count == 0 {
		return nil
	}
	return s.repeat(ctx, m, count)
}

// outTo leaves activations until the depth is at most depth.
func (s *Session) outTo(ctx context.Context, depth int, out dsl.Action) (trace.Landing, error) {
	at, horizon := s.pos, 0
	for {
		l, err := s.walk.move(ctx, at, out)
		if err != nil {
			return l, err
		}
		horizon = passed(horizon, l.Horizon)
		l.Horizon = horizon
		if l.Reason != trace.Landed || l.Boundary != trace.NoBoundary || l.End || l.PostMortem ||
			s.states().At(l.Event).Depth <= depth {
			return l, nil
		}
		if s.stopping.Load() {
			l.Reason = trace.Interrupted
			return l, nil
		}
		at = l.Position
	}
}
