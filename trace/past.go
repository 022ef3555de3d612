package trace

import (
	"context"
	"fmt"
	"slices"
	"strconv"
)

// NoPast says why the unrecorded past of a run cannot be made by running the program again.
type NoPast struct {
	// Kind is "thread", "process", "socket", "signal", "write", "read", "clock", "address" or
	// "collector" for what the program did, "input" and "user" for what its user did, "setting" if
	// the run was not noted, "nothing" if there is nothing to make, and "differs" if the program was run again
	// and was another run.
	Kind string
	Why  string
}

// noPastKinds are the kinds of what programs do that cannot be repeated, the gravest first.
var noPastKinds = []string{"thread", "process", "socket", "signal", "write", "read", "clock", "address", "collector"}

func (e *NoPast) Error() string {
	if e.Kind == "differs" {
		return "another run: " + e.Why
	}
	return e.Why
}

// Past is how a past is made.
type Past struct {
	Edge   int  // first event after the hole that is filled, or the number of events at the end
	Window int  // ticks before the edge that are recorded; a tick is a call or an iteration of a loop
	Writes bool // the user has allowed that the program writes files again
}

// Made is a run whose past was made.
type Made struct {
	*Recording
	Edge  int // the edge of Past in the first run
	Shift int // what is added to the number of an event from the edge on
	Whole bool
}

// Repeatable returns nil if the program can be run again to make its past, otherwise a *NoPast.
// What it returns may change as the program runs.
func (r *Recording) Repeatable() error {
	r.moving.Lock()
	defer r.moving.Unlock()
	if no := r.repeatable(false); no != nil {
		return no
	}
	return nil
}

func (r *Recording) repeatable(writes bool) *NoPast {
	switch {
	case !r.opts.Repeat:
		return &NoPast{"setting", "this run was not noted: it has record = \"always\""}
	case r.opts.From != "" || r.opts.Begin != nil || len(r.opts.Wrap) > 0:
		return &NoPast{"setting", "its recording began at another place than the program's first line"}
	case lookup(r.opts.Env, "PYTHONHASHSEED") == "random":
		return &NoPast{"setting", "PYTHONHASHSEED is random, so that sets have another order in each run"}
	case r.chance.broken != "":
		return &NoPast{"user", r.chance.broken}
	case r.over && !r.orderly:
		return &NoPast{"process", "it ended without telling npdb what it took from chance"}
	}
	for _, kind := range noPastKinds {
		if why := r.chance.reasons[kind]; why != "" && (kind != "write" || !writes) {
			return &NoPast{kind, why}
		}
	}
	if _, done, no := r.inputAgain(); no != nil {
		return no
	} else {
		done()
	}
	if path := r.chance.changed(); path != "" {
		return &NoPast{"read", path + " has changed since the program read it"}
	}
	return nil
}

// MakePast runs the program again in a new process and records a part of what this run did not
// record. The result stands where this run stands and can take its place: stack, values, output
// and all that was recorded are equal. The error is a *NoPast if the program cannot be run again
// or was another run.
func (r *Recording) MakePast(ctx context.Context, p Past) (*Made, error) {
	first, k, likeness, err := r.snapshot(ctx, p)
	if err != nil {
		return nil, err
	}
	found, ticks, err := first.again(ctx, p, k, 0, likeness)
	if err != nil {
		return nil, err
	}
	if err := found.Close(); err != nil {
		return nil, err
	}
	at := max(ticks-p.Window+1, 1)
	made, _, err := first.again(ctx, p, k, at, likeness)
	if err != nil {
		return nil, err
	}
	made.Whole = at == 1
	r.moving.Lock()
	defer r.moving.Unlock()
	if r.LiveEdge() != first.edge || len(r.stretches) != len(first.stretches) || r.chance.broken != "" {
		_ = made.Close()
		return nil, &NoPast{"user", "the program has moved on meanwhile"}
	}
	return made, nil
}

// snapshot returns what a run again needs of this run, the unrecorded stretch to record, and the
// description of the state. This run may be used meanwhile.
func (r *Recording) snapshot(ctx context.Context, p Past) (first *Recording, k int, likeness string, err error) {
	r.moving.Lock()
	defer r.moving.Unlock()
	if no := r.repeatable(p.Writes); no != nil {
		return nil, 0, "", no
	}
	if k = r.stretchBefore(p.Edge); k < 0 || r.pending {
		return nil, 0, "", &NoPast{"nothing", "nothing was left out here"}
	}
	if likeness, err = r.likeness(ctx); err != nil {
		return nil, 0, "", err
	}
	return r.asItIs(), k, likeness, nil
}

// asItIs returns a copy of what a run again needs of this run.
func (r *Recording) asItIs() *Recording {
	first := &Recording{
		tree: r.tree, proc: r.proc, opts: r.opts, over: r.over, orderly: r.orderly, exit: r.Exit(), chance: r.chance, edge: r.LiveEdge(),
		stretches: slices.Clone(r.stretches), typed: slices.Clone(r.typed), edits: slices.Clone(r.edits), unrecorded: r.unrecorded,
	}
	r.outputs.mu.Lock()
	first.outputs.list = slices.Clone(r.outputs.list)
	r.outputs.mu.Unlock()
	return first
}

// stretchBefore returns the unrecorded stretch that a hole belongs to, or -1. edge is the first
// event after the hole.
func (r *Recording) stretchBefore(edge int) int {
	for i, s := range r.stretches {
		if s.fast && s.start <= edge && (edge < s.events || i == len(r.stretches)-1) {
			return i
		}
	}
	return -1
}

