package computed

import (
	"context"
	"slices"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
)

// Caller computes many calls of one function by the program's text. It is used by one goroutine at a
// time.
type Caller struct{ routine *python.Routine }

var errNoText = &python.RefusedError{Reason: "the text of the value is not decided"}

// NewCaller prepares calls of the function that contains a line of a file. The calls may come from any line of
// the program's first file. The error says why the text decides no call.
func NewCaller(p *dsl.Program, v python.Version, file, function string, line int) (*Caller, error) {
	return NewCallerAt(p, v, &dsl.Stop{
		State: dsl.State{Event: dsl.Call, File: file, Line: line, Function: function, Depth: 1},
		Stack: []dsl.Frame{{Function: "<module>", File: p.Files[0].Name}, {Function: function, File: file, Line: line}},
	})
}

// NewCallerAt prepares the calls that have the stack of the given one. The line of the module decides what
// is known of its names; if the function is the outermost frame, the module has run to its end.
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

// Raised returns the exceptions that were raised on a line of the function during the last call, as reprs:
// caught ones too, each if the line was the last that it passed there.
func (c *Caller) Raised(line int) (list []string) {
	for _, stop := range c.routine.Raised() {
		if stop.Line == line {
			list = append(list, *stop.Value)
		}
	}
	slices.Sort(list)
	return list
}

// Call computes the call of the function with these values of its parameters. result is the state in which
// the call ends: the function's return event, with Kind Returned and its Value, or its last exception event
// if an exception leaves it, with the exception's repr as Value. Its stack has one frame. Locals whose
// values the text does not decide are Unknown, and the elements of sets come in any order.
//
// The error is a *python.RefusedError or a *python.LimitError where the text does not decide the call,
// or that of a ctx that has ended. A call takes at most two seconds.
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
