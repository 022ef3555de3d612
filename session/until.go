package session

import (
	"context"
	"math"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/breakpoint"
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
		p, beyond, err := s.towards(ctx, at, dsl.StepOver, t)
		if err != nil {
			return err
		}
		if beyond && !s.stopping.Load() {
			break
		}
		if s.stepped(ctx, &p, t, g) {
			s.landUntil(from, p)
			return nil
		}
		at = p.Position
	}
	return s.advance(ctx, t, &g, nil, from)
}

// goal is what until goes to: a line of one activation, or where it is left.
type goal struct {
	activation uint32
	depth      int
	generator  bool
	line       int
	inverse    bool
}

func (s *Session) goalIn(frame statetree.StackFrame, line int) goal {
	t := s.states()
	return goal{
		activation: frame.Activation, depth: s.depthOf(s.pos) - max(s.selected, 0), line: line,
		generator: frame.Event >= 0 && t.Code(t.At(frame.Event).Code).Generator,
	}
}

// reached tests an event. A generator that suspends is not left by that.
func (g goal) reached(r statetree.Record) bool {
	switch {
	case r.Activation != g.activation:
		return r.Depth < g.depth && !g.generator
	case g.inverse:
		return r.Event == dsl.Call || r.Event == dsl.Line && r.Line <= g.line
	}
	return r.Event == dsl.Return && r.Kind != dsl.Yielded || r.Event == dsl.Line && r.Line >= g.line
}

// leg runs the program on towards a goal, as far as one question to the tracer
// goes: it can look for lines of the activation on top of the stack only. alone
// tells that it was one event, of which no breakpoint was tested. whose are the
// breakpoints that the tracer was given.
func (s *recordedWalk) leg(ctx context.Context, t targets, g *goal) (l trace.Landing, whose []*breakpoint.Breakpoint, alone bool, err error) {
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
			return l, nil, true, err
		default:
			until = &beyond
		}
	}
	stops, whose := s.stops(t)
	l, err = s.running(ctx, func(ctx context.Context) (trace.Landing, error) { return s.rec.Advance(ctx, stops, until) })
	l, err = s.feed(ctx, l, err)
	return l, whose, false, err
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
		p, _, err := s.towards(ctx, at, dsl.InvStepOver, t)
		if err != nil {
			return err
		}
		if s.stepped(ctx, &p, t, g) {
			s.landUntil(from, p)
			return nil
		}
		at = p.Position
	}
}

// towards makes one step of until over recorded events, and stops before its
// landing at what lies between. beyond says that it lands beyond the live edge.
func (s *recordedWalk) towards(ctx context.Context, at trace.Position, m dsl.Move, t targets) (p passage, beyond bool, err error) {
	a := dsl.Action{Move: m}
	out, p, stopped := s.lookThrough(ctx, at, a, t)
	if stopped {
		return p, false, nil
	}
	if out.Boundary == statetree.Beyond {
		return passage{Landing: trace.Landing{Position: s.rec.LiveEdge()}}, true, nil
	}
	l, err := s.move(ctx, at, a)
	return passage{Landing: l}, false, err
}

// stepped ends a step of until that reached what is looked for, or counts the hit of
// a breakpoint on the line that it landed on and looks no further.
func (s *recordedWalk) stepped(ctx context.Context, p *passage, t targets, g goal) (over bool) {
	if p.ends() || s.stopping.Load() {
		return true
	}
	r := s.rec.Tree().At(p.Event)
	if g.reached(r) {
		return true
	}
	if r.Event == dsl.Line {
		p.hit, p.raised = s.effective(ctx, t, p.Event)
		p.by = t.toward(dsl.StepOver)
		if g.inverse {
			p.by = t.toward(dsl.InvStepOver)
		}
	}
	return p.hit != nil
}

// landUntil arrives where until stopped.
func (s *recordedWalk) landUntil(from trace.Position, p passage) {
	if p.Reason == trace.Landed && p.hit == nil && s.stopping.Load() {
		p.Reason = trace.Interrupted
	}
	p.Horizon = distance(from, s.eventOf(p.Position), s.rec.Tree())
	if p.hit != nil {
		s.arriveBy(p)
		return
	}
	s.arrive(p.Landing, nil)
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
