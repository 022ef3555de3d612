package dap

import (
	"errors"
	"fmt"

	"github.com/google/go-dap"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
)

// handler handles a request.
type handler struct {
	answers func(c *client, r *request) (body any, err error)
	then    func(c *client) // runs after a response without an error
	// moves returns the move that a request makes, in place of answers. Its response, with body, is sent
	// before the move is made.
	moves        func(c *client, r *request) (*move, error)
	body         any
	live         bool // the request needs an open session
	whileRunning bool // the request is not refused while the program runs: it interrupts a move that can go on afterwards
}

// handlers are the requests that the loop does not answer itself.
var handlers map[string]handler

func init() { // not in the declaration, because the handlers use it
	asks := func(f func(c *client, r *request) (any, error)) handler {
		return handler{answers: f, live: true}
	}
	changes := func(f func(c *client, r *request) (any, error)) handler {
		return handler{answers: f, live: true, whileRunning: true, then: (*client).settle}
	}
	steps := func(f func(c *client, r *request) (*move, error)) handler {
		return handler{moves: f, live: true}
	}
	handlers = map[string]handler{
		"initialize": {answers: (*client).initialize},
		"launch":     {answers: (*client).launch, then: (*client).ready},
		"attach":     {answers: (*client).attach},
		"disconnect": {answers: (*client).disconnect, then: (*client).terminated},
		"terminate":  {answers: (*client).terminate, then: (*client).terminated},

		"configurationDone": {moves: (*client).configurationDone, live: true},
		"restart":           {moves: (*client).restart, live: true},

		"setBreakpoints":          changes((*client).setBreakpoints),
		"setFunctionBreakpoints":  changes((*client).setFunctionBreakpoints),
		"setExceptionBreakpoints": changes((*client).setExceptionBreakpoints),
		"setDataBreakpoints":      changes((*client).setDataBreakpoints),
		"dataBreakpointInfo":      asks((*client).dataBreakpointInfo),

		"stackTrace":    asks((*client).stackTrace),
		"scopes":        asks((*client).scopes),
		"variables":     asks((*client).variables),
		"exceptionInfo": asks((*client).exceptionInfo),
		"loadedSources": asks((*client).loadedSources),
		"source":        {answers: (*client).source, live: true},

		"evaluate":      {answers: (*client).evaluate, live: true, then: (*client).settle},
		"completions":   asks((*client).completions),
		"setVariable":   {answers: (*client).setVariable, live: true, then: (*client).settle},
		"setExpression": {answers: (*client).setExpression, live: true, then: (*client).settle},
		"gotoTargets":   asks((*client).gotoTargets),
		"goto":          {answers: (*client).jump, live: true, then: (*client).settle},

		"continue": {
			moves: free(session.Continue{}), live: true,
			body: dap.ContinueResponseBody{AllThreadsContinued: true},
		},
		"reverseContinue": steps(free(session.Continue{Inverse: true})),
		"next":            steps(step(dsl.StepOver)),
		"stepIn":          steps(step(dsl.StepInto)),
		"stepOut":         steps(step(dsl.StepReturn)),
		"stepBack":        steps(step(dsl.InvStepOver)),
		"restartFrame":    steps((*client).restartFrame),
	}
}

// initialize answers with what npdb can do.
func (c *client) initialize(r *request) (any, error) {
	c.about = dap.InitializeRequestArguments{LinesStartAt1: true, ColumnsStartAt1: true}
	if err := r.into(&c.about); err != nil {
		return nil, err
	}
	c.zeroLines = !c.about.LinesStartAt1
	return capabilities(), nil
}

// capabilities returns what npdb can do, before a mode is known.
func capabilities() dap.Capabilities {
	return dap.Capabilities{
		SupportsConfigurationDoneRequest:  true,
		SupportsFunctionBreakpoints:       true,
		SupportsConditionalBreakpoints:    true,
		SupportsHitConditionalBreakpoints: true,
		SupportsEvaluateForHovers:         true,
		ExceptionBreakpointFilters:        filters,
		SupportsStepBack:                  true,
		SupportsSetVariable:               true,
		SupportsRestartFrame:              true,
		SupportsGotoTargetsRequest:        true,
		SupportsCompletionsRequest:        true,
		CompletionTriggerCharacters:       []string{"."},
		SupportsRestartRequest:            true,
		SupportsExceptionInfoRequest:      true,
		SupportsDelayedStackTraceLoading:  true,
		SupportsLoadedSourcesRequest:      true,
		SupportsLogPoints:                 true,
		SupportsSetExpression:             true,
		SupportsTerminateRequest:          true,
		SupportsDataBreakpoints:           true,
		SupportsCancelRequest:             true,
		SupportsClipboardContext:          true,
		SupportsSteppingGranularity:       true,
		SupportsExceptionFilterOptions:    true,
	}
}

