package python

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"

	"github.com/npdb/npdb/dsl"
)

// Routine computes calls of one function of a program, without Python. Unlike an Interpreter it
// does not compute the states along the way, so a call takes little time. Only one goroutine at a
// time may use it.
type Routine struct {
	program *Program
	codes   map[any]*code // code objects of the program; the calls share them
	call    dsl.Stop
	code    *code
	raised  map[*instance]*dsl.Stop // in the last call, see noteRaised
}

// NewRoutine prepares calls like the given call event: with the same function and stack. It knows
// the module's names as Interpreter.Begin describes. The error is that of NewInterpreter, or a
// *RefusedError if no call of the function can be computed.
func NewRoutine(p *Program, call *dsl.Stop) (r *Routine, err error) {
	r = &Routine{program: p, codes: map[any]*code{}, call: *call}
	in, err := r.fresh(context.Background())
	if err != nil {
		return nil, err
	}
	defer func() { err = in.reasonOf(recover(), err) }()
	in.approach(in.begin(), call)
	module := in.moduleOf(call.Stack[len(call.Stack)-1])
	switch r.code = in.codeAt(module, call.Function, int32(call.Line)); {
	case r.code == nil:
		return nil, refused(call.Function, "is no function whose code the text decides")
	case r.code.generator:
		return nil, refused(call.Function, "is a generator: a call of it runs nothing")
	}
	r.call.Line = int(r.code.first)
	return r, nil
}

// Params returns the parameters of the function, in the order of its signature.
func (r *Routine) Params() []Param { return slices.Clone(r.code.params) }

// fresh returns an interpreter that has not begun. It shares the code objects of the other calls.
func (r *Routine) fresh(ctx context.Context) (*Interpreter, error) {
	in, err := r.program.interpreter(ctx, MainFile(&r.call))
	if err != nil {
		return nil, err
	}
	in.codes, in.entry = r.codes, &r.call
	in.events = 1 // the call event
	return in, nil
}

// Call computes the call with these values of the parameters. It returns the state in which the
// call ends: the function's return event, or if an exception leaves the function, its last
// exception event. The error is a *RefusedError or a *LimitError if the source does not determine
// the end, or the error of a ctx that has ended. In the state, Value is nil and a local is Unknown
// if the source does not determine it. Elements of sets come in any order.
func (r *Routine) Call(ctx context.Context, locals []dsl.Local) (end *dsl.Stop, err error) {
	in, err := r.fresh(ctx)
	if err != nil {
		return nil, err
	}
	defer func() {
		for _, g := range in.gens {
			g.stop()
		}
	}()
	defer func() {
		e := recover()
		r.raised = in.raised
		if t, ok := e.(*thrown); ok && in.raised[t.exc] != nil {
			end, err = in.raised[t.exc], nil
			return
		}
		if err = in.reasonOf(e, err); err != nil {
			end = nil
		}
	}()
	in.approach(in.begin(), &r.call)
	call := r.call
	call.Locals = locals
	a := in.frameOf(&call, len(call.Stack)-1)
	in.silent, in.watched = 1, a
	in.runFrame(a)
	return in.returned, nil
}

// Raised returns the last event of each exception that was raised in the function itself during the
// last call. It includes exceptions that were caught.
func (r *Routine) Raised() []*dsl.Stop { return slices.Collect(maps.Values(r.raised)) }

// noteRaised stores the event of an exception in the watched activation, because the call may end
// with it.
func (in *Interpreter) noteRaised(a *activation, exc *instance) {
	if a != in.watched || a == nil {
		return
	}
	if in.raised == nil {
		in.raised = map[*instance]*dsl.Stop{}
	}
	delete(in.raised, exc)
	if text, ok := in.tryText(exc); ok {
		in.raised[exc] = in.stopNow(a, dsl.Exception, dsl.NoReturn, &text)
	}
}

// stopNow returns the state of the running activation. A local is Unknown if the source does not
// determine its repr.
func (in *Interpreter) stopNow(a *activation, event dsl.Event, kind dsl.ReturnKind, value *string) *dsl.Stop {
	stop := &dsl.Stop{
		State: dsl.State{
			Event: event, Kind: kind, File: a.code.file.name, Line: int(a.line), Source: a.source(), Function: a.code.name, Value: value,
		},
		Stack: []dsl.Frame{a.shown()},
	}
	in.loose = true
	defer func() { in.loose = false }()
	stop.Locals = in.locals(a)
	if in.watch != nil {
		stop.Stack = nil
		for _, f := range in.traced() {
			stop.Stack = append(stop.Stack, f.shown())
		}
		stop.Depth = len(stop.Stack) - 1
	}
	return stop
}

// reasonOf converts the value of a panic to an error. It returns err if there was no panic.
func (in *Interpreter) reasonOf(e any, err error) error {
	switch e := e.(type) {
	case nil:
		return err
	case *RefusedError:
		return e
	case *LimitError:
		return e
	case endedError:
		return e.error
	case *thrown:
		return refused("", fmt.Sprintf("an exception that leaves no event: %s", e.exc.class.name))
	case *adopted:
		return refused("", "a stack without the module")
	case runtime.Error:
		return refused("", Unexpected+e.Error())
	}
	panic(e)
}
