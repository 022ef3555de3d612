package dap

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/google/go-dap"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/breakpoint"
)

// setBreakpoints sets the breakpoints and logpoints of a file.
func (c *client) setBreakpoints(r *request) (any, error) {
	var in dap.SetBreakpointsArguments
	if err := r.into(&in); err != nil {
		return nil, err
	}
	path := c.pathOf(in.Source)
	if path == "" {
		return nil, errors.New("setBreakpoints: the source has no path")
	}
	list := in.Breakpoints
	if list == nil {
		for _, line := range in.Lines {
			list = append(list, dap.SourceBreakpoint{Line: line})
		}
	}
	keys := make([]string, len(list))
	for k, b := range list {
		keys[k] = fmt.Sprintf("%d %q %q %q", b.Line, b.Condition, b.HitCondition, b.LogMessage)
	}
	if c.points.lines == nil {
		c.points.lines = map[string][]*point{}
	}
	now, shown := c.settled(c.points.lines[path], keys, func(k int, p *point) {
		at := session.Target{File: path, Line: c.lineOf(list[k].Line)}
		p.file, p.line = path, at.Line
		if list[k].LogMessage != "" {
			c.logs(p, at, list[k])
			return
		}
		c.place(p, session.SetBreakpoint{At: at, Condition: list[k].Condition}, list[k].Condition != "", list[k].HitCondition)
	})
	c.points.lines[path] = now
	return dap.SetBreakpointsResponseBody{Breakpoints: shown}, nil
}

// logs sets a logpoint, and prints what it finds in the recording.
func (c *client) logs(p *point, at session.Target, b dap.SourceBreakpoint) {
	if b.Condition != "" || b.HitCondition != "" {
		p.message = "npdb's logpoints have no condition: they print at each hit"
		return
	}
	a := c.query(session.Log{At: at, Text: b.LogMessage})
	if a.Err != nil {
		p.message = a.Err.Message
		return
	}
	p.log = c.i.LastLogpoint()
	for _, h := range a.Hits {
		c.console(h.Text)
	}
}

// setFunctionBreakpoints sets the breakpoints on functions.
func (c *client) setFunctionBreakpoints(r *request) (any, error) {
	var in dap.SetFunctionBreakpointsArguments
	if err := r.into(&in); err != nil {
		return nil, err
	}
	keys := make([]string, len(in.Breakpoints))
	for k, b := range in.Breakpoints {
		keys[k] = fmt.Sprintf("%q %q %q", b.Name, b.Condition, b.HitCondition)
	}
	now, shown := c.settled(c.points.functions, keys, func(k int, p *point) {
		b := in.Breakpoints[k]
		c.place(p, session.SetBreakpoint{At: session.Target{Function: b.Name}, Condition: b.Condition}, b.Condition != "", b.HitCondition)
	})
	c.points.functions = now
	return dap.SetFunctionBreakpointsResponseBody{Breakpoints: shown}, nil
}

// The filters for exceptions.
const (
	filterRaised   = "raised"
	filterUncaught = "uncaught"
)

// filters are the filters for exceptions that the client can offer.
var filters = []dap.ExceptionBreakpointsFilter{
	{
		Filter: filterRaised, Label: "Raised Exceptions", Description: "Stop where an exception is raised, even if the program catches it.",
		SupportsCondition: true, ConditionDescription: "A type, such as ValueError, and optionally a condition: ValueError, n > 3",
	},
	{Filter: filterUncaught, Label: "Uncaught Exceptions", Description: "Stop before an uncaught exception ends the program.", Default: true},
}

