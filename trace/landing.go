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
	Interrupted                  // by Recording.Interrupt; the position is the last event
	NeedsInput                   // the program waits for Recording.Input; the move is still under way
	LimitReached                 // a cap of Limits; a further move goes on for as much again
	DiedPostMortem               // an exception that nothing caught
	Ended                        // the program is over
)

// Landing is the answer to a move.
type Landing struct {
	Position
	Reason   Reason
	Boundary Boundary // start or end when the move found nothing
	Horizon  int      // recorded events passed over, the one landed on included
	// Hits counts, for each line of the move's stops, how often the tracer met
	// it and its condition held, the ignored times included.
	Hits map[dsl.Location]int
	// Errors are conditions that raised, by line; such a stop counts as hit.
	Errors map[dsl.Location]string
	Notice string // a word for the user: tracing gaps, limits, sys.settrace refused
}

// Boundary is the end a move ran into.
type Boundary uint8

// No boundary, the start, the end.
const (
	NoBoundary Boundary = iota
	AtStart
	AtEnd
)

// Stop is a breakpoint as the tracer tests it.
type Stop struct {
	At        dsl.Location
	Condition string // Python expression; "" for none
	Ignore    int    // satisfied hits to pass over
}
