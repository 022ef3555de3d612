package nav

import (
	"context"
	"errors"
	"fmt"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

// Recording is the part of *trace.Recording that Recorded uses. See there for the methods.
type Recording interface {
	Tree() *statetree.Tree
	LiveEdge() trace.Position
	Move(ctx context.Context, from trace.Position, a dsl.Action, stops ...trace.Stop) (trace.Landing, error)
	Advance(ctx context.Context, stops []trace.Stop, until *int) (trace.Landing, error)
	AddFile(path string) (int, error)
	Exit() *dsl.Exit
	Ask(ctx context.Context, up int, v trace.Verb, text string) (trace.Answer, error)
}

// Recorded is a source of states that CPython records. A position's event is the number of an event
// of the recording.
type Recorded struct {
	base   *Base
	launch func(ctx context.Context) (Recording, trace.Landing, error)

	rec      Recording
	trail    trail
	pauses   map[int]bool // events at which the program itself called the debugger
	edge     int          // the edge of a hole where a backward move has just stopped, -1 for none
	past     bool         // the current move continues before a hole
	remake   Remake       // makes the past of a hole, nil if holes stay
	replayed [][2]int     // ranges of events that were recorded by running the program again
	filling  bool         // a backward move is under way that makes pasts
	refused  map[int]bool // edges of holes whose past cannot be made

	aside *Both // receives the moves that are made, nil if no model was asked by PeekAside
}

// NewRecorded returns a source of the states of the recording that launch starts.
func NewRecorded(b *Base, launch func(ctx context.Context) (Recording, trace.Landing, error)) *Recorded {
	return &Recorded{base: b, launch: launch, edge: -1}
}

// Start runs the program to its first state. If recording begins later, the landing's reason is
// Begun.
func (r *Recorded) Start(ctx context.Context) (trace.Landing, error) {
	rec, l, err := r.launch(ctx)
	if err != nil {
		return l, err
	}
	r.rec, r.trail, r.pauses, r.edge, r.past, r.aside, r.refused, r.replayed = rec, nil, map[int]bool{}, -1, false, nil, nil, nil
	r.base.Begin()
	if l.Reason == trace.Begun {
		return l, nil
	}
	// With --entry a module can read input before its first state.
	return r.base.Run(ctx, func(context.Context) (trace.Landing, error) { return l, nil })
}

// Branch returns a source of the states of another run, which has the events of this one up to its live
// edge.
func (r *Recorded) Branch(rec Recording) *Recorded {
	b := NewRecorded(r.base, r.launch)
	b.rec, b.remake, b.pauses = rec, r.remake, map[int]bool{}
	edge := rec.LiveEdge().Event
	for event := range r.pauses {
		if event <= edge {
			b.pauses[event] = true
		}
	}
	for _, part := range r.replayed {
		if part[0] <= edge {
			b.replayed = append(b.replayed, part)
		}
	}
	return b
}

// Child returns a source of the states of a child process of the program.
func (r *Recorded) Child(rec Recording) *Recorded {
	c := NewRecorded(r.base, r.launch)
	c.rec = rec
	return c
}

// States returns the recorded states.
func (r *Recorded) States() States { return r.rec.Tree() }

// AddFile adds a file to the recording and returns its index.
func (r *Recorded) AddFile(path string) (int, error) { return r.rec.AddFile(path) }

// Admit makes a library's file user code, so that it is traced from now on.
func (r *Recorded) Admit(ctx context.Context, path string) (string, error) {
	if edge := r.rec.LiveEdge(); edge.End || r.rec.Exit() != nil {
		return "", nil // the next run will trace it from the start
	}
	answer, err := r.rec.Ask(ctx, 0, trace.VerbUserCode, path)
	var raised *trace.EvalError
	switch {
	case errors.As(err, &raised):
		return "", errorf(Refused, "%s", raised.Message)
	case err != nil || answer.Text == "":
		return "", err
	}
	return fmt.Sprintf("%s was passed over so far. It is user code from here on: what runs of it is recorded, and s goes into it.", escape.Line(path)), nil
}

// Live reports whether a position is the live edge, where the program waits.
func (r *Recorded) Live(p trace.Position) bool { return !p.End && r.liveAt(p.Event) }

func (r *Recorded) liveAt(event int) bool {
	edge := r.rec.LiveEdge()
	return !edge.End && r.rec.Exit() == nil && edge.Event == event
}

// Holds evaluates a condition in the running program. asked is false if event is not the live edge.
func (r *Recorded) Holds(ctx context.Context, event int, condition string) (holds, asked bool, err error) {
	if !r.liveAt(event) {
		return false, false, nil
	}
	answer, err := r.rec.Ask(ctx, 0, trace.VerbPrint, "bool(("+condition+"))")
	return answer.Text == "True", true, err
}

// Mark returns the origin of a state, and the exit of the program.
func (r *Recorded) Mark(p trace.Position) Mark {
	m := Mark{Origin: dsl.Real, Exit: r.rec.Exit(), Replayed: !p.End && r.wasReplayed(p.Event)}
	switch t := r.rec.Tree(); {
	case p.End || p.Event < 0 || p.Event >= t.Len():
	case t.At(p.Event).Edited:
		m.Origin = dsl.Edited
	case p.Event == 0:
		m.Origin = dsl.Given
	}
	return m
}

// Shown does nothing: a recording does not depend on what is shown.
func (r *Recorded) Shown(int, trace.Position, bool) {}

// Edited drops the guesses that were made before the edit. The recording itself contains the edit.
func (r *Recorded) Edited(p trace.Position) {
	if r.aside != nil {
		r.aside.forget(p)
	}
}

// Displaced does nothing: a recording does not depend on the position.
func (r *Recorded) Displaced(trace.Position) {}

// GiveUp does nothing: an interrupt goes to the recording itself.
func (r *Recorded) GiveUp() {}

// Arrived updates the source after a landing. It records whether the program itself called the
// debugger there, and whether a backward move stopped at the edge of a hole. crossed reports that
// the move continued before a hole.
func (r *Recorded) Arrived(l trace.Landing, backward bool) (crossed bool) {
	if l.Reason == trace.ProgramBreak {
		r.pauses[l.Event] = true
	}
	crossed = r.past && l.Boundary == trace.AtHole
	r.edge, r.past = -1, false
	if l.Boundary == trace.AtHole && backward && !crossed && (l.Event > 0 || l.End) {
		r.edge = r.eventOf(l.Position)
	}
	return crossed
}

// Move makes one action. If it lands past the live edge, the program is run.
func (r *Recorded) Move(ctx context.Context, from trace.Position, a dsl.Action) (trace.Landing, error) {
	return r.move(ctx, from, a)
}

// move makes an action like Move, with stops that may end it early.
func (r *Recorded) move(ctx context.Context, from trace.Position, a dsl.Action, stops ...trace.Stop) (trace.Landing, error) {
	r.base.Making(a) // report it first, because the program may wait for input
	if at := r.eventOf(from); r.atHole(at, a.Move) {
		return r.cross(at, from, a), nil
	}
	l, err := r.base.Run(ctx, func(ctx context.Context) (trace.Landing, error) { return r.rec.Move(ctx, from, a, stops...) })
	stopped := len(stops) > 0 && l.Reason == trace.HitBreakpoint
	if err == nil && lands(l) && !stopped && l.Position != from {
		r.trail.led(from, a, l.Position)
	}
	return l, err
}

// over reports whether the program has ended or stopped post mortem.
func (r *Recorded) over() bool {
	edge := r.rec.LiveEdge()
	return edge.End || edge.PostMortem || r.rec.Exit() != nil
}

// Furthest returns the last event that may be shown: the live edge, or after the end or a
// post-mortem stop the last recorded event, because the unwinding after that stop is recorded too.
func (r *Recorded) Furthest() int {
	if edge := r.rec.LiveEdge(); !edge.End && !edge.PostMortem {
		return edge.Event
	}
	return r.rec.Tree().Len() - 1
}

// PositionOf returns the position of an event. If that is the live edge, the position has its
// flags, for instance PostMortem.
func (r *Recorded) PositionOf(event int) trace.Position {
	if edge := r.rec.LiveEdge(); !edge.End && edge.Event == event {
		return edge
	}
	return trace.Position{Event: event}
}

// eventOf returns the event of a position. The end counts as the event after the last one.
func (r *Recorded) eventOf(p trace.Position) int {
	if p.End {
		return r.rec.Tree().Len()
	}
	return p.Event
}

// Distance returns the number of events between a position and an event, in either direction.
func (r *Recorded) Distance(from trace.Position, event int) int {
	at := r.eventOf(from)
	return max(event-at, at-event)
}

// frameAt returns the frame on top of the stack at a position, nil at the end.
func (r *Recorded) frameAt(p trace.Position) *statetree.StackFrame {
	if p.End {
		return nil
	}
	stack := r.rec.Tree().Stack(p.Event)
	if len(stack) == 0 {
		return nil
	}
	return &stack[len(stack)-1]
}

// nextPause returns the first event after the given one at which the program called the debugger,
// prevPause the last one before it.
func (r *Recorded) nextPause(event int) (int, bool) {
	return r.pauseBy(func(e, best int) bool { return e > event && (best < 0 || e < best) })
}

func (r *Recorded) prevPause(event int) (int, bool) {
	return r.pauseBy(func(e, best int) bool { return e < event && e > best })
}

// pauseBy returns the best pause according to better. better gets -1 as the best one at first.
func (r *Recorded) pauseBy(better func(e, best int) bool) (int, bool) {
	best := -1
	for e := range r.pauses {
		if better(e, best) {
			best = e
		}
	}
	return best, best >= 0
}

// Holes returns the edges of the unrecorded parts in order: the first event after each. If the
// program ended unrecorded, the last edge is the number of events.
func (r *Recorded) Holes() []int {
	var edges []int
	for edge, ok := r.rec.Tree().HoleAfter(-1); ok; edge, ok = r.rec.Tree().HoleAfter(edge) {
		edges = append(edges, edge)
	}
	return edges
}

var (
	_ Source    = (*Recorded)(nil)
	_ Recording = (*trace.Recording)(nil)
)
