package session

import (
	"context"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

// until goes forward, within the selected frame's activation, to a line of at
// least line or to its return; breakpoints stop it too. A line of 0 is the one
// after the current line.
func (s *Session) until(ctx context.Context, line int) error {
	frame, err := s.frame()
	if err != nil {
		return err
	}
	if line == 0 {
		line = frame.Line + 1
	} else if line <= frame.Line {
		return errorf(BadArgument, `"until" line number is smaller than current line number`)
	}
	if s.pos.PostMortem {
		return s.repeat(ctx, dsl.Continue, 1)
	}
	t := s.targets()
	goal := func(r statetree.Record) bool {
		return r.Activation == frame.Activation && (r.Event == dsl.Return && r.Kind != dsl.Yielded || r.Line >= line)
	}
	from := s.pos
	at := from
	for !s.atEdge(at) {
		l, err := s.towards(ctx, at, dsl.StepOver, t)
		if err != nil {
			return err
		}
		done := l.Reason != trace.Landed || l.End || l.PostMortem || l.Boundary != trace.NoBoundary
		if !done {
			r := s.rec.Tree().At(l.Event)
			done = goal(r) || r.Depth < s.depthOf(from)-s.selected
		}
		if done || s.stopping.Load() {
			return s.landUntil(from, l, t)
		}
		at = l.Position
	}
	if top := s.frameAt(at); s.over() || top == nil || top.Activation != frame.Activation {
		return s.stepUntil(ctx, at, from, goal)
	}
	return s.advance(ctx, t, &line, nil, from)
}

// stepUntil is until where the activation is not on top at the live edge: over
// the activations above it, then on.
func (s *Session) stepUntil(ctx context.Context, at, from trace.Position, goal func(statetree.Record) bool) error {
	depth := s.depthOf(from) - s.selected
	for {
		a := dsl.Action{Move: dsl.StepOver}
		if !at.End && s.rec.Tree().At(at.Event).Depth > depth {
			a.Move = dsl.StepReturn
		}
		l, err := s.move(ctx, at, a)
		if err != nil {
			return err
		}
		if l.Reason != trace.Landed || l.End || l.PostMortem || l.Boundary != trace.NoBoundary || s.stopping.Load() {
			return s.landUntil(from, l, nil)
		}
		if r := s.rec.Tree().At(l.Event); goal(r) || r.Depth < depth {
			return s.landUntil(from, l, nil)
		}
		at = l.Position
	}
}

// reverseUntil is the mirror image: back, within the activation, to a line of at
// most line or to its call. A line of 0 is the one before the current line.
func (s *Session) reverseUntil(ctx context.Context, line int) error {
	frame, err := s.frame()
	if err != nil {
		return err
	}
	if line == 0 {
		line = frame.Line - 1
	} else if line >= frame.Line {
		return errorf(BadArgument, `"reverse-until" line number is larger than current line number`)
	}
	t := s.targets()
	from, depth := s.pos, s.depthOf(s.pos)-s.selected
	at := from
	call := s.rec.Tree().CallEvent(frame.Activation)
	for {
		l, err := s.towards(ctx, at, dsl.InvStepOver, t)
		if err != nil {
			return err
		}
		if l.Reason != trace.Landed || l.Boundary != trace.NoBoundary || s.stopping.Load() {
			return s.landUntil(from, l, t)
		}
		r := s.rec.Tree().At(l.Event)
		mine := r.Activation == frame.Activation
		if mine && (l.Event == call || r.Line <= line) || r.Depth < depth {
			return s.landUntil(from, l, t)
		}
		at = l.Position
	}
}

// towards makes one step of until over recorded events, and stops before its
// landing at a breakpoint that lies between.
func (s *Session) towards(ctx context.Context, at trace.Position, m dsl.Move, t targets) (trace.Landing, error) {
	tree := s.rec.Tree()
	start := at.Event
	if at.End {
		start = tree.Len()
	}
	out := tree.Land(start, dsl.Action{Move: m})
	limit := out.Event
	if out.Boundary == statetree.Beyond {
		limit = s.rec.LiveEdge().Event
	}
	for e := start; len(t) > 0; {
		next, ok := tree.NextLine(e, t.locations())
		if m.Inverse() {
			next, ok = tree.PrevLine(e, t.locations())
		}
		if !ok || m.Inverse() && next < limit || !m.Inverse() && next > limit || out.Boundary == statetree.AtStart {
			break
		}
		if b := s.effective(ctx, t, next); b != nil {
			s.hit = b
			return trace.Landing{Position: s.positionOf(next), Reason: trace.HitBreakpoint}, nil
		}
		e = next
	}
	if out.Boundary == statetree.Beyond {
		return trace.Landing{Position: s.rec.LiveEdge()}, nil
	}
	return s.move(ctx, at, dsl.Action{Move: m})
}

// landUntil arrives where until stopped.
func (s *Session) landUntil(from trace.Position, l trace.Landing, t targets) error {
	b := s.hit
	s.hit = nil
	tree := s.rec.Tree()
	if l.Reason == trace.Landed && s.stopping.Load() {
		l.Reason = trace.Interrupted
	}
	to := l.Event
	if l.End {
		to = tree.Len()
	}
	l.Horizon = distance(from, to, tree)
	if b != nil && len(t) > 0 {
		s.land(b, l, nil)
		return nil
	}
	s.arrive(l, nil)
	return nil
}

// atEdge reports whether a position is the live edge or past it.
func (s *Session) atEdge(p trace.Position) bool {
	edge := s.rec.LiveEdge()
	return p.End || !edge.End && p.Event >= edge.Event
}

// depthOf is the depth of the event at a position, 0 at the end.
func (s *Session) depthOf(p trace.Position) int {
	if p.End {
		return 0
	}
	return s.rec.Tree().At(p.Event).Depth
}

// frameAt is the frame on top of the stack at a position, nil at the end.
func (s *Session) frameAt(p trace.Position) *statetree.StackFrame {
	if p.End {
		return nil
	}
	stack := s.rec.Tree().Stack(p.Event)
	if len(stack) == 0 {
		return nil
	}
	return &stack[len(stack)-1]
}
