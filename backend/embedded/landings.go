package embedded

import "github.com/npdb/npdb/dsl"

// landings holds the kinds of reply that an action can have: states by event, an end or a start.
type landings struct {
	events [dsl.Exception + 1]bool
	end    bool
	start  bool
}

// possible returns the kinds of reply that an action can have from a state; from is nil at the end of
// the program. It returns all events that dsl.Goal can accept at some depth. A move that would reach the
// end because of an uncaught exception stops at the exception.
func possible(a dsl.Action, from *dsl.Stop) landings {
	var l landings
	allow := func(events ...dsl.Event) {
		for _, e := range events {
			l.events[e] = true
		}
	}
	at := func(e dsl.Event) bool { return from != nil && from.Event == e }
	if l.end, l.start = !a.Move.Inverse(), a.Move.Inverse(); l.end && from == nil {
		return l
	}
	switch a.Move {
	case dsl.StepInto, dsl.InvStepInto:
		allow(dsl.Call, dsl.Line, dsl.Return, dsl.Exception)
	case dsl.StepFunction:
		allow(dsl.Call, dsl.Return, dsl.Exception)
	case dsl.InvStepFunction:
		allow(dsl.Call, dsl.Return)
	case dsl.StepOver, dsl.StepBlock:
		// Another call at this depth can come only after this activation has returned.
		allow(dsl.Line, dsl.Return, dsl.Exception)
		l.events[dsl.Call] = at(dsl.Return)
	case dsl.InvStepOver, dsl.InvStepBlock:
		allow(dsl.Line, dsl.Call, dsl.Exception)
		l.events[dsl.Return] = at(dsl.Call) || from == nil
	case dsl.StepReturn:
		allow(dsl.Return, dsl.Exception)
		l.events[dsl.Call], l.events[dsl.Line] = at(dsl.Return), at(dsl.Return)
	case dsl.InvStepReturn:
		allow(dsl.Call)
		if at(dsl.Call) || from == nil {
			allow(dsl.Line, dsl.Return, dsl.Exception)
		}
	case dsl.Breakpoint:
		allow(dsl.Line, dsl.Exception)
	case dsl.InvBreakpoint:
		allow(dsl.Line)
	case dsl.Continue:
		allow(dsl.Exception)
	case dsl.InvContinue:
		allow(dsl.Line, dsl.Call)
	}
	return l
}
