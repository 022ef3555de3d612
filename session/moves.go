package session

import (
	"context"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
)

// repeat makes a move count times and arrives where the last one landed. It ends
// early where there is a reason to look: a breakpoint, a boundary, the end, an
// interruption.
func (s *Session) repeat(ctx context.Context, m dsl.Move, count int) error {
	a := dsl.Action{Move: m}
	t := s.targets()
	at, horizon := s.pos, 0
	var p passage
	for i := range count {
		var err error
		p, err = s.make(ctx, at, a, t)
		if err != nil {
			if i > 0 {
				s.arrive(trace.Landing{Position: at, Horizon: horizon}, &a)
			}
			return err
		}
		horizon = passed(horizon, p.Horizon)
		at = p.Position
		if p.ends() {
			break
		}
		if s.stopping.Load() {
			p.Reason = trace.Interrupted
			break
		}
	}
	p.Horizon = horizon
	s.arriveBy(p)
	return nil
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
	depth := len(s.frames()) - 1 - s.selected
	out := dsl.Action{Move: dsl.StepReturn}
	if m.Inverse() {
		out.Move = dsl.InvStepReturn
	}
	p, err := s.outTo(ctx, depth, out)
	if err != nil {
		return err
	}
	whole := m == dsl.StepReturn || m == dsl.InvStepReturn
	s.arriveBy(p)
	if p.ends() || !whole && count == 1 {
		return nil
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

// outTo leaves activations until the depth is at most depth.
func (s *Session) outTo(ctx context.Context, depth int, out dsl.Action) (passage, error) {
	t := s.targets()
	at, horizon := s.pos, 0
	for {
		p, err := s.make(ctx, at, out, t)
		if err != nil {
			return p, err
		}
		horizon = passed(horizon, p.Horizon)
		p.Horizon = horizon
		if p.ends() || s.states().At(p.Event).Depth <= depth {
			return p, nil
		}
		if s.stopping.Load() {
			p.Reason = trace.Interrupted
			return p, nil
		}
		at = p.Position
	}
}
