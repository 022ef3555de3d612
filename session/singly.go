package session

import (
	"context"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
)

// toBreakpoint moves to the next of the breakpoints' lines, one action at a time,
// until a breakpoint is satisfied there; without breakpoints it moves freely. It
// is the user's continue where each action is to be predicted.
func (s *Session) toBreakpoint(ctx context.Context, stop, free dsl.Move) error {
	t := s.targets()
	if len(t) == 0 {
		return s.repeat(ctx, free, 1)
	}
	a := dsl.Action{Move: stop, Lines: t.locations()}
	for at := s.pos; ; {
		l, err := s.walk.move(ctx, at, a)
		if err != nil {
			if at != s.pos {
				s.arrive(trace.Landing{Position: at, Horizon: unknownHorizon}, &a)
			}
			return err
		}
		if l.Reason != trace.Landed && l.Reason != trace.HitBreakpoint || l.Boundary != trace.NoBoundary || l.End {
			s.arrive(l, &a)
			return nil
		}
		if b, raised := s.effective(ctx, t, l.Event); b != nil {
			l.Reason = trace.HitBreakpoint
			s.land(b, raised, l, &a)
			return nil
		}
		if s.stopping.Load() {
			l.Reason = trace.Interrupted
			s.arrive(l, &a)
			return nil
		}
		at = l.Position
	}
}

// stepTowards steps over lines of the selected frame until one of at least line, or
// backwards of at most line; 0 is the one next to the current line. Breakpoints in
// what is stepped over stop it.
func (s *Session) stepTowards(ctx context.Context, line int, m dsl.Move) error {
	frame, err := s.frame()
	if err != nil {
		return err
	}
	switch inverse := m.Inverse(); {
	case line == 0 && inverse:
		line = frame.Line - 1
	case line == 0:
		line = frame.Line + 1
	case inverse && line >= frame.Line:
		return errorf(BadArgument, `"reverse-until" line number is larger than current line number`)
	case !inverse && line <= frame.Line:
		return errorf(BadArgument, `"until" line number is smaller than current line number`)
	}
	g := s.goalIn(frame, line)
	g.inverse = m.Inverse()
	t := s.targets()
	a := dsl.Action{Move: m}
	for at := s.pos; ; {
		p, err := s.make(ctx, at, a, t)
		if err != nil {
			if at != s.pos {
				s.arrive(trace.Landing{Position: at, Horizon: unknownHorizon}, nil)
			}
			return err
		}
		if p.hit == nil && s.stopping.Load() {
			p.Reason = trace.Interrupted
		}
		switch {
		case p.hit != nil:
			s.arriveBy(p)
			return nil
		case p.ends(), g.reached(s.states().At(p.Event)):
			s.arrive(p.Landing, nil)
			return nil
		}
		if s.states().At(p.Event).Event == dsl.Line {
			if p.hit, p.raised = s.effective(ctx, t, p.Event); p.hit != nil {
				p.by = t.toward(m)
				s.arriveBy(p)
				return nil
			}
		}
		at = p.Position
	}
}
