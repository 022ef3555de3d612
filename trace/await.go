package trace

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/npdb/npdb/dsl"
)

// running watches the program while it runs. The channel reads receives a value when the
// program reads its terminal directly, without sys.stdin. done stops the watch.
func (r *Recording) running(ctx context.Context) (reads <-chan struct{}, done func()) {
	quiet, over, told := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(over)
		r.proc.watch(ctx, r.opts.Limits.ReprTime, quiet, told)
	}()
	return told, func() {
		close(quiet)
		<-over // the watch reads the shared memory, which Close frees
	}
}

// await waits for the landing of the current move.
func (r *Recording) await(ctx context.Context) (Landing, error) {
	r.pending = false
	reads, done := r.running(ctx)
	defer done()
	for {
		select {
		case <-reads:
			if r.catchUp() {
				return r.waiting(false), nil
			}
		case m, more := <-r.messages:
			switch {
			case !more:
				r.ended()
				if r.readErr != nil {
					return Landing{}, r.readErr
				}
				return r.end(r.from), nil
			case m.tag == msgBegun && r.opts.begins() && !r.begun: // the program runs to Options.From or Options.Thread
				r.begun, r.pending = true, true
				r.hole.Store(true)
				return Landing{Position: r.from, Reason: Begun}, nil
			case m.tag == msgStop && r.events() == 0:
				r.mu.Lock()
				_ = r.fail(errNoState) // await returns this error when the messages end
				r.mu.Unlock()
			case m.tag == msgStop && r.died(m):
				r.placed = true
				_ = r.tell("fatal") // if the tracer has exited, the messages end next
			case m.tag == msgStop && r.overBudget(m):
			case m.tag == msgStop:
				return r.stopped(m), nil
			case m.tag == msgInput && r.proc.waits(m.field(0)):
				return r.waiting(m.field(1) != ""), nil
			case m.tag == msgRefused:
				err := refusal(m)
				if r.events() > 0 {
					err = errors.New("the tracer refuses a program that has begun")
				}
				r.mu.Lock()
				_ = r.fail(err) // await returns this error when the messages end
				r.mu.Unlock()
				r.proc.abandon() // a process that left the program's group may keep the pipes open
			default:
				r.heed(m)
			}
		}
	}
}

var errNoState = errors.New("the tracer reported a stop before any state: did the program write to npdb's pipes?")

// waiting returns the landing of a move that waits for input. unseen reports whether the tracer
// has detected that the input must not be shown.
func (r *Recording) waiting(unseen bool) Landing {
	r.takeStreams(r.tree.Len() - 1) // the output may include a prompt
	r.pending = true
	r.setEdge(Position{Event: r.tree.Len() - 1})
	l := *r.stoppedAt(r.from.Event, NeedsInput)
	l.Unseen = unseen || r.proc.unseen()
	r.unseen.Store(l.Unseen)
	return l
}

// heed stores the content of a message that ends no request: a notice, a call of the debugger,
// or the end of the program's code.
func (r *Recording) heed(m message) {
	switch m.tag {
	case msgNotice:
		r.mu.Lock()
		r.notices = append(r.notices, m.field(0))
		r.mu.Unlock()
	case msgMet:
		r.metElsewhere(m)
	case msgCall:
		r.call = m.fields
	case msgChance:
		r.chance.take(m)
	case msgLast:
		r.chance.last = m.field(0)
	case msgTicks:
		r.chance.ticks, _ = strconv.Atoi(m.field(0))
	case msgEnd:
		r.orderly = true
		if len(m.fields) > 1 {
			r.others = m.fields[1:]
		}
		if said := m.field(0); said != "" {
			r.fatal = &said
		}
	}
}

var reasons = map[string]Reason{
	"landed": Landed, "breakpoint": HitBreakpoint, "program": ProgramBreak, "traceback": ProgramLooks,
	"interrupted": Interrupted, "limit": LimitReached, "post_mortem": DiedPostMortem,
}

