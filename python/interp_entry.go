package python

import "github.com/npdb/npdb/dsl"

// Begin tells that the program's module has run before its first state, which is the call of a
// function. It comes before the first Next, which returns the state after that one.
func (in *Interpreter) Begin(call *dsl.Stop) {
	in.entry = call
	in.now = dsl.Moment{Event: call.Event, Kind: call.Kind, Activation: entryNumber, Outermost: entryNumber, At: dsl.Location{Line: call.Line}}
}

// entryNumber numbers the activation of the entry, above those of the module's functions.
const entryNumber = 1 << 30

// runEntry runs the module without events, and then the function whose call Begin told.
func (in *Interpreter) runEntry(module *activation) moment {
	stop := in.entry
	if stop.Event != dsl.Call || len(stop.Stack) != 1 {
		panic(refused("", "a program that does not begin with its module or a call"))
	}
	in.nameModule()
	in.runQuietly(module)
	c := in.codeAt(stop.Function, int32(stop.Line))
	if c == nil || c.generator || stop.Line != int(c.first) {
		panic(refused("", "a frame of unknown code"))
	}
	in.runFrame(in.beginCall(c, stop.Locals))
	panic(refused("", "what the entry calls next"))
}

// beginCall returns an activation whose call event has been.
func (in *Interpreter) beginCall(c *code, locals []dsl.Local) *activation {
	a := &activation{in: in, code: c, line: c.first, begun: true, number: entryNumber}
	a.names = &scope{vars: map[string]pyValue{}, outer: in.module, frame: a}
	in.ev.given = true
	in.rebind(a, locals)
	in.ev.given = false
	in.arrive(a, false)
	return a
}

// runQuietly runs the module without events. Where the text does not decide what it does, no name
// of it is known.
func (in *Interpreter) runQuietly(module *activation) {
	in.silent++
	defer func() {
		in.silent--
		in.stack = in.stack[:0]
		switch e := recover().(type) {
		case nil:
			return
		case *RefusedError, *LimitError, *EvalError, *thrown:
		default:
			panic(e)
		}
		in.module.vars, in.module.order = map[string]pyValue{}, nil
		in.module.partial, in.module.hidden = true, boundIn(module.code.body)
		clear(in.lost)
	}()
	module.run()
}
