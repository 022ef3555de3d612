package trace

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace/statetree"
)

// Move returns where an action leads from a position. It answers from the tree if the
// landing is recorded. Otherwise it runs the program up to the landing. A breakpoint move
// uses the action's own lines, without conditions. While the program runs, one of stops
// may end the move earlier, as in Advance. A stop at the event where the action lands does
// not count.
func (r *Recording) Move(ctx context.Context, from Position, a dsl.Action, stops ...Stop) (Landing, error) {
	r.moving.Lock()
	defer r.moving.Unlock()
	r.wanted = a.Move
	return r.move(ctx, from, a, stops)
}

func (r *Recording) move(ctx context.Context, from Position, a dsl.Action, stops []Stop) (Landing, error) {
	at := from.Event
	if from.End {
		at = r.tree.Len()
	}
	if from.PostMortem && !a.Move.Inverse() {
		return r.toTheEnd(ctx, from)
	}
	if !a.Move.Inverse() && from.End {
		return r.end(from), nil
	}
	if at < 0 || r.tree.Len() == 0 { // nothing is recorded
		return Landing{Position: from, Boundary: AtStart}, nil
	}
	out := r.tree.Land(at, a)
	switch out.Boundary {
	case statetree.AtStart:
		return Landing{Position: from, Boundary: AtStart}, nil
	case statetree.AtHole:
		if out.Event == at && from.End {
			return Landing{Position: from, Boundary: AtHole}, nil
		}
		return Landing{Position: r.positionOf(out.Event), Boundary: AtHole, Horizon: distance(at, out.Event)}, nil
	case statetree.AtEnd:
		return r.toTheEnd(ctx, from)
	case statetree.Beyond:
		return r.live(ctx, from, a, stops)
	}
	return Landing{Position: Position{Event: out.Event}, Horizon: distance(at, out.Event)}, nil
}

// positionOf returns the position of an event. At the live edge it is the live edge's own
// position, which may be post-mortem.
func (r *Recording) positionOf(event int) Position {
	if edge := r.LiveEdge(); !edge.End && edge.Event == event {
		return edge
	}
	return Position{Event: event}
}

func distance(i, j int) int { return max(i-j, j-i) }

// live runs the program from the live edge until it reaches the landing of an action that was
// requested at from.
func (r *Recording) live(ctx context.Context, from Position, a dsl.Action, stops []Stop) (Landing, error) {
	if a.Move == dsl.Breakpoint {
		stops = nil
		for _, at := range a.Lines {
			stops = append(stops, Stop{At: at})
		}
	}
	move := request(r.tree, from.Event, a)
	if !r.unrecorded || nextEvent(a, r.tree.At(from.Event)) {
		return r.run(ctx, from, append(move, r.told(stops)...))
	}
	return r.run(ctx, from, append(fast(move), r.told(stops)...))
}

// nextEvent reports whether a move lands on the next event or, for step_function, on the next call or return.
// Such a move leaves nothing unrecorded.
func nextEvent(a dsl.Action, at statetree.Record) bool {
	return a.Move == dsl.StepInto || a.Move == dsl.StepFunction || (a.Move == dsl.StepOver || a.Move == dsl.StepBlock) && at.Event == dsl.Return
}

// request encodes the request for a move from an event. For a block move the request contains the parts of
// the block, because the move passes over their lines.
func request(tree *statetree.Tree, from int, a dsl.Action) []string {
	move := predicate(a, tree.Goal(from, a))
	if a.Move != dsl.StepBlock {
		return move
	}
	line, blocks := tree.PlaceBefore(from)
	var block strings.Builder
	for i, part := range blocks.Parts(line) {
		if i > 0 {
			block.WriteByte(',')
		}
		fmt.Fprintf(&block, "%d-%d-%d", part.First, part.Last, part.Again)
	}
	if block.Len() > 0 {
		move[1], move[4] = move[1]+" "+block.String(), strconv.Itoa(line)
	}
	return move
}

