package python

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"

	"github.com/npdb/npdb/dsl"
)

// Routine computes calls of one function of a program by the program's text alone. Unlike an Interpreter
// it makes no states on the way, so a call takes little time. It is used by one goroutine at a time.
type Routine struct {
	in     *Interpreter // prepared, never run
	module *code
	call   dsl.Stop
	code   *code
	raised map[*instance]*dsl.Stop // in the last call, see noteRaised
}

// NewRoutine prepares the calls that have the stack of the given one, which is a call event. What the
// interpreter knows of the module then is as after Interpreter.Begin. The errors are those of
// NewInterpreter, and a *RefusedError if no call is decided.
func NewRoutine(source []byte, call *dsl.Stop, v Version) (r *Routine, err error) {
	in, module, err := prepare(source, call.File, v)
	if err != nil {
		return nil, err
	}
	r = &Routine{in: in, module: module, call: *call}
	in = r.fresh(context.Background())
	defer func() { err = in.reasonOf(recover(), err) }()
	in.approach(in.newModule(module), call)
	switch r.code = in.codeAt(call.Function, int32(call.Line)); {
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

// fresh returns an interpreter that has run nothing. It shares the program's parts with the others.
func (r *Routine) fresh(ctx context.Context) *Interpreter {
	in := &Interpreter{
		version: r.in.version, file: r.in.file, lines: r.in.lines, ev: newEvaluation(ctx), codes: r.in.codes,
		ambiguous: r.in.ambiguous, yields: r.in.yields, writes: r.in.writes,
		objects: map[*instance]bool{}, unsure: map[pyValue]bool{}, lost: map[pyValue]bool{},
	}
	in.ev.interp, in.ev.changes, in.ev.values = in, true, map[string]pyValue{}
	in.events = 1 // the call
	return in
}

// Call computes the call with these values of the parameters. It returns the state in which the call
// ends: the function's return event, or its last exception event if an exception leaves it. The error
// is a *RefusedError or a *LimitError where the text does not decide it, or that of a ctx that has
// ended. A value of the end that the text does not decide is nil, a local is Unknown; the elements of sets
// come in any order.
func (r *Routine) Call(ctx context.Context, locals []dsl.Local) (end *dsl.Stop, err error) {
	in := r.fresh(ctx)
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
	in.approach(in.newModule(r.module), &r.call)
	call := r.call
	call.Locals = locals
	a := in.frameOf(&call, len(call.Stack)-1)
	in.silent, in.watched = 1, a
	in.runFrame(a)
	return in.returned, nil
}

// Raised returns the last event of each exception that was raised in the function itself during the last
// call, caught ones too.
func (r *Routine) Raised() []*dsl.Stop { return slices.Collect(maps.Values(r.raised)) }

// noteRaised keeps the event of an exception in the watched activation: its call may end with it.
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

// stopNow returns the state of the activation that runs. Locals whose texts are not decided are Unknown.
func (in *Interpreter) stopNow(a *activation, event dsl.Event, kind dsl.ReturnKind, value *string) *dsl.Stop {
	stop := &dsl.Stop{
		State: dsl.State{
			Event: event, Kind: kind, File: in.file, Line: int(a.line), Source: in.source(a.line), Function: a.code.name, Value: value,
		},
		Stack: []dsl.Frame{{Function: a.code.name, File: in.file, Line: int(a.line)}},
	}
	in.loose = true
	defer func() { in.loose = false }()
	stop.Locals = in.locals(a)
	if in.watch != nil {
		stop.Stack = nil
		for _, f := range in.traced() {
			stop.Stack = append(stop.Stack, dsl.Frame{Function: f.code.name, File: in.file, Line: int(f.line)})
		}
		stop.Depth = len(stop.Stack) - 1
	}
	return stop
}

// reasonOf converts a panic of a computation to an error. err is the error that the computation
// returned.
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

// nameModule gives the module the __name__ that it has when it is imported.
func (in *Interpreter) nameModule() {
	name, _, _ := strings.Cut(in.file[strings.LastIndexAny(in.file, `/\`)+1:], ".")
	in.module.vars["__name__"] = pyStr(name)
}