// again runs the program once more to the position of this run. The k-th stretch is recorded from
// tick at on, or not at all if at is 0. It returns the number of ticks in the stretch, up to the
// one at which recording began.
func (r *Recording) again(ctx context.Context, p Past, k, at int, likeness string) (_ *Made, ticks int, err error) {
	o := r.opts
	o.Stdout, o.Stderr = nil, nil
	o.again = &repetition{notes: r.chance.notes, pid: r.firstPid(), typed: slices.Clone(r.typed)}
	if p.Writes {
		o.again.allowed = []string{"write"}
	}
	in, done, no := r.inputAgain()
	if no != nil {
		return nil, 0, no
	}
	defer done()
	o.Stdin = in
	copied, landing, err := Start(ctx, o)
	if err != nil {
		return nil, 0, fmt.Errorf("the program could not be started again: %w", err)
	}
	copied.opts.Stdin, copied.following = r.opts.Stdin, true
	defer context.AfterFunc(ctx, copied.Kill)()
	made := &Made{Recording: copied, Edge: p.Edge}
	made.Shift, err = copied.follow(ctx, r, landing, k, at)
	if err == nil {
		err = copied.alike(ctx, r, k, made.Shift, likeness)
	}
	if err == nil && at > 0 {
		err = copied.takePlace(ctx, r, k, made.Shift, at)
	}
	if err != nil {
		_ = copied.Close()
		return nil, 0, err
	}
	return made, copied.chance.ticks, nil
}

// firstPid returns the process id that the program has seen: that of its first run.
func (r *Recording) firstPid() int {
	if r.opts.again != nil {
		return r.opts.again.pid
	}
	return r.proc.pid()
}

// follow makes the moves of another run. It returns how many events the k-th stretch has more than
// there.
func (r *Recording) follow(ctx context.Context, first *Recording, l Landing, k, at int) (shift int, err error) {
	if l, err = r.typeOn(ctx, l); err != nil {
		return 0, err
	}
	for i, s := range first.stretches {
		last := i == len(first.stretches)-1
		switch {
		case !s.fast:
			l, err = r.passTo(ctx, s.events+shift, last && (first.over || first.LiveEdge().PostMortem))
		case i == k && at == 1:
			l, err = r.step(ctx, append([]string{"move"}, r.byActivation(s.move)[1:]...))
		case i == k:
			l, err = r.step(ctx, append([]string{"seek", strconv.Itoa(at)}, r.byActivation(s.move)[1:]...))
		default:
			l, err = r.step(ctx, r.fastMove(s))
		}
		if err != nil {
			return 0, err
		}
		if died := first.LiveEdge(); last && died.PostMortem {
			return l.Event - died.Event, nil // what was unwound after it may be recorded or not
		}
		if i == k {
			shift = r.tree.Len() - s.events
		}
		if got := r.tree.Len() - shift; got != s.events {
			return 0, r.another("it recorded %d events up to a stop, not %d", got, s.events)
		}
		if r.chance.count != s.count {
			return 0, r.another("it read clocks, entropy or seeds %d times up to a stop, not %d times", r.chance.count, s.count)
		}
	}
	if first.over && !l.End {
		l, err = r.step(ctx, mode("free", 0, 0, 0))
	}
	return shift, err
}

// fastMove returns the request for a stretch that ran unrecorded, or of which an end is recorded by now.
func (r *Recording) fastMove(s stretch) []string {
	move := r.byActivation(s.move)[1:]
	switch s.window {
	case 0:
		return append([]string{"fast"}, move...)
	case 1:
		return append([]string{"move"}, move...)
	}
	return append([]string{"seek", strconv.Itoa(s.window)}, move...)
}

// passTo runs recorded to a number of events, or to the end of the program.
func (r *Recording) passTo(ctx context.Context, events int, end bool) (l Landing, err error) {
	l = Landing{Position: r.LiveEdge()}
	for err == nil && !r.over && r.tree.Len() < events && !l.PostMortem {
		move := mode("count", events-r.tree.Len(), 0, 0)
		if end {
			move = mode("free", 0, 0, 0)
		}
		before := r.tree.Len()
		if l, err = r.step(ctx, move); err == nil && r.tree.Len() == before && !r.over && !l.PostMortem {
			return l, r.another("it does not go on where it did")
		}
	}
	return l, err
}

// step sends a request for a move, and types what was typed in the first run.
func (r *Recording) step(ctx context.Context, move []string) (Landing, error) {
	r.from = r.LiveEdge()
	r.hole.Store(move[0] == "fast" || move[0] == "seek")
	r.chance.ticks = 0
	if err := r.tell(move...); err != nil {
		return r.await(ctx)
	}
	l, err := r.await(ctx)
	if err != nil {
		return l, err
	}
	return r.typeOn(ctx, l)
}

// typeOn types what was typed in the first run for as long as the program waits for it.
func (r *Recording) typeOn(ctx context.Context, l Landing) (Landing, error) {
	var err error
	for err == nil && l.Reason == NeedsInput {
		if len(r.opts.again.typed) == 0 {
			return l, r.another("it waits for input where it did not")
		}
		next := r.opts.again.typed[0]
		r.opts.again.typed = r.opts.again.typed[1:]
		if err = r.Input(next.text, next.eof); err == nil {
			l, err = r.await(ctx)
		}
	}
	if ctx.Err() != nil {
		return l, ctx.Err()
	}
	return l, err
}

// another returns the error of a run that is not the first one again.
func (r *Recording) another(format string, a ...any) error {
	why := fmt.Sprintf(format, a...)
	if r.chance.differs != "" {
		why = r.chance.differs
	}
	return &NoPast{"differs", why}
}