// fast converts the request for a move so that the tracer runs it without recording.
func fast(move []string) []string { return append([]string{"fast"}, move[1:]...) }

// Record turns the recording of events during moves on or off; it is on by default. While it is
// off, only the event at which a move stops is recorded, after a hole (an unrecorded part) if
// events before it were skipped. Step into, Pass, and step over from a return always record.
func (r *Recording) Record(on bool) {
	r.moving.Lock()
	defer r.moving.Unlock()
	r.unrecorded = !on
}

// mode encodes the request to run until a predicate of tracer/landing.py holds, given by its
// name and three numbers.
func mode(name string, a, b, c int) []string {
	return []string{"move", name, strconv.Itoa(a), strconv.Itoa(b), strconv.Itoa(c)}
}

// predicate encodes the request to run to the goal of an action. The tracer tests each new
// event like dsl.Goal.Lands, but with a separate function in Python for each kind of goal,
// because the test runs after every event. A Go test checks that both agree.
func predicate(a dsl.Action, g dsl.Goal) []string {
	switch {
	case a.Move == dsl.StepInto:
		return mode("any", 0, 0, 0)
	case a.Move == dsl.StepFunction:
		return mode("calls", 0, 0, 0)
	case a.Move != dsl.StepOver && a.Move != dsl.StepReturn && a.Move != dsl.StepBlock:
		return mode("free", 0, 0, 0)
	case g.Own < 0:
		return mode("depth", g.Depth, 0, 0)
	case g.Places:
		return mode("over", g.Own, g.Outermost, 0)
	}
	return mode("final", g.Own, g.Outermost, g.Depth+1)
}

// told encodes stops in the form that the tracer reads.
func (r *Recording) told(stops []Stop) []string {
	if len(stops) > 0 {
		r.mu.Lock()
		r.stops = stops
		r.mu.Unlock()
	}
	files := r.tree.Files()
	var out []string
	for _, s := range stops {
		if s.For != OnLine {
			out = append(out, "", strconv.Itoa(s.Up), s.waits(), s.Condition, strconv.Itoa(s.Ignore))
			continue
		}
		path := "?" // the tree has no such file
		if s.At.File >= 0 && s.At.File < len(files) {
			path = files[s.At.File].Real
		}
		out = append(out, path, strconv.Itoa(s.At.Line), s.Function, s.Condition, strconv.Itoa(s.Ignore))
	}
	return out
}

// waits encodes the kind of event that a stop without a line waits for.
func (s Stop) waits() string {
	switch s.For {
	case OnChange:
		if s.OfModule {
			return "names " + strconv.Itoa(s.Activation) + " " + s.Expr
		}
		return "change " + strconv.Itoa(s.Activation) + " " + s.Expr
	case OnRaise:
		return "raise"
	}
	return "anywhere"
}

// Advance runs from the live edge until a stop is hit (its condition holds and its ignore count
// is used up) or the program ends. The tracer tests the stops, so the program runs at full
// speed. If until is not nil, Advance also stops when the activation on top of the stack at the
// live edge reaches line *until or a later one, or returns.
func (r *Recording) Advance(ctx context.Context, stops []Stop, until *int) (Landing, error) {
	r.moving.Lock()
	defer r.moving.Unlock()
	from := r.LiveEdge()
	r.wanted = dsl.Continue
	if len(stops) > 0 || until != nil {
		r.wanted = dsl.Breakpoint
	}
	if r.over || from.PostMortem {
		return r.toTheEnd(ctx, from)
	}
	move := mode("free", 0, 0, 0)
	if until != nil && from.Event >= 0 {
		move = mode("until", int(r.tree.At(from.Event).Activation), *until, 0)
	}
	if r.unrecorded {
		move = fast(move)
	}
	return r.run(ctx, from, append(move, r.told(stops)...))
}

