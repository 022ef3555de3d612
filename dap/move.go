package dap

import (
	"errors"
	"fmt"

	"github.com/google/go-dap"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/trace"
)

// theThread is the id of the program's main thread, the only one that npdb debugs.
const theThread = 1

// move is a move of the program, from its response to the next stop.
type move struct {
	command session.Command // nil if the session is at the stop already
	reason  string          // of the event stopped, if nothing else stops the move; "" for an error
	free    bool            // the move has no goal of its own, such as continue
	back    bool
}

// stepping contains the arguments of the requests that make a step.
type stepping struct {
	Granularity dap.SteppingGranularity `json:"granularity"`
}

// step returns the handler of a step.
func step(m dsl.Move) func(c *client, r *request) (*move, error) {
	return func(c *client, r *request) (*move, error) {
		var in stepping
		switch err := r.into(&in); {
		case err != nil:
			return nil, err
		case in.Granularity == "instruction":
			return nil, errors.New(r.Command + ": npdb has no steps by instruction: use the granularity line")
		}
		return c.from(&move{command: session.Step{Move: m}, reason: "step", back: m.Inverse()})
	}
}

// free returns the handler of a move without a goal of its own.
func free(command session.Continue) func(c *client, r *request) (*move, error) {
	return func(c *client, _ *request) (*move, error) {
		return c.from(&move{command: command, free: true, back: command.Inverse})
	}
}

// from returns a move from where the session is. A move forwards from the end ends the session.
func (c *client) from(m *move) (*move, error) {
	switch {
	case !c.begun:
		return nil, errors.New("the program has not begun: send configurationDone first")
	case c.i.Position().End && !m.back:
		return &move{}, nil
	}
	return m, nil
}

// move makes a move and tells the client where it stopped.
func (c *client) move(m *move) {
	defer c.moving.Store(false)
	c.moving.Store(true)
	c.resumable.Store(m.free)
	c.yields.Store(false)
	if m.command == nil {
		if m.reason == "" {
			c.terminated()
			return
		}
		c.stopped(dap.StoppedEventBody{Reason: m.reason})
		return
	}
	c.handles.forget()
	c.i.Abort() // the user has made a move instead of answering a question in the debug console
	for {
		a := c.i.Do(c.ctx, m.command)
		c.show(a)
		c.seen(a)
		if a.Interrupted && c.yields.Load() && !c.pausing.Load() && !c.killed.Load() && m.free {
			c.resumes = m // the loop makes it again after the change of breakpoints
			return
		}
		if c.passes(m, a) {
			continue
		}
		if m.free && m.back && a.Boundary == trace.AtStart { // npdb stays where it is if it finds nothing
			if first := c.i.Do(c.ctx, session.Rewind{}); first.Err == nil {
				c.show(first)
				c.seen(first)
			}
		}
		c.arrived(m, a)
		return
	}
}

// passes reports whether a move goes on after a stop that the client did not ask for.
func (c *client) passes(m *move, a *session.Answer) bool {
	switch {
	case a.Err != nil || a.Interrupted || a.Quit || c.killed.Load() || c.pausing.Load():
		return false
	case a.Reason == trace.DiedPostMortem && !m.back:
		c.died = true
		if c.points.uncaught && !c.noDebug {
			return false
		}
		m.command, m.free = session.Continue{}, true
		return true
	}
	return m.free && a.Breakpoint > 0 && !c.points.holds(a.Breakpoint, c.i.Breakpoints())
}

// arrived tells the client where a move stopped.
func (c *client) arrived(m *move, a *session.Answer) {
	c.progressed()
	if c.killed.Load() {
		return // terminate and disconnect say so
	}
	c.sync()
	switch stop := (dap.StoppedEventBody{Reason: m.reason}); {
	case a.Quit:
		c.terminated()
	case a.Err != nil:
		stop.Description, stop.Text = "npdb: "+string(a.Err.Kind), a.Err.Message
		if stop.Reason == "" {
			stop.Reason = "pause"
		}
		c.stopped(stop)
	case a.Done:
		c.ended(a)
	default:
		c.describe(&stop, m, a)
		c.stopped(stop)
	}
}

