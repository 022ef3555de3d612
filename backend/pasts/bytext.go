package pasts

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/computed"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
)

// callLimit limits the time to compute one call.
const callLimit = 100 * time.Millisecond

// ByText returns a Question.Run that computes the calls of a function from the program's source, without
// running it. The error is the reason why no call can be computed.
func ByText(p *dsl.Program, v python.Version, file, function string, line int, params []string) (func(context.Context, [][]string) ([]backend.CallOutcome, error), error) {
	return byTextTo(nil, p, v, file, function, line, params)
}

// byTextTo is like ByText, for calls that should lead to the state now. If now is an exception, the
// outcome of a call holds the exception that the call raised on the line of now, even if the function
// caught it.
func byTextTo(now *dsl.Stop, p *dsl.Program, v python.Version, file, function string, line int, params []string) (func(context.Context, [][]string) ([]backend.CallOutcome, error), error) {
	callers := make([]*computed.Caller, runtime.GOMAXPROCS(0))
	for i := range callers {
		c, err := computed.NewCaller(p, v, file, function, line)
		if err != nil {
			return nil, err
		}
		callers[i] = c
	}
	return func(ctx context.Context, candidates [][]string) ([]backend.CallOutcome, error) {
		outcomes := make([]backend.CallOutcome, len(candidates))
		var group sync.WaitGroup
		for i, c := range callers {
			group.Go(func() {
				for j := i; j < len(candidates) && ctx.Err() == nil; j += len(callers) {
					outcomes[j] = callByText(ctx, c, params, candidates[j], now)
				}
			})
		}
		group.Wait()
		return outcomes, ctx.Err()
	}, nil
}

func callByText(ctx context.Context, c *computed.Caller, params, args []string, now *dsl.Stop) backend.CallOutcome {
	limited, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	locals := make([]dsl.Local, len(args))
	for i, text := range args {
		locals[i] = dsl.Local{Name: params[i], Value: text}
	}
	end, err := c.Call(limited, locals)
	raised := now != nil && now.Event == dsl.Exception && err == nil
	if raised {
		if text := raisedAt(c, now); text != "" {
			return backend.CallOutcome{Exception: text}
		}
	}
	switch {
	case raised && end.Event == dsl.Exception && end.Line != now.Line:
		return backend.CallOutcome{Exception: fmt.Sprintf("%s at line %d", *end.Value, end.Line)}
	case err != nil:
		return backend.CallOutcome{Refused: err.Error()}
	case end.Value == nil:
		return backend.CallOutcome{Refused: "the call has no value"}
	case end.Event == dsl.Return:
		return backend.CallOutcome{Value: *end.Value}
	}
	return backend.CallOutcome{Exception: *end.Value}
}

// raisedAt returns the exception that the last call raised on the line of now, caught ones included. If
// there are several, it prefers the exception of now. It returns "" if there is none.
func raisedAt(c *computed.Caller, now *dsl.Stop) string {
	list := c.Raised(now.Line)
	for _, text := range list {
		if python.SameRaised(text, *now.Value) {
			return text
		}
	}
	if len(list) == 0 {
		return ""
	}
	return list[0]
}
