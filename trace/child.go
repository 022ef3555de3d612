package trace

import (
	"context"
	"fmt"
	"sync"
)

// ChildState is what a child process does.
type ChildState string

// The states of a child process.
const (
	ChildRuns  ChildState = "running"
	ChildStops ChildState = "stopped"
	ChildEnded ChildState = "ended"
)

// Child is a Python process that the program, or one of its children, started. It has a recording of
// its own. It runs until a breakpoint of the program, where it waits for the user.
type Child struct {
	Number int // from 1
	Pid    int
	Args   []string // its command, as far as Python knows it
	Forked bool     // it is a copy of its parent
	Event  int      // the last event of the program that npdb had read when the child joined; -1 for none
	rec    *Recording
	of     *Recording         // the program's recording
	halt   context.CancelFunc // stops it at its next event

	mu    sync.Mutex
	state ChildState
	taken bool          // the user's session moves it
	idle  chan struct{} // closed when it is not followed any more
}

// State returns what the process does.
func (c *Child) State() ChildState {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.rec.Exit() != nil:
		return ChildEnded
	case c.taken:
		return ChildStops
	}
	return c.state
}

// Exception returns the exception that ended the process, "" if there was none or it is not known.
func (c *Child) Exception() string {
	if exit := c.rec.Exit(); exit != nil && exit.Exception != nil {
		return *exit.Exception
	}
	return ""
}

// follow runs the process to its first breakpoint or to its end. It calls begun at the first event.
func (c *Child) follow(ctx context.Context, begun func()) {
	defer close(c.idle)
	landing, err := c.rec.Resume(ctx)
	if c.rec.tree.Len() > 0 {
		begun()
	}
	for err == nil {
		switch {
		case landing.End:
			c.set(ChildEnded)
			return
		case landing.Reason == HitBreakpoint, landing.Reason == ProgramBreak, landing.Reason == DiedPostMortem:
			c.set(ChildStops)
			c.announce(landing)
			return
		case landing.Reason == Interrupted:
			c.set(ChildStops)
			return
		case landing.Reason == LimitReached:
			c.rec.Record(false)
		}
		landing, err = c.rec.Advance(ctx, c.stops(), nil)
	}
	c.set(ChildEnded)
}

func (c *Child) set(s ChildState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.state = s
}

// stops returns the program's breakpoints, for the files of the child.
func (c *Child) stops() (list []Stop) {
	files := c.of.tree.Files()
	for _, s := range c.of.breakpoints() {
		if s.For != OnLine || s.Number == 0 || s.At.File < 0 || s.At.File >= len(files) {
			continue
		}
		n, err := c.rec.AddFile(files[s.At.File].Path)
		if err != nil {
			continue // the file is gone, so that the child cannot run it either
		}
		s.At.File = n
		list = append(list, s)
	}
	return list
}

// announce tells the user of a stop, and ends the program's move, so that the user can look.
func (c *Child) announce(l Landing) {
	at := ""
	if s := c.rec.tree.State(l.Event); s != nil {
		at = fmt.Sprintf(" at %s:%d", s.File, s.Line)
	}
	why := ""
	if s := c.stops(); l.Reason == HitBreakpoint && l.Stop < len(s) {
		why = fmt.Sprintf(" by breakpoint %d", s[l.Stop].Number)
	}
	r := c.of
	r.mu.Lock()
	r.notices = append(r.notices, fmt.Sprintf("child %d (process %d) is stopped%s%s and waits; child %d shows it", c.Number, c.Pid, at, why, c.Number))
	r.urgent = true
	r.mu.Unlock()
	r.Interrupt()
}

// Take stops the process, if it runs, and hands its recording to the caller, who moves it from then on.
func (c *Child) Take(ctx context.Context) (*Recording, error) {
	c.halt()
	select {
	case <-c.idle:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.taken = true
	return c.rec, nil
}

// Children returns the child processes that have run code of the user, in the order in which they joined.
func (r *Recording) Children() []*Child {
	if r.children == nil {
		return nil
	}
	return r.children.known()
}

// endChildren ends all child processes.
func (r *Recording) endChildren() {
	if r.children != nil {
		r.children.close()
	}
}

// breakpoints returns the stops of the latest move that had some.
func (r *Recording) breakpoints() []Stop {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.stops
}
