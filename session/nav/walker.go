package nav

import (
	"context"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/breakpoint"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/query"
	"github.com/npdb/npdb/trace/statetree"
)

// Walker makes the moves of the user's commands over a source, and stops them at breakpoints. It
// keeps no position: each move gets the position at which it begins and returns a passage, nil if
// it leads nowhere.
type Walker struct {
	Source
	host    Host
	table   *breakpoint.Table
	watched map[*breakpoint.Breakpoint]*Watched
	past    *query.Past // the recording in searchable form, nil until it is needed
}

// New returns a walker over the moves of a source.
func New(src Source, h Host, table *breakpoint.Table) *Walker {
	return &Walker{Source: src, host: h, table: table, watched: map[*breakpoint.Breakpoint]*Watched{}}
}

// Past returns the recording in searchable form, nil if the states are predicted.
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

// Text describes where values are read from: "recorded text" or "predicted text".
func (w *Walker) Text() string {
	if _, ok := w.States().(*statetree.Tree); ok {
		return "recorded text"
	}
	return "predicted text"
}

// made makes a single action that no breakpoint stops.
func made(ctx context.Context, s Source, from trace.Position, a dsl.Action) (*Passage, error) {
	l, err := s.Move(ctx, from, a)
	if err != nil {
		return nil, err
	}
	return &Passage{Landing: l, By: &a}, nil
}

// Last reports whether a command ends with its n-th move, which led to p.
type Last func(n int, p *Passage) bool

// Times returns a Last that ends a command after count moves.
func Times(count int) Last { return func(n int, _ *Passage) bool { return n == count } }

// Out returns a Last that ends a command when the stack's depth is at most depth.
func (w *Walker) Out(depth int) Last {
	return func(_ int, p *Passage) bool { return w.States().At(p.Event).Depth <= depth }
}

// Steps repeats a move until last returns true. It ends early at a breakpoint, a boundary, the end
// of the program or an interrupt.
func (w *Walker) Steps(ctx context.Context, from trace.Position, m dsl.Move, last Last) (*Passage, error) {
	a := dsl.Action{Move: m}
	if free(m) { // the action continue, which ignores breakpoints
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

// Continue runs, forwards or backwards, until a breakpoint, watchpoint or catchpoint stops it. If
// none stops it on the way back, it does not move; if there are none at all, it goes to the first
// state.
func (w *Walker) Continue(ctx context.Context, from trace.Position, m dsl.Move) (*Passage, error) {
	return w.Pass(ctx, from, dsl.Action{Move: m}, w.Stops())
}

// Find goes to the next or the previous line at which an expression is true. It needs a recording.
func (w *Walker) Find(ctx context.Context, from trace.Position, expr string, inverse bool) (*Passage, error) {
	a := dsl.Action{Move: dsl.Continue}
	if inverse {
		a.Move = dsl.InvContinue
	}
	stops := &Stops{w: w, find: expr}
	p, err := w.Pass(ctx, from, a, stops)
	if p != nil {
		p.Unanswered = stops.unanswered
	}
	return p, err
}

// Goal is where until ends: at a line of one activation, or when the activation ends.
type Goal struct {
	Activation uint32
	Depth      int // stack depth of the activation
	Generator  bool
	Line       int // minimum line at which until ends; backwards the maximum
	Inverse    bool
}

// reached reports whether until ends at an event. A yield does not end a generator's activation.
func (g *Goal) reached(r statetree.Record) bool {
	switch {
	case r.Activation != g.Activation:
		return r.Depth < g.Depth && !g.Generator
	case g.Inverse:
		return r.Event == dsl.Call || r.Event == dsl.Line && r.Line <= g.Line
	}
	return r.Event == dsl.Return && r.Kind != dsl.Yielded || r.Event == dsl.Line && r.Line >= g.Line
}

// Until steps over lines until it reaches the goal or a breakpoint stops it.
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

// singly makes a free move with a source that makes one action at a time: from breakpoint line to
// breakpoint line, until a breakpoint stops it. Without breakpoints it makes the move at once.
func singly(ctx context.Context, s Source, from trace.Position, a dsl.Action, stops *Stops) (*Passage, error) {
	a = stops.onward(a)
	passed := unmet{source: s}
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
		if passed.another(&p.Landing) {
			return p, nil
		}
		at = p.Position
	}
}
