package session

import (
	"context"
	"math"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

// until goes forward, within the selected frame's activation, to a line of at
// least line or to its return; breakpoints stop it too. A line of 0 is the one
// after the current line.
func (s *recordedWalk) until(ctx context.Context, line int) error {
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
	g := s.goalIn(frame, line)
	from := s.pos
	at := from
	for !s.atEdge(at) {
		l, stop, err := s.towards(ctx, at, dsl.StepOver, t, g)
		if err != nil {
			return err
		}
		over := l.Reason != trace.Landed || l.End || l.PostMortem || l.Boundary != trace.NoBoundary
		if over || g.reached(l.Event, s.rec.Tree().At(l.Event)) || s.stopping.Load() {
			s.landUntil(from, l, stop)
			return nil
		}
		at = l.Position
	}
	return s.advance(ctx, t, &g, nil, from)
}

// goal is what until goes to: a line of one activation, or where it is left.
type goal struct {
	activation uint32
	depth      int
	generator  bool
	call       int // its first event, -1 for a module
	line       int
	inverse    bool
}

func (s *Session) goalIn(frame statetree.StackFrame, line int) goal {
	t := s.states()
	return goal{
		activation: frame.Activation, depth: s.depthOf(s.pos) - s.selected, line: line,
		call:      t.CallEvent(frame.Activation),
		generator: frame.Event >= 0 && t.Code(t.At(frame.Event).Code).Generator,
	}
}

// reached tests an event. A generator that suspends is not left by that.
func (g goal) reached(event int, r statetree.Record) bool {
	switch {
	case r.Activation != g.activation:
		return r.Depth < g.depth && !g.generator
	case g.inverse:
		return event == g.call || r.Event == dsl.Line && r.Line <= g.line
	}
	return r.Event == dsl.Return && r.Kind != dsl.Yielded || r.Event == dsl.Line && r.Line >= g.line
}

// leg runs the program on towards a goal, as far as one question to the tracer
// goes: it can look for lines of the activation on top of the stack only. alone
// tells that it was one event, of which no breakpoint was tested.
func (s *recordedWalk) leg(ctx context.Context, t targets, g *goal) (l trace.Landing, alone bool, err error) {
	edge := s.rec.LiveEdge()
	top := s.frameAt(edge)
	var until *int
	if g != nil && top != nil && !s.over() {
		beyond := math.MaxInt32 // no line: only the return of what is on top
		switch r := s.rec.Tree().At(edge.Event); {
		case top.Activation == g.activation && (r.Event != dsl.Return || g.generator):
			until = &g.line
		case r.Event == dsl.Return || g.generator:
			l, err = s.move(ctx, edge, dsl.Action{Move: dsl.StepInto})
			return l, true, err
		default:
			until = &beyond
		}
	}
	l, err = s.running(func() (trace.Landing, error) { return s.rec.Advance(ctx, t.stops(), until) })
	l, err = s.feed(ctx, l, err)
	return l, false, err
}

// reverseUntil is the mirror image: back, within the activation, to a line of at
// most line or to its call. A line of 0 is the one before the current line.
func (s *recordedWalk) reverseUntil(ctx context.Context, line int) error {
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
	from := s.pos
	at := from
	g := s.goalIn(frame, line)
	g.inverse = true
	for {
		l, stop, err := s.towards(ctx, at, dsl.InvStepOver, t, g)
		if err != nil {
			return err
		}
		if l.Reason != trace.Landed || l.Boundary != trace.NoBoundary || s.stopping.Load() || g.reached(l.Event, s.rec.Tree().At(l.Event)) {
			s.landUntil(from, l, stop)
			return nil
		}
		at = l.Position
	}
}

// towards makes one step of until over recorded events, and stops before its
// landing at a breakpoint that lies between. A place that until itself looks for
// counts as no hit.
func (s *recordedWalk) towards(ctx context.Context, at trace.Position, m dsl.Move, t targets, g goal) (trace.Landing, untilStop, error) {
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
		if !ok || m.Inverse() && next < limit || !m.Inverse() && next > limit || out.Boundary == statetree.AtStart || g.reached(next, tree.At(next)) {
			break
		}
		if b, raised := s.effective(ctx, t, next); b != nil {
			return trace.Landing{Position: s.positionOf(next), Reason: trace.HitBreakpoint}, untilStop{b, raised}, nil
		}
		e = next
	}
	if out.Boundary == statetree.Beyond {
		return trace.Landing{Position: s.rec.LiveEdge()}, untilStop{}, nil
	}
	l, err := s.move(ctx, at, dsl.Action{Move: m})
	return l, untilStop{}, err
}

// untilStop is the breakpoint that ended an until, if one did.
type untilStop struct {
	b      *Breakpoint
	raised bool
}

// landUntil arrives where until stopped.
func (s *recordedWalk) landUntil(from trace.Position, l trace.Landing, stop untilStop) {
	tree := s.rec.Tree()
	if l.Reason == trace.Landed && s.stopping.Load() {
		l.Reason = trace.Interrupted
	}
	to := l.Event
	if l.End {
		to = tree.Len()
	}
	l.Horizon = distance(from, to, tree)
	if stop.b != nil {
		s.land(stop.b, stop.raised, l, nil)
		return
	}
	s.arrive(l, nil)
}

// atEdge reports whether a position is the live edge or past it.
func (s *recordedWalk) atEdge(p trace.Position) bool {
	edge := s.rec.LiveEdge()
	return p.End || !edge.End && p.Event >= edge.Event
}

// depthOf is the depth of the event at a position, 0 at the end.
func (s *Session) depthOf(p trace.Position) int {
	if p.End {
		return 0
	}
	return s.states().At(p.Event).Depth
}

// frameAt is the frame on top of the stack at a position, nil at the end.
func (s *recordedWalk) frameAt(p trace.Position) *statetree.StackFrame {
	if p.End {
		return nil
	}
	stack := s.rec.Tree().Stack(p.Event)
	if len(stack) == 0 {
		return nil
	}
	return &stack[len(stack)-1]
}
