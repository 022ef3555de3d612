package trace

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace/statetree"
)

// Move answers one action asked at from: out of the tree where the landing is
// recorded, else by letting the program run on to it. For breakpoint moves the
// lines are the action's own, without conditions.
func (r *Recording) Move(ctx context.Context, from Position, a dsl.Action) (Landing, error) {
	r.moving.Lock()
	defer r.moving.Unlock()
	r.wanted = a.Move
	return r.move(ctx, from, a)
}

func (r *Recording) move(ctx context.Context, from Position, a dsl.Action) (Landing, error) {
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
	if at < 0 || r.tree.Len() == 0 { // no state at all
		return Landing{Position: from, Boundary: AtStart}, nil
	}
	out := r.tree.Land(at, a)
	switch out.Boundary {
	case statetree.AtStart:
		return Landing{Position: from, Boundary: AtStart}, nil
	case statetree.AtEnd:
		return r.toTheEnd(ctx, from)
	case statetree.Beyond:
		return r.live(ctx, from, a)
	}
	return Landing{Position: Position{Event: out.Event}, Horizon: distance(at, out.Event)}, nil
}

func distance(i, j int) int { return max(i-j, j-i) }

// live lets the program run on from the live edge until the action that was
// asked at from lands.
func (r *Recording) live(ctx context.Context, from Position, a dsl.Action) (Landing, error) {
	if r.over || r.edge.PostMortem {
		return r.toTheEnd(ctx, from)
	}
	move := r.predicate(from.Event, a)
	if a.Move == dsl.Breakpoint {
		for _, at := range a.Lines {
			move = append(move, r.stop(Stop{At: at})...)
		}
	}
	return r.run(ctx, from, move)
}

// The predicates of tracer/moves.py: a mode, and three numbers.
func mode(name string, a, b, c int) []string {
	return []string{"move", name, strconv.Itoa(a), strconv.Itoa(b), strconv.Itoa(c)}
}

// predicate is what the tracer tests after each event, so that a move asked at
// event i lands as the table says (statetree.Tree.Land is its other half).
func (r *Recording) predicate(i int, a dsl.Action) []string {
	at := r.tree.At(i)
	act := int(at.Activation)
	generator := r.tree.Code(at.Code).Generator && at.Event != dsl.Return
	outermost := func() int {
		if first := int(r.tree.Stack(i)[0].Activation); first != act {
			return first
		}
		return -1
	}
	switch a.Move {
	case dsl.StepInto:
		return mode("any", 0, 0, 0)
	case dsl.StepOver:
		if generator {
			return mode("over", act, outermost(), 0)
		}
		return mode("depth", at.Depth, 0, 0)
	case dsl.StepReturn:
		switch {
		case at.Event == dsl.Return:
			return mode("depth", at.Depth-1, 0, 0)
		case generator:
			return mode("final", act, outermost(), -1)
		}
		return mode("final", act, -1, at.Depth)
	}
	return mode("free", 0, 0, 0)
}

func (r *Recording) stop(s Stop) []string {
	files := r.tree.Files()
	if s.At.File < 0 || s.At.File >= len(files) {
		return nil
	}
	return []string{files[s.At.File].Path, strconv.Itoa(s.At.Line), s.Condition, strconv.Itoa(s.Ignore)}
}

// Advance runs from the live edge until one of the stops is hit, its condition
// holds and its ignore count is used up, or to the end. The tracer itself
// tests them, so that the program runs at full speed. until, when not nil,
// stops it too: in the activation that is on top at the live edge, at a line
// of at least *until or at its return.
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
	for _, s := range stops {
		move = append(move, r.stop(s)...)
	}
	return r.run(ctx, from, move)
}

// Pass runs n events on from the live edge, and stops at the last of them.
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

// toTheEnd goes where the program is over, or first to the exception that
// nothing caught.
func (r *Recording) toTheEnd(ctx context.Context, from Position) (Landing, error) {
	if r.over {
		return r.end(from), nil
	}
	return r.run(ctx, from, mode("free", 0, 0, 0))
}

// end is the landing at the end of the program: where continue was to go, and
// where any other move has found nothing.
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

// Resume goes on with a move that stopped for input.
func (r *Recording) Resume(ctx context.Context) (Landing, error) {
	r.moving.Lock()
	defer r.moving.Unlock()
	if r.over { // closed meanwhile: there is no shared memory to watch
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
	if err := r.tell(move...); err != nil {
		return r.await(ctx) // it died meanwhile: the reader says how
	}
	landing, err := r.await(ctx)
	if err == nil && landing.Reason == ProgramBreak && r.tree.Len() == before {
		// breakpoint() on the very line where the program stood: not to move
		// would be no answer. A step goes on to its own landing; what would run
		// on stops at the next event, as the program asked.
		if name := move[1]; name != "free" && name != "until" {
			return r.run(ctx, from, move)
		}
		landing, err = r.run(ctx, from, append(mode("any", 0, 0, 0), move[5:]...))
		if landing.Reason == Landed {
			landing.Reason = ProgramBreak
		}
	}
	return landing, err
}

// running looks after the program while it runs: reads tells when the program
// reads its terminal past the tracer, done ends that.
func (r *Recording) running(ctx context.Context) (reads <-chan struct{}, done func()) {
	quiet, over, told := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(over)
		r.proc.watch(ctx, r.opts.Limits.ReprTime, quiet, told)
	}()
	return told, func() {
		close(quiet)
		<-over // it looks into the shared memory, which Close takes away
	}
}