// Pass runs the program from the live edge for n events.
func (r *Recording) Pass(ctx context.Context, n int) (Landing, error) {
	r.moving.Lock()
	defer r.moving.Unlock()
	from := r.LiveEdge()
	r.wanted = dsl.StepInto
	if r.over || from.PostMortem {
		return r.toTheEnd(ctx, from)
	}
	return r.run(ctx, from, mode("count", n, 0, 0))
}

// DebugBegins and DebugEnds are the notices with which a statement of Debug begins and ends.
const (
	DebugBegins = "ENTERING RECURSIVE DEBUGGER"
	DebugEnds   = "LEAVING RECURSIVE DEBUGGER"
)

// Debug runs a statement as code of the program, in the frame that is up frames from the top of
// the stack, and stops in the functions that it calls. Moves step through that code. When the
// statement ends, or at once if it calls no user code, the landing is a new event on the line
// where the program was.
func (r *Recording) Debug(ctx context.Context, up int, statement string) (Landing, error) {
	r.moving.Lock()
	defer r.moving.Unlock()
	r.wanted = dsl.StepInto
	from := r.LiveEdge()
	r.touched(edit{verbDebug, r.tree.Len() - 1, up, statement})
	if r.over || from.PostMortem {
		return Landing{}, &GoneError{What: "debug"}
	}
	return r.run(ctx, from, []string{"debug", strconv.Itoa(up), statement})
}

// toTheEnd runs the program to its end, or to the post-mortem stop before it.
func (r *Recording) toTheEnd(ctx context.Context, from Position) (Landing, error) {
	if r.over {
		return r.end(from), nil
	}
	move := mode("free", 0, 0, 0)
	if r.unrecorded {
		move = fast(move)
	}
	return r.run(ctx, from, move)
}

// end returns the landing at the end of the program. The action continue is meant to land
// there; for any other move the end means that it found nothing.
func (r *Recording) end(from Position) Landing {
	l := Landing{Position: Position{Event: r.tree.Len() - 1, End: true}, Reason: Ended}
	if r.wanted != dsl.Continue || from.End {
		l.Boundary = AtEnd
	}
	if !from.End {
		l.Horizon = r.tree.Len() - 1 - from.Event
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	l.Notice = r.news()
	return l
}

// Resume continues a move that stopped with NeedsInput, or a Start that returned Begun.
func (r *Recording) Resume(ctx context.Context) (Landing, error) {
	r.moving.Lock()
	defer r.moving.Unlock()
	if r.over { // the recording was closed meanwhile, so there is no shared memory to watch
		return r.end(r.from), nil
	}
	return r.await(ctx)
}

// run sends a move to the tracer and waits for its landing.
func (r *Recording) run(ctx context.Context, from Position, move []string) (Landing, error) {
	if r.pending {
		return Landing{}, ErrWaiting
	}
	r.from = from
	r.proc.forgetInterrupt()
	before := r.tree.Len()
	r.hole.Store(move[0] == "fast")
	r.began(move)
	r.spend(move)
	if err := r.tell(move...); err != nil {
		return r.await(ctx) // the program has ended; await returns the reason
	}
	landing, err := r.await(ctx)
	if err == nil && landing.Reason == ProgramBreak && r.tree.Len() == before && move[0] != "debug" {
		// The program called breakpoint() on the line where it already was, so the move
		// would stop without moving. A step instead continues to its own landing. Other
		// moves stop at the next event.
		first := landing
		if name := move[1]; name != "free" && name != "until" {
			landing, err = r.run(ctx, from, move)
		} else {
			landing, err = r.run(ctx, from, append(mode("any", 0, 0, 0), move[5:]...))
			if landing.Reason == Landed {
				landing.Reason = ProgramBreak
			}
		}
		landing.Notice = strings.Trim(first.Notice+"\n"+landing.Notice, "\n")
		landing.Commands = append(first.Commands, landing.Commands...)
	}
	return landing, err
}
