package trace

import "github.com/npdb/npdb/dsl"

// Position is a place in a recording.
type Position struct {
	Event      int  // index into the tree; meaningless at the end
	End        bool // after the last event: the program is over
	PostMortem bool // at an uncaught exception
}

// Reason says why a move stopped.
type Reason uint8

// The reasons for a stop.
const (
	Landed         Reason = iota // the move landed as its table says
	HitBreakpoint                // a breakpoint of the move was reached
	ProgramBreak                 // the program called breakpoint() or pdb.set_trace()
	ProgramLooks                 // the program called pdb.post_mortem(); Below has the traceback
	Interrupted                  // by Recording.Interrupt; the position is the last event
	NeedsInput                   // the program waits for Recording.Input; the move is still under way
	LimitReached                 // a limit of Limits; the next move may record as much again
	DiedPostMortem               // an uncaught exception
	Ended                        // the program is over
	Begun                        // the program runs to where Options.From says; Resume waits for it
)

// Landing is the answer to a move.
type Landing struct {
	Position
	Reason   Reason
	Boundary Boundary // start or end if the move found nothing; a hole that it would have skipped
	Horizon  int      // recorded events passed over, the one landed on included
	// Stop is the index of the stop that ended the move, if the reason is HitBreakpoint
	// and the move had stops.
	Stop   int
	Met    []Met  // results for the stops of the move whose lines were crossed
	Notice string // a message for the user: tracing gaps, limits, sys.settrace refused
	// Up is the frame to show if the program called the debugger,
	// counted from the innermost one, and Commands are the commands to run there.
	Up       int
	Commands []string
	// Unseen reports, for NeedsInput, that the program reads with the echo off, for example a password.
	Unseen bool
}

// Boundary is the end of the recording that a move reached.
type Boundary uint8

// The boundaries: none, the start, the end, and the first event after a hole (a part that
// was not recorded).
const (
	NoBoundary Boundary = iota
	AtStart
	AtEnd
	AtHole
)

// Stop is a breakpoint as the tracer tests it.
type Stop struct {
	At        dsl.Location
	Function  string // only in frames of this co_name; "" for any
	Condition string // Python expression; "" for none
	Ignore    int    // satisfied hits to pass over

	// For is the event that a stop without a line waits for.
	For        Wait
	Expr       string // OnChange: the expression
	Activation int    // OnChange: the activation that has its names, at whose end it also stops; -1 for none
	Up         int    // the number of frames from the top of the stack up to it
}

// Wait says what a stop waits for.
type Wait uint8

// A stop waits for its line, for a change of an expression's value (or the end of the frame
// with its names), for an exception to be raised (even if it is caught), or for its
// condition to hold on any line.
const (
	OnLine Wait = iota
	OnChange
	OnRaise
	Anywhere
)

// Met is the result for a stop after the program ran.
type Met struct {
	Stop    int    // its index among the move's stops
	Hits    int    // how often its line was crossed, regardless of its condition
	Ignored int    // how many of these its ignore count passed over
	Error   string // the exception of its condition, which stops the move; "" for none
}