// await waits for the landing of the move under way.
func (r *Recording) await(ctx context.Context) (Landing, error) {
	r.pending = false
	reads, done := r.running(ctx)
	defer done()
	for {
		select {
		case <-reads:
			if r.catchUp() {
				return r.waiting(), nil
			}
		case m, more := <-r.messages:
			switch {
			case !more:
				r.ended()
				if r.readErr != nil {
					return Landing{}, r.readErr
				}
				return r.end(r.from), nil
			case m.tag == msgStop:
				return r.stopped(m), nil
			case m.tag == msgInput && r.proc.waits(m.field(0)):
				return r.waiting(), nil
			case m.tag == msgRefused:
				return Landing{}, refusal(m)
			default:
				r.heed(m)
			}
		}
	}
}

// waiting is the landing of a move that is under way but for input.
func (r *Recording) waiting() Landing {
	r.takeStreams(r.tree.Len() - 1) // a prompt is part of it
	r.pending = true
	r.setEdge(Position{Event: r.tree.Len() - 1})
	return *r.stoppedAt(r.from.Event, NeedsInput)
}

// heed takes a message that ends no wait.
func (r *Recording) heed(m message) {
	switch m.tag {
	case msgNotice:
		r.mu.Lock()
		r.notices = append(r.notices, m.field(0))
		r.mu.Unlock()
	case msgEnd:
		r.orderly = true
		if said := m.field(0); said != "" {
			r.fatal = &said
		}
	}
}

var reasons = map[string]Reason{
	"landed": Landed, "breakpoint": HitBreakpoint, "program": ProgramBreak,
	"interrupted": Interrupted, "limit": LimitReached, "post_mortem": DiedPostMortem,
}

// stopped is the landing of a stop the tracer tells of.
func (r *Recording) stopped(m message) Landing {
	r.takeStreams(max(r.tree.Len()-2, -1))
	reason := reasons[m.field(0)]
	event := r.tree.Len() - 1
	if reason == DiedPostMortem {
		if fatal := r.raisedAt(m.field(1)); fatal >= 0 {
			event = fatal
		}
		r.tree.Batch(r.tree.Finish)
	}
	r.setEdge(Position{Event: event, PostMortem: reason == DiedPostMortem})
	l := *r.stoppedAt(r.from.Event, reason)
	if reason == LimitReached {
		r.raiseLimits(&l)
	}
	for f := 2; f+3 < len(m.fields); f += 4 {
		file := slices.IndexFunc(r.tree.Files(), func(f1 statetree.File) bool { return f1.Path == m.fields[f] })
		line, _ := strconv.Atoi(m.fields[f+1])
		hits, _ := strconv.Atoi(m.fields[f+2])
		at := dsl.Location{File: file, Line: line}
		if l.Hits == nil {
			l.Hits = map[dsl.Location]int{}
		}
		l.Hits[at] = hits
		if m.fields[f+3] != "" {
			if l.Errors == nil {
				l.Errors = map[dsl.Location]string{}
			}
			l.Errors[at] = m.fields[f+3]
		}
	}
	return l
}

func (r *Recording) setEdge(p Position) {
	r.mu.Lock()
	r.edge = p
	r.mu.Unlock()
}

// stoppedAt is a landing at the live edge, with what there is to say of it.
func (r *Recording) stoppedAt(from int, reason Reason) *Landing {
	r.mu.Lock()
	defer r.mu.Unlock()
	if last := r.tree.Len() - 1; !r.edge.PostMortem && last > r.edge.Event {
		r.edge.Event = last
	}
	l := &Landing{Position: r.edge, Reason: reason, Horizon: distance(max(from, 0), max(r.edge.Event, 0))}
	l.Notice = r.news()
	return l
}

// news is what the user was not told yet.
func (r *Recording) news() string {
	if r.decode.gaps > r.gapsAt {
		r.gapsAt = r.decode.gaps
		r.notices = append(r.notices, "tracing was lost for a moment, for want of room on the program's stack or because a signal handler raised: some of what the program did there is not recorded")
	}
	said := strings.Join(r.notices, "\n")
	r.notices = nil
	return said
}

// raiseLimits lets the next move record as much again.
func (r *Recording) raiseLimits(l *Landing) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.limits.Events = r.tree.Len() + r.opts.Limits.Events
	r.limits.Bytes = r.tree.Bytes() + r.opts.Limits.Bytes
	r.proc.memory.data[hdrPause] = 0
	l.Notice = strings.TrimPrefix(l.Notice+"\n", "\n") + "the recording has reached its limit of " +
		strconv.Itoa(r.opts.Limits.Events) + " events or " + strconv.FormatInt(r.opts.Limits.Bytes>>20, 10) +
		" MiB: the program is paused. Going on records as much again"
}

// takeStreams ties what C code and children wrote to an event.
func (r *Recording) takeStreams(event int) {
	for n := byte(1); n <= 2; n++ {
		if data := r.proc.streams[n].take(); len(data) > 0 {
			r.outputs.add(event, n, data)
		}
	}
}

// ended notes that the process is gone.
func (r *Recording) ended() {
	if r.over {
		return
	}
	r.over = true
	<-r.proc.exited
	r.tree.Batch(r.tree.Finish)
	r.takeStreams(r.tree.Len() - 1)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.edge = Position{Event: r.tree.Len() - 1, End: true}
	r.exit = &dsl.Exit{Code: r.proc.code(r.orderly), Exception: r.fatal}
}
