package nav

import (
	"context"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/breakpoint"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/query"
	"github.com/npdb/npdb/trace/statetree"
)

// Walker makes the moves of commands over a source of states, and has the breakpoints of
// a table stop them. It keeps no position: each move begins where it is told, and comes
// back as a passage, nil where there is nothing to arrive at.
type Walker struct {
	Source
	host    Host
	table   *breakpoint.Table
	watched map[*breakpoint.Breakpoint]*Watched
	past    *query.Past // what the recording says of what was; nil until it is asked
}

// New walks over a source.
func New(src Source, h Host, table *breakpoint.Table) *Walker {
	return &Walker{Source: src, host: h, table: table, watched: map[*breakpoint.Breakpoint]*Watched{}}
}

// Past returns what the recording that is walked over says of what was; nil where the
// states are a model's.
func (w *Walker) Past() *query.Past {
	t, ok := w.States().(*statetree.Tree)
	if !ok {
		return nil
	}
	if w.past == nil || w.past.Tree() != t {
		w.past = query.Of(t)
	}
	return w.past
}

// Text names what the values of the states are.
func (w *Walker) Text() string {
	if _, ok := w.States().(*statetree.Tree); ok {
		return "recorded text"
	}
	return "predicted text"
}

// made makes a move that nothing stops.
func made(ctx context.Context, s Source, from trace.Position, a dsl.Action) (*Passage, error) {
	l, err := s.Move(ctx, from, a)
	if err != nil {
		return nil, err
	}
	return &Passage{Landing: l, By: &a}, nil
}

// Last reports whether a move is the last one of a command: the n-th, which led to p.
type Last func(n int, p *Passage) bool

// Times ends a command at its count-th move.
func Times(count int) Last { return func(n int, _ *Passage) bool { return n == count } }

// Out ends a command that leaves activations where the stack's depth is at most depth.
func (w *Walker) Out(depth int) Last {
	return func(_ int, p *Passage) bool { return w.States().At(p.Event).Depth <= depth }
}

// Steps makes a move again and again, until one is the last. It ends early where there
// is a reason to look: a breakpoint, a boundary, the end, an interruption.
func (w *Walker) Steps(ctx context.Context, from trace.Position, m dsl.Move, last Last) (*Passage, error) {
	a := dsl.Action{Move: m}
	if free(m) { // the action of the table, which nothing stops
		return made(ctx, w, from, a)
	}
	stops := w.Stops()
	horizon := 0
	at := from
	for n := 1; ; n++ {
		p, err := w.Pass(ctx, at, a, stops)
		if err != nil {
			if n == 1 {
				return nil, err
			}
			return &Passage{Landing: trace.Landing{Position: at, Horizon: horizon}, By: &a}, err
		}
		horizon = Passed(horizon, p.Horizon)
		p.Horizon = horizon
		switch {
		case p.Ends():
			return p, nil
		case w.host.Stopping():
			p.Reason = trace.Interrupted
			return p, nil
		case last(n, p):
			return p, nil
		}
		at = p.Position
	}
}

// Continue goes on, by continue or its inverse, until something stops it: that is a
// breakpoint whose condition, count and mark are satisfied, or what a watchpoint or a
// catchpoint waits for. Backwards with such of which none is satisfied it stays where
// it is; without any it goes to the first state.
func (w *Walker) Continue(ctx context.Context, from trace.Position, m dsl.Move) (*Passage, error) {
	return w.Pass(ctx, from, dsl.Action{Move: m}, w.Stops())
}

// Find goes on to the next line at which an expression is true, or back to the last one.
// Only a recording knows of each.
func (w *Walker) Find(ctx context.Context, from trace.Position, expr string, inverse bool) (*Passage, error) {
	a := dsl.Action{Move: dsl.Continue}
	if inverse {
		a.Move = dsl.InvContinue
	}
	return w.Pass(ctx, from, a, &Stops{w: w, find: expr})
}

// Goal is what until goes to: a line of one activation, or where it is left.
type Goal struct {
	Activation uint32
	Depth      int // of the stack there
	Generator  bool
	Line       int // at least that one, or backwards at most
	Inverse    bool
}

// reached tests an event. A generator that suspends is not left by that.
func (g *Goal) reached(r statetree.Record) bool {
	switch {
	case r.Activation != g.Activation:
		return r.Depth < g.Depth && !g.Generator
	case g.Inverse:
		return r.Event == dsl.Call || r.Event == dsl.Line && r.Line <= g.Line
	}
	return r.Event == dsl.Return && r.Kind != dsl.Yielded || r.Event == dsl.Line && r.Line >= g.Line
}

// Until steps over lines until a goal is reached. Breakpoints on them, and in what is
// stepped over, stop it.
func (w *Walker) Until(ctx context.Context, from trace.Position, g Goal) (*Passage, error) {
	a := dsl.Action{Move: dsl.StepOver}
	switch {
	case g.Inverse:
		a.Move = dsl.InvStepOver
	case from.PostMortem:
		return w.Steps(ctx, from, dsl.Continue, Times(1))
	}
	stops := w.Stops()
	stops.goal = &g
	horizon := 0
	for at := from; ; {
		p, err := w.Pass(ctx, at, a, stops)
		if err != nil {
			if at == from {
				return nil, err
			}
			return &Passage{Landing: trace.Landing{Position: at, Horizon: UnknownHorizon}}, err
		}
		horizon = Passed(horizon, p.Horizon)
		p.Horizon = horizon
		if p.Hit != nil {
			return p, nil
		}
		p.By = nil
		if p.Reason == trace.Landed && w.host.Stopping() {
			p.Reason = trace.Interrupted
		}
		if p.Ends() {
			return p, nil
		}
		r := w.States().At(p.Event)
		if g.reached(r) {
			return p, nil
		}
		if r.Event == dsl.Line {
			if p.Hit, p.Raised = stops.test(ctx, p.Event); p.Hit != nil {
				by := stops.toward(a.Move)
				p.By = &by
				return p, nil
			}
		}
		at = p.Position
	}
}

// singly makes a free move of a source that answers one action at a time: to the next of
// the breakpoints' lines, until a breakpoint is satisfied there; without breakpoints
// freely.
func singly(ctx context.Context, s Source, from trace.Position, a dsl.Action, stops *Stops) (*Passage, error) {
	a = stops.onward(a)
	horizon := 0
	for at := from; ; {
		p, err := made(ctx, s, at, a)
		if err != nil {
			if at == from {
				return nil, err
			}
			return &Passage{Landing: trace.Landing{Position: at, Horizon: UnknownHorizon}, By: &a}, err
		}
		horizon = Passed(horizon, p.Horizon)
		p.Horizon = horizon
		if !a.Move.TakesLines() || p.Reason != trace.Landed && p.Reason != trace.HitBreakpoint || p.Boundary != trace.NoBoundary || p.End {
			return p, nil
		}
		if p.Hit, p.Raised = stops.test(ctx, p.Event); p.Hit != nil {
			return p, nil
		}
		if stops.w.host.Stopping() {
			p.Reason = trace.Interrupted
			return p, nil
		}
		at = p.Position
	}
}