// changed returns the capabilities that a session does not have although npdb has them.
func (c *client) changed(o *Opened) map[string]bool {
	lacks := map[string]bool{}
	if !o.Backward {
		lacks["supportsStepBack"] = false
	}
	if o.Session.Mode() == session.Predicted { // nothing is recorded
		lacks["supportsRestartFrame"], lacks["supportsDataBreakpoints"], lacks["supportsLogPoints"] = false, false, false
	}
	if c.launched.Recording != "" { // nothing runs
		lacks["supportsSetVariable"], lacks["supportsSetExpression"] = false, false
		lacks["supportsGotoTargetsRequest"], lacks["supportsRestartRequest"] = false, false
	}
	return lacks
}

// launch opens the session and goes to its first state.
func (c *client) launch(r *request) (any, error) {
	var more struct {
		NoDebug bool `json:"noDebug"`
	}
	l := Launch{}
	if err := errors.Join(r.into(&l), r.into(&more)); err != nil {
		return nil, &shownError{err}
	}
	if err := l.check(); err != nil {
		return nil, &shownError{err}
	}
	return nil, c.open("launch", Target{Launch: l}, more.NoDebug)
}

// open opens a session for a request.
func (c *client) open(request string, t Target, noDebug bool) error {
	if c.i != nil {
		return errors.New(request + ": this session has a program already: disconnect, and open another connection")
	}
	o, err := c.cfg.Open(c.ctx, t, c.connect)
	if err != nil {
		return &shownError{fmt.Errorf("%s: %w", request, err)}
	}
	c.mu.Lock()
	c.opened = o
	c.mu.Unlock()
	c.launched, c.noDebug, c.i = t.Launch, noDebug, o.Commands
	if c.killed.Load() {
		o.Session.Kill()
	}
	a := c.i.Start(c.ctx, nil)
	c.show(a)
	c.seen(a)
	if a.Err != nil {
		return &shownError{errors.Join(errors.New(request+": "+a.Err.Message), c.close())}
	}
	return nil
}

// ready tells the client that it may set breakpoints.
func (c *client) ready() {
	if l := c.launched; l.Console != "" && l.Console != internalConsole {
		c.console("npdb: console is " + l.Console + ", and npdb has only internalConsole: the program reads the lines that you type in the debug console.")
	}
	if lacks := c.changed(c.opened); len(lacks) > 0 {
		c.event("capabilities", map[string]any{"capabilities": lacks})
	}
	c.event("thread", dap.ThreadEventBody{Reason: "started", ThreadId: theThread})
	c.event("initialized", nil)
}

// configurationDone begins the run.
func (c *client) configurationDone(_ *request) (*move, error) {
	if c.begun {
		return nil, errors.New("configurationDone: it was sent already")
	}
	c.begun = true
	return c.first(), nil
}

// first returns the move from the first state of a run.
func (c *client) first() *move {
	switch {
	case c.noDebug:
		return &move{command: session.Continue{Unrecorded: c.i.Mode() == session.Real}, free: true}
	case c.launched.StopOnEntry || c.launched.Recording != "":
		return &move{reason: "entry"}
	}
	return &move{command: session.Continue{}, free: true}
}

// restart runs the program again.
func (c *client) restart(r *request) (*move, error) {
	var in struct {
		Arguments *Launch `json:"arguments"`
	}
	if err := r.into(&in); err != nil {
		return nil, err
	}
	if c.launched.Recording != "" {
		return nil, errors.New("restart: this session shows a recording, and runs nothing")
	}
	if !c.begun {
		return nil, errors.New("restart: the program has not begun: send configurationDone first")
	}
	again := session.Restart{}
	if in.Arguments != nil {
		again.Args, c.launched.StopOnEntry = in.Arguments.Args, in.Arguments.StopOnEntry
	}
	a := c.i.Do(c.ctx, again)
	c.show(a)
	if a.Err != nil {
		return nil, a.Err
	}
	c.seen(a)
	c.handles.forget()
	c.exited, c.died = false, false
	c.sync()
	c.points.again(c)
	return c.first(), nil
}

// disconnect ends the session, so that its files are complete when the client has the response. The loop
// has killed the program.
func (c *client) disconnect(r *request) (any, error) {
	in := struct {
		TerminateDebuggee *bool `json:"terminateDebuggee"`
	}{}
	failed := r.into(&in) // the client leaves in any case
	if in.TerminateDebuggee != nil && !*in.TerminateDebuggee && c.i != nil && c.launched.Recording == "" {
		c.console("npdb: the program ends with the session: it cannot go on without npdb.")
	}
	return nil, errors.Join(failed, c.close())
}

// terminate ends the program. The session stays open until the client disconnects.
func (c *client) terminate(_ *request) (any, error) {
	if c.opened != nil {
		c.opened.Session.Kill()
	}
	return nil, nil
}

// terminated tells the client that the session has ended.
func (c *client) terminated() {
	if c.finished {
		return
	}
	c.finished = true
	c.event("terminated", struct{}{})
}
