package pasts

import (
	"context"
	"fmt"
	"slices"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/cpython"
)

// ByRun returns a Question.Run that runs the calls of a function with CPython, in the caller's sandbox.
// Set Question.Alone too, because a call can change something that later calls of the same batch read.
func ByRun(c *cpython.Caller, params []string) (func(context.Context, [][]string) ([]backend.CallOutcome, error), error) {
	at := make([]int, len(c.Parameters)) // for each of the caller's parameters, its index in params
	for i, name := range c.Parameters {
		if at[i] = slices.Index(params, name); at[i] < 0 {
			return nil, fmt.Errorf("the function has a parameter %s that its text does not show", name)
		}
	}
	return func(ctx context.Context, candidates [][]string) ([]backend.CallOutcome, error) {
		batch := make([][]string, len(candidates))
		for i, args := range candidates {
			for _, j := range at {
				batch[i] = append(batch[i], args[j])
			}
		}
		return c.Call(ctx, batch)
	}, nil
}