// setExceptionBreakpoints sets which exceptions stop the program.
func (c *client) setExceptionBreakpoints(r *request) (any, error) {
	var in dap.SetExceptionBreakpointsArguments
	if err := r.into(&in); err != nil {
		return nil, err
	}
	var wanted []dap.ExceptionFilterOptions
	for _, f := range in.Filters {
		wanted = append(wanted, dap.ExceptionFilterOptions{FilterId: f})
	}
	wanted = append(wanted, in.FilterOptions...)
	c.points.uncaught = slices.ContainsFunc(wanted, func(o dap.ExceptionFilterOptions) bool { return o.FilterId == filterUncaught })
	keys := make([]string, len(wanted))
	for k, o := range wanted {
		keys[k] = fmt.Sprintf("%q %q", o.FilterId, o.Condition)
	}
	now, shown := c.settled(c.points.raised, keys, func(k int, p *point) {
		o := wanted[k]
		switch o.FilterId {
		case filterRaised:
			kind, condition, _ := strings.Cut(o.Condition, ",")
			if kind = strings.TrimSpace(kind); kind == "" {
				kind = breakpoint.AnyException
			}
			condition = strings.TrimSpace(condition)
			c.place(p, session.Catch{Type: kind, Condition: condition}, condition != "", "")
		case filterUncaught:
			if o.Condition != "" {
				p.message = "npdb stops at each uncaught exception: the condition has no effect"
			}
		default:
			p.message = fmt.Sprintf("npdb has no filter %q: it has %s and %s", o.FilterId, filterRaised, filterUncaught)
		}
	})
	for k := range shown {
		shown[k].Verified = shown[k].Verified || wanted[k].FilterId == filterUncaught
		if !shown[k].Verified { // clients show the list nowhere
			c.console("npdb: " + shown[k].Message)
		}
	}
	c.points.raised = now
	return dap.SetExceptionBreakpointsResponseBody{Breakpoints: shown}, nil
}

// dataBreakpointInfo tells whether a variable can be watched.
func (c *client) dataBreakpointInfo(r *request) (any, error) {
	var in dap.DataBreakpointInfoArguments
	if err := r.into(&in); err != nil {
		return nil, err
	}
	no := func(why string) (any, error) {
		return dap.DataBreakpointInfoResponseBody{Description: why}, nil
	}
	if c.i.Mode() == session.Predicted {
		return no("npdb has no watchpoints in neural mode")
	}
	v := c.view()
	expression, frame := in.Name, v.Selected
	switch {
	case in.VariablesReference > 0:
		holder, err := c.holder(in.VariablesReference)
		if err != nil {
			return nil, err
		}
		if expression = holder.pathTo(in.Name); expression == "" {
			return no("npdb has no expression for " + in.Name)
		}
		frame = holder.frame
	case in.FrameId > 0:
		var err error
		if frame, err = c.frame(in.FrameId); err != nil {
			return nil, err
		}
	}
	if frame < 0 || frame >= len(v.Frames) {
		return no("the program has ended: there is no frame with " + expression)
	}
	return dap.DataBreakpointInfoResponseBody{
		DataId: fmt.Sprintf("%d %s", v.Frames[frame].Activation, expression), Description: expression,
		AccessTypes: []dap.DataBreakpointAccessType{"write"},
	}, nil
}

// setDataBreakpoints sets the watchpoints.
func (c *client) setDataBreakpoints(r *request) (any, error) {
	var in dap.SetDataBreakpointsArguments
	if err := r.into(&in); err != nil {
		return nil, err
	}
	keys := make([]string, len(in.Breakpoints))
	for k, b := range in.Breakpoints {
		keys[k] = fmt.Sprintf("%q %q %q", b.DataId, b.Condition, b.HitCondition)
	}
	now, shown := c.settled(c.points.data, keys, func(k int, p *point) {
		b := in.Breakpoints[k]
		number, expression, ok := strings.Cut(b.DataId, " ")
		act, err := strconv.ParseUint(number, 10, 32)
		v := c.view()
		frame := -1
		if ok && err == nil {
			for f := range v.Frames {
				if uint64(v.Frames[f].Activation) == act {
					frame = f
				}
			}
		}
		switch {
		case b.AccessType != "" && b.AccessType != "write":
			p.message = "npdb stops where a value changes, not where it is read"
		case frame < 0:
			p.message = "the frame of this variable is not on the stack: ask for its data breakpoint again"
		default:
			err := c.inFrame(frame, func() error {
				c.place(p, session.Watch{Expression: expression, Condition: b.Condition}, b.Condition != "", b.HitCondition)
				return nil
			})
			if err != nil {
				p.message = err.Error()
			}
		}
	})
	c.points.data = now
	return dap.SetDataBreakpointsResponseBody{Breakpoints: shown}, nil
}
