package trace

import (
	"context"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace/statetree"
)

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

// Output is a piece of what the program wrote. Event is the index of the event
// it followed (-1: before the first).
type Output struct {
	Event  int
	Stream string // "stdout" or "stderr"
	Text   string // UTF-8; bytes that are not are escaped as \xNN
}

// Recording is a run of a program under CPython: its State Tree, and the
// process that waits at the tree's live edge.
type Recording struct {
	tree *statetree.Tree
}

// Start runs the program up to its first state. The landing is that state, or
// the end when there is none. A program that cannot be started (no Python, no
// file, a syntax error) is an error: see errors.go.
func Start(ctx context.Context, o Options) (*Recording, Landing, error) { panic("being written") }

// Tree is the recording's State Tree. It grows while a move runs.
func (r *Recording) Tree() *statetree.Tree { return r.tree }

// LiveEdge is the position of the furthest event a move has asked for.
func (r *Recording) LiveEdge() Position { panic("being written") }

// Move answers one action asked at from. For breakpoint moves the lines are
// the action's own, without conditions.
func (r *Recording) Move(ctx context.Context, from Position, a dsl.Action) (Landing, error) {
	panic("being written")
}

// Advance runs from the live edge until one of the stops is hit, its condition
// holds and its ignore count is used up, or to the end. The tracer itself
// tests them, so that the program runs at full speed. until, when not nil,
// stops it too: in the activation that is on top at the live edge, at a line
// of at least *until or at its return.
func (r *Recording) Advance(ctx context.Context, stops []Stop, until *int) (Landing, error) {
	panic("being written")
}

// Resume goes on with a move that stopped for input.
func (r *Recording) Resume(ctx context.Context) (Landing, error) { panic("being written") }

// Input gives the program a line (with its line end) of standard input; eof
// closes it after that.
func (r *Recording) Input(text string, eof bool) error { panic("being written") }

// Interrupt stops a running move at the next event or signal check.
func (r *Recording) Interrupt() { panic("being written") }

// Kill ends the program at once.
func (r *Recording) Kill() { panic("being written") }

// Close ends the program and everything it started and frees what the
// recording holds outside its tree.
func (r *Recording) Close() error { panic("being written") }

// Output is what the program wrote after event from (exclusive) up to event to
// (inclusive); to < 0 means all that has come.
func (r *Recording) Output(from, to int) []Output { panic("being written") }

// Exit is how the program ended, nil while it runs.
func (r *Recording) Exit() *dsl.Exit { panic("being written") }

// Verb is what Ask asks of the live frame.
type Verb string

// What can be asked at the live edge. Each takes one text and answers one.
const (
	VerbPrint      Verb = "p"          // expression → repr
	VerbPretty     Verb = "pp"         // expression → pprint
	VerbWhatis     Verb = "whatis"     // expression → pdb's words for its type
	VerbSource     Verb = "source"     // expression → its source
	VerbExec       Verb = "!"          // statement → what it printed; the state may change (then Changed)
	VerbInteract   Verb = "interact"   // a line of an interactive interpreter → what it printed; More when it is not complete
	VerbJump       Verb = "jump"       // a line number of the frame's file
	VerbComplete   Verb = "complete"   // a prefix → names, one a line
	VerbFunction   Verb = "function"   // expression naming a function → "PATH\nFIRST BODY LINE"
	VerbThreads    Verb = "threads"    // "" → one line a thread other than the main one
	VerbExceptions Verb = "exceptions" // "" → the chain, one a line; a number → choose that one's traceback (post-mortem)
)

// Answer is what the live frame said.
type Answer struct {
	Text    string
	More    bool     // interact: the statement is not complete yet
	Changed bool     // the state at the live edge was edited
	Landing *Landing // jump: the new position
}

// Ask evaluates in the frame that lies up frames above the top of the stack at
// the live edge (in post-mortem, of the traceback). What the program's code
// raised comes back as an *EvalError.
func (r *Recording) Ask(ctx context.Context, up int, v Verb, text string) (Answer, error) {
	panic("being written")
}
