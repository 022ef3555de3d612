package computed

import (
	"context"
	"slices"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
)

// Caller computes calls of one function from the program's source. It must not be used by several
// goroutines at once.
type Caller struct{ routine *python.Routine }

var errNoText = &python.RefusedError{Reason: "the text of the value is not decided"}

// NewCaller prepares calls of the function that contains a line of a file. The calls may come from any
// line of the program's first file. The error is the reason why no call can be computed.
func NewCaller(p *dsl.Program, v python.Version, file, function string, line int) (*Caller, error) {
	return NewCallerAt(p, v, &dsl.Stop{
		State: dsl.State{Event: dsl.Call, File: file, Line: line, Function: function, Depth: 1},
		Stack: []dsl.Frame{{Function: "<module>", File: p.Files[0].Name}, {Function: function, File: file, Line: line}},
	})
}

// NewCallerAt prepares calls with the same stack as the state call. The line of the module in this stack
// determines which global names have values. If the function is the outermost frame, the module has run
// to its end.
func NewCallerAt(p *dsl.Program, v python.Version, call *dsl.Stop) (*Caller, error) {
	program, err := python.ReadProgram(p, v)
	if err != nil {
		return nil, err
	}
	return newCaller(program, call)
}

func newCaller(p *python.Program, call *dsl.Stop) (*Caller, error) {
	routine, err := python.NewRoutine(p, call)
	if err != nil {
		return nil, err
	}
	return &Caller{routine}, nil
}

// Params returns the parameters of the function, in the order of its signature.
func (c *Caller) Params() []python.Param { return c.routine.Params() }

// Raised returns reprs of the exceptions that were raised on a line of the function during the last
// call, caught ones included. An exception counts for the last line of the function that it passed.
func (c *Caller) Raised(line int) (list []string) {
	for _, stop := range c.routine.Raised() {
		if stop.Line == line {
			list = append(list, *stop.Value)
		}
	}
	slices.Sort(list)
	return list
}

// Call computes the call of the function with these values of its parameters. result is the state in
// which the call ends: the function's return event, with Kind Returned and its Value, or, if an
// exception leaves the function, its last exception event with the exception's repr as Value. Its stack
// has one frame. Locals whose values cannot be computed are Unknown. The order of the elements of sets
// is arbitrary.
//
// The error is a *python.RefusedError or a *python.LimitError if the call cannot be computed, or that of
// a ctx that has ended. A call takes at most two seconds.
func (c *Caller) Call(ctx context.Context, locals []dsl.Local) (result dsl.Stop, err error) {
	limited, cancel := context.WithTimeout(ctx, timeLimit)
	defer cancel()
	end, err := c.routine.Call(limited, locals)
	if err != nil {
		return dsl.Stop{}, err
	}
	if end.Value == nil {
		return dsl.Stop{}, errNoText
	}
	return *end, nil
}
