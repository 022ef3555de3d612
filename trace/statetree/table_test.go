package statetree

import (
	"slices"

	"github.com/npdb/npdb/dsl"
)

// The table of moves over a flat list of events, word for word and without any
// index: written once more, to test dsl.Goal. A landing of -1 is none.

// land returns where an action at event i lands in a finished list; i may be its
// length, the end.
func land(events []flat, i int, a dsl.Action) int {
	if i == len(events) {
		switch a.Move {
		case dsl.InvStepInto, dsl.InvStepOver, dsl.InvStepReturn, dsl.InvStepBlock:
			return len(events) - 1
		case dsl.InvStepFunction:
			return previous(events, i, callOrReturn)
		case dsl.InvBreakpoint:
			return previous(events, i, onLines(a.Lines))
		case dsl.InvContinue:
			return min(0, len(events)-1)
		}
		return -1
	}
	now := events[i]
	own := func(f flat) bool { return f.act == now.act }
	final := func(f flat) bool { return f.event == dsl.Return && f.kind != dsl.Yielded }
	lower := func(f flat) bool { return f.depth() < now.depth() }
	within := testCodes[now.code].Generator
	outermost := func(end func(flat) bool) func(flat) bool {
		return func(f flat) bool { return now.stack[0] != now.act && f.act == now.stack[0] && end(f) }
	}
	first := func(f flat) bool { return f.firstCall }
	stops := func(f flat) bool { return f.event == dsl.Line || f.event == dsl.Exception }
	or := func(some ...func(flat) bool) func(flat) bool {
		return func(f flat) bool {
			return slices.ContainsFunc(some, func(is func(flat) bool) bool { return is(f) })
		}
	}
	and := func(a, b func(flat) bool) func(flat) bool { return func(f flat) bool { return a(f) && b(f) } }

	switch a.Move {
	case dsl.StepInto:
		return next(events, i, func(flat) bool { return true })
	case dsl.StepOver:
		if within && now.event != dsl.Return {
			return next(events, i, or(and(own, or(stops, final)), outermost(final)))
		}
		return next(events, i, func(f flat) bool { return f.depth() <= now.depth() })
	case dsl.StepReturn:
		switch {
		case now.event == dsl.Return:
			return next(events, i, lower)
		case within:
			return next(events, i, or(and(own, final), outermost(final)))
		}
		if j := next(events, i, and(own, final)); j >= 0 {
			return j
		}
		return next(events, i, lower)
	case dsl.Breakpoint:
		return next(events, i, onLines(a.Lines))
	case dsl.Continue:
		return -1
	case dsl.InvStepInto:
		return i - 1
	case dsl.InvStepOver:
		if within && now.event != dsl.Call {
			return previous(events, i, or(and(own, or(stops, first)), outermost(first)))
		}
		return previous(events, i, func(f flat) bool { return f.depth() <= now.depth() })
	case dsl.InvStepReturn:
		switch {
		case now.event == dsl.Call:
			return previous(events, i, lower)
		case within:
			return previous(events, i, or(and(own, first), outermost(first)))
		}
		if j := previous(events, i, and(own, first)); j >= 0 {
			return j
		}
		return previous(events, i, lower)
	case dsl.InvBreakpoint:
		return previous(events, i, onLines(a.Lines))
	case dsl.InvContinue:
		if i > 0 {
			return 0
		}
	case dsl.StepFunction:
		return next(events, i, callOrReturn)
	case dsl.InvStepFunction:
		return previous(events, i, callOrReturn)
	case dsl.StepBlock, dsl.InvStepBlock:
		over := map[dsl.Move]dsl.Move{dsl.StepBlock: dsl.StepOver, dsl.InvStepBlock: dsl.InvStepOver}[a.Move]
		j := land(events, i, dsl.Action{Move: over})
		for j >= 0 && own(events[j]) && events[j].straight {
			j = land(events, j, dsl.Action{Move: over})
		}
		return j
	}
	return -1
}

func callOrReturn(f flat) bool { return f.event == dsl.Call || f.event == dsl.Return }

// blockSource is the source of the files of random runs. Its blocks begin at lines 1, 3 and 6.
const blockSource = `x = 1
if x:
    y = (x +
         2)
    z = 3
w = [i for i in x]
`

// straight reports whether an event of a random run continues the block of the one before it in its
// activation.
func (p *program) straight(f flat) bool {
	generator := testCodes[f.code].Generator
	at := previous(p.events, len(p.events), func(e flat) bool {
		pauses := generator && (e.event == dsl.Return || e.event == dsl.Call && !e.firstCall)
		return e.act == f.act && !pauses
	})
	if at < 0 || f.event != dsl.Line || p.events[at].event != dsl.Line {
		return false
	}
	for _, edge := range p.holes {
		if edge > at {
			return false
		}
	}
	switch [2]int{p.events[at].line, f.line} {
	case [2]int{1, 2}, [2]int{3, 3}, [2]int{3, 4}, [2]int{4, 3}, [2]int{4, 4}, [2]int{3, 5}, [2]int{4, 5}, [2]int{6, 6}:
		return true
	}
	return false
}

// lands searches the list for the first event that the action's dsl.Goal accepts.
func lands(events []flat, i int, a dsl.Action) int {
	if i == len(events) || a.Move == dsl.InvContinue {
		return land(events, i, a) // no event to ask from, or to look for
	}
	goal := a.Goal(events[i].moment())
	accepts := func(f flat) bool { return goal.Lands(f.moment()) }
	if a.Move.Inverse() {
		return previous(events, i, accepts)
	}
	return next(events, i, accepts)
}

func (f flat) moment() dsl.Moment {
	return dsl.Moment{
		Event: f.event, Kind: f.kind, Resumed: !f.firstCall, Suspends: testCodes[f.code].Generator, Depth: f.depth(),
		Activation: int(f.act), Outermost: int(f.stack[0]), Straight: f.straight, At: dsl.Location{File: testCodes[f.code].File, Line: f.line},
	}
}

func next(events []flat, i int, is func(flat) bool) int {
	for j := i + 1; j < len(events); j++ {
		if is(events[j]) {
			return j
		}
	}
	return -1
}

func previous(events []flat, i int, is func(flat) bool) int {
	for j := i - 1; j >= 0; j-- {
		if is(events[j]) {
			return j
		}
	}
	return -1
}

func onLines(at []dsl.Location) func(flat) bool {
	return func(f flat) bool {
		return f.event == dsl.Line &&
			slices.Contains(at, dsl.Location{File: testCodes[f.code].File, Line: f.line})
	}
}
