package trace

import "github.com/npdb/npdb/dsl"

// Position is a place in a recording.
type Position struct {
	Event      int  // index into the tree; meaningless at the end
	End        bool // after the last event: the program is over
	PostMortem bool // at an exception that nothing caught
}

// Reason says why a landing is where it is.
type Reason uint8

// The reasons for a stop.
const (
	Landed         Reason = iota // the move landed as its table says
	HitBreakpoint                // a breakpoint of the move was reached
	ProgramBreak                 // the program called breakpoint() or pdb.set_trace()
	ProgramLooks                 // the program called pdb.post_mortem(): Below is what it looks at
	Interrupted                  // by Recording.Interrupt; the position is the last event
	NeedsInput                   // the program waits for Recording.Input; the move is still under way
	LimitReached                 // a cap of Limits; a further move goes on for as much again
	DiedPostMortem               // an exception that nothing caught
	Ended                        // the program is over
	Begun                        // the program runs to where Options.From says; Resume waits for it
)

// Landing is the answer to a move.
type Landing struct {
	Position
	Reason   Reason
	Boundary Boundary // start or end when the move found nothing; a hole that it would have passed over
	Horizon  int      // recorded events passed over, the one landed on included
	// Stop is which of the move's stops ended it, where the reason is HitBreakpoint
	// and the move was given some.
	Stop   int
	Met    []Met  // what became of those of the move's stops whose lines were crossed
	Notice string // a word for the user: tracing gaps, limits, sys.settrace refused
	// Up is the frame that the program wants looked at where it called the debugger,
	// counted from the innermost one, and Commands what it wants done there.
	Up       int
	Commands []string
	// Unseen, of NeedsInput, reports that the program reads with the echo off: a password.
	Unseen bool
}

// Boundary is the end a move ran into.
type Boundary uint8

// No boundary, the start, the end, the first event after a stretch that ran
// unrecorded.
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

	// For is what a stop that is on no line waits for.
	For        Wait
	Expr       string // OnChange: the expression
	Activation int    // and the activation that has its names, at whose end it stops too; -1 for none
	Up         int    // which lies so many frames above the top of the stack
}

// Wait is what a stop waits for.
type Wait uint8

// A stop waits for its line; for another value of an expression, or the end of the
// frame that has its names; for an exception that is raised, be it caught or not; or
// for its condition to hold on any line.
const (
	OnLine Wait = iota
	OnChange
	OnRaise
	Anywhere
)

// Met is what became of a stop while the program ran.
type Met struct {
	Stop    int    // its place among the move's stops
	Hits    int    // how often its line was crossed, whether its condition held or not
	Ignored int    // how many of these its ignore count passed over
	Error   string // what its condition raised, "" for nothing; that stops the move
}