// stopped returns the landing for a stop that the tracer reports in m.
func (r *Recording) stopped(m message) Landing {
	r.takeStreams(max(r.tree.Len()-2, -1))
	r.hole.Store(false)
	reason := reasons[m.field(0)]
	r.came(reason)
	event := r.tree.Len() - 1
	if reason == DiedPostMortem {
		at, found := r.raisedBefore(m.field(1))
		if fatal := r.raisedAt(m.field(1)); fatal >= 0 {
			event, found = fatal, false
		}
		if !found {
			at = event + r.earlier()
		}
		r.log.fatal = &at
		r.tree.Batch(r.tree.Finish)
	}
	r.setEdge(Position{Event: event, PostMortem: reason == DiedPostMortem})
	l := *r.stoppedAt(r.from.Event, reason)
	if r.from.Event < 0 && r.opts.From != "" && reason == HitBreakpoint {
		l.Reason = Landed // this stop is the place that Options.From names
		return l
	}
	if reason == LimitReached {
		r.raiseLimits(&l)
	}
	if call := r.call; len(call) > 0 {
		l.Up, _ = strconv.Atoi(call[0])
		l.Commands, r.call = call[1:], nil
	}
	l.Stop, l.Met = metIn(m)
	l.Met = r.withEarlier(l.Met)
	return l
}

// died reports whether the stop in m is at an uncaught exception that was raised while nothing
// was recorded, so that the tree has no event for it yet.
func (r *Recording) died(m message) bool {
	if reasons[m.field(0)] != DiedPostMortem || r.placed || r.tree.Holes() == 0 {
		return false
	}
	fatal := r.raisedAt(m.field(1))
	if _, before := r.raisedBefore(m.field(1)); fatal < 0 && before {
		return false
	}
	return fatal < 0 || !strings.HasSuffix(m.field(1), " "+strconv.Itoa(r.tree.At(fatal).Line))
}

func (r *Recording) setEdge(p Position) {
	r.mu.Lock()
	r.edge = p
	r.mu.Unlock()
}

// stoppedAt moves the live edge to the last event and returns a landing there, with the notices
// not shown yet. from is the event at which the move began.
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

// news returns the notices that were not shown yet.
func (r *Recording) news() string {
	if r.decode.gaps > r.gapsAt {
		r.gapsAt = r.decode.gaps
		r.notices = append(r.notices, "tracing was lost for a moment, because the program's stack was full or because a signal handler or a profile function (sys.setprofile) raised an exception: some of the events there are not recorded")
	}
	said := strings.Join(r.notices[r.shown:], "\n")
	r.shown, r.urgent = len(r.notices), false
	return said
}

// raiseLimits raises the limits so that the next move may record as much again, and adds a
// notice about it to l.
func (r *Recording) raiseLimits(l *Landing) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.limits.Events = r.tree.Len() + r.opts.Limits.Events
	r.limits.Bytes = r.tree.Bytes() + r.opts.Limits.Bytes
	r.proc.memory.setFlag(hdrPause, 0)
	l.Notice = strings.TrimPrefix(l.Notice+"\n", "\n") + "the recording has reached its limit of " +
		strconv.Itoa(r.opts.Limits.Events) + " events or " + strconv.FormatInt(r.opts.Limits.Bytes>>20, 10) +
		" MiB: the program is paused. The next move records as much again"
}

// printed assigns output that the program has just written to an event, together with what
// child processes and C code wrote to the same stream before it.
func (r *Recording) printed(event int, stream byte, data []byte) {
	if len(data) == 0 || stream != 1 && stream != 2 {
		return
	}
	if from := r.proc.streams[stream]; from != nil {
		data = from.takeThrough(data)
	}
	r.outputs.add(event, stream, data)
}

// takeStreams assigns all output that has no event yet, from C code and child processes, to an
// event.
func (r *Recording) takeStreams(event int) {
	for n := byte(1); n <= 2; n++ {
		if data := r.proc.streams[n].take(); len(data) > 0 {
			r.outputs.add(event, n, data)
		}
	}
}

// ended records that the process has exited: it finishes the tree and sets the exit status.
func (r *Recording) ended() {
	if r.over {
		return
	}
	r.over = true
	<-r.proc.exited
	r.tree.Batch(func() {
		if r.hole.Load() {
			r.tree.Hole(nil, nil) // the program ended inside the hole
		}
		r.tree.Finish()
	})
	r.takeStreams(r.tree.Len() - 1)
	r.came(Ended)
	r.spent()
	nothing := r.events() == 0
	r.mu.Lock()
	defer r.mu.Unlock()
	r.edge = Position{Event: r.tree.Len() - 1, End: true}
	if r.opts.Thread != "" && nothing {
		r.notices = append(r.notices, r.neverBegan())
	}
	if r.leaving == "" || r.fatal != nil { // a program that npdb did not start exits when npdb has left
		r.exit = &dsl.Exit{Code: r.proc.code(r.orderly), Exception: r.fatal}
	}
	if r.lost = r.proc.memory.flag(hdrLost) != 0; r.lost {
		r.notices = append(r.notices, "the program closed the descriptors that connect it to npdb: it ran on without npdb, and nothing after that is recorded")
	}
}