// describe adds the reason of a stop.
func (c *client) describe(stop *dap.StoppedEventBody, m *move, a *session.Answer) {
	v := c.i.View()
	hit := c.points.hit(a.Breakpoint, c.i.Breakpoints())
	switch {
	case a.Interrupted:
		stop.Reason = "pause"
	case hit.reason != "":
		stop.Reason = hit.reason
		if hit.id > 0 {
			stop.HitBreakpointIds = []int{hit.id}
		}
	case a.Reason == trace.DiedPostMortem, a.Reason == trace.ProgramLooks:
		stop.Reason = "exception"
	case a.Reason == trace.ProgramBreak:
		stop.Reason, stop.Description = "breakpoint", "the program called breakpoint()"
	case a.Boundary == trace.AtStart, m.free && m.back && a.Boundary != trace.AtHole:
		stop.Reason, stop.Description = "entry", "The beginning of the recording: nothing is earlier"
	case stop.Reason == "":
		stop.Reason, stop.Description = "pause", "npdb stopped here: see the debug console"
	}
	if stop.Reason == "exception" {
		stop.Description, stop.Text = "Exception", v.Raised
		if a.Reason == trace.DiedPostMortem {
			stop.Description = "Uncaught exception"
		}
	}
}

// stopped tells the client that the program has stopped.
func (c *client) stopped(stop dap.StoppedEventBody) {
	c.progressed()
	c.handles.forget()
	c.news()
	stop.ThreadId, stop.AllThreadsStopped = theThread, true
	c.moving.Store(false)
	c.event("stopped", stop)
}

// ended tells the client that the program has ended, and ends the session unless it stays at the end.
func (c *client) ended(a *session.Answer) {
	code := 0
	if e := a.Exit; e != nil {
		if code = e.Code; code < 0 {
			code = 128 - code // as a shell gives the status of a program that a signal has killed
		}
		c.died = c.died || e.Exception != nil
	}
	if !c.exited {
		c.exited = true
		c.event("exited", dap.ExitedEventBody{ExitCode: code})
	}
	stays := c.launched.Recording != "" || c.died && !c.points.uncaught
	if c.launched.StayAtEnd != nil {
		stays = *c.launched.StayAtEnd
	}
	if c.noDebug || !stays {
		c.event("thread", dap.ThreadEventBody{Reason: "exited", ThreadId: theThread})
		c.terminated()
		return
	}
	c.console(fmt.Sprintf("npdb: the program has ended with exit code %d. Step back to see how; continue ends the session.", code))
	c.stopped(dap.StoppedEventBody{Reason: "exit", Description: "The program has ended"})
}

// restartFrame goes back to the first event of a frame's call.
func (c *client) restartFrame(r *request) (*move, error) {
	var in dap.RestartFrameArguments
	if err := r.into(&in); err != nil {
		return nil, err
	}
	f, err := c.frame(in.FrameId)
	if err != nil {
		return nil, err
	}
	rec, v := c.i.Recording(), c.view()
	if rec == nil || f > v.Here {
		return nil, errors.New("restartFrame: nothing is recorded here, so npdb cannot go back to the beginning of the frame")
	}
	first, _ := rec.Tree().Lifetime(v.Frames[f].Activation)
	if first < 0 {
		return nil, fmt.Errorf("restartFrame: %s is not recorded", v.Frames[f].Function)
	}
	return &move{command: session.Goto{Event: first}, reason: "restart", back: true}, nil
}

// gotoTargets returns the lines to which goto can go.
func (c *client) gotoTargets(r *request) (any, error) {
	var in dap.GotoTargetsArguments
	if err := r.into(&in); err != nil {
		return nil, err
	}
	line := c.lineOf(in.Line)
	v := c.view()
	if v.Here < 0 || !c.same(in.Source, v.Frames[v.Here].Path) {
		return nil, errors.New("goto: the line is not in the file of the current frame: npdb can jump within the current function only")
	}
	return dap.GotoTargetsResponseBody{Targets: []dap.GotoTarget{{Id: line, Label: fmt.Sprintf("line %d", line), Line: c.shownLine(line)}}}, nil
}

// jump makes another line the next one to run.
func (c *client) jump(r *request) (any, error) {
	var in dap.GotoArguments
	if err := r.into(&in); err != nil {
		return nil, err
	}
	a := c.query(session.Jump{Line: in.TargetId})
	if a.Err != nil {
		return nil, fmt.Errorf("goto: %s", a.Err.Message)
	}
	c.show(a)
	c.after = &after{move{reason: "goto"}, a}
	return nil, nil
}
