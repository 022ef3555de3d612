package session

import (
	"context"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

// move asks the recording for one action, and feeds the program what it reads.
func (s *Session) move(ctx context.Context, from trace.Position, a dsl.Action) (trace.Landing, error) {
	word := a.String()
	s.answer.Action = &word // known already while the program waits for input
	l, err := s.running(func() (trace.Landing, error) { return s.rec.Move(ctx, from, a) })
	return s.feed(ctx, l, err)
}

// repeat makes a move count times and arrives where the last one landed. It ends
// early where there is a reason to look: a boundary, the end, an interruption.
func (s *Session) repeat(ctx context.Context, m dsl.Move, count int) error {
	a := dsl.Action{Move: m}
	at, horizon := s.pos, 0
	var l trace.Landing
	for i := range count {
		var err error
		l, err = s.move(ctx, at, a)
		if err != nil {
			if i > 0 {
				l.Position, l.Horizon = at, horizon
				s.arrive(l, &a)
			}
			return err
		}
		horizon += l.Horizon
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
	rec := s.rec.Tree().At(l.Event)
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
		l, err := s.move(ctx, at, out)
		if err != nil {
			return l, err
		}
		horizon += l.Horizon
		l.Horizon = horizon
		if l.Reason != trace.Landed || l.Boundary != trace.NoBoundary || l.End || l.PostMortem ||
			s.rec.Tree().At(l.Event).Depth <= depth {
			return l, nil
		}
		if s.stopping.Load() {
			l.Reason = trace.Interrupted
			return l, nil
		}
		at = l.Position
	}
}

// goTo makes an event the position. Behind the live edge that is free; beyond it
// the program runs there.
func (s *Session) goTo(ctx context.Context, event int) error {
	t := s.rec.Tree()
	edge := s.rec.LiveEdge()
	from := s.pos
	if s.recorded(event) {
		s.arrive(trace.Landing{Position: s.positionOf(event), Horizon: distance(from, event, t)}, nil)
		return nil
	}
	l, err := s.running(func() (trace.Landing, error) { return s.rec.Pass(ctx, event-edge.Event) })
	if l, err = s.feed(ctx, l, err); err != nil {
		return err
	}
	l.Horizon = distance(from, l.Event, t)
	s.arrive(l, nil)
	return nil
}

// recorded reports whether an event can be shown without running the program.
func (s *Session) recorded(event int) bool {
	edge := s.rec.LiveEdge()
	if edge.End || edge.PostMortem { // what unwound is recorded past the post-mortem stop
		return event < s.rec.Tree().Len()
	}
	return event <= edge.Event
}

// positionOf is an event as a position; the live edge keeps its marks.
func (s *Session) positionOf(event int) trace.Position {
	if edge := s.rec.LiveEdge(); !edge.End && edge.Event == event {
		return edge
	}
	return trace.Position{Event: event}
}

// distance counts the events between a position and an event, either way.
func distance(from trace.Position, event int, t *statetree.Tree) int {
	at := from.Event
	if from.End {
		at = t.Len()
	}
	return abs(event - at)
}
