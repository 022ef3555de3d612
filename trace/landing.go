package trace

import "github.com/npdb/npdb/dsl"

// Position is a place in a recording.
type Position struct {
	Event      int  // index of the event in the State Tree; not used if End is set
	End        bool // after the last event: the program has ended
	PostMortem bool // stopped at an uncaught exception, before the program ends
	// Inferred is the number of the branch of inferred states in which Event is an index, 0 for the
	// recording. Only sessions set it.
	Inferred int
	// Run is the index of the run that has the state, 0 for the first one: others began with an edit in
	// the past. Only the history of a session sets it.
	Run int
}

// InRun returns the position in another run.
func (p Position) InRun(run int) Position {
	p.Run = run
	return p
}

// Shifted returns the position with a number added to its event, if that is from or later.
func (p Position) Shifted(from, by int) Position {
	if p.Inferred == 0 && (p.Event >= from || p.End) {
		p.Event += by
	}
	return p
}

// Reason says why a move stopped.
type Reason uint8

// The reasons for a stop.
const (
	Landed         Reason = iota // the move reached the event that it looks for
	HitBreakpoint                // a breakpoint of the move was reached
	ProgramBreak                 // the program called breakpoint() or pdb.set_trace()
	ProgramLooks                 // the program called pdb.post_mortem(); Below has the traceback
	Interrupted                  // Recording.Interrupt stopped the move; the position is the last event
	NeedsInput                   // the program waits for Recording.Input; Resume continues the move
	LimitReached                 // a limit of Options.Limits; the next move may record as much again
	DiedPostMortem               // an uncaught exception is about to end the program
	Ended                        // the program has ended
	Begun                        // the program runs unrecorded to Options.From; Resume waits for that
)

// Landing is the result of a move.
type Landing struct {
	Position
	Reason   Reason
	Boundary Boundary // AtStart or AtEnd if the move found nothing; AtHole if it reached a hole
	Horizon  int      // number of recorded events passed, including the one landed on
	// Stop is the index, among the stops passed to the move, of the one that ended the move, if
	// the reason is HitBreakpoint.
	Stop   int
	Met    []Met  // hit counts of those of the move's stops that the program reached
	Notice string // a message for the user: tracing gaps, limits, sys.settrace refused
	// If the program called the debugger, Up is the frame to show, counted from the innermost
	// one, and Commands are the debugger commands that the program passed, to run in this
	// frame.
	Up       int
	Commands []string
	// Unseen reports, for NeedsInput, that the program reads with the echo switched off,
	// for example a password.
	Unseen bool
}

// Boundary says at which edge of the recorded events a move stopped.
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
	Function  string // OnLine: the stop is only hit in functions with this co_name; "" for any
	Condition string // Python expression; "" for none
	Number    int    // OnLine: the number in messages; 0 if the user knows none
	Ignore    int    // number of hits to pass over; only events at which Condition holds count

	// For is the kind of event that the stop waits for. Only OnLine uses At and Function.
	For  Wait
	Expr string // OnChange: the expression whose value is watched
	// Activation, for OnChange, is the activation to which the names in Expr belong, or -1. Its
	// end also hits the stop.
	Activation int
	Up         int  // OnChange: number of frames from the top of the stack to Activation
	OfModule   bool // OnChange: Activation is a module whose code is not running
}

// Wait is the kind of event for which a stop waits.
type Wait uint8

// A stop waits for its line (OnLine); for a change of an expression's value or the end of the
// frame with its names (OnChange); for an exception to be raised, even if it is caught
// (OnRaise); or for its condition to hold on any line (Anywhere).
const (
	OnLine Wait = iota
	OnChange
	OnRaise
	Anywhere
)

// Met counts the hits of one stop while the program ran.
type Met struct {
	Stop    int    // index of the stop among the move's stops
	Hits    int    // how often the stop's line was reached, regardless of its condition
	Ignored int    // how many hits were passed over because of Stop.Ignore
	Error   string // the exception that the stop's condition raised, which ends the move; "" for none
}
