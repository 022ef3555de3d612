package trace

import "github.com/npdb/npdb/dsl"

// Position is a place in a recording.
type Position struct {
	Event      int  // index into the tree; meaningless at the end
	End        bool // after the last event: the program has ended
	PostMortem bool // at an uncaught exception
}

// Reason says why a move stopped.
type Reason uint8

// The reasons for a stop.
const (
	Landed         Reason = iota // the move landed where the table of moves says
	HitBreakpoint                // a breakpoint of the move was reached
	ProgramBreak                 // the program called breakpoint() or pdb.set_trace()
	ProgramLooks                 // the program called pdb.post_mortem(); Below has the traceback
	Interrupted                  // by Recording.Interrupt; the position is the last event
	NeedsInput                   // the program waits for Recording.Input; the move has not ended
	LimitReached                 // a limit of Limits; the next move may record as much again
	DiedPostMortem               // an uncaught exception
	Ended                        // the program has ended
	Begun                        // the program runs until the place that Options.From names; Resume waits for that
)

// Landing is the result of a move.
type Landing struct {
	Position
	Reason   Reason
	Boundary Boundary // start or end if the move found nothing; a hole if it would have skipped one
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
	// Unseen reports, for NeedsInput, that the program reads with the echo switched off,
	// for example a password.
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

// Stop is a breakpoint that the tracer tests while the program runs.
type Stop struct {
	At        dsl.Location
	Function  string // only in frames of this co_name; "" for any
	Condition string // Python expression; "" for none
	Ignore    int    // number of hits to ignore, among those whose condition holds

	// For is the event for which a stop without a line waits.
	For        Wait
	Expr       string // OnChange: the expression
	Activation int    // OnChange: the activation that has the names of the expression; the stop is also hit when it ends; -1 for none
	Up         int    // the number of frames from the top of the stack to this activation
	OfModule   bool   // OnChange: the activation is of a module whose code does not run
}

// Wait is the kind of event for which a stop waits.
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

// Met counts the hits of one stop while the program ran.
type Met struct {
	Stop    int    // index of the stop among the move's stops
	Hits    int    // how often its line was crossed, regardless of its condition
	Ignored int    // how many of these its ignore count passed over
	Error   string // the exception that its condition raised, which ends the move; "" for none
}
