package pasts

import (
	"context"
	"runtime"
	"sync"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/computed"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
)

// callLimit limits the computation of one call.
const callLimit = 100 * time.Millisecond

// ByText returns a Question.Run that computes the calls of a function by the program's text alone.
// Nothing is run. The error says why the text does not decide any call.
func ByText(p *dsl.Program, v python.Version, file, function string, line int, params []string) (func(context.Context, [][]string) ([]backend.CallOutcome, error), error) {
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
					outcomes[j] = callByText(ctx, c, params, candidates[j])
				}
			})
		}
		group.Wait()
		return outcomes, ctx.Err()
	}, nil
}

func callByText(ctx context.Context, c *computed.Caller, params, args []string) backend.CallOutcome {
	limited, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	locals := make([]dsl.Local, len(args))
	for i, text := range args {
		locals[i] = dsl.Local{Name: params[i], Value: text}
	}
	end, err := c.Call(limited, locals)
	switch {
	case err != nil:
		return backend.CallOutcome{Refused: err.Error()}
	case end.Value == nil:
		return backend.CallOutcome{Refused: "the call has no value"}
	case end.Event == dsl.Return:
		return backend.CallOutcome{Value: *end.Value}
	}
	return backend.CallOutcome{Exception: *end.Value}
}
